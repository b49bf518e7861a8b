"""Plain scalars that mean one thing to people and another to YAML: right in typed fields, refused elsewhere.

What comes in: a document with its doubts, and the form that it should have. What goes out: problems.
"""

from __future__ import annotations

from pydantic import BaseModel

from evalkit.errors import Problem
from evalkit.suite.document import Document, Doubt
from evalkit.suite.schemas import types_at

_SAID: dict[str, str] = {
    "boolean": "people read this as true or false, YAML 1.2 as text",
    "number": "this would be read as a number, and written back differently",
    "date": "this is a date to some readers of YAML and text to others",
    "underscore": "this is a number to some readers of YAML and text to others",
    "sexagesimal": "this is a time to people, a number to some readers of YAML, and text to others",
}
_TEXTUAL = frozenset({"any", "string"})  # fields that would take the value, whatever it was meant to be


def doubtful(document: Document, model: type[BaseModel]) -> list[Problem]:
    """Return the problems of values that are doubtful where they stand.

    A date is right in a field for dates, a number in one for numbers; where a field takes neither text nor
    anything, the form itself refuses the value.

    Args:
        document: What was read.
        model: The form that it should have.

    Returns:
        One problem per value that must be quoted.
    """
    return [_problem(document, doubt) for doubt in document.doubts if _refused(doubt, model)]


def _refused(doubt: Doubt, model: type[BaseModel]) -> bool:
    return bool(types_at(model, doubt.path) & _TEXTUAL)


def _problem(document: Document, doubt: Doubt) -> Problem:
    advice = f'quote it: "{doubt.text}"'
    if doubt.kind == "boolean":
        meant = "true" if doubt.text.lower() in ("yes", "on") else "false"
        advice += f", or write {meant}"
    return document.problem(doubt.path, "quote-it", _SAID[doubt.kind], suggestion=advice, value=doubt.text)
