"""A sound suite as text, and what becomes of it when parts are changed: the bench of this room's tests."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evalkit.errors import InputError, Problem
from evalkit.records.suite import Suite, ToolSpec
from evalkit.suite.load import load_suite

SUITE = "suites/desk/suite.yaml"
CASE = "golden/desk/lend-1.yaml"
OTHER = "golden/desk/refuse-2.yaml"
SOLUTION = "golden/desk/solutions/refuse-2.yaml"
ARM = "suites/desk/arms/champion.yaml"
GATE = "suites/desk/gate.yaml"
WORLD = "suites/desk/world.sql"
POLICIES = "suites/desk/policies.py"
CHECKS = "suites/desk/checks.py"
TOOLS = "suites/desk/tools.py"
PROMPT = "suites/desk/prompts/system.md"

SOUND: Mapping[str, str] = {
    SUITE: """suite: desk
world: {database: world.sql, tools: tools.py}
facts:
  verdict: {from: call, tool: decide, path: args.verdict}
stages:
  identify: {ran: {called: find}}
  decide: {needs: [identify], ran: {fact: verdict}}
  lend: {needs: [decide], ran: {called: lend}, demand: optional}
  reply: {needs: [decide], ran: {replied: true}}
metrics:
  lent: {scope: outcome, stage: lend, tier: gate, primary: true, check: state}
  found: {scope: trace, stage: identify, tier: compare, primary: true, check: called}
  honest: {scope: outcome, stage: reply, tier: gate, check: claim_matches_state}
  polite: {scope: outcome, stage: reply, tier: observe, check: reply}
claims:
  lent:
    reply: {field: status, equals: lent}
    holds: {sql: "select count(*) = 1 from loans where book = $book"}
cases: ../../golden/desk
limits: {turns: 10}
""",
    CASE: """id: lend-1
tags: {capability: lending}
source: {origin: written, at: 2026-10-02}
vars: {book: B-1}
start: {sql: "delete from loans where book = $book"}
requires: [lend]
input: May I borrow B-1?
expect:
  - state: {sql: "select count(*) from loans where book = $book", equals: 1}
  - called: {tool: find, args: {name: Ada}}
  - reply: {contains: enjoy}
solution:
  - call: {tool: lend, args: {book: B-1}}
  - reply: {status: lent}
""",
    OTHER: """id: refuse-2
tags: {capability: refusal}
vars: {book: B-2}
forbids: [lend]
turns:
  - Hello.
  - user: May I borrow B-2?
mock:
  find:
    - {when: {name: Ada}, times: 1, return: {id: M-1}}
    - {otherwise: {error: unknown}}
expect:
  - state: {sql: "select reason from declines", equals: reserved}
solution: solutions/refuse-2.yaml
""",
    SOLUTION: "- call: {tool: decide, args: {verdict: no}}\n- reply: {status: declined}\n".replace(
        "no}", '"no"}'
    ),
    ARM: """arm: champion
model: {provider: scripted, policy: "policies.py:champion"}
system_file: prompts/system.md
tools: [find, decide, lend]
prices: {input: 1.0, output: 2.0}
""",
    GATE: """trials: 5
require:
  - {metric: lent, statistic: rate, at_least: 0.04, where: "capability=lending"}
""",
    WORLD: "create table loans (book text);\ncreate table declines (reason text);\n",
    POLICIES: "def champion(request, rng):\n    return [{'reply': 'x'}]\n",
    CHECKS: "def polite(sheet, word='please'):\n    return word in sheet.replies[-1].text\n",
    TOOLS: "def find(name: str) -> dict:\n    ...\n",
    PROMPT: "Be kind.\n",
}
"""Path below the project -> text."""


def _taking(*names: str) -> dict[str, Any]:
    """Return the schema of a tool that takes these texts."""
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "additionalProperties": False,
    }


TOOLS_OF_THE_DESK = (
    ToolSpec(name="find", parameters=_taking("name")),
    ToolSpec(name="decide", effect="write", parameters=_taking("verdict")),
    ToolSpec(name="lend", effect="write", parameters=_taking("book")),
    ToolSpec(name="look_up", parameters=_taking("title")),
    ToolSpec(name="write_down", effect="write", parameters=_taking("text")),
)

Change = str | tuple[str, str] | bytes
"""New content, or what stands there and what stands there instead."""


def describe(path: Path) -> tuple[ToolSpec, ...]:
    """Stand in for the room that reads tools: the desk's tools, unless the file is broken."""
    if "broken" in path.read_text(encoding="utf-8"):
        problem = Problem(message="the file does not load", file=str(path), code="bad-tools")
        raise InputError((problem,))
    return TOOLS_OF_THE_DESK


def laid_out(folder: Path, changes: Mapping[str, Change] | None = None) -> Path:
    """Write the sound suite with some changes; return the suite's folder."""
    contents: dict[str, bytes] = {path: text.encode() for path, text in SOUND.items()}
    for path, change in (changes or {}).items():
        contents[path] = _changed(contents.get(path, b""), change)
    for path, content in contents.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return folder / "suites" / "desk"


def _changed(content: bytes, change: Change) -> bytes:
    if isinstance(change, bytes):
        return change
    if isinstance(change, str):
        return change.encode()
    old, new = (part.encode() for part in change)
    assert old in content, f"{old!r} stands nowhere in the sound text"
    return content.replace(old, new, 1)


def loaded(folder: Path, changes: Mapping[str, Change] | None = None) -> Suite:
    """Lay out the sound suite with some changes and load it."""
    return load_suite(laid_out(folder, changes), describe=describe)


def problems_of(folder: Path, changes: Mapping[str, Change]) -> tuple[Problem, ...]:
    """Lay out the sound suite with some changes; return what is wrong with it, () where nothing is."""
    try:
        loaded(folder, changes)
    except InputError as error:
        return error.problems
    return ()


def codes_of(folder: Path, changes: Mapping[str, Change]) -> list[str]:
    """Return the codes of what is wrong, in reading order."""
    return [problem.code for problem in problems_of(folder, changes)]


def in_suite(old: str, new: str) -> dict[str, Change]:
    """Change one thing in suite.yaml."""
    return {SUITE: (old, new)}


def in_case(old: str, new: str) -> dict[str, Change]:
    """Change one thing in the first case."""
    return {CASE: (old, new)}
