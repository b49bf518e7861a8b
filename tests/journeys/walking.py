"""How the journeys walk: small suites written to disk, and the command line called as a person calls it.

Comes in: a folder and words. Goes out: what was printed, the exit code, and run folders.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evalkit.cli.main import main

GREET = """\
suite: greet
cases: cases.jsonl
"""


@dataclass(frozen=True)
class Said:
    """What one call of the command line came to."""

    code: int
    out: str
    err: str

    @property
    def object(self) -> dict[str, Any]:
        """The JSON object on stdout."""
        found: dict[str, Any] = json.loads(self.out)
        return found

    @property
    def run(self) -> str:
        """The name of the run that the JSON object is about."""
        return str(self.object["run"])


class Walker:
    """Calls the command line in a folder of its own."""

    def __init__(
        self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Go to the folder."""
        self.folder = folder
        self._capsys = capsys
        monkeypatch.chdir(folder)

    def __call__(self, *words: object) -> Said:
        """Type words after `evalkit`."""
        self._capsys.readouterr()
        code = main([str(word) for word in words])
        printed = self._capsys.readouterr()
        return Said(code, printed.out, printed.err)

    def run_folder(self, run: str) -> Path:
        """Return the folder of a run."""
        return self.folder / "reports" / run


def case(number: int, expected: str = "hello", **more: object) -> dict[str, object]:
    """Return a case that expects a greeting."""
    expect = [{"reply": {"contains": expected}}]
    return {"id": f"case-{number}", "input": f"say hello {number}", "expect": expect, **more}


def greet(
    folder: Path,
    cases: Sequence[dict[str, object]],
    steps: str = "[{reply: hello}]",
    gate: str = "require: [{metric: outcome, at_least: 0.5}]\ntrials: 1\n",
    suite: str = GREET,
) -> Path:
    """Write a suite of text in, text out, with one scripted arm, and return its folder."""
    place = folder / "suites" / "greet"
    (place / "arms").mkdir(parents=True)
    (place / "suite.yaml").write_text(suite)
    (place / "cases.jsonl").write_text("".join(json.dumps(one) + "\n" for one in cases))
    arm = f"arm: champion\nmodel: {{provider: scripted, replies: {steps}}}\n"
    (place / "arms" / "champion.yaml").write_text(arm)
    (place / "gate.yaml").write_text(gate)
    return place
