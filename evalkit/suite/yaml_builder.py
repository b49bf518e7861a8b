"""Events of the YAML parser -> plain values, marks and problems.

What comes in: events, one at a time. What goes out: one `Document`. Nothing here recurses, so that no nesting
of a hostile file is deep enough to matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from evalkit.errors import Problem
from evalkit.records.written import Json
from evalkit.suite.document import Document, Doubt, KeyPath, Mark, dotted, short
from evalkit.suite.yaml_scalars import NOT_FINITE, resolve

_MAX_DEPTH = 64  # levels; deeper files are attacks, and the JSON writers below recurse
_UNREADABLE_KEY = "?"


@dataclass(slots=True)
class _Open:
    """A mapping or list whose end has not been seen."""

    value: dict[str, Json] | list[Json]
    mark: Mark
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)
    named: dict[str, Mark] = field(default_factory=dict)
    listed: list[Mark] = field(default_factory=list)
    key: str | None = None  # of a mapping: read, and waiting for its value


class Builder:
    """Builds one document from the events of a parser."""

    def __init__(self, file: str, shifts: dict[int, int], lines: Sequence[str] = ()) -> None:
        """Start with nothing.

        Args:
            file: Name for the problems.
            shifts: Line (from 1) -> columns by which its text was moved to the right before parsing.
            lines: The text that is parsed, line by line.
        """
        self.problems: list[Problem] = []
        self._file = file
        self._shifts = shifts
        self._lines = lines
        self._open: list[_Open] = []
        self._doubts: list[Doubt] = []
        self._documents = 0
        self._unreadable = False
        self._value: Json = None
        self._mark = Mark(1, 1)

    def document(self) -> Document:
        """Return what was built."""
        mark = self._mark
        return Document(
            file=self._file,
            value=self._value,
            line=mark.line,
            marks=lambda: mark,
            doubts=tuple(self._doubts),
            unreadable=self._unreadable,
        )

    def take(self, event: Event) -> bool:
        """Take one event; False means that the rest is not read."""
        if isinstance(event, ScalarEvent):
            self._scalar(event)
        elif isinstance(event, MappingStartEvent | SequenceStartEvent):
            return self._start(event)
        elif isinstance(event, MappingEndEvent | SequenceEndEvent):
            self._end()
        elif isinstance(event, AliasEvent):
            self._refuse(event, "anchor", f"*{event.anchor}", "aliases are not read", "write the value out")
            self._put(None, self._marked(event))
        elif isinstance(event, DocumentStartEvent):
            return self._begin(event)
        return True

    def _begin(self, event: DocumentStartEvent) -> bool:
        self._documents += 1
        if self._documents > 1:
            self._refuse(event, "many-documents", "---", "a file holds one document", "make it two files")
        return self._documents == 1

    def _start(self, event: MappingStartEvent | SequenceStartEvent) -> bool:
        mark = self._marked(event)
        if len(self._open) >= _MAX_DEPTH:
            said = f"nested more than {_MAX_DEPTH} levels deep"
            self._note(
                (mark.line, mark.column), "too-deep", "...", said, "say it flatter", (self._path()[0],)
            )
            self._unreadable = True
            return False
        self._tagged(event)
        self._open.append(_Open({} if isinstance(event, MappingStartEvent) else [], mark))
        return True

    def _end(self) -> None:
        done = self._open.pop()
        done.mark.keys = done.keys
        done.mark.inner = done.named if isinstance(done.value, dict) else done.listed
        self._put(done.value, done.mark)

    def _scalar(self, event: ScalarEvent) -> None:
        self._tagged(event)
        mark = self._marked(event)
        text = event.value
        if not text.isascii():
            text = self._sound(event, text)
        if event.style is not None:
            self._put(text, mark)
            return
        if event.end_mark.line > event.start_mark.line:
            self._continued(event)
        value, kind = resolve(text)
        mark.text = text
        at_key = self._expects_key()
        if at_key:
            self._plain_key(event, text, value, kind)
            return
        if kind == NOT_FINITE:
            self._refuse(event, "not-finite", text, "a number must be finite", "quote it if it is text")
        elif kind:
            self._doubts.append(Doubt(self._path(), kind, text))
        self._put(value, mark)

    def _continued(self, event: ScalarEvent) -> None:
        """Refuse text whose next line is an entry of a list to people."""
        for number in range(event.start_mark.line + 1, event.end_mark.line + 1):
            line = self._lines[number] if number < len(self._lines) else ""
            bare = line.strip()
            if bare.startswith("- ") or bare == "-":
                column = len(line) - len(line.lstrip()) + 1 - self._shifts.get(number + 1, 0)
                said = "this line goes on with the text above it, and people read an entry of a list"
                advice = "indent it like the entries above it, or quote the whole text"
                self._note((number + 1, max(1, column)), "quote-it", short(bare), said, advice)
                return

    def _plain_key(self, event: ScalarEvent, text: str, value: Json, kind: str) -> None:
        if text == "<<":
            self._refuse(event, "merge-key", text, "merge keys are not read", "write the keys out")
        elif not isinstance(value, str) or kind:
            said = "a key is text, and this one would be read as something else by some"
            self._refuse(event, "quote-it", text or '""', said, f'quote it: "{text}"')
        self._put(text, self._marked(event))

    def _expects_key(self) -> bool:
        top = self._open[-1] if self._open else None
        return top is not None and isinstance(top.value, dict) and top.key is None

    def _put(self, value: Json, mark: Mark) -> None:
        """Put a finished value where it belongs: as key, under the waiting key, in a list, or on top."""
        if not self._open:
            self._value, self._mark = value, mark
            return
        top = self._open[-1]
        if isinstance(top.value, list):
            top.value.append(value)
            top.listed.append(mark)
        elif top.key is None:
            self._take_key(top, value, mark)
        else:
            top.value.setdefault(top.key, value)
            top.named.setdefault(top.key, mark)
            top.key = None

    def _take_key(self, top: _Open, value: Json, mark: Mark) -> None:
        place = (mark.line, mark.column)
        if not isinstance(value, str):
            self._note(place, "syntax", short(value), "a key must be text", "write `key: value`")
            value = _UNREADABLE_KEY
        elif value in top.keys:
            first, column = top.keys[value]
            said = f"the key `{short(value)}` is there twice; the first is at line {first}, column {column}"
            self._note(
                place, "duplicate-key", short(value), said, "leave one of them out", (*self._path(), value)
            )
        top.keys.setdefault(value, place)
        top.key = value

    def _path(self) -> KeyPath:
        """Return the path of the value that comes next."""
        path: list[str | int] = []
        for level in self._open:
            if isinstance(level.value, list):
                path.append(len(level.value))
            elif level.key is not None:
                path.append(level.key)
        return tuple(path)

    def _sound(self, event: ScalarEvent, text: str) -> str:
        r"""Return text with escaped surrogate pairs joined (as JSON writes them); refuse halves."""
        if not any("\ud800" <= char <= "\udfff" for char in text):
            return text
        joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if "\ufffd" in joined:
            said = "half a surrogate pair is no character"
            self._refuse(event, "encoding", short(text), said, "write the character itself")
        return joined

    def _tagged(self, event: ScalarEvent | MappingStartEvent | SequenceStartEvent) -> None:
        if event.anchor is not None:
            self._refuse(event, "anchor", f"&{event.anchor}", "anchors are not read", "leave the anchor out")
        if event.tag is not None:
            written = str(event.tag).replace("tag:yaml.org,2002:", "!!")
            self._refuse(event, "tag", short(written), "tags are not read", "leave the tag out")

    def _refuse(self, event: Event, code: str, value: str, message: str, suggestion: str) -> None:
        mark = self._marked(event)
        self._note((mark.line, mark.column), code, value, message, suggestion)

    def _note(
        self, place: tuple[int, int], code: str, value: str, message: str, suggestion: str, path: KeyPath = ()
    ) -> None:
        self.problems.append(
            Problem(
                file=self._file,
                line=place[0],
                column=place[1],
                key=dotted(path or self._path()),
                value=value,
                message=message,
                suggestion=suggestion,
                code=code,
            )
        )

    def _marked(self, event: Event) -> Mark:
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        return Mark(line, max(1, column - self._shifts.get(line, 0)) if self._shifts else column)
