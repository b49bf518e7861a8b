"""What is reached into: the arguments of tools, and paths into values.

What comes in: names and paths that people wrote, and what the suite declares. What goes out: problems.
"""

from __future__ import annotations

from collections.abc import Iterator

from evalkit.records.checks import Called, CheckArgs, Cites, Idempotent, Reply, Returned
from evalkit.records.paths import steps
from evalkit.suite.document import Findings, KeyPath
from evalkit.suite.ground import Ground
from evalkit.suite.stated_places import places_in, tool_in
from evalkit.suite.words import suggest


def check_reach(findings: Findings, path: KeyPath, arguments: CheckArgs, ground: Ground) -> None:
    """Note names of tools' arguments and paths that a check could never find anything by.

    Args:
        findings: Where to.
        path: The arguments of the check in the source.
        arguments: What they became.
        ground: What the suite declares.
    """
    for below, written in _paths(arguments):
        check_path(findings, (*path, *below), written)
    for below, tool, name in _arguments(arguments):
        check_argument(findings, findings.document.real((*path, *below)), tool, name, ground)


def check_path(findings: Findings, path: KeyPath, written: str) -> bool:
    """Note a path into a value that cannot be read.

    Args:
        findings: Where to.
        path: Where it stands.
        written: The path as written.

    Returns:
        Whether it can be read.
    """
    try:
        steps(written)
    except ValueError as error:
        advice = "write a.b, a[0].b for one item of a list, or a[].b for every item"
        findings.add(path, "bad-path", f"{error}", suggestion=advice, value=written)
        return False
    return True


def check_argument(findings: Findings, path: KeyPath, tool: str, name: str, ground: Ground) -> None:
    """Note an argument that a tool does not take, where it is known what it takes.

    Args:
        findings: Where to.
        path: Where it stands.
        tool: The tool.
        name: The argument.
        ground: What the suite declares.
    """
    taken = ground.arguments_of(tool)
    if taken is None or name in taken:
        return
    said = f"`{tool}` takes no argument `{name}`"
    advice = suggest(name, taken, none=f"`{tool}` takes no arguments at all")
    at_key = path[-1:] == (name,)
    findings.add(path, "unknown-argument", said, suggestion=advice, value=name, at_key=at_key)


def argument_in(path: str) -> str:
    """Return the argument that a path ``args.x...`` begins with, or "".

    >>> argument_in("args.lines[0].id"), argument_in("result.id"), argument_in("args")
    ('lines', '', '')
    """
    first, *rest = steps(path) or ("",)
    return rest[0] if first == "args" and rest and isinstance(rest[0], str) else ""


def _paths(arguments: CheckArgs) -> Iterator[tuple[KeyPath, str]]:
    if isinstance(arguments, Returned | Cites):
        yield ("path",), arguments.path
    elif isinstance(arguments, Reply):
        yield from ((("json", key), key) for key in arguments.fields or {})
    yield from places_in(arguments)


def _arguments(arguments: CheckArgs) -> Iterator[tuple[KeyPath, str, str]]:
    """Yield every argument that is named, with its place in the long form and its tool."""
    if isinstance(arguments, Called):
        for number, call in enumerate(arguments.calls):
            yield from ((("calls", number, "args", name), call.tool, name) for name in call.args)
    elif isinstance(arguments, Idempotent):
        yield from ((("key", number), arguments.tool, name) for number, name in enumerate(arguments.key))
    for below, place in places_in(arguments):
        tool = tool_in(place)
        name = _readable_argument(place.removeprefix(f"call.{tool}.")) if tool else ""
        if name:
            yield below, tool, name


def _readable_argument(path: str) -> str:
    """Return the argument of a path, "" where the path cannot be read, which is a problem of its own."""
    try:
        return argument_in(path)
    except ValueError:
        return ""
