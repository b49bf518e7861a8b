"""Annotations: GitHub's commands, escaped, at their place, no more than are shown."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from evalkit.report.annotations import command, workflow_commands
from tests.report.building import nasty
from tests.report.documents import document, failing, incomplete

LINE = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """Return level, properties and message, read as GitHub's runner reads them."""
    found = LINE.fullmatch(line)
    assert found is not None, line
    properties = dict(one.split("=", 1) for one in found[2].split(","))
    back = {"%3A": ":", "%2C": ",", "%0D": "\r", "%0A": "\n", "%25": "%"}
    for escape, char in back.items():
        properties = {name: value.replace(escape, char) for name, value in properties.items()}
    return found[1], properties, found[3]


@given(nasty())
def test_any_text_stays_one_command(text: str) -> None:
    """No text ends a line, a property or a command, or begins another."""
    for line in workflow_commands(document(text), failing(text)):
        level, properties, _ = parsed(line)
        assert level in ("error", "warning", "notice")
        assert {"title"} <= properties.keys() <= {"title", "file", "line"}
        assert line.replace("\u3000", " ").isprintable()


@pytest.mark.parametrize(
    ("text", "escaped"), [("50%", "50%25"), ("a\nb", "a b"), ("a\r\nb", "a  b"), ("a:b,c", "a:b,c")]
)
def test_messages_are_escaped(text: str, escaped: str) -> None:
    """Percent signs are escaped, line ends cannot be there; colons and commas of a message stay."""
    assert f"::error title=t::{escaped}" == command("error", text, title="t")


def test_properties_are_escaped() -> None:
    """In a title and a file name colons and commas are escaped as well."""
    line = command("warning", "m", title="100%: a,b", place="a:b,c.yaml:12")
    assert "::warning file=a%3Ab%2Cc.yaml,line=12,title=100%25%3A a%2Cb::m" == line


def test_failing_cases_stand_at_their_place() -> None:
    """An error for a failing case, a warning for an unmeasured one, a notice for a waived one, with place."""
    found = [
        parsed(line)
        for line in workflow_commands(incomplete(document("x", decided=False)), failing("why", 1))
    ]
    assert ["error", "warning", "warning", "notice"] == [level for level, _, _ in found]
    _, properties, message = found[0]
    assert {"file": "golden/c.yaml", "line": "7", "title": "s: c0 (a)"} == properties
    assert "1 of 2 trials failed: root why; why" == message
    assert "the run is incomplete: not every planned trial has an end" == found[1][2]
    assert "2 of 2 trials not measured: environment: why" == found[2][2]


@pytest.mark.parametrize("number", [1, 9, 10, 500])
def test_no_more_than_github_shows(number: int) -> None:
    """Ten errors at most, the decision among them; the rest is counted."""
    lines = [parsed(line) for line in workflow_commands(document("x"), failing("x", number))]
    errors = [message for level, _, message in lines if level == "error"]
    assert "no-go: no-go: x" == errors[0]
    assert min(10, number + 1) == len(errors)
    assert number < 10 or f"{number - 8} more cases are not shown here" == errors[-1]


def test_a_place_that_is_none_is_left_out() -> None:
    """A case whose place is unknown is annotated without file."""
    for place in ("", "nowhere", "a:b"):
        assert "::error title=t::m" == command("error", "m", title="t", place=place)
