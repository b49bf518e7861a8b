"""Pinned answers: which fixture of a case answers a call.

What comes in: a case's `mock`, calls in order. What goes out: for each call the fixture that answers it, the
tool itself, or nothing. How often each answer was given is remembered per trial.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from evalkit.records.case import Fixture, ToolFixtures
from evalkit.records.paths import same
from evalkit.records.written import Json

Answer = Fixture | Literal["itself", "missing"]
"""Who answers a call: a fixture, the tool itself, or nobody."""

Answers = Callable[[str, Mapping[str, Json]], Answer]
"""Tool and given arguments -> who answers; asked once per call."""


def itself(tool: str, args: Mapping[str, Json]) -> Answer:  # noqa: ARG001 - the shape of `Answers`
    """Let every tool answer for itself: the real world."""
    return "itself"


class Pins:
    """The pinned answers of one trial."""

    __slots__ = ("_given", "_mock")

    def __init__(self, mock: Mapping[str, ToolFixtures]) -> None:
        """Start with no answer given.

        Args:
            mock: Tool -> pinned answers.
        """
        self._mock = mock
        self._given: dict[tuple[str, int], int] = {}

    def __call__(self, tool: str, args: Mapping[str, Json]) -> Answer:
        """Return who answers a call, and count the answer as given.

        Args:
            tool: The tool.
            args: The arguments as they were given, without defaults.

        Returns:
            The first answer that matches and is not used up, else what the case says for all others.
        """
        pinned = self._mock.get(tool)
        for at, fixture in enumerate(pinned.answers if pinned else ()):
            given = self._given.get((tool, at), 0)
            if matches(fixture.when, args) and (fixture.times is None or given < fixture.times):
                self._given[tool, at] = given + 1
                return fixture
        if pinned is not None and pinned.otherwise is not None:
            return pinned.otherwise
        return "itself"


def matches(when: Mapping[str, Json] | None, args: Mapping[str, Json]) -> bool:
    """Tell whether a fixture is about a call.

    Args:
        when: Arguments that must be there with these values; objects may have more keys, lists the same
            number of items. None is about every call.
        args: The arguments of the call.

    >>> matches({"order": {"id": "A"}}, {"order": {"id": "A", "n": 1}, "why": "late"})
    True
    >>> matches({"n": 1}, {"n": True}), matches({"n": 1}, {})
    (False, False)
    """
    return when is None or _held(dict(when), dict(args))


def _held(want: Json, got: Json) -> bool:
    if isinstance(want, dict) and isinstance(got, dict):
        return all(key in got and _held(value, got[key]) for key, value in want.items())
    if isinstance(want, list) and isinstance(got, list):
        return len(want) == len(got) and all(map(_held, want, got))
    return same(want, got)
