"""What the cases of a suite expect of calls and values, whichever check asks for it.

What comes in: cases, the suite. What goes out: names of tools, orders of calls, values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evalkit.records.case import Case
from evalkit.records.checks import Called, Expectation, Order, Returned
from evalkit.records.suite import Suite, ToolSpec
from evalkit.records.written import Json

_VALUES = {"reply": ("equals", "contains", "json", "numbers"), "state": ("equals",), "returned": ("equals",)}


def expected_calls(case: Case, suite: Suite) -> set[str]:
    """Return the tools that a case expects to be called.

    Args:
        case: The case.
        suite: Its suite.

    Returns:
        Tools of checks that are not negated, of stages that must run, and of the reference solution.
    """
    found = {step.call.tool for step in case.solution or () if step.call is not None}
    for stage in suite.stages:
        if any(asked.get(stage.name) == "required" for asked in case.demands):
            found |= set(stage.ran.tools)
    for entry in _holding(case):
        arguments = entry.arguments
        if isinstance(arguments, Called):
            found |= {call.tool for call in arguments.calls}
        elif isinstance(arguments, Order):
            found |= set(arguments.tools)
        elif isinstance(arguments, Returned):
            found.add(arguments.tool)
    return found


def expected_orders(suite: Suite) -> tuple[tuple[str, ...], ...]:
    """Return every order of calls that a case or a metric of the suite expects, each once."""
    orders = [
        entry.args.get("tools") for case in suite.cases for entry in _holding(case) if entry.kind == "order"
    ]
    orders += [
        metric.args.get("tools") for metric in suite.metrics if metric.check == "order" and metric.args
    ]
    return tuple(dict.fromkeys(tuple(map(str, order)) for order in orders if isinstance(order, list | tuple)))


def expected_values(case: Case) -> Iterator[str | float]:
    """Yield the texts and numbers that the reply, the world or a tool must show."""
    for entry in _holding(case):
        for key in _VALUES.get(entry.kind, ()):
            yield from _leaves(entry.args.get(key))


def choices(tools: Iterable[ToolSpec]) -> frozenset[str]:
    """Return the values that tools let an agent choose from, of which nobody says one by chance."""
    found = {value for tool in tools for value in _enums(tool.parameters)}
    return frozenset(value for value in found if "_" in value.strip("_"))


def _holding(case: Case) -> Iterator[Expectation]:
    return (entry for entry in case.expect if not entry.negated)


def _leaves(value: Json) -> Iterator[str | float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield value


def _enums(schema: Json) -> Iterator[str]:
    """Yield the texts of every `enum` in a JSON Schema of a tool."""
    if isinstance(schema, list):
        for inner in schema:
            yield from _enums(inner)
    elif isinstance(schema, dict):
        listed = schema.get("enum")
        yield from (one for one in (listed if isinstance(listed, list) else ()) if isinstance(one, str))
        for inner in schema.values():
            yield from _enums(inner)
