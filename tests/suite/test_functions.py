"""Loading a suite's own functions."""

import sys
from pathlib import Path

import pytest

from evalkit.errors import InputError
from evalkit.suite.functions import load_functions


def _refused(folder: Path, *refs: str) -> list[str]:
    with pytest.raises(InputError) as refused:
        load_functions(folder, refs)
    return [problem.code for problem in refused.value.problems]


def test_a_reference_gives_the_function(tmp_path: Path) -> None:
    """`file.py:name` is that function; two of one file share its module."""
    (tmp_path / "checks.py").write_text(
        "calls = []\ndef a(x): calls.append(x)\ndef b(): return calls\n", encoding="utf-8"
    )
    found = load_functions(tmp_path, ["checks.py:a", "checks.py:b"])
    found["checks.py:a"](3)
    assert [3] == found["checks.py:b"]()


def test_every_load_is_fresh(tmp_path: Path) -> None:
    """State of one load does not leak into the next, and an edited file is read as it stands."""
    path = tmp_path / "checks.py"
    path.write_text("seen = []\ndef a(): seen.append(1); return len(seen)\n", encoding="utf-8")
    first = load_functions(tmp_path, ["checks.py:a"])["checks.py:a"]
    assert [1, 2] == [first(), first()]
    assert 1 == load_functions(tmp_path, ["checks.py:a"])["checks.py:a"]()
    path.write_text("seen = []\ndef a(): seen.append(1); return 'new'\n", encoding="utf-8")
    assert "new" == load_functions(tmp_path, ["checks.py:a"])["checks.py:a"]()


def test_dataclasses_of_a_module_work(tmp_path: Path) -> None:
    """Annotations as text are looked up in the module, which is therefore known by name while it lives."""
    text = "from __future__ import annotations\nfrom dataclasses import dataclass\n"
    (tmp_path / "c.py").write_text(
        text + "@dataclass\nclass A:\n    x: int\ndef a(): return A(1).x\n", encoding="utf-8"
    )
    assert 1 == load_functions(tmp_path, ["c.py:a"])["c.py:a"]()


def test_no_byte_code_is_left(tmp_path: Path) -> None:
    """The suite's folder holds what people wrote and nothing else; the import path stays as it is."""
    (tmp_path / "checks.py").write_text("def a(): ...\n", encoding="utf-8")
    before = list(sys.path)
    load_functions(tmp_path, ["checks.py:a"])
    assert ["checks.py"] == [path.name for path in tmp_path.iterdir()]
    assert before == sys.path


@pytest.mark.parametrize(
    "ref", ["checks.py", "checks:a", "checks.py:a.b", "checks.py:", ":a", "checks.py:a()"]
)
def test_what_is_no_reference_is_refused(tmp_path: Path, ref: str) -> None:
    """A reference is a Python file, a colon and a name."""
    (tmp_path / "checks.py").write_text("def a(): ...\n", encoding="utf-8")
    assert ["bad-function"] == _refused(tmp_path, ref)


def test_all_references_are_reported_at_once(tmp_path: Path) -> None:
    """A missing file, a missing name and a value that is no function are three problems of one error."""
    (tmp_path / "checks.py").write_text("a = 1\n", encoding="utf-8")
    assert ["no-file", "bad-function", "bad-function"] == _refused(
        tmp_path, "x.py:a", "checks.py:b", "checks.py:a"
    )


def test_a_reference_does_not_leave_the_folder(tmp_path: Path) -> None:
    """Neither `..` nor a link leads to code outside the suite's folder."""
    (tmp_path / "evil.py").write_text("def a(): ...\n", encoding="utf-8")
    desk = tmp_path / "desk"
    desk.mkdir()
    (desk / "link.py").symlink_to(tmp_path / "evil.py")
    assert ["outside", "outside"] == _refused(desk, "../evil.py:a", "link.py:a")


@pytest.mark.parametrize(
    "text", ["def a(:\n", "def a(): ...\nraise KeyError('x')\n", "import no_such_module\ndef a(): ...\n"]
)
def test_a_file_that_does_not_load_is_the_suites_bug(tmp_path: Path, text: str) -> None:
    """Syntax errors and exceptions at import are input errors, not crashes."""
    (tmp_path / "checks.py").write_text(text, encoding="utf-8")
    assert ["bad-function"] == _refused(tmp_path, "checks.py:a")


@pytest.mark.parametrize(
    "raised", ["SystemExit(0)", "BaseException('x')", "type('Own', (Exception,), {})('x')"]
)
def test_whatever_a_file_raises_while_it_loads_is_bad_input(tmp_path: Path, raised: str) -> None:
    """A file that ends the process, or raises an exception of its own, is refused like any other."""
    (tmp_path / "checks.py").write_text(f"def fine(): ...\nraise {raised}\n")
    with pytest.raises(InputError, match="raised when it was loaded"):
        load_functions(tmp_path, ["checks.py:fine"])


def test_a_file_that_goes_elsewhere_takes_nobody_with_it(tmp_path: Path) -> None:
    """The working folder is what it was after a file was loaded."""
    (tmp_path / "checks.py").write_text("import os\nos.chdir('/')\ndef fine(): ...\n")
    before = Path.cwd()
    load_functions(tmp_path, ["checks.py:fine"])
    assert before == Path.cwd()
