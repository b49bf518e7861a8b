"""The places from which checks read what an agent states: ``reply.x``, ``fact.name``, ``call.tool.args.x``.

What comes in: arguments of checks, and what the suite declares. What goes out: the places, and problems.
"""

from __future__ import annotations

from collections.abc import Iterator

from evalkit.records.checks import CheckArgs, Reconcile
from evalkit.records.sums import Identity
from evalkit.records.watching import SqlEquals
from evalkit.suite.document import Findings, KeyPath
from evalkit.suite.ground import Ground, check_name
from evalkit.suite.words import nearest

_SOURCES = ("reply", "fact", "call")


def places_in(arguments: CheckArgs) -> Iterator[tuple[KeyPath, str]]:
    """Yield every place that a check reads a stated value from, with its way in the arguments.

    Args:
        arguments: Typed arguments of any check.
    """
    if isinstance(arguments, Reconcile | SqlEquals):
        yield ("value",), arguments.value
    elif isinstance(arguments, Identity):
        yield from arguments.places


def tool_in(place: str) -> str:
    """Return the tool that a place names, or "".

    >>> tool_in("call.pay.args.n"), tool_in("reply.n"), tool_in("call")
    ('pay', '', '')
    """
    source, *rest = place.split(".")
    return rest[0] if source == "call" and rest else ""


def check_places(findings: Findings, path: KeyPath, arguments: CheckArgs, ground: Ground) -> None:
    """Note places that are neither in the reply nor a fact nor in a call.

    Args:
        findings: Where to.
        path: The arguments of the check in the source.
        arguments: What they became.
        ground: What the suite declares.
    """
    for below, place in places_in(arguments):
        _check_place(findings, (*path, *below), place, ground)


def _check_place(findings: Findings, path: KeyPath, place: str, ground: Ground) -> None:
    parts = place.split(".")
    if parts[0] == "fact" and len(parts) > 1:
        check_name(findings, path, "fact", parts[1].partition("[")[0], ground.suite.facts)
    elif parts[0] not in _SOURCES or (parts[0] == "fact" and len(parts) < 2):
        said = "a value is read from the reply, a fact or a call"
        meant = nearest(parts[0], _SOURCES)
        advice = f"did you mean `{meant}`? " if meant and meant != parts[0] else ""
        advice += "write reply.x, fact.NAME or call.TOOL.result.x"
        findings.add(path, "wrong-value", said, suggestion=advice)
    elif parts[0] == "call" and (len(parts) < 3 or parts[2].partition("[")[0] not in ("args", "result")):
        said = "a call has `args` and `result`"
        findings.add(path, "wrong-value", said, suggestion="write call.TOOL.args.x or call.TOOL.result.x")
