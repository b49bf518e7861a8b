"""The base of every record that a person writes: pydantic, frozen, strict, no unknown keys.

What comes in: values from a file. What goes out: validated, immutable models whose JSON Schema serves
editors.
What the harness itself writes millions of times is a msgspec struct instead (see `event`, `fact`, `verdict`).
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Json: TypeAlias = Any
"""A JSON value: None, bool, int, float, str, list of them, or dict from str to them."""

_Item = TypeVar("_Item")

Items: TypeAlias = Annotated[tuple[_Item, ...], Field(strict=False)]
"""A list in a file, a tuple in a record."""


def _text_or_date(value: Json) -> Json:
    """Refuse what pydantic would read as a count of seconds: 0 is not 1970-01-01."""
    if isinstance(value, str | dt.date) and not isinstance(value, dt.datetime):
        return value
    raise ValueError("a date is written as YYYY-MM-DD")


Day: TypeAlias = Annotated[dt.date, Field(strict=False), BeforeValidator(_text_or_date)]
"""A date written as YYYY-MM-DD."""


class Written(BaseModel):
    """What people write: frozen, strictly typed, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)
