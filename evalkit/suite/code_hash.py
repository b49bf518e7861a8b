"""A hash over the files that decide what a suite measures and are no records: world, tools, its own checks.

What comes in: the files that the suite names. What goes out: 64 hex digits that change when any of them does.
What belongs to an arm (policies, prompts) does not count: champion and challenger are measured by one suite.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from evalkit.suite.files import CODE_LIMIT, Files


def code_hash(files: Files, folder: Path, named: Iterable[Path]) -> str:
    """Return the hash of a suite's code.

    Args:
        files: What may be read.
        folder: The suite's folder.
        named: The files, inside the folder or not.

    Returns:
        sha256 over names (relative to the folder, else the file's own) and contents, in hex.

    Raises:
        InputError: A file cannot be read, or leads out of the project.
    """
    found = {path.resolve(): _name(path, folder) for path in named}
    digest = hashlib.sha256()
    for path, name in sorted(found.items(), key=lambda entry: entry[1]):
        content = files.content(path, CODE_LIMIT)
        digest.update(f"{len(name)}:{name}:{len(content)}:".encode())
        digest.update(content)
    return digest.hexdigest()


def _name(path: Path, folder: Path) -> str:
    inside = path.resolve().is_relative_to(folder.resolve())
    return path.resolve().relative_to(folder.resolve()).as_posix() if inside else path.name
