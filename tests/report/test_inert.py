"""Foreign text in Markdown is shown, and obeyed nowhere."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from evalkit.records.safe import printable
from evalkit.report.inert import cell, code, prose

HOSTILE = (
    "<script>alert(1)</script>",
    "<!-- a --> <img src=x onerror=y> </details>",
    "[a](https://evil.example) ![i](http://e.example/p.png)",
    "https://evil.example www.evil.example a@b.example",
    "@everyone please see #12 and GH-12 and org/repo#3",
    "**b** _e_ ~~s~~ `c` ``d`` ` `` ```",
    "| a | b |\\| c \\\\| d",
    "1. one\n- two\n# three\n> four\n```\nfive",
    "- x",
    "1. x",
    "+ x",
    "=== x",
    ":smile: $x$ [^1] &lt; &#64; {{x}}",
    "deadbeefdeadbeef",
    "\\",
    "退款 👩‍💻",
)
MARKDOWN = MarkdownIt("gfm-like", {"linkify": False, "html": True}).enable("table")
ACTIVE = {
    "html_inline", "html_block", "link_open", "image", "em_open", "strong_open", "s_open", "heading_open",
    "blockquote_open", "fence", "code_block", "hr", "ordered_list_open",
}  # fmt: skip
TEXT = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=12), max_size=4).map(" ".join)


def rendered(line: str) -> tuple[set[str], str, str]:
    """Return the kinds of tokens of a line, the text outside of code, and all of the text."""
    kinds: set[str] = set()
    plain, whole = "", ""
    for block in MARKDOWN.parse(line):
        kinds.add(block.type)
        for token in block.children or ():
            kinds.add(token.type)
            plain += token.content if token.type in ("text", "text_special") else " "
            whole += token.content
    return kinds, plain, whole


@given(TEXT)
@example(" ".join(HOSTILE))
def test_a_code_span_shows_everything_and_obeys_nothing(text: str) -> None:
    """A span is one code token that holds the text as a terminal would show it."""
    kinds, plain, whole = rendered(f"a {code(text, 10_000)} b")
    assert {"paragraph_open", "inline", "text", "code_inline", "paragraph_close"} == kinds
    assert "a   b" == plain
    assert f"a {printable(text).strip(' ')}".split() == whole[:-1].split()


@given(TEXT)
@example("|".join(HOSTILE))
def test_a_cell_stays_one_cell(text: str) -> None:
    """Bars and backslashes in a text neither end its cell nor its row."""
    found = MARKDOWN.parse(f"| a | b |\n|---|---|\n| {cell(text, 10_000)} | x |\n")
    assert 4 == sum(token.type in ("td_open", "th_open") for token in found)
    inside = [child.type for token in found for child in token.children or ()]
    assert ["text", "text", "code_inline", "text"] == inside
    assert "x" == [token for token in found if token.type == "inline"][-1].content


@given(TEXT)
@example(" ".join(HOSTILE))
@example("1. x")
@example("- - - x")
def test_prose_makes_no_markup(text: str) -> None:
    """Prose in a list makes no tag, link, emphasis, list or heading, and loses no word."""
    kinds, plain, whole = rendered(f"- {prose(text, 10_000)}")
    assert set() == kinds & ACTIVE
    assert not {"@", "#", "`", "|", "~", "$"} & set(plain)
    assert "".join(printable(text).split()) == "".join(whole.split())


@pytest.mark.parametrize(
    "word", ["@you", "#12", "GH-12", "www.x.org", "https://x.org", "a@b.org", "deadbeef", "_x_", ":smile:"]
)
def test_what_a_host_would_link_stands_in_code(word: str) -> None:
    """Mentions, references, addresses, commits and shortcodes are code, in which hosts look for nothing."""
    assert f"see `{word}`" == prose(f"see {word}")


def test_words_of_people_stay_plain() -> None:
    """A sentence is read as a sentence, whatever its script."""
    told = "no-go: settled is .700 over 12 cases (at most .5), 退款失败。"
    assert told == prose(told)
    assert "a &gt;= b &lt; c" == prose("a >= b < c")


def test_long_texts_are_cut() -> None:
    """What is cut shows, and no text is longer than asked for."""
    assert "`aaa…`" == code("a" * 100, 4)
    assert len(prose("é" * 10_000, 50)) <= 52
