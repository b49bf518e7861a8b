"""A trial that passes although something failed in it is told: by the gate, by blame, by the reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.walking import Walker, greet

SUITE = """\
suite: greet
cases: cases.jsonl
metrics:
  outcome: {primary: true, check: reply}
  polite: {%s}
"""
CASES: list[dict[str, object]] = [
    {
        "id": name,
        "input": "say hello",
        "expect": [{"reply": {"contains": "hello"}, "for": "outcome"}, {"reply": polite, "for": "polite"}],
    }
    for name, polite in (("case-1", {"contains": "hello"}), ("case-2", {"contains": "please"}))
]
GATE = "trials: 3\nrequire: [{metric: outcome, at_least: 0.05}%s]\n"
ALTHOUGH = "passed, although a gate metric failed: polite in 3 trials of 1 case (case-2)"


def suite(folder: Path, tier: str = "gate", asked: str = "") -> Path:
    """Write a suite in which every trial passes, and those of one case are not polite."""
    return greet(folder, CASES, gate=GATE % asked, suite=SUITE % f"check: reply, tier: {tier}")


def told(walk: Walker, place: Path) -> tuple[str, list[str]]:
    """Return the decision, and what it says of trials that passed although something failed."""
    found = walk("gate", place, "--json").object
    return found["decision"], [text for text in found["warnings"] if text.startswith("passed, although")]


def test_the_gate_says_that_a_gate_metric_failed(walk: Walker) -> None:
    """How many trials, which cases, and that nothing asks for it; the decision stays what the policy asks."""
    decision, (warning,) = told(walk, suite(walk.folder))
    assert "go" == decision
    assert warning.startswith(f"{ALTHOUGH}; no require of the policy asks for it: evalkit blame ")


@pytest.mark.parametrize(
    ("tier", "asked"), [("gate", ", {metric: polite, at_least: 0.05}"), ("observe", ""), ("compare", "")]
)
def test_what_is_asked_or_decides_nothing_is_no_warning(walk: Walker, tier: str, asked: str) -> None:
    """A require speaks for itself, and metrics of the other tiers may decide nothing."""
    assert [] == told(walk, suite(walk.folder, tier, asked))[1]


def test_blame_and_reports_tell_of_them(walk: Walker) -> None:
    """Blame shows their root, and every report says how many there are and what to type."""
    run = walk("gate", suite(walk.folder), "--json").run
    assert "1 root cause of trials that passed all the same in 1 case" in walk("blame", run).out
    line = f"3 trials of 1 case passed all the same, though a stage or metric failed: evalkit blame {run}"
    assert [line] == walk("show", run, "--json").object["notes"][-1:]
    walk("report", run, "-o", "r.md", "-o", "r.html")
    for name in ("r.md", "r.html"):
        assert "3 trials of 1 case passed all the same" in (walk.folder / name).read_text()
