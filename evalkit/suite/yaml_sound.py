"""Sound YAML, which is nearly all YAML, read by libyaml at a twentieth of the time.

What comes in: text. What goes out: the document that the parser of ruamel.yaml would have given, or None
where the two may differ or anything is wrong: then that parser alone has the word, and its places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from _ruamel_yaml import CParser  # type: ignore[import-not-found]  # a C module without types
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import Event, ScalarEvent

from evalkit.suite.document import Document
from evalkit.suite.yaml_builder import Builder

PARSER_FAULTS = (
    YAMLError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What parsers raise for text that is not YAML: their own errors, and bare ones."""

# Tabs, other ends of lines and marks of byte order: libyaml, which reads YAML 1.1, has other rules for them.
_READ_DIFFERENTLY = re.compile("[\t\r\ufeff]")


def sound(text: str, file: str) -> Document | None:
    """Return the document of a sound text; None where the other parser has to say.

    Args:
        text: The text; its lines end with a line feed.
        file: Name of the file.
    """
    if _READ_DIFFERENTLY.search(text):
        return None
    builder = Builder(file, {}, text.split("\n"))
    try:
        for event in _events(text):
            # The two put a value that is not there at different places.
            empty = isinstance(event, ScalarEvent) and event.style is None and not event.value
            if empty or not builder.take(event):
                return None
    except PARSER_FAULTS:
        return None
    return None if builder.problems else builder.document()


def _events(text: str) -> Iterator[Event]:
    parser = CParser(text)
    while parser.check_event():
        event: Event = parser.get_event()
        if isinstance(event, ScalarEvent):
            event.style = event.style or None  # "" says the same: a plain scalar
        yield event
