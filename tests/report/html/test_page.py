"""The whole page: closed to what others write, sealed, of a bounded size, the same for the same document."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from evalkit.records.document import Document
from tests.report.building import nasty
from tests.report.html.making import document, rows, trial
from tests.report.html.reading import page, read

_HOSTILE = (
    "</script><script>alert(1)</script>",
    "</style></title></details></table><!-- -->",
    "\" onmouseover=alert(1) x='",
    "<img src=https://example.invalid/x.png onerror=alert(1)>",
    "javascript:alert(1)",
    "{{ 7 * 7 }} {% for x in y %} ${7*7}",
    "\x00\x1b[31m\x7f\x85\u2028\u202e\u2066\ufeff\ud800",
    "&lt;b&gt; &#60;",
    "退款订单 مرحبا e" + "\u0301" * 50,
)
_CODES = range(0, 0x10000, 0x2000)


@pytest.fixture(scope="module")
def plain() -> Document:
    """A document of twenty cases."""
    return document()


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_the_decision_stands_first(plain: Document) -> None:
    """What a reader meets first is the decision with its reasons, and then the board."""
    text = page(plain)
    places = [text.index(f'id="{name}"') for name in ("decision", "board", "clusters", "trials", "degraded")]
    assert sorted(places) == places
    assert text.index("no-go: case") < text.index('id="board"')


def test_without_a_decision_the_page_says_so(plain: Document) -> None:
    """A run about which nothing was asked is neither a go nor a no-go."""
    text = page(replace(plain, decision=None))
    assert "No decision was asked of this run" in text
    assert "planned = " in text
    assert 'class="verdict"><b' not in text


@pytest.mark.parametrize(("choice", "glyph"), [("go", "✓"), ("no-go", "✕"), ("undecided", "?")])
def test_a_decision_is_told_by_sign_and_word(plain: Document, choice: str, glyph: str) -> None:
    """A decision is a glyph and a word, not a colour."""
    assert plain.decision is not None
    made = replace(plain, decision=replace(plain.decision, decision=choice))
    assert f'<b aria-hidden="true">{glyph}</b> {choice}</span>' in page(made)


def test_an_incomplete_run_is_said_to_be_one(plain: Document) -> None:
    """A run that is not finished never looks finished."""
    assert "not complete" not in page(plain)
    manifest = replace(plain.board.manifest, complete=False)
    assert "not complete" in page(replace(plain, board=replace(plain.board, manifest=manifest)))


def test_every_tag_is_closed(plain: Document) -> None:
    """The page is well formed: what is opened is closed, in order."""
    assert [] == read(page(plain)).faults


def test_no_text_of_others_becomes_markup() -> None:
    """The tags of a page do not depend on what others wrote, be it markup, quotes or control characters."""
    expected = [tag for tag, _ in read(page(document(word="harmless"))).tags]
    for text in _HOSTILE:
        found = read(page(document(word=text)))
        assert [] == found.faults
        assert expected == [tag for tag, _ in found.tags], text


@given(nasty())
@settings(max_examples=15, deadline=None)
def test_any_text_can_be_shown(word: str) -> None:
    """Whatever a text holds, the page can be encoded, is well formed, and holds no control character."""
    text = page(document(3, 2, word=word))
    assert text.encode().decode() == text
    assert [] == read(text).faults
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]", text)


@pytest.mark.parametrize("start", _CODES)
def test_every_code_point_can_be_shown(start: int) -> None:
    """Every code point up to U+FFFF can stand in a trace, surrogates included."""
    word = "".join(map(chr, range(start, start + 0x2000)))
    text = page(replace(document(1, 1, shown=0), trials=(trial(word),)))
    assert text.encode().decode() == text
    assert [] == read(text).faults


def test_the_policy_names_style_and_script_by_hash(plain: Document) -> None:
    """The policy allows this style and this script, nothing inline, and nothing from elsewhere."""
    found = read(page(plain))
    (policy,) = [
        one["content"] for _, one in found.tags if one.get("http-equiv") == "Content-Security-Policy"
    ]
    assert f"style-src '{_hash(found.texts['style'][0])}'" in policy
    assert f"script-src '{_hash(found.texts['script'][0])}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert {"base-uri 'none'", "form-action 'none'"} <= set(policy.split("; "))
    assert (1, 1) == (found.count("style"), found.count("script"))


def test_the_policy_stands_before_what_it_rules(plain: Document) -> None:
    """A policy holds for what comes after it."""
    text = page(plain)
    assert text.index("http-equiv") < text.index("<title") < text.index("<style")


def test_no_attribute_styles_or_runs_anything(plain: Document) -> None:
    """No attribute holds a style or a handler, which the policy would refuse."""
    names = {name for _, found in read(page(plain)).tags for name in found}
    assert set() == {name for name in names if name == "style" or name.startswith("on")}


def test_nothing_is_loaded_from_elsewhere(plain: Document) -> None:
    """Links lead into the page; what is loaded is in the page."""
    found = read(page(plain))
    for name in ("src", "href", "xlink:href", "data", "srcset", "action", "poster", "background"):
        assert [] == [value for value in found.with_attribute(name) if not value.startswith(("#", "data:"))]
    assert not re.search(r"@import|url\((?!#)", found.texts["style"][0])
    assert not re.search(r"fetch|XMLHttp|import\(|innerHTML|eval", found.texts["script"][0])


def test_every_link_leads_somewhere(plain: Document) -> None:
    """Every link of the page has its aim in the page, and no two things share an id."""
    found = read(page(plain))
    ids = found.with_attribute("id")
    assert len(ids) == len(set(ids))
    assert set() == {value[1:] for value in found.with_attribute("href") if value.startswith("#")} - set(ids)


def test_nothing_that_needs_the_script_stands_without_it(plain: Document) -> None:
    """Buttons and inputs are made by the script; a page without script has none that are dead."""
    found = read(page(plain))
    assert (0, 0, 0) == (found.count("button"), found.count("input"), found.count("form"))


def test_the_page_is_a_function_of_the_document(plain: Document) -> None:
    """The same document gives the same bytes."""
    assert page(plain) == page(document())


def test_a_cluster_links_to_its_trials() -> None:
    """A root cause links to the trials that are shown for it, and says what to do about it."""
    text = page(document(2, 1, shown=30))
    cluster = text[text.index('<li class="cluster">') : text.index('id="trials"')]
    assert [f"t{at}" for at in range(1, 9)] == re.findall(r'href="#(t\d+)"', cluster)
    assert "and 2 more below" in cluster
    assert "mend the lookup of case" in cluster


def test_two_arms_stand_apart(plain: Document) -> None:
    """Every arm has its own counts, board, root causes, costs and figures, under its own name."""
    board = plain.board
    (counts,) = board.counts.values()
    both = replace(
        board,
        counts={**board.counts, "champion": counts},
        rows=board.rows + rows(30, 2, "other", "champion"),
    )
    text = page(replace(plain, board=both))
    assert [] == read(text).faults
    assert 2 == text.count('<table class="board')
    assert 5 == text.count("arm <bdi>champion</bdi>")
    assert text.index(">case-00019<") < text.index(">other-00000<")


def test_lists_of_sentences_are_cut_with_a_count(plain: Document) -> None:
    """Of very many reasons the first stand in the page, the others are counted."""
    assert plain.decision is not None
    many = tuple(f"reason {at}" for at in range(5000))
    text = page(replace(plain, decision=replace(plain.decision, reasons=many)))
    assert "reason 199<" in text
    assert "reason 200<" not in text
    assert "4800 more are not in this page" in text


@pytest.mark.parametrize(("cases", "trials"), [(4000, 5), (20_000, 1)])
def test_twenty_thousand_trials_fit(cases: int, trials: int) -> None:
    """A report of 20,000 trials with 156 traces stays far below 15 MB."""
    text = page(document(cases, trials, word="customer-refund-case", shown=156))
    assert len(text.encode()) < 5_000_000
    assert text.count("<td") < 20_000


def test_long_traces_share_the_room_of_the_page() -> None:
    """However long traces are, the page stays below 15 MB, and says what it leaves out."""
    one = trial("退款<\"&'>" * 400, more=200)
    text = page(replace(document(2, 1, shown=0), trials=(one,) * 60))
    assert len(text.encode()) < 15_000_000
    assert "more events not in this page" in text
