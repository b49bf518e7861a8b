"""JUnit XML: what build servers count, and that no text breaks it."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import OutputError
from evalkit.records.document import Document
from evalkit.records.safe import as_written
from evalkit.report.junit import junit_xml
from tests.report.documents import CHINESE, EVERY, document, trials

COUNTED = ("tests", "failures", "errors", "skipped")
ANYTHING = st.text(st.characters(exclude_categories=()), max_size=40)


def written(text: str, *, arms: tuple[str, ...] = ("a",), shown: Document | None = None) -> ET.Element:
    """Return the XML of six trials, parsed as a build server parses it."""
    made = document(text, arms=arms) if shown is None else shown
    pieces = "".join(junit_xml(made, lambda arm: trials(text, arm)))
    return ET.fromstring(pieces.encode("utf-8"))  # noqa: S314  # evalkit wrote it


def test_peer_17_every_code_point_and_lone_surrogates_stay_well_formed() -> None:
    """An output that holds every code point from U+0000 to U+FFFF is read back to the letter."""
    for start in range(0, len(EVERY), 1900):
        text = EVERY[start : start + 1900]
        found = written(text).findall(".//testcase")[2].find("failure")
        assert found is not None
        assert text == as_written(found.attrib["message"])
        assert text in as_written(found.text or "")


@given(ANYTHING)
def test_peer_17_any_text_anywhere_stays_well_formed(text: str) -> None:
    """Names, messages, roots, sub-causes and reasons may be any text: the file parses, nothing is lost."""
    found = written(text).findall(".//testcase")
    assert 6 == len(found)
    message = found[2].find("failure")
    assert message is not None
    assert (text or "fail") == as_written(message.attrib["message"])


def test_chinese_and_emoji_are_intact() -> None:
    """Letters of any script and joined emoji stand in the file as they are."""
    assert CHINESE in "".join(junit_xml(document("x"), lambda arm: trials(CHINESE, arm)))


def test_the_attributes_add_up() -> None:
    """Of a suite and of the whole: tests, failures, errors and skipped are those of its test cases."""
    root = written("x", arms=("a", "b"))
    suites = root.findall("testsuite")
    assert ["s.a", "s.b"] == [suite.attrib["name"] for suite in suites]
    for suite in suites:
        cases = suite.findall("testcase")
        kinds = [len(suite.findall(f"testcase/{kind}")) for kind in ("failure", "error", "skipped")]
        assert [len(cases), *kinds] == [int(suite.attrib[name]) for name in COUNTED]
    sums = [sum(int(suite.attrib[name]) for suite in suites) for name in COUNTED]
    assert sums == [int(root.attrib[name]) for name in COUNTED] == [12, 4, 2, 4]


def test_each_outcome_has_its_element() -> None:
    """A fail is a failure; explained and not-asked errors are skipped; unmeasured are errors."""
    cases = written("why").findall(".//testcase")
    kinds = [[child.tag for child in case if child.tag != "system-out"] for case in cases]
    assert [[], ["failure"], ["failure"], ["skipped"], ["skipped"], ["error"]] == kinds
    messages = [case[0].attrib.get("message") for case in cases[1:]]
    assert messages == [
        "root why; why",
        "why",
        "upstream_failed: root why; why",
        "not_required: why",
        "environment (why): why",
    ]
    assert "environment" == cases[5][0].attrib["type"]


def test_the_unknown_is_left_out() -> None:
    """A trial of unknown length has no time, and the suite only where all are known; a place gives both."""
    cases = written("x").findall(".//testcase")
    assert ["0.500000"] * 5 + [None] == [case.get("time") for case in cases]
    assert ("cases/0.yaml", "3") == (cases[0].attrib["file"], cases[0].attrib["line"])
    known = document("x")
    spread = msgspec.structs.replace(known.spreads["a"][0], unknown=1)
    unknown = msgspec.structs.replace(known, spreads={"a": (spread,)})
    assert ["3.000000", None] == [
        suite.get("time") for shown in (known, unknown) for suite in written("x", shown=shown)
    ]


def test_what_else_failed_is_told_with_the_trial() -> None:
    """Other stages and metrics that did not pass stand in system-out, also of a trial that passed."""
    first, second, *_ = written("why").findall(".//testcase/system-out")
    assert "metric fine: fail: why" == first.text
    assert "stage look: fail: fail\nmetric fine: fail: why" == second.text


def test_a_waiver_is_told_and_hides_nothing() -> None:
    """A waived case is a failure all the same, and says until when by whom."""
    found = written("why").findall(".//testcase")[2].find("failure")
    assert found is not None
    assert "waived until 2027-01-31 by why: why" in (found.text or "")


def test_a_suite_says_what_it_was_measured_on() -> None:
    """Signature, coverage and decision are properties of the suite."""
    found = {one.attrib["name"]: one.attrib["value"] for one in written("x").iter("property")}
    assert ("no-go", "mock", "0" * 64, "0.800000") == tuple(
        found[name] for name in ("decision", "mode", "suite_hash", "coverage")
    )


def test_long_texts_are_cut() -> None:
    """A message of a megabyte does not become an attribute of a megabyte."""
    text = "".join(junit_xml(document("x"), lambda arm: trials("y" * 1_000_000, arm)))
    assert len(text) < 50_000
    assert "(1000000 characters)" in text


def test_a_run_that_changed_meanwhile_is_not_reported() -> None:
    """Where the rows are not those that were counted, there is no file whose attributes lie."""
    with pytest.raises(OutputError, match="changed while it was read"):
        list(junit_xml(document("x"), lambda arm: list(trials("x", arm))[1:]))
