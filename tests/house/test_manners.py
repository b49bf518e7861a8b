"""No file of the product breaks the manners of the house, and every check of them can fail."""

from collections.abc import Callable

import pytest

from tests.house import manners
from tests.house.source import REPOSITORY, Source, planted, sources

CHECKS: tuple[Callable[[Source], list[str]], ...] = (
    manners.broad_catches,
    manners.late_imports,
    manners.module_state,
    manners.dangerous_calls,
    manners.impure,
    manners.asynchronous,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_package_has_manners(check: Callable[[Source], list[str]]) -> None:
    """No file of evalkit breaks the rule."""
    assert [] == [fault for source in sources("evalkit") for fault in check(source)]


def test_suites_call_nothing_dangerous() -> None:
    """The tools of our own suites are read as examples: they neither evaluate nor unpickle."""
    assert [] == [fault for source in sources("suites") for fault in manners.dangerous_calls(source)]


def test_listed_files_are_in_rooms_that_exist() -> None:
    """A late import is listed for a file that is there."""
    assert [] == [path for path in manners.LATE_IMPORTS if not (REPOSITORY / path).is_file()]


@pytest.mark.parametrize(
    "text",
    [
        "try: f()\nexcept Exception: pass\n",
        "try: f()\nexcept: pass\n",
        "try: f()\nexcept BaseException as e: raise\n",
        "try: f()\nexcept (ValueError, Exception): pass\n",
        "import contextlib\nwith contextlib.suppress(Exception): f()\n",
    ],
)
def test_a_broad_catch_is_found(text: str) -> None:
    """Self-test: catching everything is found in any spelling, and allowed at a boundary only."""
    assert 1 == len(manners.broad_catches(planted(text)))
    assert [] == manners.broad_catches(planted(text, "evalkit/run/runner.py"))


def test_a_narrow_catch_passes() -> None:
    """Self-test: a named error is no broad catch."""
    text = "try: f()\nexcept (KeyError, OSError): pass\nwith contextlib.suppress(KeyError): f()\n"
    assert [] == manners.broad_catches(planted(text))


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n    import json\n",
        "class A:\n    def f(self):\n        from evalkit.plan import order\n",
        "async def f():\n    if x:\n        import json\n",
        "def f():\n    importlib.import_module('evalkit.plan')\n",
    ],
)
def test_a_late_import_is_found(text: str) -> None:
    """Self-test: an import inside a function is found, and allowed in cli/ and __init__.py only."""
    assert 1 == len(manners.late_imports(planted(text)))
    assert [] == manners.late_imports(planted(text, "evalkit/cli/main.py"))
    assert [] == manners.late_imports(planted(text, "evalkit/__init__.py"))


def test_an_early_import_passes() -> None:
    """Self-test: imports at the top, for types too, are where they belong."""
    text = "import json\nif TYPE_CHECKING:\n    from evalkit.records import case\ndef f(): ...\n"
    assert [] == manners.late_imports(planted(text))


@pytest.mark.parametrize(
    "text",
    [
        "SEEN = []\n",
        "_cache: dict[str, int] = {}\n",
        "X = {1, 2}\n",
        "if True:\n    X = [1]\n",
        "import collections\nX = collections.defaultdict(list)\n",
        "X = dict(a=1)\n",
        "X = [n for n in range(3)]\n",
        "import itertools\nids = itertools.count()\n",
        "x = 0\ndef f():\n    global x\n",
        "T = {'a': 1}\ndef f():\n    T['b'] = 2\n",
        "T = {'a': 1}\ndef f():\n    T.setdefault('b', 2)\n",
        "T = {'a': 1}\ndef f():\n    del T['a']\n",
        "T = {k: 1 for k in KEYS}\ndef f():\n    T['b'] = 2\n",
    ],
)
def test_module_state_is_found(text: str) -> None:
    """Self-test: a mutable value, `global`, or a write to a table is found."""
    assert 1 == len(manners.module_state(planted(text)))


def test_constants_and_tables_pass() -> None:
    """Self-test: tuples, frozen sets, `__all__` and a dispatch table that nobody writes to are no state."""
    constants = "__all__ = ['f']\nA = (1, 2)\nB = frozenset({1})\nT = {'a': f}\nU = {k: 1 for k in A}\n"
    text = constants + "def f():\n    x = []\n    x.append(T['a'])\n"
    assert [] == manners.module_state(planted(text))


@pytest.mark.parametrize(
    "text",
    [
        "eval('1')\n",
        "exec('x = 1')\n",
        "import pickle\n",
        "from pickle import loads\n",
        "import yaml\n",
        "import marshal\n",
        "yaml.load(text)\n",
    ],
)
def test_a_dangerous_call_is_found(text: str) -> None:
    """Self-test: evaluating, unpickling and foreign YAML loaders are found."""
    assert 1 == len(manners.dangerous_calls(planted(text)))


def test_harmless_namesakes_pass() -> None:
    """Self-test: our YAML library and a method called eval are not the dangerous ones."""
    assert [] == manners.dangerous_calls(planted("import ruamel.yaml\nmodel.eval()\nre.compile('a')\n"))


@pytest.mark.parametrize(
    ("room", "text"),
    [
        ("score", "import secrets\n"),
        ("score", "import random\nx = random.random()\n"),
        ("stats", "rng = np.random.default_rng()\n"),
        ("plan", "from uuid import uuid4\nx = uuid4()\n"),
        ("decide", "now = datetime.now(UTC)\n"),
        ("facts", "import time\nstart = time.perf_counter()\n"),
        ("records", "import os\n"),
        ("stats", "text = open('x').read()\n"),
        ("decide", "import subprocess\n"),
    ],
)
def test_impurity_is_found(room: str, text: str) -> None:
    """Self-test: a clock, chance or the outside is found in the rooms that have none, and only there."""
    assert 1 == len(manners.impure(planted(text, f"evalkit/{room}/planted.py")))
    assert [] == manners.impure(planted(text, "evalkit/world/planted.py"))


def test_chance_as_an_argument_passes() -> None:
    """Self-test: a generator that comes in, or is seeded by what comes in, is no chance of the room's own."""
    text = (
        "import random\ndef f(rng: random.Random, seed): return rng.random() + random.Random(seed).random()\n"
    )
    assert [] == manners.impure(planted(text))


def test_async_is_found() -> None:
    """Self-test: a coroutine in a room that waits for nothing is found, one in `run` is not."""
    text = "class A:\n    async def f(self): ...\n"
    assert 1 == len(manners.asynchronous(planted(text)))
    assert [] == manners.asynchronous(planted(text, "evalkit/run/planted.py"))
    assert [] == manners.asynchronous(planted(text, "evalkit/records/ports.py"))
