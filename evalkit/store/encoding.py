"""Records to bytes and back: compact JSON lines that lose nothing and leak nothing.

What comes in: events and verdicts that may hold hostile text. What goes out: one line of UTF-8 each.
The encoder writes NaN as null and raises on lone surrogates (msgspec 0.23), so every line that could hide
either
takes a slower, careful way; all others are encoded once and left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from evalkit.errors import StoreError
from evalkit.records.event import Event
from evalkit.records.safe import escape_surrogates, redactor, restore_surrogates, spellings, storable
from evalkit.records.written import Json

_Record = TypeVar("_Record", bound=Struct)

# Fields of event bodies that hold words of others; the rest is evalkit's own and must not be touched by
# redaction.
_FREE = frozenset(
    {
        "content",
        "text",
        "data",
        "message",
        "raw",
        "args",
        "value",
        "rows",
        "source",
        "stop_raw",
        "calls",
        "usage",
    }
)
# The same for all other records. Names of cases, arms, stages and metrics, and the words of closed lists, are
# what rows are counted by: redaction must not touch them, or a secret that spells one would lose the run.
_WORDS = _FREE | {
    "changes",
    "losses",
    "phenomenon",
    "policy",
    "process_text",
    "reasons",
    "replies",
    "sampling",
    "suggestion",
    "system",
    "tags",
    "warnings",
}
# What a suite is held together by: names that plan and journal repeat, and words of closed lists.
_NAMES = frozenset(
    {
        "called",
        "check",
        "demand",
        "fact",
        "id",
        "kind",
        "metric",
        "name",
        "needs",
        "scope",
        "stage",
        "suite",
        "tier",
        "tool",
        "type",
    }
)
_MARK = "\ue0ff".encode()


class LineEncoder:
    """Turns records into lines; one per writer."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        """Prepare.

        Args:
            secrets: Values that must not reach the disk.
        """
        known = tuple(secrets)
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(Event)
        self._read_back = LineDecoder(Event)
        self._redact = redactor(known)
        self._secrets = _secret_forms(known)

    def event(self, event: Event) -> tuple[bytes, Event]:
        """Return one event as a line, and as whoever reads that line will see it.

        Args:
            event: Any event.

        Returns:
            UTF-8 JSON with a newline, and the event in it: redacted, with plain JSON values.

        Raises:
            ValueError: A number is not finite, a value is not JSON, or the line could not be read back.
        """
        try:
            line = self._encoder.encode(event)
            if (line.isascii() or _MARK not in line) and not self._holds_secret(line):
                read = self._decoder.decode(line)
                if read == event:  # NaN came back as null, a tuple as a list: then it was not that plain
                    return line + b"\n", read
        except (UnicodeEncodeError, msgspec.MsgspecError, RecursionError):
            pass  # the careful way encodes it, or says what is wrong
        return self._careful_line(event)

    def _careful_line(self, event: Event) -> tuple[bytes, Event]:
        # What is written is all that is left of a trial: one line that no reader takes would lose the run.
        try:
            line = self._carefully(event)
            return line + b"\n", self._read_back(line)
        except (StoreError, RecursionError) as error:
            raise ValueError(f"an event that could not be read back: {error}") from error

    def record(self, record: Struct) -> bytes:
        """Return any other record as a line; the words of others in it are escaped and redacted.

        Args:
            record: A verdict, attribution, decision or manifest.

        Returns:
            UTF-8 JSON with a newline.

        Raises:
            ValueError: A number is not finite.
        """
        try:
            line = self._encoder.encode(record)
        except UnicodeEncodeError:
            line = b"null"
        if line.find(b"null") >= 0 or _MARK in line or self._holds_secret(line):
            line = self._encoder.encode(self._redacted(_plain(record)))
        return line + b"\n"

    def document(self, encoded: bytes) -> bytes:
        """Return a JSON document with every secret in its strings replaced, but for keys and names.

        Args:
            encoded: One JSON value as UTF-8.

        Returns:
            The same bytes where no secret is in them.
        """
        if not self._holds_secret(encoded):
            return encoded
        return self._encoder.encode(self._unnamed(msgspec.json.decode(encoded))) + b"\n"

    def _holds_secret(self, line: bytes) -> bool:
        for form in self._secrets:  # noqa: SIM110 - a generator costs as much as the search
            if line.find(form) >= 0:
                return True
        return False

    def _unnamed(self, value: Json) -> Json:
        if isinstance(value, dict):
            return {key: item if key in _NAMES else self._unnamed(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._unnamed(item) for item in value]
        return self._redact(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        return escape_surrogates(self._redact(text))

    def _carefully(self, event: Event) -> bytes:
        plain = _plain(event)
        body = plain["body"]
        for name in _FREE & body.keys():
            body[name] = storable(body[name], self._text)
        for name in body.keys() - _FREE:
            body[name] = storable(body[name])
        return self._encoder.encode(plain)

    def _redacted(self, value: Json) -> Json:
        """Return a record's values, redacted below the names that hold the words of others."""
        if isinstance(value, dict):
            return {
                escape_surrogates(key): storable(item, self._text) if key in _WORDS else self._redacted(item)
                for key, item in value.items()
            }
        if isinstance(value, list | tuple):
            return [self._redacted(item) for item in value]
        return storable(value)


def _plain(record: Struct) -> Json:
    """Return a record as builtins; unlike the encoder this keeps NaN and surrogates for `storable` to see."""
    return msgspec.to_builtins(record)


def _secret_forms(secrets: tuple[str, ...]) -> tuple[bytes, ...]:
    """Return what secrets look like inside an encoded line, also where JSON is nested in JSON."""
    texts = {text for secret in secrets for text in spellings(secret)}
    forms = {msgspec.json.encode(escape_surrogates(text))[1:-1] for text in texts}
    return tuple(sorted(form for form in forms if len(form) >= 6))


class LineDecoder(Generic[_Record]):
    """Turns lines back into records of one type."""

    def __init__(self, kind: type[_Record]) -> None:
        """Prepare for one record type."""
        self._decoder: msgspec.json.Decoder[_Record] = msgspec.json.Decoder(kind)
        self._kind: type[_Record] = kind

    def __call__(self, line: bytes) -> _Record:
        """Return the record.

        Args:
            line: One line, with or without its newline.

        Raises:
            StoreError: The line is not such a record.
        """
        try:
            if line.isascii() or _MARK not in line:
                return self._decoder.decode(line)
            plain = storable(msgspec.json.decode(line), restore_surrogates)
            return msgspec.convert(plain, self._kind)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise StoreError(f"not a {self._kind.__name__}: {error}") from error

    def all(self, lines: Sequence[bytes]) -> list[_Record]:
        """Return the records of several lines, faster than one by one.

        Args:
            lines: Lines without their newlines.

        Raises:
            StoreError: One of them is not such a record.
        """
        together = b"\n".join(lines)
        if not together.isascii() and _MARK in together:
            return [self(line) for line in lines]
        try:
            return self._decoder.decode_lines(together)
        except msgspec.MsgspecError as error:
            raise StoreError(f"not a {self._kind.__name__}: {error}") from error


def decoder(kind: type[_Record]) -> Callable[[bytes], _Record]:
    """Return a function from line to record.

    Args:
        kind: A record type.
    """
    return LineDecoder(kind)
