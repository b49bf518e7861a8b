"""What a stranger reads first is true: the first minute of the README, the list of dependencies."""

import ast
import re

from tests.house.guides import blocks_in
from tests.house.source import REPOSITORY, sources
from tests.journeys.walking import Walker

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
DEPENDENCIES = (REPOSITORY / "docs" / "dependencies.md").read_text(encoding="utf-8")

# Package -> the module that it is imported as, where the two differ.
MODULES = {"ruamel.yaml": "ruamel", "ruamel.yaml.clib": "_ruamel_yaml"}


def test_the_first_minute(walk: Walker) -> None:
    """`init`, `check`, `gate`: a no-go that names the case and the stage; mended as the README says: go."""
    assert [0, 0] == [walk("init", "desk").code, walk("check", "desk/suites/library").code]
    stopped = walk("gate", "desk/suites/library")
    assert 1 == stopped.code
    next_command = stopped.out.splitlines()[-1].removeprefix("next: evalkit ")
    shown = walk(*next_command.split())
    printed = _lines(stopped.out) | _lines(shown.out)
    assert [] == [
        line for block in blocks_in(README, "README.md", "text") for line in _lines(block.text) - printed
    ]
    policies = walk.folder / "desk" / "suites" / "library" / "policies.py"
    (mended,) = blocks_in(README, "README.md", "python")
    text, replaced = re.subn(
        r"    # the mistake: .*\n", lambda _: mended.text, policies.read_text(encoding="utf-8")
    )
    assert 1 == replaced
    policies.write_text(text, encoding="utf-8")
    assert 0 == walk("gate", "desk/suites/library").code


def test_a_dependency_is_imported_or_says_that_it_is_not() -> None:
    """A run-time package that no module of evalkit imports says "not imported", and no other does."""
    section = re.split(r"^## ", DEPENDENCIES, flags=re.MULTILINE)[1]
    rows = dict(re.findall(r"^\| ([\w.-]+) \| ([^|]*) \|", section, flags=re.MULTILINE))
    rows.pop("package")
    imported = {module for source in sources("evalkit") for module in _imported(source.tree)}
    unused = {name for name in rows if MODULES.get(name, name.replace("-", "_")) not in imported}
    assert unused == {name for name, what in rows.items() if what.startswith("not imported")}
    assert len(rows) > 5


def _lines(text: str) -> set[str]:
    """Return the lines of a page, the names of runs masked."""
    return set(re.sub(r"\d{8}-\d{6}-library", "RUN", text).splitlines())


def _imported(tree: ast.Module) -> set[str]:
    """Return the top names of what a module imports."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found
