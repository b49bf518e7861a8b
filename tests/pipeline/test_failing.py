"""What a failing case says: its roots of themselves, then the metric of itself, never one for the other."""

from __future__ import annotations

import msgspec

from evalkit.pipeline.failing import failing_cases
from evalkit.records.flat import FailingCase, TrialRows
from evalkit.records.verdict import Verdict
from evalkit.report.annotations import workflow_commands
from evalkit.report.junit import junit_xml
from evalkit.report.markdown import markdown
from tests.report.documents import document, trials


def verdicts(said: str) -> tuple[Verdict, ...]:
    """Return a trial whose stage did not run, and whose metric fails there."""
    common = {"index": 1, "case": "c1", "arm": "a", "trial": 0, "outcome": "fail", "roots": ("look",)}
    stage = {"of": "stage", "name": "look", "message": said, "reason": "missing"}
    metric = {"of": "metric", "name": "right", "message": "the world is wrong", "reason": "check"}
    return tuple(msgspec.convert({**common, **one}, Verdict) for one in (stage, metric))


def failing(said: str) -> tuple[FailingCase, ...]:
    """Return the failing cases of such a trial."""
    return failing_cases(document("x"), verdicts(said), {})


def test_a_root_speaks_for_itself() -> None:
    """The root's own message stands behind its name, and the metric's behind that."""
    (one,) = failing("look did not run")
    assert ("look did not run", "the world is wrong") == one.said
    text = "".join(markdown(document("x"), [one]))
    assert "1 of 1 trial failed. root `look`: `look did not run`; `the world is wrong`\n" in text
    commands = "\n".join(workflow_commands(document("x"), [one]))
    assert "::1 of 1 trial failed: root look: look did not run; the world is wrong" in commands


def test_a_silent_root_lends_its_name_to_nobody() -> None:
    """Where the root says nothing, what the metric says is set off from its name; nothing is said twice."""
    (one,) = failing("")
    assert "root `look`; `the world is wrong`\n" in "".join(markdown(document("x"), [one]))
    (same,) = failing("the world is wrong")
    assert ("the world is wrong",) == same.said


def test_a_build_server_reads_the_same() -> None:
    """In JUnit, too, the message of a stage stands behind its name."""
    said = TrialRows(rows=verdicts("look did not run"))
    told = [said if at == 1 else one for at, one in enumerate(trials("x"))]
    text = "".join(junit_xml(document("x"), lambda _arm: told))
    assert 'message="root look: look did not run; the world is wrong"' in text
    assert "stage look: fail: root look: look did not run" in text
