"""Tools as typed Python functions: described for models, loaded from a suite, run at one boundary.

What comes in: a suite's `tools.py`. What goes out: `ToolSpec`s, `Tool`s, and results as JSON values.

This is where code that is not ours is called. What it raises becomes one of three things: `ToolRefusal` (the
tool says no), `DependencyError` (what the tool depends on broke) or `SuiteBug` (everything else, down to
`BaseException`: never the agent's failure, and never the end of the run). A cut from outside and the
operator's Ctrl-C pass through.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Final, Literal, NoReturn, TypeAlias, TypeVar, cast

from pydantic import ValidationError

from evalkit.errors import DependencyError, InputError, Problem, SuiteBug, SuiteFault
from evalkit.records.suite import ToolSpec
from evalkit.records.written import Json
from evalkit.world.handle import Database
from evalkit.world.modules import fresh_module
from evalkit.world.raised import described, fault_of, load_problem, sound
from evalkit.world.signature import Signature, SignatureError, read_signature
from evalkit.world.threads import in_thread
from evalkit.world.values import json_value

_Function = TypeVar("_Function", bound=Callable[..., object])

Outcome: TypeAlias = tuple[object, BaseException | None]
"""What a function returned, and what it raised."""

_MARK = "__evalkit_tool__"
_ENDING_SECONDS: Final = 1.0  # for a tool that was cut to put things away; one that goes on is left alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool, ready to be called.

    Attributes:
        spec: What the harness and models know of it.
        function: The suite's function.
        signature: Checks its arguments.
        file: Where it stands.
        threaded: Whether it runs in a thread of its own, beside the event loop.
    """

    spec: ToolSpec
    function: Callable[..., object]
    signature: Signature
    file: str
    threaded: bool


class ToolTimeout(DependencyError):
    """A tool that took longer than it may."""


def tool(
    *,
    effect: Literal["read", "write", "external", "pay"] = "read",
    determinism: Literal["rule", "judgment"] = "rule",
    undo: Mapping[str, Json] | None = None,
    serial: bool = False,
    timeout: float | None = None,
    limits: Mapping[str, Json] | None = None,
) -> Callable[[_Function], _Function]:
    """Say of a function what its signature does not: its effect and its limits.

    Args:
        effect: What it can change.
        determinism: Whether the same arguments give the same answer (`rule`), or somebody judges.
        undo: ``{how, window, median_s}`` where the effect can be undone.
        serial: One such call makes its batch serial.
        timeout: Seconds that one call may take; None: 30. Saying it puts a plain function on the database
            into a thread of its own.
        limits: Name -> the constant that the code checks; ``{NAME}`` in the docstring shows it.

    Returns:
        A decorator that leaves the function as it is.
    """
    given = {
        "effect": effect,
        "determinism": determinism,
        "undo": undo if undo is None else dict(undo),
        "serial": serial,
        "limits": dict(limits or {}),
    } | ({} if timeout is None else {"timeout": timeout})

    def mark(function: _Function) -> _Function:
        vars(function)[_MARK] = given
        return function

    return mark


def describe(path: Path) -> tuple[ToolSpec, ...]:
    """Return what models and the harness know of a suite's tools.

    Args:
        path: The suite's Python file.

    Returns:
        One spec per public function, in the order of their definition.

    Raises:
        InputError: Every function that cannot be a tool, or the file does not load.
    """
    return tuple(loaded.spec for loaded in load(path).values())


def load(path: Path) -> dict[str, Tool]:
    """Load a suite's tools from a module that is fresh for this call.

    Args:
        path: The suite's Python file: its public functions are the tools; names that begin with `_` and what
            is imported are not.

    Returns:
        Name -> tool, in the order of their definition.

    Raises:
        InputError: Every function that cannot be a tool, or the file does not load.
    """
    tools: dict[str, Tool] = {}
    problems: list[Problem] = []
    with ExitStack() as stack:
        try:
            module = stack.enter_context(fresh_module(path))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise InputError((load_problem(error, path),)) from error
        for name, function in _functions(module):
            try:
                tools[name] = _tool(name, function, str(path), module)
            except SignatureError as error:
                problems += _problems(error, name, function, path)
    if problems:
        raise InputError(tuple(problems))
    return tools


async def run(tool: Tool, arguments: Mapping[str, object], database: Database | None) -> Json:
    """Run one tool once.

    Args:
        tool: The tool.
        arguments: Checked arguments.
        database: The trial's database, for tools that take it.

    Returns:
        The result as a fresh JSON value.

    Raises:
        ToolRefusal: The tool says no.
        DependencyError: What it depends on broke, or a tool that is asynchronous or has a thread of its own
            took longer than it may.
        SuiteBug: It raised anything else, returned no JSON value, or needs a database that is not there.
    """
    if tool.signature.takes_database and database is None:
        raise SuiteBug(f"{tool.spec.name} needs a database, and the suite has none (world.database)")
    first = (database,) if tool.signature.takes_database else ()
    who = f"tool {tool.spec.name}"
    result, error = await _called(tool, partial(tool.function, *first, **arguments))
    if isinstance(error, KeyboardInterrupt):
        raise error
    if error is not None:
        raise fault_of(who, error, tool.file) from error
    if inspect.isawaitable(result):
        result = await _awaited(who, result, tool)
    try:
        return json_value(result)
    except ValueError as error:
        raise SuiteBug(f"{who} returned no JSON value: {error}") from error
    except Exception as error:
        raise SuiteBug(f"{who} returned what cannot be read: {described(error)}") from error


def ask(who: str, function: Callable[..., object], *arguments: object) -> object:
    """Call a function of the suite that is no tool, such as a policy.

    Args:
        who: What it is, for messages.
        function: The function.
        arguments: Its arguments.

    Returns:
        What it returns.

    Raises:
        SuiteBug: It raised.
    """
    try:
        return function(*arguments)
    except SuiteFault as error:
        raise sound(who, error) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise SuiteBug(f"{who} raised {described(error)}") from error


async def _called(tool: Tool, function: Callable[[], object]) -> Outcome:
    """Call a tool where it belongs: beside the event loop, or in it."""
    if not tool.threaded:
        return _outcome(function)
    try:
        ended = await in_thread(f"evalkit-{tool.spec.name}", partial(_outcome, function), tool.spec.timeout)
    except RuntimeError as error:
        raise DependencyError(message=f"{tool.spec.name} got no thread: {error}") from error
    return ended or _late(tool)


def _outcome(function: Callable[[], object]) -> Outcome:
    """Return how a function ended; what it raised is raised again where somebody waits for it."""
    try:
        return function(), None
    except BaseException as error:
        return None, error


def _late(tool: Tool) -> NoReturn:
    raise ToolTimeout(message=f"{tool.spec.name} took longer than {tool.spec.timeout:g} s")


async def _awaited(who: str, result: Awaitable[object], tool: Tool) -> object:
    """Await an asynchronous tool in a task of its own: what it does to its task, it does to itself."""
    loop = asyncio.get_running_loop()
    until = loop.time() + tool.spec.timeout
    task = loop.create_task(_caught(result))
    try:
        await asyncio.sleep(0)  # it begins before this goes on; one that never waits needs no timer
        if not task.done():
            await asyncio.wait({task}, timeout=max(0.0, until - loop.time()))
    finally:
        in_time = task.done()
        if not in_time:
            task.cancel()
            await asyncio.wait({task}, timeout=_ENDING_SECONDS)
    if not in_time:
        _late(tool)
    if task.cancelled():
        raise SuiteBug(f"{who} raised CancelledError, and nobody had cut it")
    found, error = task.result()
    if error is not None:
        raise fault_of(who, error, tool.file) from error
    return found


async def _caught(result: Awaitable[object]) -> Outcome:
    """Return what an awaitable gives or raises; a task that raised SystemExit would end the event loop."""
    try:
        return await result, None
    except (asyncio.CancelledError, KeyboardInterrupt):
        raise
    except BaseException as error:
        return None, error


def _functions(module: ModuleType) -> list[tuple[str, Callable[..., object]]]:
    return [
        (name, value)
        for name, value in vars(module).items()
        if isinstance(value, FunctionType)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    ]


def _tool(name: str, function: Callable[..., object], file: str, module: ModuleType) -> Tool:
    given = cast("dict[str, Json]", vars(function).get(_MARK, {}))
    limits: dict[str, Json] = given.get("limits", {})
    stale = [limit for limit, value in limits.items() if vars(module).get(limit, value) != value]
    if stale:
        raise SignatureError([f"its limit {limit} is not the constant of that name" for limit in stale])
    signature = read_signature(function, limits)
    try:
        spec = ToolSpec(
            name=name, description=signature.description, parameters=signature.parameters, **given
        )
    except ValidationError as error:
        raise SignatureError([f"{detail['loc'][0]}: {detail['msg']}" for detail in error.errors()]) from error
    return Tool(
        spec=spec,
        function=function,
        signature=signature,
        file=file,
        threaded=_threaded(function, signature, given),
    )


def _threaded(function: Callable[..., object], signature: Signature, given: Mapping[str, Json]) -> bool:
    """Tell whether a tool gets a thread of its own; on the trial's database only if it says that it waits.

    A thread costs some hundred microseconds, and a statement of the trial's own database is quick.
    """
    waits = "timeout" in given or given.get("effect") == "external"
    return not inspect.iscoroutinefunction(function) and (waits or not signature.takes_database)


def _problems(error: SignatureError, name: str, function: Callable[..., object], path: Path) -> list[Problem]:
    line = cast("FunctionType", function).__code__.co_firstlineno
    return [
        Problem(
            message=f"{name} cannot be a tool: {problem}",
            file=str(path),
            line=line,
            key=name,
            suggestion="type every argument; a helper's name begins with _",
            code="bad-tool",
        )
        for problem in error.problems
    ]
