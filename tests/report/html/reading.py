"""A page as a reader of HTML sees it: tags, attributes, texts, and whether every tag is closed."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from evalkit.records.document import Document
from evalkit.report.html.page import html_page

_VOID = frozenset({"meta", "link", "br", "wbr", "input", "img", "hr"})


@dataclass
class Read:
    """What stands in a page.

    Attributes:
        tags: Every opened tag with its attributes, in order.
        faults: Tags that were closed in the wrong place, or never.
        texts: Texts by the tag that they stand in.
    """

    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    texts: dict[str, list[str]] = field(default_factory=dict)

    def with_attribute(self, name: str) -> list[str]:
        """Return the values of an attribute, wherever it stands."""
        return [found[name] for _, found in self.tags if name in found]

    def count(self, tag: str) -> int:
        """Return how many of a tag there are."""
        return sum(name == tag for name, _ in self.tags)


class _Reader(HTMLParser):
    def __init__(self, into: Read) -> None:
        super().__init__()
        self._into = into
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._into.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._into.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self._into.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        self._into.texts.setdefault(self._open[-1] if self._open else "", []).append(data)

    def close(self) -> None:
        super().close()
        self._into.faults += [f"<{tag}> is never closed" for tag in self._open]


def page(document: Document) -> str:
    """Return a page as one text."""
    return "".join(html_page(document))


def read(text: str) -> Read:
    """Read a page."""
    found = Read()
    reader = _Reader(found)
    reader.feed(text)
    reader.close()
    return found
