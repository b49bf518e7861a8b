"""Reading the files of a suite into documents: suite.yaml, cases, solutions, arms, gate.

What comes in: paths. What goes out: documents, one per file or row, and problems; nothing is raised.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from ruamel.yaml import YAML

from evalkit.errors import InputError, Problem
from evalkit.suite.document import Document, KeyPath
from evalkit.suite.files import TABLE_LIMIT, YAML_LIMIT, Files, beside
from evalkit.suite.tables import Rows, read_csv, read_jsonl
from evalkit.suite.yaml_source import new_parser, read_yaml

_YAML = (".yaml", ".yml")
_TABLES: dict[str, Callable[[str, str], Rows]] = {".jsonl": read_jsonl, ".csv": read_csv}
_LIKE_CASES = (*_YAML, *_TABLES, ".json", ".tsv", ".xlsx")


@dataclass(slots=True)
class Reading:
    """The files that were read on the way, and what was wrong with them.

    Attributes:
        files: What may be read.
        problems: Found so far.
        read: Files that were read, as given.
        parser: What parses the YAML files.
    """

    files: Files
    problems: list[Problem] = field(default_factory=list)
    read: set[Path] = field(default_factory=set)
    parser: YAML = field(default_factory=new_parser)

    def yaml(self, path: Path, named_by: tuple[Document, KeyPath] | None = None) -> Document:
        """Return a YAML file; unreadable where it is not there.

        Args:
            path: The file.
            named_by: The document and the place that name it, for problems with the path itself.
        """
        self.read.add(path)
        try:
            document, problems = read_yaml(self.files.text(path, YAML_LIMIT), str(path), self.parser)
        except InputError as error:
            self.problems += [_placed(problem, named_by) for problem in error.problems]
            return Document(file=str(path), unreadable=True)
        self.problems += problems
        return document

    def cases(self, path: Path, named_by: tuple[Document, KeyPath]) -> list[Document]:
        """Return the cases of a folder or a table.

        Args:
            path: A folder of YAML files, or a table.
            named_by: The document and the place that name it.
        """
        try:
            if self.files.confined(path).is_dir():
                return [self.yaml(file) for file in sorted(path.iterdir()) if _is_case(file)]
            reader = _TABLES.get(path.suffix)
            if path.exists() and reader is None:
                self.problems.append(_placed(_wrong_kind(path), named_by))
                return []
            self.read.add(path)
            documents, problems = (reader or read_jsonl)(self.files.text(path, TABLE_LIMIT), str(path))
        except InputError as error:
            self.problems += [_placed(problem, named_by) for problem in error.problems]
            return []
        self.problems += problems
        return documents

    def unread(self, folder: Path) -> None:
        """Note files among the cases that look like cases and that nothing has read."""
        for path in sorted(folder.rglob("*")):
            hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
            if path.suffix in _LIKE_CASES and path not in self.read and not hidden and path.is_file():
                self.problems.append(
                    Problem(
                        file=str(path),
                        value=path.name,
                        message="nothing reads this file: only YAML files directly in the folder are cases",
                        suggestion="move it up, name it as a solution, or take it away",
                        code="unread-file",
                    )
                )


def _is_case(path: Path) -> bool:
    return path.suffix in _YAML and not path.name.startswith(".")


def _wrong_kind(path: Path) -> Problem:
    return Problem(
        file=str(path),
        value=path.suffix or path.name,
        message="cases are a folder of YAML files, or a table",
        suggestion="write the path of a folder, a .jsonl or a .csv file",
        code="no-file",
    )


def _placed(problem: Problem, named_by: tuple[Document, KeyPath] | None) -> Problem:
    """Lead a problem with a path back to the place that names it; those inside the file stay."""
    if named_by is None or problem.line:
        return problem
    document, path = named_by
    said = f"{problem.message}: {problem.file}"
    placed = document.problem(path, problem.code, said, suggestion=problem.suggestion)
    return replace(placed, value=placed.value or problem.value)


def suite_file(path: Path) -> Path:
    """Return the suite.yaml that a path means.

    Args:
        path: A suite's folder, or its suite.yaml.

    Raises:
        InputError: no-file.
    """
    found = path / "suite.yaml" if path.is_dir() else path
    if found.is_file():
        return found
    near = sorted(str(other.parent) for other in path.glob("*/suite.yaml")) if path.is_dir() else []
    advice = (
        f"did you mean {near[0]}?"
        if near
        else "name a folder that holds suite.yaml; `evalkit init` makes one"
    )
    said = "there is no suite.yaml here"
    raise InputError(
        (Problem(file=str(found), value=str(path), message=said, suggestion=advice, code="no-file"),)
    )


def cases_path(folder: Path, document: Document) -> Path | None:
    """Return where a suite.yaml says that its cases are; None where it says nothing that can be read."""
    written = document.value.get("cases") if isinstance(document.value, dict) else None
    return beside(folder, written) if isinstance(written, str) and written else None
