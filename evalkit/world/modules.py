"""Loads a Python file of a suite as a module of its own.

What comes in: a path. What goes out: a module that is fresh for every load; no byte code is read or left, so
that an edited file is never run in an older form.
"""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from types import CodeType, ModuleType


class _FreshLoader(importlib.machinery.SourceFileLoader):
    """A loader that compiles the file as it stands now."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


@contextmanager
def fresh_module(path: Path) -> Iterator[ModuleType]:
    """Run a file and hold it as a module; annotations can be resolved within the block.

    The working folder is what it was, wherever the file went: all paths of the run are relative to it.

    Args:
        path: A Python file.

    Raises:
        Exception: Whatever the file raises.
    """
    name = f"evalkit_suite_{path.stem}_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path, loader=_FreshLoader(name, str(path)))
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and typed dicts look their module up by name while their annotations are read.
    sys.modules[name] = module
    try:
        with chdir(Path.cwd()):
            spec.loader.exec_module(module)
        yield module
    finally:
        sys.modules.pop(name, None)
