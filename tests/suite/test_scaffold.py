"""What `init` writes: a working suite for every type, with one failing case that its README explains."""

import ast
import datetime as dt
import json
import re
from pathlib import Path
from typing import get_args

import pytest

from evalkit.records.suite import SuiteType, ToolSpec
from evalkit.suite.arms import find_arm, load_arm
from evalkit.suite.functions import load_functions
from evalkit.suite.lint import lint
from evalkit.suite.load import load_suite
from evalkit.suite.policy import load_policy
from evalkit.suite.scaffold import scaffold
from evalkit.suite.schemas import kinds, schema

TYPES: tuple[SuiteType, ...] = get_args(SuiteType)


def _describe(path: Path) -> tuple[ToolSpec, ...]:
    """Read the names of public functions from the source; a decorated one has an effect."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return tuple(
        ToolSpec(name=node.name, effect="write" if node.decorator_list else "read")
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    )


@pytest.mark.parametrize("type_", TYPES)
def test_it_loads_without_a_single_finding(tmp_path: Path, type_: SuiteType) -> None:
    """Suite, cases, arm and gate of every type are sound, and there is nothing to warn of."""
    written = scaffold(tmp_path / "new", type_)
    desk = next(path.parent for path in written if path.name == "suite.yaml")
    suite = load_suite(desk, describe=_describe)
    arm = load_arm(find_arm(desk, "champion"), suite)
    policy = load_policy(desk / "gate.yaml", suite)
    assert () == lint(suite, policy, (arm,), today=dt.date(2026, 11, 30))
    assert (type_, True) == (suite.type, len(suite.cases) >= 5)
    assert all(case.solution for case in suite.cases)
    assert arm.model.policy is not None
    assert callable(load_functions(desk, [arm.model.policy])[arm.model.policy])


@pytest.mark.parametrize("type_", TYPES)
def test_the_readme_names_the_failing_case(tmp_path: Path, type_: SuiteType) -> None:
    """The case of which the README says that it fails is one of the suite's, and it names the root."""
    written = scaffold(tmp_path, type_)
    readme = next(path for path in written if path.name == "README.md").read_text(encoding="utf-8")
    desk = next(path.parent for path in written if path.name == "suite.yaml")
    (named,) = re.findall(r"because one case fails: `([\w-]+)`", readme)
    assert named in [case.id for case in load_suite(desk, describe=_describe).cases]
    assert "root" in readme


def test_every_yaml_file_names_its_schema(tmp_path: Path) -> None:
    """Each file begins with a comment that leads an editor to a schema that is there."""
    for path in scaffold(tmp_path, "task_execution"):
        if path.suffix == ".yaml":
            first = path.read_text(encoding="utf-8").splitlines()[0]
            named = path.parent / first.removeprefix("# yaml-language-server: $schema=")
            assert named.resolve().is_file(), path


def test_the_schemas_are_those_of_this_version(tmp_path: Path) -> None:
    """The schemas beside the suite say what `evalkit schema` says."""
    scaffold(tmp_path, "reasoning")
    for kind in kinds():
        text = (tmp_path / "schemas" / f"{kind}.schema.json").read_text(encoding="utf-8")
        assert schema(kind) == json.loads(text)


def test_a_text_suite_has_no_world(tmp_path: Path) -> None:
    """Text in, text out: nothing but a reply is needed."""
    types: tuple[SuiteType, ...] = ("reasoning", "creative", "knowledge_qa")
    for type_ in types:
        written = scaffold(tmp_path / type_, type_)
        assert [] == [path for path in written if path.suffix == ".sql" or path.name == "tools.py"]
