"""What the guides show: blocks of code with what they are, tables of keys, words in code.

Comes in: the pages of `docs/guides`. Goes out: `Block`s, the first columns of tables, what a form takes.

The first line of a YAML block says what the block is: a whole file (`# suite.yaml`, `# case`, `# gate.yaml`,
`# arm`, `# solution`) or a part of one (`# in suite.yaml`, `# in a case`).
"""

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from evalkit.errors import InputError, Problem
from evalkit.records.policy import GatePolicy
from evalkit.suite.document import Document
from evalkit.suite.faults import validated
from evalkit.suite.forms import ArmFile, CaseFile, SolutionFile, SuiteFile
from evalkit.suite.load import load_suite
from evalkit.suite.tables import read_csv, read_jsonl
from evalkit.suite.yaml_source import read_yaml
from tests.house.source import REPOSITORY

GUIDES = REPOSITORY / "docs" / "guides"

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"^```.*?^```$|`[^`\n]+`|^ {4}.*$", flags=re.MULTILINE | re.DOTALL)

# What a block is -> the form that it must have, and what a part needs around it to be a whole.
FORMS: dict[str, tuple[type[BaseModel], dict[str, Any]]] = {
    "suite.yaml": (SuiteFile, {}),
    "in suite.yaml": (SuiteFile, {"suite": "guide", "cases": "cases.jsonl"}),
    "case": (CaseFile, {}),
    "in a case": (CaseFile, {"id": "guide", "input": "hello"}),
    "gate.yaml": (GatePolicy, {}),
    "arm": (ArmFile, {}),
    "solution": (SolutionFile, {}),
}


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block of a guide.

    Attributes:
        page: Name of the page.
        line: 1-based line of its fence.
        language: The word behind the fence.
        text: Its content.
    """

    page: str
    line: int
    language: str
    text: str

    @property
    def kind(self) -> str:
        """What its first line says that it is; "" where that is no comment."""
        first = self.text.split("\n", 1)[0]
        return first.removeprefix("# ").strip() if first.startswith("# ") else ""

    @property
    def document(self) -> Document:
        """The block as a file, with what a part needs around it; unreadable YAML raises InputError."""
        _, around = FORMS[self.kind]
        document, problems = read_yaml(self.text, f"{self.page}:{self.line}")
        if problems:
            raise InputError(tuple(problems))
        if self.kind == "solution":
            return replace(document, value={"steps": document.value})
        lone = {
            key: value for key, value in around.items() if key != "input" or "turns" not in document.value
        }
        return replace(document, value={**lone, **document.value})


def blocks(page: str, language: str) -> tuple[Block, ...]:
    """Return the blocks of one language in a guide.

    Args:
        page: Name of the page, with its ending.
        language: The word behind the fence.
    """
    return blocks_in((GUIDES / page).read_text(encoding="utf-8"), page, language)


def blocks_in(text: str, page: str, language: str) -> tuple[Block, ...]:
    """Return the blocks of one language in a text; arguments as in `blocks`."""
    found = (
        Block(page=page, line=text.count("\n", 0, match.start()) + 1, language=match[1], text=match[2])
        for match in _BLOCK.finditer(text)
    )
    return tuple(block for block in found if block.language == language)


def problems_of(block: Block) -> tuple[Problem, ...]:
    """Return what is wrong with the form of a YAML block, as `check` would say it."""
    if block.kind not in FORMS:
        return (Problem(file=f"{block.page}:{block.line}", message=f"`{block.kind}` says not what this is"),)
    try:
        _, problems = validated(block.document, FORMS[block.kind][0])
    except InputError as error:
        return error.problems
    return tuple(problems)


def rows_problems(block: Block) -> tuple[Problem, ...]:
    """Return what is wrong with a table of cases."""
    reader = read_jsonl if block.language == "jsonl" else read_csv
    documents, problems = reader(block.text, f"{block.page}:{block.line}")
    found = [problem for document in documents for problem in validated(document, CaseFile)[1]]
    return (*problems, *found) if documents else (Problem(file=block.page, message="holds no case"),)


def suite_problems(block: Block, project: Path) -> tuple[Problem, ...]:
    """Return what is wrong with a suite block as a whole suite without cases: names, graph, patterns.

    Args:
        block: A suite.yaml, or a part of one.
        project: A scaffolded project, whose world and tools the block may name.
    """
    value = {**block.document.value, "cases": "cases.jsonl"}
    stages = list(value.get("stages", {}))
    if len(stages) > 1 and "metrics" not in value:
        value["metrics"] = {"outcome": {"primary": True, "stage": stages[-1], "check": "reply"}}
    folder = project / "suites" / "library"
    (folder / "gate.yaml").unlink(missing_ok=True)
    (folder / "cases.jsonl").write_text("", encoding="utf-8")
    (folder / "suite.yaml").write_text(flow(value), encoding="utf-8")
    try:
        load_suite(folder)
    except InputError as error:
        return error.problems
    return ()


def flow(value: object) -> str:
    """Return a value as JSON, which is YAML too, on one line."""
    return json.dumps(value, ensure_ascii=False)


def section(page: str, heading: str) -> str:
    """Return what stands under a heading of a guide, up to the next heading of its rank."""
    text = (GUIDES / page).read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def first_column(text: str, table: int = 0) -> list[str]:
    """Return the code in the first column of a table.

    Args:
        text: Text with tables.
        table: Which of them, from 0.
    """
    tables = re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)
    return re.findall(r"^\| *`([^`]+)` *\|", tables[table], flags=re.MULTILINE) if table < len(tables) else []


def keys_of(model: type[BaseModel]) -> list[str]:
    """Return the keys that a form takes, as people write them."""
    return [field.alias or name for name, field in model.model_fields.items()]


def words_in_code(text: str) -> frozenset[str]:
    """Return the words that stand in code: in blocks, in indented lines, between backticks."""
    return frozenset(word for code in _CODE.findall(text) for word in re.findall(r"[A-Za-z_][\w-]*", code))
