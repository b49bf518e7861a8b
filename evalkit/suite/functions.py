"""Loading a suite's own functions: checks and policies.

What comes in: references `file.py:name`. What goes out: callables out of modules that are fresh for every
call, so that nothing leaks from one load to the next, and no byte code is left in the suite's folder.
"""

from __future__ import annotations

import hashlib
import importlib.abc
import importlib.util
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import chdir
from pathlib import Path
from types import ModuleType

from evalkit.errors import InputError, Problem
from evalkit.suite.files import CODE_LIMIT, Files
from evalkit.suite.function_refs import looked_up
from evalkit.suite.words import suggest


class _FromText(importlib.abc.SourceLoader):
    """Loads a module from text that was read once; knows no cache."""

    def __init__(self, path: str, source: bytes) -> None:
        self._path = path
        self._source = source

    def get_filename(self, fullname: str) -> str:  # noqa: ARG002 - the name is the loader's
        return self._path

    def get_data(self, path: str | bytes) -> bytes:  # noqa: ARG002 - there is one file
        return self._source


def load_functions(folder: Path, refs: Iterable[str]) -> dict[str, Callable[..., object]]:
    """Return the functions that references lead to.

    Args:
        folder: The suite's folder; references do not lead out of it.
        refs: References `file.py:name`; each file is run once.

    Returns:
        Reference -> function.

    Raises:
        InputError: All references that lead to no function.
    """
    modules: dict[Path, ModuleType] = {}
    found: dict[str, Callable[..., object]] = {}
    problems: list[Problem] = []
    for reference in dict.fromkeys(refs):
        try:
            path, name = looked_up(reference, folder)
            if path not in modules:
                modules[path] = _fresh_module(path, folder, reference)
            found[reference] = _function(modules[path], name, reference)
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(tuple(problems))
    return found


def _fresh_module(path: Path, folder: Path, reference: str) -> ModuleType:
    source = Files(root=folder.resolve()).content(path, CODE_LIMIT)
    name = f"evalkit_suite_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_loader(name, _FromText(str(path), source))
    if spec is None or spec.loader is None:
        raise _bad("the file cannot be loaded", reference, "check it")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and type hints look their module up by its name while it runs and afterwards.
    sys.modules[name] = module
    try:
        with chdir(Path.cwd()):  # all paths of the run are relative to it
            spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # code that is not ours is called here
        said = "".join(traceback.format_exception_only(error)).strip()
        raise _bad(f"`{path.name}` raised when it was loaded: {said}", reference, "mend the file") from error
    return module


def _function(module: ModuleType, name: str, reference: str) -> Callable[..., object]:
    function = getattr(module, name, None)
    if not callable(function):
        known = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise _bad(f"`{name}` is no function", reference, suggest(name, known, none="define it"))
    found: Callable[..., object] = function
    return found


def _bad(message: str, value: str, suggestion: str) -> InputError:
    return InputError((Problem(message=message, value=value, suggestion=suggestion, code="bad-function"),))
