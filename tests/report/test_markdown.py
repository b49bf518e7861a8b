"""Markdown for pull requests: the decision first, within the limits, nothing obeyed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from evalkit.records.flat import FailingCase
from evalkit.report.markdown import MOST, markdown
from tests.report.building import nasty
from tests.report.documents import document, failing, incomplete
from tests.report.test_inert import ACTIVE, HOSTILE, MARKDOWN

OURS = {"heading_open", "html_inline", "html_block"}  # headings, <sub>, <details>, <summary>


def text_of(text: str, number: int = 3) -> str:
    """Return the Markdown of a document full of a text."""
    return "".join(markdown(document(text), failing(text, number)))


def test_the_decision_stands_first() -> None:
    """The first line is the decision, the reasons follow."""
    first, _, reason, *_ = text_of("why").splitlines()
    assert "## ❌ no-go: suite `s`, arm `a`" == first
    assert "- no-go: why" == reason


def test_without_a_decision_it_says_so() -> None:
    """A run that no gate was asked about is not decided, and the next command is named."""
    head = "".join(markdown(document("x", decided=False), ())).splitlines()
    assert "## not decided: suite `s`, arm `a`" == head[0]
    assert "`evalkit gate r1`" in head[2]


def test_an_incomplete_run_says_so_at_once() -> None:
    """What has no end is said before any reason."""
    assert "incomplete" in "".join(markdown(incomplete(document("x")), ())).splitlines()[2]
    assert "incomplete" not in "".join(markdown(document("x"), ()))


@given(nasty())
@settings(max_examples=50)
def test_hostile_texts_make_no_markup(text: str) -> None:
    """Any text in any place: the tags are ours, and there is no link, image, emphasis or list of it."""
    shown = text_of(text)
    tokens = [child for token in MARKDOWN.parse(shown) for child in (token, *(token.children or ()))]
    # `**` and `_` are ours where they say that something is incomplete, expired or cut.
    assert set() == {token.type for token in tokens} & (ACTIVE - OURS - {"strong_open", "em_open"})
    tags = {token.content.strip() for token in tokens if token.type.startswith("html")}
    assert [] == [tag for tag in tags if not tag.startswith(("<details>", "</details>", "<sub>", "</sub>"))]


@pytest.mark.parametrize("text", HOSTILE)
def test_tables_keep_their_columns(text: str) -> None:
    """No text adds or removes a cell: every row is as wide as its head."""
    widths: list[int] = []
    for token in MARKDOWN.parse(text_of(text)):
        if token.type == "tr_open":
            widths.append(0)
        elif token.type in ("td_open", "th_open"):
            widths[-1] += 1
    assert {8, 9, 10, 5} == set(widths)


@pytest.mark.parametrize(("text", "number"), [("x" * 5000, 3), ("退" * 5000, 9000), ("`" * 900, 9000)])
def test_it_fits_into_a_comment(text: str, number: int) -> None:
    """However much there is to say: fewer characters than a comment may have, and the cut is told."""
    shown = text_of(text, number)
    assert len(shown) <= MOST < 65_536
    assert len(shown.encode()) < 2**20
    assert shown.count("<details>") == shown.count("</details>")
    assert f"and {number + 1 - 40} more" in shown or number < 40 or "_Cut: " in shown


def test_what_was_not_measured_is_no_failure() -> None:
    """Failed cases and unmeasured ones stand in lists of their own, with counts."""
    shown = text_of("why")
    assert "Cases with failed trials (4)" in shown
    assert "Cases that were not measured everywhere (1)" in shown
    assert "- `lost`, `a`: 2 of 2 trials not measured, `golden/c.yaml:7`. environment: `why`" in shown
    assert "`known`, `a`: 2 of 2 trials failed (waived)" in shown


def test_a_case_that_failed_and_was_not_measured_says_both() -> None:
    """In each list stands what that trial says, not what another trial of the case says."""
    one = FailingCase(
        case="c",
        arm="a",
        trials=2,
        failed=1,
        unmeasured=1,
        message="wrong",
        cause="environment",
        missing="down",
    )
    shown = "".join(markdown(document("x"), [one]))
    assert "- `c`, `a`: 1 of 2 trials failed. `wrong`\n" in shown
    assert "- `c`, `a`: 1 of 2 trials not measured. environment: `down`\n" in shown
