"""Tools as typed functions: described, loaded, checked and run."""

import asyncio
from pathlib import Path

import httpx
import pytest

from evalkit.errors import DependencyError, InputError, SuiteBug, ToolRefusal
from evalkit.world.modules import fresh_module
from evalkit.world.raised import fault_of
from evalkit.world.tools import ToolTimeout, ask, describe, load, run
from tests.world import shop

TYPED = '''
from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal, Optional

from pydantic import Field

import math
from math import sqrt

from evalkit.world.tools import tool

MOST = 3


@dataclass
class Line:
    sku: str
    count: int = 1


@tool(
    effect="write", determinism="judgment", undo={"how": "cancel", "window": "1h", "median_s": 60},
    serial=True, timeout=5, limits={"MOST": MOST, "CITY": "Bern"},
)
def order(
    schema: str,
    lines: list[Line],
    how: Literal["fast", "cheap"] = "cheap",
    day: Optional[date] = None,
    share: Annotated[float, "Between 0 and 1.", Field(ge=0, le=1)] = 0.5,
    tags: dict[str, int] | None = None,
    extra: tuple[int, ...] = (1, 2),
    *,
    json: bool = False,
) -> list[object]:
    """Order at most {MOST} lines
    in {CITY}.

    A second paragraph is for people.

    Args:
        schema: Whatever
            it may be.
        lines (list): At most {MOST}.
        share: Not this text.
    """
    return [schema, [line.count for line in lines], how, day, share, tags, extra, json]


def _helper(x):
    return x


def nothing() -> None:
    """Do nothing."""
'''


def test_a_tool_is_described_by_its_signature(tmp_path: Path) -> None:
    """Schema, descriptions and limits come from the function; private and imported names are no tools."""
    order, nothing = (tool.spec for tool in shop.tools_from(tmp_path, TYPED).values())
    assert ("order", "Order at most 3 lines in Bern.") == (order.name, order.description)
    properties = order.parameters["properties"]
    assert {"type": "string", "description": "Whatever it may be."} == properties["schema"]
    assert "At most 3." == properties["lines"]["description"]
    assert {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "default": 0.5,
        "description": "Between 0 and 1.",
    } == properties["share"]
    assert {"enum": ["fast", "cheap"], "type": "string", "default": "cheap"} == properties["how"]
    assert (["schema", "lines"], False) == (
        order.parameters["required"],
        order.parameters["additionalProperties"],
    )
    assert ("write", "judgment", True, 5.0) == (order.effect, order.determinism, order.serial, order.timeout)
    assert {"MOST": 3, "CITY": "Bern"} == order.limits
    assert {"how": "cancel", "window": "1h", "median_s": 60} == order.undo
    assert {"type": "object", "properties": {}, "additionalProperties": False} == nothing.parameters
    assert ("read", "rule", False, 30.0, None) == (
        nothing.effect,
        nothing.determinism,
        nothing.serial,
        nothing.timeout,
        nothing.undo,
    )


def test_arguments_arrive_as_the_function_takes_them(tmp_path: Path) -> None:
    """JSON becomes dates, tuples and dataclasses; names that clash with nothing we use arrive, too."""
    tool = shop.tools_from(tmp_path, TYPED)["order"]
    args = {
        "schema": "s",
        "lines": [{"sku": "a"}, {"sku": "b", "count": 2}],
        "day": "2026-10-02",
        "json": True,
    }
    found = asyncio.run(run(tool, tool.signature.check({**args, "extra": [4]}), None))
    assert ["s", [1, 2], "cheap", "2026-10-02", 0.5, None, [4], True] == found


@pytest.mark.parametrize(
    "wrong",
    [
        {"lines": {}},
        {"lines": [{"sku": 1}]},
        {"how": "slow"},
        {"share": 2},
        {"share": "0.5"},
        {"day": "yesterday"},
        {"json": 1},
        {"extra": [1.5]},
        {"tags": {"a": None}},
        {"argument_0": "x"},
    ],
)
def test_nothing_is_converted_silently(tmp_path: Path, wrong: dict[str, object]) -> None:
    """A value of another type is wrong, even where Python could make something of it."""
    tool = shop.tools_from(tmp_path, TYPED)["order"]
    with pytest.raises(ValueError, match=f"`{next(iter(wrong))}"):
        tool.signature.check({"schema": "s", "lines": [], **wrong})


def test_whole_numbers_are_numbers(tmp_path: Path) -> None:
    """JSON writes 1 for 1.0."""
    tool = shop.tools_from(tmp_path, TYPED)["order"]
    assert 1.0 == tool.signature.check({"schema": "s", "lines": [], "share": 1})["share"]


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        ("def f(x) -> None: ...", "`x` has no type", 1),
        ("\n\ndef f(*args: int) -> None: ...", "name of its own", 3),
        ("def f(**more: int) -> None: ...", "name of its own", 1),
        ("def f(x: int, /) -> None: ...", "name of its own", 1),
        ("class C: ...\ndef f(x: C) -> None: ...", "JSON cannot carry", 2),
        ("def f(x: 'Nope') -> None: ...", "Nope", 1),
        ("def f() -> None:\n    'At most {LIMIT}.'", "names the limit {LIMIT}", 1),
        (
            "from evalkit.world.handle import Database\ndef f(x: int, db: Database) -> None: ...",
            "the database, which comes first",
            2,
        ),
        (
            "from evalkit.world.tools import tool\nMOST = 3\n@tool(limits={'MOST': 4})\ndef f() -> None: ...",
            "limit MOST is not the constant",
            3,
        ),
        (
            "from evalkit.world.tools import tool\n@tool(timeout=0)\ndef f() -> None: ...",
            "timeout: Input should be greater than 0",
            2,
        ),
        ("def f(:", "invalid syntax", 1),
        ("x = 1\n\n1 / 0", "ZeroDivisionError", 3),
        ("import no_such_module_anywhere", "no_such_module_anywhere", 1),
        ("raise SystemExit(1)", "SystemExit", 1),
    ],
)
def test_what_cannot_be_a_tool_is_bad_input(tmp_path: Path, text: str, said: str, line: int) -> None:
    """The file, the line and what is wrong are named before any trial."""
    (tmp_path / "tools.py").write_text(text)
    with pytest.raises(InputError) as caught:
        describe(tmp_path / "tools.py")
    (problem,) = caught.value.problems
    assert said in problem.message
    assert (str(tmp_path / "tools.py"), line) == (problem.file, problem.line)


def test_all_problems_are_named_at_once(tmp_path: Path) -> None:
    """One look shows every function that cannot be a tool."""
    (tmp_path / "tools.py").write_text("def f(x, y) -> None: ...\ndef g(z) -> None: ...\n")
    with pytest.raises(InputError) as caught:
        load(tmp_path / "tools.py")
    assert [("f", "x"), ("f", "y"), ("g", "z")] == [
        (problem.key, problem.message.split("`")[1]) for problem in caught.value.problems
    ]


def test_a_file_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    """A missing file is named."""
    with pytest.raises(InputError, match=r"gone\.py"):
        load(tmp_path / "gone.py")


def test_every_load_is_fresh(tmp_path: Path) -> None:
    """State of a module does not pass to the next load, an edit shows at once, and no byte code is left."""
    text = "seen = []\n\ndef count() -> int:\n    seen.append(1)\n    return len(seen)\n"
    for _ in range(2):
        assert 1 == asyncio.run(run(shop.tools_from(tmp_path, text)["count"], {}, None))
    edited = shop.tools_from(tmp_path, text.replace("len(seen)", "7 + 000"))["count"]
    assert 7 == asyncio.run(run(edited, {}, None))
    assert ["tools.py"] == [path.name for path in tmp_path.iterdir()]


def test_a_module_knows_its_name_while_it_is_read(tmp_path: Path) -> None:
    """Two suites with files of one name do not meet."""
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tools.py").write_text(f"WHERE = {folder!r}\n")
    with (
        fresh_module(tmp_path / "a" / "tools.py") as first,
        fresh_module(tmp_path / "b" / "tools.py") as second,
    ):
        assert ("a", "b") == (first.WHERE, second.WHERE)
        assert first.__name__ != second.__name__


def test_a_tool_that_needs_a_database_says_so(tmp_path: Path) -> None:
    """Without one, the suite is wrong, not the agent."""
    tool = shop.tools_from(tmp_path, shop.TOOLS)["get_order"]
    with pytest.raises(SuiteBug, match="needs a database"):
        asyncio.run(run(tool, {"order_id": "A-1"}, None))


def _raised(error: Exception) -> Exception:
    return fault_of("tool t", error, "tools.py")


_REQUEST = httpx.Request("GET", "https://example.invalid/")


def _status(status: int, **headers: str) -> httpx.HTTPStatusError:
    response = httpx.Response(status, headers=headers, request=_REQUEST)
    return httpx.HTTPStatusError(f"status {status}", request=_REQUEST, response=response)


@pytest.mark.parametrize(
    ("error", "status", "sub", "retry_after"),
    [
        (_status(429, **{"Retry-After": "7"}), 429, "rate", 7.0),
        (_status(429, **{"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}), 429, "rate", None),
        (_status(500), 500, None, None),
        (_status(503), 503, None, None),
        (httpx.ConnectError("no route"), 0, "no_reply", None),
        (httpx.ReadTimeout("429 too slow"), 0, "no_reply", None),
    ],
)
def test_httpx_errors_are_broken_dependencies(
    error: Exception, status: int, sub: str | None, retry_after: float | None
) -> None:
    """Transport errors, 429 and 5xx map by their status, and by nothing that a message says."""
    found = _raised(error)
    assert isinstance(found, DependencyError)
    assert (status, sub, retry_after) == (found.status, found.sub, found.retry_after)


@pytest.mark.parametrize(
    "error",
    [_status(400), _status(404), RuntimeError("HTTP 429"), TimeoutError(), OSError("503"), ValueError()],
)
def test_everything_else_is_the_suites_bug(error: Exception) -> None:
    """Other statuses and other exceptions are a tool that did not handle what it should."""
    assert isinstance(_raised(error), SuiteBug)


def test_an_asynchronous_tool_is_cut_at_its_timeout(tmp_path: Path) -> None:
    """A tool that waits longer than it may did not reply."""
    text = """
    import asyncio
    from evalkit.world.tools import tool

    @tool(timeout=0.01)
    async def wait() -> None:
        await asyncio.sleep(60)

    @tool(timeout=60)
    async def own_timeout() -> None:
        raise TimeoutError("of my own")
    """
    tools = shop.tools_from(tmp_path, text)
    with pytest.raises(ToolTimeout, match=r"longer than 0\.01 s") as caught:
        asyncio.run(run(tools["wait"], {}, None))
    assert "no_reply" == caught.value.sub
    with pytest.raises(SuiteBug, match="of my own"):
        asyncio.run(run(tools["own_timeout"], {}, None))


def test_cancellation_passes_through(tmp_path: Path) -> None:
    """A trial that is cut is not a tool that broke; nor is Ctrl-C."""
    text = """
    import asyncio

    async def wait() -> None:
        await asyncio.sleep(60)

    def interrupted() -> None:
        raise KeyboardInterrupt
    """
    tools = shop.tools_from(tmp_path, text)

    async def cut() -> None:
        task = asyncio.create_task(run(tools["wait"], {}, None))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cut())
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(run(tools["interrupted"], {}, None))


def test_declared_answers_pass_as_they_are(tmp_path: Path) -> None:
    """A refusal and a broken dependency that a tool declares are not rewrapped."""
    text = """
    from evalkit.errors import DependencyError, ToolRefusal

    def refuse() -> None:
        raise ToolRefusal("no")

    async def broken() -> None:
        raise DependencyError(503, 2.0)
    """
    tools = shop.tools_from(tmp_path, text)
    with pytest.raises(ToolRefusal, match="no"):
        asyncio.run(run(tools["refuse"], {}, None))
    with pytest.raises(DependencyError) as caught:
        asyncio.run(run(tools["broken"], {}, None))
    assert (503, 2.0) == (caught.value.status, caught.value.retry_after)


def test_a_result_is_a_copy(tmp_path: Path) -> None:
    """What a tool keeps and changes later does not change what was returned."""
    text = """
    kept = [1]

    def give() -> list[int]:
        kept.append(len(kept))
        return kept
    """
    tool = shop.tools_from(tmp_path, text)["give"]
    first = asyncio.run(run(tool, {}, None))
    asyncio.run(run(tool, {}, None))
    assert [1, 1] == first


def test_other_functions_of_a_suite_are_asked_at_the_same_boundary() -> None:
    """What a policy raises is the suite's bug, named and placed."""

    def policy(number: int) -> int:
        return 1 // number

    assert 1 == ask("policy p", policy, 1)
    with pytest.raises(SuiteBug, match=r"policy p raised ZeroDivisionError: .* \(line \d+\)"):
        ask("policy p", policy, 0)
