"""The two front pages, English and Chinese, say the same: headings, code, tables, links; and what exists."""

import re

import pytest

from evalkit.cli.main import cli
from evalkit.records.checks import CHECKS
from tests.house.commands import of_group, unknown
from tests.house.markdown import headings, links
from tests.house.source import REPOSITORY

ENGLISH, CHINESE = (
    (REPOSITORY / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-CN.md")
)
BUILT = of_group(cli)


def _blocks(text: str) -> list[str]:
    """Return the fenced blocks, and the indented lines with their comments cut."""
    fenced = re.findall(r"^```\w+\n.*?^```$", text, flags=re.MULTILINE | re.DOTALL)
    rest = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    indented = [re.split(r"\s+# ", line)[0] for line in re.findall(r"^ {4}(\S.*)$", rest, flags=re.MULTILINE)]
    return fenced + indented


def _spans(text: str) -> list[str]:
    """Return what stands between backticks in prose, sorted."""
    rest = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return sorted(re.findall(r"`([^`\n]+)`", rest))


def _shape(text: str) -> list[int]:
    """Return the ranks of the headings and, as negative numbers, the rows of each section's table."""
    return [len(mark) if mark else -1 for mark in re.findall(r"^(?:(#+) |\|)", text, flags=re.MULTILINE)]


def test_both_have_the_same_sections() -> None:
    """Headings, and rows of tables, come in the same number and order."""
    assert len(headings(ENGLISH)) == len(headings(CHINESE))
    assert _shape(ENGLISH) == _shape(CHINESE)


def test_both_show_the_same_code() -> None:
    """Blocks are the same, comments aside, and so are the words in code."""
    assert _blocks(ENGLISH) == _blocks(CHINESE)
    assert len(_blocks(ENGLISH)) > 7
    assert _spans(ENGLISH) == _spans(CHINESE)


def test_both_link_to_the_same_pages() -> None:
    """Links are the same, but for the first, which leads to the other page."""
    (to_chinese, *english), (to_english, *chinese) = links(ENGLISH), links(CHINESE)
    assert ("README.zh-CN.md", "README.md") == (to_chinese, to_english)
    assert english == chinese
    assert len(english) > 10


def test_both_tell_the_same_figures() -> None:
    """Numbers outside of code are the same, in the same order."""
    english, chinese = (
        re.findall(r"\d*\.\d+|\d{2,}", re.sub(r"`[^`\n]+`", "", text)) for text in (ENGLISH, CHINESE)
    )
    assert english == chinese


@pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_the_status_names_what_exists(text: str) -> None:
    """The verbs of the status are those of the command line, and the checks are as many as there are."""
    there_is = re.split(r"^- \*\*", text, flags=re.MULTILINE)[1]
    assert set(BUILT) == set(re.findall(r"`([a-z]+)`", there_is))
    assert [str(len(CHECKS))] == re.findall(r"(\d+) (?:kinds of checks|种检查)", there_is)


def test_commands_in_tables_can_be_typed() -> None:
    """A span of code that begins with `evalkit` and a verb names options that exist."""
    typed = [span for span in _spans(ENGLISH) if re.match(r"evalkit [a-z]", span)]
    assert {} == {line: unknown(line, BUILT) for line in typed if unknown(line, BUILT)}
    assert len(typed) > 8
