"""The words that evalkit never uses for its things, and where they turn up.

Comes in: the table of `docs/vocabulary.md`, sources, headings. Goes out: places and the word found there.
"""

import ast
import re
from collections.abc import Iterable, Iterator

from tests.house.source import REPOSITORY, Source

PAGE = REPOSITORY / "docs" / "vocabulary.md"


def avoided_words(page: str) -> frozenset[str]:
    """Read the last column of the table of words.

    Args:
        page: The text of the vocabulary page.

    Returns:
        The words in lower case, singular as they stand.
    """
    section = re.split(r"^## ", page, flags=re.MULTILINE)[1]
    rows = re.findall(r"^\|.*\|([^|]*)\|$", section, flags=re.MULTILINE)
    cells = [cell.strip() for cell in rows if "never called" not in cell and "---" not in cell]
    return frozenset(word.strip() for cell in cells for word in cell.split(",") if word.strip())


def words_of(name: str) -> frozenset[str]:
    """Split a name into its words, each also without a plural s: `CaseItems` holds case and item."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    words = {word.lower() for word in re.findall(r"[A-Za-z]+", spaced)}
    return frozenset(words | {word.removesuffix("s") for word in words})


def found_in(names: Iterable[str], avoided: frozenset[str]) -> frozenset[str]:
    """Return `name: word` for every avoided word in the last part of some dotted names."""
    return frozenset(
        f"{name}: {word}" for name in names for word in words_of(name.rsplit(".", 1)[-1]) & avoided
    )


def public_names(source: Source) -> Iterator[str]:
    """Yield the public classes, functions, constants, fields and methods of a module, with its own name."""
    yield source.path.rsplit("/", 1)[-1].removesuffix(".py").strip("_")
    for node in source.tree.body:
        yield from _defined(node)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for member in node.body:
                yield from (f"{node.name}.{name}" for name in _defined(member))


def _defined(node: ast.stmt) -> Iterator[str]:
    targets: list[str] = []
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        targets = [node.name]
    elif isinstance(node, ast.AnnAssign):
        targets = [ast.unparse(node.target)]
    elif isinstance(node, ast.Assign):
        targets = [ast.unparse(target) for target in node.targets]
    yield from (target for target in targets if not target.startswith("_"))
