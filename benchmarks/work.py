"""The work that is measured, and who does it: one command for each tool and size.

The two kinds of work, the same for all:

trivial   One user turn, one reply, one check of the reply.
turns     One user turn and three replies of the model: the first two each call a pure function, the third
          answers. One check of the answer.

A size is `cases` x `repeats`, a hundred cases wherever there are as many trials, as in a real suite.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
PEERS = HERE / ".venv" / "bin" / "python"
"""The Python of the peers; `make bench-peers` makes it."""

CASES = 100  # of a suite as people have them; more trials are repeats
KINDS = ("trivial", "turns")

# A secret makes every line be searched for it, as in any CI job that has a token.
_SECRET = {"BENCHMARK_TOKEN": "not-in-any-line-0123456789"}

_SUITES = {
    "trivial": {
        "suite.yaml": "suite: trivial\ncases: cases.jsonl\n",
        "arms/champion.yaml": "arm: champion\nmodel: {provider: scripted, replies: [{reply: hello}]}\n",
    },
    "turns": {
        "suite.yaml": "suite: turns\ncases: cases.jsonl\nworld: {tools: tools.py}\n",
        "arms/champion.yaml": (
            "arm: champion\n"
            "model:\n"
            "  provider: scripted\n"
            "  replies:\n"
            "    - call: {tool: add, args: {one: 19, other: 2}}\n"
            "      stop: tool_use\n"
            "    - call: {tool: double, args: {number: 21}}\n"
            "      stop: tool_use\n"
            "    - reply: The total is 42.\n"
        ),
        "tools.py": (
            "async def add(one: int, other: int) -> int:\n"
            '    """Add two numbers.\n\n'
            '    Args:\n        one: The first.\n        other: The second.\n    """\n'
            "    return one + other\n\n\n"
            "async def double(number: int) -> int:\n"
            '    """Double a number.\n\n    Args:\n        number: The number.\n    """\n'
            "    return 2 * number\n"
        ),
    },
}
# The same functions as most people write them: each call gets a thread of its own.
_SUITES["plain"] = _SUITES["turns"] | {"tools.py": _SUITES["turns"]["tools.py"].replace("async def", "def")}
_ASKED = {"trivial": ("hi", "hello"), "turns": ("Add 19 and 2, and double it.", "42")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is done.

    Attributes:
        cases: Different cases.
        repeats: Trials of each.
    """

    cases: int
    repeats: int

    @property
    def trials(self) -> int:
        """All trials."""
        return self.cases * self.repeats


def size(trials: int) -> Size:
    """Return so many trials as cases and repeats.

    Args:
        trials: At least 1; beyond a hundred, a multiple of a hundred.

    Raises:
        ValueError: It cannot be had.
    """
    if trials > CASES and trials % CASES:
        raise ValueError(f"{trials} trials are not a multiple of {CASES}")
    return Size(cases=min(trials, CASES), repeats=max(1, trials // CASES))


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One way to do one kind of work.

    Attributes:
        kind: trivial or turns.
        tool: Who does it, as the table names it.
        command: Size and folder -> what is started there; it may write its input into the folder first.
        passed: What it printed -> trials that passed.
        environment: What it sees of the environment beside `PATH` and its own folders.
        largest: The most trials that it is given: a row that only tells what an option costs need not go on.
    """

    kind: str
    tool: str
    command: Callable[[Size, Path], tuple[str, ...]]
    passed: Callable[[Mapping[str, object]], object]
    environment: Mapping[str, str]
    largest: int | None = None

    @property
    def is_own(self) -> bool:
        """Whether it is evalkit's."""
        return self.tool.startswith("evalkit")

    @property
    def is_slow(self) -> bool:
        """Whether its trials take milliseconds."""
        return self.tool.startswith("Inspect")

    def takes(self, trials: int) -> bool:
        """Tell whether it is given so many trials.

        Args:
            trials: The size.
        """
        return self.largest is None or trials <= self.largest

    def surroundings(self, folder: Path) -> dict[str, str]:
        """Return all that a process sees of the environment: whatever it keeps, it keeps in its folder.

        Args:
            folder: Its folder.
        """
        places = {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"), "TMPDIR": str(folder)}
        return {"PATH": os.environ["PATH"], **places, **self.environment}


def evalkit_row(kind: str, suite: str, tool: str) -> Row:
    """Return a row of evalkit, through its command line as a person types it.

    Args:
        kind: The work.
        suite: Which of the suites does it.
        tool: Its name in the table.
    """
    program = str(Path(sys.executable).with_name("evalkit"))

    def command(size: Size, folder: Path) -> tuple[str, ...]:
        write(suite, size, folder / "suites" / suite)
        options = ("--mode", "real", "--trials", str(size.repeats), "--json")
        return (program, "run", f"suites/{suite}", *options)

    return Row(kind=kind, tool=tool, command=command, passed=lambda said: said["pass"], environment=_SECRET)


def peer_row(script: str, kind: str, work: str, tool: str, largest: int | None = None) -> Row:
    """Return a row of a peer.

    Args:
        script: File under `peers/`.
        kind: The work.
        work: The word that the script knows it by.
        tool: Its name in the table.
        largest: The most trials that it is given.
    """

    def command(size: Size, folder: Path) -> tuple[str, ...]:
        words = (work, str(size.cases), str(size.repeats), str(folder / "logs"))
        return (str(PEERS), str(HERE / "peers" / script), *words)

    return Row(
        kind=kind,
        tool=tool,
        command=command,
        passed=lambda said: said["passed"],
        environment={"LOGFIRE_SEND_TO_LOGFIRE": "false"},
        largest=largest,
    )


def own_rows() -> tuple[Row, ...]:
    """Return the rows that need nothing but evalkit."""
    return (
        evalkit_row("trivial", "trivial", "evalkit run"),
        evalkit_row("turns", "turns", "evalkit run"),
        evalkit_row("turns", "plain", "evalkit run, tools in threads"),
    )


def peer_rows(*, quick: bool) -> tuple[Row, ...]:
    """Return the rows of the peers.

    Args:
        quick: Without those that only tell what an option costs, and nothing that takes minutes.
    """
    inspect, pydantic = "inspect_work.py", "pydantic_work.py"
    most = 1_000 if quick else None
    rows = [
        peer_row(inspect, "trivial", "trivial", "Inspect AI", largest=most),
        peer_row(inspect, "turns", "turns", "Inspect AI", largest=most),
        peer_row(inspect, "turns", "loop", "Inspect AI, loop by hand", largest=1_000),
        peer_row(pydantic, "trivial", "trivial", "pydantic-evals"),
        peer_row(pydantic, "turns", "turns", "pydantic-evals"),
    ]
    if not quick:
        rows.insert(
            1, peer_row(inspect, "trivial", "trivial+live", "Inspect AI, realtime log", largest=1_000)
        )
        rows.insert(4, peer_row(inspect, "turns", "turns+live", "Inspect AI, realtime log", largest=1_000))
    return tuple(rows)


def write(suite: str, size: Size, place: Path) -> None:
    """Write a suite of so many cases.

    Args:
        suite: trivial, turns or plain.
        size: Its cases; repeats are left to whoever runs it.
        place: The suite's folder, which is made.
    """
    (place / "arms").mkdir(parents=True)
    for name, text in _SUITES[suite].items():
        (place / name).write_text(text, encoding="utf-8")
    asked, answer = _ASKED["trivial" if suite == "trivial" else "turns"]
    with (place / "cases.jsonl").open("w", encoding="utf-8") as file:
        for number in range(size.cases):
            case = {"id": f"case-{number}", "input": asked, "expect": [{"reply": {"contains": answer}}]}
            file.write(json.dumps(case) + "\n")
