"""The command line answers before anything heavy is loaded; `benchmarks/startup.py` measures its time."""

import re
import subprocess
import sys

import pytest

# Each costs between a tenth of and fifteen times the whole budget of 150 ms.
HEAVY = frozenset(
    {
        "anyio",
        "duckdb",
        "httpx",
        "msgspec",
        "numpy",
        "pandas",
        "pydantic",
        "rich",
        "ruamel",
        "scipy",
    }
)


def _loaded(*arguments: str) -> frozenset[str]:
    """Return the top-level packages that a Python process loads."""
    command = [sys.executable, "-X", "importtime", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-400:]
    names = re.findall(r"^import time:[^|]*\|[^|]*\|\s*([\w.]+)$", done.stderr, flags=re.MULTILINE)
    return frozenset(name.split(".")[0] for name in names)


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_the_command_line_starts_light(option: str) -> None:
    """`evalkit --help` and `evalkit --version` load none of the heavy packages."""
    assert set() == _loaded("-m", "evalkit", option) & HEAVY


def test_importing_the_package_loads_nothing_heavy() -> None:
    """`import evalkit` is free, so that a suite's tools may import from it."""
    assert set() == _loaded("-c", "import evalkit") & HEAVY


def test_a_heavy_package_is_seen() -> None:
    """Self-test: a process that loads msgspec is seen to load it."""
    assert {"msgspec"} == _loaded("-c", "import msgspec") & HEAVY
