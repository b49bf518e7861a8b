"""Python files as the checks of the house read them: parsed, never imported.

Comes in: folders of the repository, or a text planted by a test. Goes out: `Source` records and
the functions, names and imports that stand in them.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, kw_only=True)
class Source:
    """One Python file.

    Attributes:
        path: Where it lies, in POSIX form and relative to the repository.
        text: Its content.
    """

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed module."""
        return ast.parse(self.text, self.path)

    @property
    def lines(self) -> int:
        """How many lines the file has."""
        return len(self.text.splitlines())

    @property
    def room(self) -> str:
        """The first name below the package: `score` for `evalkit/score/graph.py`, `errors` for a module."""
        return self.path.split("/")[1].removesuffix(".py")


def sources(*folders: str) -> tuple[Source, ...]:
    """Read every Python file below some folders of the repository.

    Args:
        folders: Folder names relative to the repository; one that does not exist holds no files.

    Returns:
        The files in the order of their paths; none of a folder whose name begins with a dot.
    """
    files = sorted(file for folder in folders for file in (REPOSITORY / folder).rglob("*.py"))
    paths = [file.relative_to(REPOSITORY) for file in files]
    return tuple(
        Source(path=path.as_posix(), text=(REPOSITORY / path).read_text(encoding="utf-8"))
        for path in paths
        if not any(part.startswith(".") for part in path.parts)  # the environment of the benchmark's peers
    )


def planted(text: str, path: str = "evalkit/score/planted.py") -> Source:
    """Make a source that no file holds, for the self-test of a check."""
    return Source(path=path, text=text)


def functions(source: Source) -> Iterator[tuple[str, Function]]:
    """Yield every function and method, nested ones too, with its dotted name within the file."""
    pending: list[tuple[str, ast.AST]] = [("", source.tree)]
    while pending:
        prefix, node = pending.pop()
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{prefix}.{child.name}".lstrip(".")
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield name, child
            pending.append((name, child))


def dotted(node: ast.expr) -> str:
    """Return the dotted name of an expression: `datetime.now` for the node of that attribute, else ``""``."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}".lstrip(".")
    return ""


def imported(node: ast.AST) -> tuple[str, ...]:
    """Return the absolute names of the modules that an import statement names; none for any other node."""
    if isinstance(node, ast.Import):
        return tuple(alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "",)
    return ()
