"""Files are read inside the project only, and only where they are ordinary files of a reasonable size."""

import os
from pathlib import Path

import pytest

from evalkit.errors import InputError
from evalkit.suite.code_hash import code_hash
from evalkit.suite.files import Files
from evalkit.suite.load import load_suite
from tests.suite.building import (
    CASE,
    SOUND,
    SUITE,
    describe,
    in_case,
    in_suite,
    laid_out,
    loaded,
    problems_of,
)


def test_the_project_is_the_nearest_folder_that_holds_suites(tmp_path: Path) -> None:
    """Cases may lie beside `suites/`; a suite on its own is its own project."""
    (tmp_path / "suites" / "desk").mkdir(parents=True)
    assert tmp_path.resolve() == Files.around(tmp_path / "suites" / "desk").root
    alone = tmp_path / "alone"
    alone.mkdir()
    assert alone.resolve() == Files.around(alone, alone).root


def test_a_symbolic_link_out_of_the_project_is_refused(tmp_path: Path) -> None:
    """A case that is a link to a file elsewhere is not read."""
    project = tmp_path / "project"
    desk = laid_out(project)
    outside = tmp_path / "secret.yaml"
    outside.write_text(SOUND[CASE].replace("lend-1", "secret"), encoding="utf-8")
    (project / "golden" / "desk" / "link.yaml").symlink_to(outside)
    with pytest.raises(InputError) as refused:
        load_suite(desk, describe=describe)
    assert ["outside"] == [problem.code for problem in refused.value.problems]


def test_a_symbolic_link_inside_the_project_is_read(tmp_path: Path) -> None:
    """A link that stays in the project is an ordinary way to share a case."""
    desk = laid_out(tmp_path)
    shared = tmp_path / "golden" / "shared.yaml"
    shared.write_text(SOUND[CASE].replace("lend-1", "shared-3"), encoding="utf-8")
    (tmp_path / "golden" / "desk" / "shared-3.yaml").symlink_to(shared)
    suite = load_suite(desk, describe=describe)
    assert ["lend-1", "refuse-2", "shared-3"] == [case.id for case in suite.cases]


@pytest.mark.parametrize("world", ["../../../etc/passwd", "/etc/passwd"])
def test_a_world_outside_the_project_is_refused(tmp_path: Path, world: str) -> None:
    """Neither `..` nor an absolute path leads out."""
    found = problems_of(tmp_path, in_suite("database: world.sql", f"database: {world}"))
    assert "outside" in [problem.code for problem in found] or "no-file" in [
        problem.code for problem in found
    ]
    assert found


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    """Reading a pipe would wait for ever: only ordinary files are read."""
    desk = laid_out(tmp_path)
    os.mkfifo(tmp_path / "golden" / "desk" / "pipe.yaml")
    with pytest.raises(InputError) as refused:
        load_suite(desk, describe=describe)
    assert ["no-file"] == [problem.code for problem in refused.value.problems]


def test_a_missing_suite_names_the_ones_that_are_there(tmp_path: Path) -> None:
    """Whoever names the folder above is told the suites in it."""
    laid_out(tmp_path)
    with pytest.raises(InputError) as refused:
        load_suite(tmp_path / "suites")
    (problem,) = refused.value.problems
    assert problem.suggestion.endswith("suites/desk?")


def test_a_solution_that_is_missing_is_placed_where_it_is_named(tmp_path: Path) -> None:
    """The problem stands at `solution:` of the case, not in the file that is not there."""
    steps = SOUND[CASE].split("solution:")[1]
    (problem,) = problems_of(tmp_path, in_case(f"solution:{steps}", "solution: none.yaml\n"))
    assert ("no-file", 12, 11, "solution") == (problem.code, problem.line, problem.column, problem.key)


def test_a_mistake_in_a_solution_is_placed_in_its_file(tmp_path: Path) -> None:
    """Steps are held against their form in the file in which they stand."""
    path = "golden/desk/solutions/refuse-2.yaml"
    (problem,) = problems_of(tmp_path, {path: "- call: {tool: find}\n- replay: {}\n"})
    assert (2, 3, "did you mean `reply`?") == (problem.line, problem.column, problem.suggestion)
    assert problem.file.endswith(path)


def test_the_hash_follows_what_the_suite_measures_by(tmp_path: Path) -> None:
    """World, tools and the suite's own checks change it; notes, cases, and what belongs to an arm do not."""
    metric = ("check: reply}", "check: {python: {function: 'checks.py:polite'}}}")
    own = {SUITE: metric, **in_case("  - reply: {contains: enjoy}\n", "")}
    before = loaded(tmp_path / "a", own).code_hash
    names = ("README.md", "policies.py", "prompts/system.md")
    arms = {f"suites/desk/{name}": SOUND.get(f"suites/desk/{name}", "x") + "\n" for name in names}
    assert before == loaded(tmp_path / "b", {**own, **arms}).code_hash
    for number, path in enumerate(["world.sql", "tools.py", "checks.py"]):
        changed = {f"suites/desk/{path}": SOUND[f"suites/desk/{path}"] + "\n"}
        assert before != loaded(tmp_path / str(number), {**own, **changed}).code_hash, path


def test_a_file_that_moves_changes_the_hash(tmp_path: Path) -> None:
    """Names count, so that two files cannot trade their contents unseen."""
    (tmp_path / "a.py").write_text("x", encoding="utf-8")
    files = Files(root=tmp_path.resolve())
    first = code_hash(files, tmp_path, [tmp_path / "a.py"])
    moved = (tmp_path / "a.py").rename(tmp_path / "b.py")
    assert first != code_hash(files, tmp_path, [moved])
