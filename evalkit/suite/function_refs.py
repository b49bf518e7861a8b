"""References to functions of a suite, `file.py:name`: taken apart and looked up without running anything.

What comes in: a reference and the suite's folder. What goes out: the file and the name, or what is wrong.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from evalkit.errors import InputError, Problem
from evalkit.suite.files import CODE_LIMIT, Files
from evalkit.suite.words import suggest

_REFERENCE = re.compile(r"(?P<file>[^:]+\.py):(?P<name>[A-Za-z_]\w*)")


def split_reference(reference: str) -> tuple[str, str]:
    """Return file and name of a reference.

    Raises:
        InputError: bad-function, where it is not `file.py:name`.

    >>> split_reference("checks.py:polite")
    ('checks.py', 'polite')
    """
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        said = "a function is named by its file and its name"
        raise _bad(said, reference, "write it like `checks.py:polite`")
    return found["file"], found["name"]


def looked_up(reference: str, folder: Path) -> tuple[Path, str]:
    """Return the file and the name of a function that exists, as far as its source can tell.

    Args:
        reference: `file.py:name`, relative to the suite's folder.
        folder: The suite's folder; references do not lead out of it.

    Raises:
        InputError: bad-function, no-file, outside or too-large.
    """
    file, name = split_reference(reference)
    path = folder / file
    names = _defined(Files(root=folder.resolve()).text(path, CODE_LIMIT), path, reference)
    if name not in names:
        raise _bad(
            f"`{file}` defines no function `{name}`", reference, suggest(name, names, none="define it")
        )
    return path, name


def _defined(source: str, path: Path, reference: str) -> tuple[str, ...]:
    """Return the names that a module binds at its top level, imported ones included."""
    try:
        tree = ast.parse(source, filename=str(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        said = f"`{path.name}` is not Python: {getattr(error, 'msg', error)}" + (
            f" (line {line})" if line else ""
        )
        raise _bad(said, reference, "mend it") from error
    names: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names += [alias.asname or alias.name for alias in node.names]
    return tuple(names)


def _bad(message: str, value: str, suggestion: str) -> InputError:
    return InputError((Problem(message=message, value=value, suggestion=suggestion, code="bad-function"),))
