"""Reading files of a project: inside its folder, of a reasonable size, in UTF-8, and only ordinary files.

What comes in: paths that people wrote. What goes out: text, or an `InputError` with one problem.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from evalkit.errors import InputError, Problem

YAML_LIMIT = 8 * 2**20
"""Bytes of a YAML file; larger sets of cases are tables."""
TABLE_LIMIT = 512 * 2**20
"""Bytes of a table of cases."""
CODE_LIMIT = 64 * 2**20
"""Bytes of an SQL, Python or prompt file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The files that may be read.

    Attributes:
        root: The project's folder, absolute and without symbolic links.
    """

    root: Path

    @classmethod
    def around(cls, folder: Path, project: Path | None = None) -> Files:
        """Return the files of the project that a suite's folder belongs to.

        Args:
            folder: The suite's folder.
            project: The project's folder, where it is known.

        Returns:
            The given project, else the nearest ancestor that holds `suites/`, else the suite's own folder.
        """
        if project is not None:
            return cls(root=project.resolve())
        own = folder.resolve()
        return cls(root=next((above for above in own.parents if (above / "suites").is_dir()), own))

    def text(self, path: Path, limit: int) -> str:
        """Return the text of a file, without a byte order mark.

        Args:
            path: The file.
            limit: Most bytes that it may have.

        Returns:
            Its text.

        Raises:
            InputError: no-file, outside, too-large or encoding.
        """
        return decoded(self.content(path, limit), str(path))

    def content(self, path: Path, limit: int) -> bytes:
        """Return the bytes of a file; arguments and errors as in `text`."""
        self.confined(path)
        if not path.is_file():
            raise _refused("no-file", path, "there is no such file", "check the spelling of the path")
        try:
            size = path.stat().st_size
            if size > limit:
                said = f"the file has {size} bytes, and may have {limit}"
                raise _refused("too-large", path, said, "split it, or write the cases as a table (.jsonl)")
            return path.read_bytes()
        except OSError as error:
            raise _refused(
                "no-file", path, f"the file cannot be read: {error.strerror}", "check it"
            ) from error

    def confined(self, path: Path) -> Path:
        """Return the path without symbolic links.

        Raises:
            InputError: outside, where it leads out of the project.
        """
        try:
            real = path.resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise _refused("no-file", path, "the path cannot be followed", "check it") from error
        if real != self.root and self.root not in real.parents:
            said = "the path leads out of the project"
            raise _refused("outside", path, said, f"move the file below {self.root.name}/")
        return real


def beside(folder: Path, written: str) -> Path:
    """Return the path that somebody wrote relative to a folder, without `..` in it.

    >>> str(beside(Path("suites/refund"), "../../golden/refund"))
    'golden/refund'
    """
    return Path(os.path.normpath(folder / written))


def decoded(content: bytes, file: str) -> str:
    """Return UTF-8 text without a byte order mark.

    Raises:
        InputError: encoding, with line and column of the first wrong byte.
    """
    try:
        return content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        problem = Problem(
            file=file,
            line=before.count(b"\n") + 1,
            column=len(before) - before.rfind(b"\n"),
            value=f"byte 0x{content[error.start]:02x}",
            message="the file is not UTF-8",
            suggestion="save it as UTF-8",
            code="encoding",
        )
        raise InputError((problem,)) from error


def _refused(code: str, path: Path, message: str, suggestion: str) -> InputError:
    problem = Problem(file=str(path), value=path.name, message=message, suggestion=suggestion, code=code)
    return InputError((problem,))
