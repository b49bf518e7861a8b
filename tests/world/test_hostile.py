"""Code of a suite that does its worst: it is the suite's bug, never the agent's failure or the run's end."""

import asyncio
import math
import textwrap
from pathlib import Path

import pytest

from evalkit.errors import SuiteBug
from evalkit.world.tools import Tool, ToolTimeout, ask, load, run
from evalkit.world.values import DEEPEST, WIDEST, json_value

HEAD = """\
import asyncio, math
from collections.abc import Mapping
from decimal import Decimal
from evalkit import DependencyError, ToolRefusal, tool
"""

RAISED = {
    "BaseException": "raise BaseException('x')",
    "GeneratorExit": "raise GeneratorExit",
    "CancelledError": "raise asyncio.CancelledError",
    "SystemExit": "raise SystemExit(0)",
    "BaseExceptionGroup": "raise BaseExceptionGroup('g', [KeyboardInterrupt()])",
    "text that raises": "class E(Exception):\n    def __str__(self): raise RuntimeError\nraise E",
    "text that is none": "class E(Exception):\n    def __str__(self): return 5\nraise E",
    "refusal of nothing": "raise ToolRefusal(None)",
    "refusal with an object": "raise ToolRefusal({'a': 1})",
    "endless wait": "raise DependencyError(503, math.inf)",
    "undefined wait": "raise DependencyError(503, math.nan)",
    "status in words": "raise DependencyError('503')",
    "no status": "raise DependencyError(None)",
}
RETURNED = {
    "itself": "x = []\nx.append(x)\nreturn x",
    "depth": "x = []\nfor _ in range(500): x = [x]\nreturn x",
    "width": "return 10**5000",
    "no float": "return 10**400",
    "decimal": "return Decimal('1e999999999')",
    "mapping": "class M(Mapping):\n    def __getitem__(s, k): raise KeyError\n"
    "    def __len__(s): return 1\n    def __iter__(s): yield 'a'\nreturn M()",
    "number": "class F(float):\n    def __float__(s): raise RuntimeError\nreturn F(1)",
}


def made(folder: Path, body: str, *, wait: str = "", seconds: float = 30.0) -> Tool:
    """Return a tool with this body."""
    path = folder / "tools.py"
    text = f'@tool(timeout={seconds})\n{wait}def act() -> object:\n    """Act."""\n' + textwrap.indent(
        body, "    "
    )
    path.write_text(f"{HEAD}\n{text}\n")
    return load(path)["act"]


@pytest.mark.parametrize("wait", ["", "async "])
@pytest.mark.parametrize("body", RAISED.values(), ids=RAISED.keys())
def test_whatever_a_tool_raises_is_the_suites_bug(tmp_path: Path, body: str, wait: str) -> None:
    """Nothing that suite code raises gets past the boundary, and no fault carries what cannot be used."""
    with pytest.raises(SuiteBug, match="tool act raised"):
        asyncio.run(run(made(tmp_path, body, wait=wait), {}, None))


@pytest.mark.parametrize("body", RETURNED.values(), ids=RETURNED.keys())
def test_whatever_a_tool_returns_is_stored_or_its_bug(tmp_path: Path, body: str) -> None:
    """A value that a journal cannot hold is the suite's bug, not the harness's."""
    with pytest.raises(SuiteBug, match="tool act returned"):
        asyncio.run(run(made(tmp_path, body), {}, None))


@pytest.mark.parametrize("body", RAISED.values(), ids=RAISED.keys())
def test_whatever_a_policy_raises_is_the_suites_bug(tmp_path: Path, body: str) -> None:
    """The same boundary stands around functions that are no tools."""
    with pytest.raises(SuiteBug, match="policy p raised"):
        ask("policy p", made(tmp_path, body).function)


def test_a_tool_cannot_cut_the_trial_by_cutting_its_task(tmp_path: Path) -> None:
    """An asynchronous tool that cancels the task it runs in cancels itself alone."""
    body = "asyncio.current_task().cancel()\nawait asyncio.sleep(1)"
    with pytest.raises(SuiteBug, match="nobody had cut it"):
        asyncio.run(run(made(tmp_path, body, wait="async "), {}, None))


def test_a_tool_that_swallows_its_cut_is_left_behind(tmp_path: Path) -> None:
    """A loop that catches everything does not hold the trial: it is cut once, waited for, and given up."""
    body = "for _ in range(2):\n    try:\n        await asyncio.sleep(600)\n    except BaseException: pass"
    stubborn = made(tmp_path, body, wait="async ", seconds=0.05)
    with pytest.raises(ToolTimeout):
        asyncio.run(asyncio.wait_for(run(stubborn, {}, None), 30))


def test_a_cut_from_outside_reaches_the_tool(tmp_path: Path) -> None:
    """The trial's own cut passes through an asynchronous tool, which may put things away."""
    body = "try:\n    await asyncio.sleep(600)\nfinally:\n    print('put away')"
    waiting = made(tmp_path, body, wait="async ")

    async def cut() -> None:
        task = asyncio.ensure_future(run(waiting, {}, None))
        await asyncio.sleep(0.05)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cut())


@pytest.mark.parametrize(
    "body", ["raise BaseException", "raise GeneratorExit", "raise asyncio.CancelledError"]
)
def test_a_file_that_raises_while_it_loads_is_refused(tmp_path: Path, body: str) -> None:
    """A file of tools that does not load is bad input, whatever it raised."""
    (tmp_path / "tools.py").write_text(f"import asyncio\n{body}\n")
    with pytest.raises(Exception, match="does not load"):
        load(tmp_path / "tools.py")


def test_the_bounds_of_a_value_are_exact() -> None:
    """What lies at a bound is kept, what lies beyond is refused."""
    deep: object = 0
    for _ in range(DEEPEST):
        deep = [deep]
    assert deep == json_value(deep)
    assert 2**WIDEST - 1 == json_value(2**WIDEST - 1)
    assert math.isfinite(float(2**WIDEST))
    with pytest.raises(ValueError, match="deep"):
        json_value([deep])
    with pytest.raises(ValueError, match="bits"):
        json_value(2**WIDEST)
