"""What a form cannot see in the arguments of a check: names, patterns, SQL, expectations of nothing.

What comes in: an expectation, where it stands, and what the suite declares. What goes out: problems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from evalkit.records.checks import (
    Called,
    CheckArgs,
    CheckKind,
    Cites,
    ClaimMatchesState,
    Expectation,
    Idempotent,
    OnlyCalled,
    Order,
    Python,
    Refused,
    Reply,
    Returned,
    Schema,
    State,
    Within,
)
from evalkit.records.companions import Companion
from evalkit.records.sums import Identity
from evalkit.records.watching import Eventually
from evalkit.records.written import Json, Written
from evalkit.suite.document import Findings, KeyPath
from evalkit.suite.ground import Ground, check_function, check_name, check_pattern, check_tool, exactly_one
from evalkit.suite.json_schemas import check_json_schema
from evalkit.suite.questions import sql_of
from evalkit.suite.reach import check_reach
from evalkit.suite.stated_places import check_places, places_in, tool_in

# Check -> field -> key in the file, of what expects nothing where it is empty. A world or a tool may well
# answer null, or nothing at all to `returned: {equals: []}`, which a call still has to bring about.
_MAY_BE_EMPTY: dict[type[Written], dict[str, str]] = {
    Reply: {
        "contains": "contains",
        "matches": "matches",
        "equals": "equals",
        "fields": "json",
        "numbers": "numbers",
        "json_schema": "json_schema",
    },
    Returned: {"contains": "contains", "matches": "matches"},
    State: {"equals": "equals"},
    Eventually: {"equals": "equals"},
}


_MOST_LOOKS = 200  # into one window: each is a question to the world, and may be an event


def check_arguments(findings: Findings, path: KeyPath, expectation: Expectation, ground: Ground) -> None:
    """Note what is wrong with the arguments of one expectation.

    Args:
        findings: Where to.
        path: The arguments in the source.
        expectation: What they became.
        ground: What the suite declares.
    """
    arguments = expectation.arguments
    for below, tool in _tools(arguments):
        check_tool(findings, findings.document.real((*path, *below)), tool, ground)
    check_reach(findings, path, arguments, ground)
    check_places(findings, path, arguments, ground)
    for key in ("matches", "pattern"):
        check_pattern(findings, (*path, key), getattr(arguments, key, None))
    if sql_of(expectation) and not ground.suite.has_world:
        said = f"`{expectation.kind}` asks a database, and the suite has none"
        findings.add(path, "no-world", said, suggestion="add `world: {database: ...}` to the suite")
    for below in _empty(arguments):
        said = "this expects nothing, and nothing could fail it"
        findings.add((*path, *below), "empty-expectation", said, suggestion=_instead(expectation.kind))
    further = _FURTHER.get(expectation.kind)
    if further is not None:
        further(findings, path, arguments, ground)


def _tools(arguments: CheckArgs) -> Iterator[tuple[KeyPath, str]]:
    """Yield every tool that the arguments name, with its place in the long form."""
    if isinstance(arguments, Called):
        yield from ((("calls", number, "tool"), call.tool) for number, call in enumerate(arguments.calls))
    elif isinstance(arguments, Order | OnlyCalled | Schema):
        yield from ((("tools", number), tool) for number, tool in enumerate(arguments.tools))
    elif isinstance(arguments, Returned | Cites | Refused | Idempotent):
        yield ("tool",), arguments.tool
    elif isinstance(arguments, Within):
        for key in ("latency", "quantile"):
            bounded = getattr(arguments, key)
            if bounded is not None and bounded.tool is not None:
                yield (key, "tool"), bounded.tool
    elif isinstance(arguments, Companion):
        yield from ((("tools", number), tool) for number, tool in enumerate(arguments.tools))
    yield from ((below, tool) for below, place in places_in(arguments) if (tool := tool_in(place)))


def _empty(arguments: CheckArgs) -> Iterator[KeyPath]:
    """Yield the arguments that every reply and every world would satisfy, or that compare with nothing."""
    if isinstance(arguments, Reply | Returned | State | Eventually):
        keys = _MAY_BE_EMPTY[type(arguments)]
        for name in arguments.model_fields_set & set(keys):
            if _says_nothing(getattr(arguments, name)):
                yield (keys[name],)


def _says_nothing(value: Json) -> bool:
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, list | tuple):
        return not value or any(isinstance(entry, str) and not entry.strip() for entry in value)
    return isinstance(value, dict) and not value


def _instead(kind: CheckKind) -> str:
    if kind in ("state", "eventually"):
        return "select count(*) and expect 0, so that a wrong question shows"
    return "say what must be there"


def _called(findings: Findings, path: KeyPath, arguments: CheckArgs, _: Ground) -> None:
    if isinstance(arguments, Called) and arguments.times is not None and len(arguments.calls) > 1:
        said = "`times` counts the calls that match one expected call, and here are several"
        findings.add((*path, "times"), "wrong-value", said, suggestion="write one entry for each call")


def _reply(findings: Findings, path: KeyPath, arguments: CheckArgs, _: Ground) -> None:
    if isinstance(arguments, Reply) and arguments.json_schema:
        check_json_schema(findings, (*path, "json_schema"), arguments.json_schema)


def _within(findings: Findings, path: KeyPath, arguments: CheckArgs, _: Ground) -> None:
    """Note a tool where it is the model that is measured."""
    for key in ("latency", "quantile"):
        bounded = getattr(arguments, key, None)
        if bounded is not None and bounded.tool is not None and not bounded.of.startswith("tool"):
            said = f"`of: {bounded.of}` is about the model, and no tool"
            findings.add((*path, key, "tool"), "wrong-value", said, suggestion="leave `tool` out")


def _returned(findings: Findings, path: KeyPath, arguments: CheckArgs, _: Ground) -> None:
    exactly_one(findings, path, arguments.model_fields_set, ("equals", "contains", "matches"))


def _identity(findings: Findings, path: KeyPath, arguments: CheckArgs, _: Ground) -> None:
    """Note sums in which nothing that the agent states has a part, or that close whatever it states."""
    if not isinstance(arguments, Identity):
        return
    advice = "read at least one side from the trial, e.g. `reply.total`"
    if not any(arguments.places):
        said = "both sides are numbers of the suite, so that nothing could fail this"
        findings.add(path, "empty-expectation", said, suggestion=advice)
    elif arguments.left == arguments.equals:
        said = "both sides are the same, so that nothing could fail this"
        findings.add(path, "empty-expectation", said, suggestion="say what it is made of")


def _claims(findings: Findings, path: KeyPath, arguments: CheckArgs, ground: Ground) -> None:
    """Note claims that are not declared, and a check of claims where there are none."""
    claims = arguments.claims if isinstance(arguments, ClaimMatchesState) else ()
    for number, claim in enumerate(claims):
        check_name(findings, (*path, "claims", number), "claim", claim, ground.suite.claims)
    if not claims and not ground.suite.claims:
        said = "the suite declares no claims, so that nothing could fail this"
        findings.add(path, "empty-expectation", said, suggestion="declare them under `claims`")


def _eventually(findings: Findings, path: KeyPath, arguments: CheckArgs, _: Ground) -> None:
    """Note a window that is never looked into, or too often."""
    if not isinstance(arguments, Eventually):
        return
    if arguments.every > arguments.within:
        said = f"the window closes after {arguments.within:g} s, before the first look into it"
        findings.add((*path, "every"), "wrong-value", said, suggestion="look at least once in it")
    elif arguments.within / arguments.every > _MOST_LOOKS:
        said = f"the world would be looked at more than {_MOST_LOOKS} times"
        least = f"{arguments.within / _MOST_LOOKS:g}"
        findings.add((*path, "every"), "wrong-value", said, suggestion=f"write at least {least}")


def _companion(findings: Findings, path: KeyPath, arguments: CheckArgs, ground: Ground) -> None:
    """Note figures without what they are measured by, and what another figure is measured by."""
    if not isinstance(arguments, Companion):
        return
    if arguments.fact is not None:
        check_name(findings, (*path, "fact"), "fact", arguments.fact, ground.suite.facts)
    for key, figure in (("tools", "retrieval_rounds"), ("fact", "citation_hit")):
        given = bool(getattr(arguments, key))
        if arguments.figure == figure and not given:
            said = f"`{figure}` is measured by `{key}`"
            findings.add((*path, key), "missing-key", said, suggestion=f"add `{key}: ...`")
        elif arguments.figure != figure and key in arguments.model_fields_set:
            said = f"`{key}` belongs to `{figure}`"
            findings.add((*path, key), "wrong-value", said, suggestion=f"leave `{key}` out")


def _python(findings: Findings, path: KeyPath, arguments: CheckArgs, ground: Ground) -> None:
    if isinstance(arguments, Python):
        check_function(findings, (*path, "function"), arguments.function, ground)


_FURTHER: dict[CheckKind, Callable[[Findings, KeyPath, CheckArgs, Ground], None]] = {
    "called": _called,
    "reply": _reply,
    "returned": _returned,
    "within": _within,
    "identity": _identity,
    "claim_matches_state": _claims,
    "eventually": _eventually,
    "companion": _companion,
    "python": _python,
}
