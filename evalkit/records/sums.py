"""The arguments of the check that closes sums: identity.

What comes in: two sides, each a place, a number, or a sum, product or difference of such. What goes out:
typed arguments. They are data: nothing of them is ever run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self, TypeAlias

from pydantic import Field, model_validator

from evalkit.records.written import Items, Written

Side: TypeAlias = "str | float | Term"
"""A place (``reply.x``, ``fact.name``, ``call.tool.args.x``, ``call.tool.result.x``; with ``[]`` the sum of
all that it reaches), a number, or a term."""


class Term(Written):
    """A sum, product or difference; exactly one key."""

    sum: Items[Side] | None = Field(default=None, min_length=1)
    """These, added up."""
    product: Items[Side] | None = Field(default=None, min_length=2)
    """These, multiplied."""
    difference: Items[Side] | None = Field(default=None, min_length=2, max_length=2)
    """The first without the second."""

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        """Refuse none and several."""
        given = [name for name in ("sum", "product", "difference") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"a term takes exactly one of sum, product, difference; got {given or 'none'}")
        return self

    @property
    def parts(self) -> tuple[Side, ...]:
        """What is added, multiplied or subtracted."""
        return self.sum or self.product or self.difference or ()

    @property
    def name(self) -> str:
        """Which of the three it is."""
        return "sum" if self.sum else "product" if self.product else "difference"


class Identity(Written):
    """Two sides of a sum that the agent states agree: total = count x mean."""

    left: Side
    """One side, e.g. ``reply.total``."""
    equals: Side
    """The other, e.g. ``{product: [reply.count, reply.mean]}``."""
    tolerance: float = Field(default=0.0, ge=0)
    """Largest absolute difference, inclusive; both sides are worked out exactly, as decimals."""

    @property
    def places(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Every place that is read, with its way in the arguments."""
        yield from _places(("left",), self.left)
        yield from _places(("equals",), self.equals)


def _places(way: tuple[str | int, ...], side: Side) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(side, str):
        yield way, side
    elif isinstance(side, Term):
        for at, part in enumerate(side.parts):
            yield from _places((*way, side.name, at), part)


Term.model_rebuild()
Identity.model_rebuild()
