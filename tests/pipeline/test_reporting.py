"""What the formats are given: failing cases in one pass, and the machine report as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Iterator

import jsonschema_rs
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.pipeline.failing import failing_cases
from evalkit.pipeline.objects import machine_report
from evalkit.records.safe import as_written
from evalkit.records.verdict import Verdict
from evalkit.report.schemas import machine_schema
from tests.report.documents import CHINESE, document, verdicts

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=30)


def rows(*numbers: int, case: str = "c") -> Iterator[Verdict]:
    """Yield the verdicts of trials of one case, each ending as that trial of `documents.verdicts`."""
    for trial, number in enumerate(numbers):
        for row in verdicts(f"why {number}", "a", number):
            yield msgspec.structs.replace(row, case=case, trial=trial)


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ((0, 4), []),  # passed, not asked
        ((0, 1), [(2, 1, 0, "why 1", "")]),
        ((0, 3), [(2, 1, 0, "why 3", "")]),  # explained by a fail above: the agent's
        ((5, 5), [(2, 0, 2, "", "why 5")]),
        ((5, 0, 2, 1), [(4, 2, 1, "why 2", "why 5")]),
    ],
)
def test_cases_are_counted_with_their_first_fail(
    ends: tuple[int, ...], expected: list[tuple[int, int, int, str, str]]
) -> None:
    """Trials, failed and unmeasured by the deciding metric; what the first of each says."""
    found = failing_cases(document("x"), rows(*ends), {"c": "f.yaml:1"})
    told = [(one.trials, one.failed, one.unmeasured, one.message, one.missing) for one in found]
    assert expected == told
    assert all(one.place == "f.yaml:1" for one in found)


def test_cases_stand_in_plan_order_and_waivers_are_known() -> None:
    """Order is that of the plan; a case with an active waiver is waived."""
    found = failing_cases(document("x"), (*rows(1, case="z"), *rows(2, case="c2")), {})
    assert [("z", False), ("c2", True)] == [(one.case, one.waived) for one in found]


@given(ANYTHING)
def test_any_text_is_one_object_by_the_schema(text: str) -> None:
    """Whatever a name or message holds: strict UTF-8 JSON by the schema, each case on a line of its own."""
    written = "".join(machine_report(document(text, arms=("a", "b")))).encode("utf-8")
    found = json.loads(written)
    jsonschema_rs.validate(machine_schema("report"), found)
    assert text == as_written(found["notes"][0])
    assert 12 == len(found["rows"]) == written.count(b'\n{"case":')


def test_the_report_says_what_was_decided() -> None:
    """The word, the whole decision, and null for both where nothing was decided."""
    found = json.loads("".join(machine_report(document(CHINESE))))
    assert ("no-go", [f"no-go: {CHINESE}", CHINESE]) == (found["decision"], found["decided"]["reasons"])
    undecided = json.loads("".join(machine_report(document("x", decided=False))))
    assert (None, None) == (undecided["decision"], undecided["decided"])


def test_a_number_that_is_none_is_refused() -> None:
    """NaN has no JSON form, and never becomes null in silence."""
    shown = document("x")
    spread = msgspec.structs.replace(shown.spreads["a"][0], p50=float("nan"))
    with pytest.raises(ValueError, match="not a number that can be stored"):
        list(machine_report(msgspec.structs.replace(shown, spreads={"a": (spread,)})))
