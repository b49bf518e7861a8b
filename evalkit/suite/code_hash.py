"""A hash over the files of a suite that are no records: world, tools, checks, policies, prompts.

What comes in: the suite's folder. What goes out: 64 hex digits that change when any of those files does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from evalkit.suite.files import CODE_LIMIT, Files

_CODE = (".py", ".sql")
_PROMPTS = "prompts"


def code_hash(files: Files, folder: Path, named: Iterable[Path]) -> str:
    """Return the hash of a suite's code.

    Args:
        files: What may be read.
        folder: The suite's folder; its .py and .sql files and everything under `prompts/` count.
        named: Further files that the suite names, such as a world outside its folder.

    Returns:
        sha256 over names (relative to the folder) and contents, in hex.

    Raises:
        InputError: A file cannot be read, or leads out of the project.
    """
    found = {path: path.relative_to(folder).as_posix() for path in folder.rglob("*") if _counts(path, folder)}
    found |= {path: path.name for path in named if path not in found}
    digest = hashlib.sha256()
    for path, name in sorted(found.items(), key=lambda entry: entry[1]):
        content = files.content(path, CODE_LIMIT)
        digest.update(f"{len(name)}:{name}:{len(content)}:".encode())
        digest.update(content)
    return digest.hexdigest()


def _counts(path: Path, folder: Path) -> bool:
    parts = path.relative_to(folder).parts
    if any(part.startswith((".", "__")) for part in parts) or not path.is_file():
        return False
    return path.suffix in _CODE or parts[0] == _PROMPTS
