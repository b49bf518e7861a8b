"""`init`: a working suite in mock mode, with a scripted agent and one failing case that its README explains.

What comes in: a folder and the type of the suite. What goes out: files, none of which was there before.
"""

from __future__ import annotations

import json
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from evalkit.errors import InputError, OutputError, Problem
from evalkit.records.suite import SuiteType
from evalkit.suite.schemas import kinds, schema
from evalkit.suite.warning import listed

# Type -> the folder of its files: two agents that change a world, and four of text in, text out.
_TEMPLATES: dict[SuiteType, str] = {
    "task_execution": "library",
    "guidance": "station",
    "multi_agent": "orders",
    "reasoning": "arithmetic",
    "creative": "taglines",
    "knowledge_qa": "hours",
}
_SUFFIX = ".txt"  # the files are no modules of this package, and no tool may take them for such
_TYPE = "@TYPE@"


def scaffold(folder: Path, type_: SuiteType) -> tuple[Path, ...]:
    """Write a working suite with its cases, and the schemas for editors.

    Args:
        folder: The project's folder; made where it is not there.
        type_: What kind of work the agent does.

    Returns:
        The files, in the order of their paths; the suite is the folder of the `suite.yaml` among them.

    Raises:
        InputError: exists: files are there already; nothing is written then.
        OutputError: A file cannot be written.
    """
    contents = {folder / name: text for name, text in sorted(_contents(type_).items())}
    there = [path for path in contents if path.exists() or path.is_symlink()]
    if there:
        raise InputError((_exists(folder, there),))
    for path, text in contents.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise OutputError(f"{path} cannot be written: {error.strerror}") from error
    return tuple(contents)


def _contents(type_: SuiteType) -> dict[str, str]:
    """Return every file of a scaffold: path below the project's folder -> text."""
    root = files("evalkit.suite").joinpath("scaffold_files", _TEMPLATES[type_])
    found = {name: text.replace(_TYPE, type_) for name, text in _walk(root, "")}
    for kind in kinds():
        found[f"schemas/{kind}.schema.json"] = json.dumps(schema(kind), indent=2, ensure_ascii=False) + "\n"
    return found


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(_SUFFIX):
            found.append((prefix + entry.name.removesuffix(_SUFFIX), entry.read_text(encoding="utf-8")))
    return found


def _exists(folder: Path, there: list[Path]) -> Problem:
    """Return what keeps a scaffold from being written: one problem, however many files are in its way."""
    files_are = "1 file is" if len(there) == 1 else f"{len(there)} files are"
    return Problem(
        file=str(folder),
        value=listed(str(path.relative_to(folder)) for path in there),
        message=f"{files_are} there already, and nothing was written",
        suggestion="name another folder, or move them away",
        code="exists",
    )
