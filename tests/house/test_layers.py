"""The contracts of `.importlinter` catch what they are there for, and describe the rooms that exist."""

import configparser
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.source import REPOSITORY

CONTRACTS = REPOSITORY / ".importlinter"

# A small package in which every contract has something to look at, and nothing is broken; rooms that must
# exist and are not named here are laid out empty.
SOUND = {
    "__init__.py": "",
    "__main__.py": "from evalkit.cli import main\n",
    "errors.py": "",
    "records/__init__.py": "",
    "records/case.py": "from evalkit import errors\n",
    "stats/__init__.py": "from evalkit import errors\n",
    "store/__init__.py": "from evalkit.records import case\n",
    "world/__init__.py": "from evalkit.records import case\n",
    "plan/__init__.py": "from evalkit.records import case\n",
    "score/__init__.py": "from evalkit import stats\n",
    "run/__init__.py": "",
    "run/runner.py": "from evalkit import world\n",
    "agent.py": "import evalkit.world\n",
    "pipeline/__init__.py": "",
    "pipeline/order.py": "from evalkit import plan, score, store, world\nfrom evalkit.run import runner\n",
    "view.py": "from evalkit.pipeline import order\n",
    "cli/__init__.py": "",
    "cli/main.py": "from evalkit.pipeline import order\n",
}

FOR_TYPES = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    "

# contract -> (file, what is planted in it)
VIOLATIONS = {
    "an undeclared room": ("layers", "utils.py", ""),
    "a room that imports its neighbour": ("layers", "score/planted.py", "from evalkit import plan\n"),
    "the same inside a function": ("layers", "score/planted.py", "def f():\n    from evalkit import plan\n"),
    "the same for types only": ("layers", "score/planted.py", f"{FOR_TYPES}from evalkit import plan\n"),
    "a lower room that imports a higher one": ("layers", "records/planted.py", "from evalkit import stats\n"),
    "a cycle within a room": ("cycles", "records/case.py", "from evalkit.records import a\n"),
    "a cycle for types only": ("cycles", "records/case.py", f"{FOR_TYPES}from evalkit.records import a\n"),
    "view reading the store": ("store", "view.py", "import evalkit.store\n"),
    "a room reading the store": ("store", "score/planted.py", "from evalkit import store\n"),
    "the command line touching the world": ("world", "cli/planted.py", "from evalkit import world\n"),
    "a new room touching the world": ("world", "mutate.py", "from evalkit import world\n"),
    "statistics reading records": ("stats", "stats/planted.py", "from evalkit.records import case\n"),
}


def _broken_contracts(folder: Path, files: dict[str, str]) -> set[str]:
    """Lay out a package, check it by the repository's contracts, and return the names of the broken ones."""
    taken = {name.split("/")[0].removesuffix(".py") for name in files}
    empty = {f"{room}.py": "" for room in _rooms(optional=False) - taken}
    for name, text in (empty | files).items():
        (folder / "evalkit" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "evalkit" / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"]
    arguments = ["--no-cache", "--config", str(CONTRACTS)]
    done = subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert "Contracts:" in done.stdout, done.stdout + done.stderr
    return set(re.findall(r"^(.+) BROKEN", done.stdout, flags=re.MULTILINE))


def _rooms(*, optional: bool) -> set[str]:
    """Return the rooms that stand in the layers, either those in parentheses or the others."""
    layers = _contracts()["importlinter:contract:layers"]["layers"]
    return set(re.findall(r"\((\w+)\)" if optional else r"(?<![(\w])\w+(?![)\w])", layers))


def _contracts() -> configparser.ConfigParser:
    parser = configparser.ConfigParser()
    parser.read(CONTRACTS, encoding="utf-8")
    return parser


def _contract_names() -> dict[str, str]:
    """Return the sentence of every contract by its key."""
    parser = _contracts()
    prefix = "importlinter:contract:"
    return {key.removeprefix(prefix): parser[key]["name"] for key in parser if key.startswith(prefix)}


def test_a_sound_package_breaks_nothing(tmp_path: Path) -> None:
    """Self-test: where the rules are kept, rooms that do not exist yet are no fault."""
    assert set() == _broken_contracts(tmp_path, SOUND)


@pytest.mark.parametrize("planted", VIOLATIONS)
def test_a_violation_breaks_its_contract(planted: str, tmp_path: Path) -> None:
    """Self-test: each contract is broken by what it forbids."""
    contract, file, text = VIOLATIONS[planted]
    extra = {"records/a.py": "from evalkit.records import case\n", file: text}
    assert _contract_names()[contract] in _broken_contracts(tmp_path, SOUND | extra)


def test_every_contract_has_a_violation() -> None:
    """A contract that nothing was seen to break is worth nothing."""
    assert set(_contract_names()) == {contract for contract, _, _ in VIOLATIONS.values()}


def test_only_rooms_not_built_yet_are_optional() -> None:
    """A room that exists stands in the layers without parentheses, so that losing it is noticed."""
    package = REPOSITORY / "evalkit"
    rooms = {file.name.removesuffix(".py") for file in package.iterdir() if file.suffix in {"", ".py"}}
    assert set() == _rooms(optional=True) & rooms
