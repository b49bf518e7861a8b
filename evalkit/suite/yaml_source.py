"""YAML 1.2 text -> plain values with the place of every key and value, and every problem that can be found.

What comes in: text that anybody may have written. What goes out: one `Document` and problems; nothing is
raised. The parser of ruamel.yaml gives the events; values are resolved here, so that nothing changes without
a word. Sound files, which are nearly all, are read by libyaml at a twentieth of the time; where the two might
give different events, or anything is wrong, the parser of ruamel.yaml alone has the word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.reader import ReaderError

from evalkit.errors import Problem
from evalkit.suite.document import Document, short
from evalkit.suite.yaml_builder import Builder
from evalkit.suite.yaml_sound import PARSER_FAULTS, sound
from evalkit.suite.yaml_tabs import shift_of, tabbed_lines, widths, without_tabs

_OTHER_BREAKS = re.compile("[\x85\u2028\u2029]")
_ADVICE: dict[str, str] = {
    "mapping values are not allowed here": "indent the key like its neighbours, or quote the value",
    "could not find expected ':'": "write `key: value`, with a colon and a space",
    "cannot start any token": "quote the value",
    "expected <block end>": "indent the line like the lines that it belongs to",
    "expected ',' or": "close the bracket, or put a comma between the entries",
    "unexpected end of stream": "close the quotes",
    "unknown escape character": "write the backslash twice, or use single quotes",
    "special characters are not allowed": "leave it out, or write it as an escape in double quotes",
}


def new_parser() -> YAML:
    """Return a parser, which may read one text after another; making one takes as long as a small file."""
    return YAML(typ="safe", pure=True)


def read_yaml(text: str, file: str, parser: YAML | None = None) -> tuple[Document, list[Problem]]:
    """Return what a YAML text says, and what is wrong with it.

    Args:
        text: The text; a byte order mark at its start is passed over.
        file: Name of the file, for the problems.
        parser: What parses it; default: a new one.

    Returns:
        The document (unreadable where the text is not YAML at all) and its problems.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    problems = [*_breaks(lines, file), *_directives(lines, file)]
    if any(problem.code == "encoding" for problem in problems):
        return Document(file=file, unreadable=True), problems
    tabs = tabbed_lines(lines)
    problems += [_tab(lines, number, file) for number in tabs]
    source = _Source(file, parser or new_parser())
    document, found = _parse_tabbed(lines, tabs, source) if tabs else _parse("\n".join(lines), source)
    return document, problems + found


@dataclass(frozen=True, slots=True)
class _Source:
    """What is read, and by what."""

    file: str
    parser: YAML


def _parse_tabbed(lines: list[str], tabs: tuple[int, ...], source: _Source) -> tuple[Document, list[Problem]]:
    """Parse with tabs as spaces: the first width that gives YAML, else what the likeliest gives."""
    parsed = []
    for width in widths(lines):
        shifts = {number + 1: shift_of(lines[number], width) for number in tabs}
        parsed.append(_parse(without_tabs(lines, tabs, width), source, shifts))
        if not parsed[-1][0].unreadable:
            return parsed[-1]
    return parsed[0]


def _parse(
    text: str, source: _Source, shifts: dict[int, int] | None = None
) -> tuple[Document, list[Problem]]:
    document = sound(text, source.file) if shifts is None else None
    if document is not None:
        return document, []
    builder = Builder(source.file, shifts or {}, text.split("\n"))
    try:
        for event in source.parser.parse(text):
            if not builder.take(event):
                break
    except PARSER_FAULTS as fault:
        problem = _syntax(fault, text, source.file, shifts or {})
        return Document(file=source.file, unreadable=True), [*builder.problems, problem]
    return builder.document(), builder.problems


def _breaks(lines: list[str], file: str) -> Iterator[Problem]:
    """Find characters that some readers take for the end of a line."""
    for number, line in enumerate(lines, 1):
        for found in _OTHER_BREAKS.finditer(line):
            yield Problem(
                file=file,
                line=number,
                column=found.start() + 1,
                value=f"U+{ord(found[0]):04X}",
                message="this character ends the line for some readers of YAML and not for others",
                suggestion="leave it out, or write it as an escape in double quotes",
                code="encoding",
            )


def _directives(lines: list[str], file: str) -> Iterator[Problem]:
    """Find directives before the first line of content, and blank them so that they change nothing."""
    for number, line in enumerate(lines):
        if line.startswith("%"):
            lines[number] = ""
            yield Problem(
                file=file,
                line=number + 1,
                column=1,
                value=short(line),
                message="directives are not read: a file is always YAML 1.2 without tags",
                suggestion="leave the line out",
                code="directive",
            )
        elif line.strip() and not line.lstrip().startswith("#"):
            return


def _tab(lines: list[str], number: int, file: str) -> Problem:
    return Problem(
        file=file,
        line=number + 1,
        column=lines[number].index("\t") + 1,
        value=short(lines[number].strip()),
        message="the line is indented by a tab",
        suggestion="indent by spaces",
        code="tab",
    )


def _syntax(fault: Exception, text: str, file: str, shifts: dict[int, int]) -> Problem:
    """Say in one problem where the text stops being YAML."""
    line, column, said = 1, 1, "the parser gave up"
    if isinstance(fault, MarkedYAMLError) and fault.problem_mark is not None:
        line, column = fault.problem_mark.line + 1, fault.problem_mark.column + 1
        said = f"{fault.problem}"
    elif isinstance(fault, ReaderError):
        before = text[: int(fault.position)]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        said = f"{fault.reason}"
    elif isinstance(fault, MarkedYAMLError):
        said = f"{fault.problem or fault.context}"
    said = " ".join(said.split())
    advice = (counsel for sign, counsel in _ADVICE.items() if sign in said)
    return Problem(
        file=file,
        line=line,
        column=max(1, column - shifts.get(line, 0)),
        value=short(_line_at(text, line)),
        message=f"this is not YAML: {said}",
        suggestion=next(advice, "look at this line and the one above it"),
        code="syntax",
    )


def _line_at(text: str, line: int) -> str:
    """Return a line (from 1), or the last one before it that is not empty."""
    said = [part.strip() for part in text.split("\n")[:line]]
    return next((part for part in reversed(said) if part), "")
