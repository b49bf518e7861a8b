"""evalkit: the evaluation and verification harness for LLM agents.

Importing the package loads nothing else: what a suite's own files need (`tool`, `Database`, `ToolRefusal`,
`DependencyError`, `ModelRequest`) and what runs suites from Python (`load_suite`, `run_suite`, `open_run`,
`gate`) is imported when it is asked for, so that the command line answers at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalkit.errors import DependencyError, ToolRefusal
    from evalkit.pipeline.api import Run, gate, load_suite, open_run, run_suite
    from evalkit.records.ports import ModelRequest
    from evalkit.world.handle import Database
    from evalkit.world.tools import tool

__all__ = [
    "Database",
    "DependencyError",
    "ModelRequest",
    "Run",
    "ToolRefusal",
    "__version__",
    "gate",
    "load_suite",
    "open_run",
    "run_suite",
    "tool",
]

__version__ = "0.1.0"

_HOMES = {
    "Database": "evalkit.world.handle",
    "DependencyError": "evalkit.errors",
    "ModelRequest": "evalkit.records.ports",
    "Run": "evalkit.pipeline.api",
    "ToolRefusal": "evalkit.errors",
    "gate": "evalkit.pipeline.api",
    "load_suite": "evalkit.pipeline.api",
    "open_run": "evalkit.pipeline.api",
    "run_suite": "evalkit.pipeline.api",
    "tool": "evalkit.world.tools",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'evalkit' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
