"""Arms: `suites/<suite>/arms/*.yaml` -> `Arm`.

What comes in: the files of arms and the suite that they belong to. What goes out: arms, or all problems of a
file.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from evalkit.errors import InputError, Problem
from evalkit.records.arm import Arm
from evalkit.records.case import Step
from evalkit.records.suite import Suite
from evalkit.suite.document import Document, Findings, KeyPath, read_order
from evalkit.suite.faults import validated
from evalkit.suite.files import CODE_LIMIT, Files
from evalkit.suite.forms import ArmFile
from evalkit.suite.ground import Ground, check_function, check_name, check_tool, exactly_one
from evalkit.suite.reading import Reading
from evalkit.suite.steps import check_steps
from evalkit.suite.words import suggest

FOLDER = "arms"
"""Folder of the arms inside a suite's folder."""

_BUCKETS = ("input", "cache_read", "cache_write", "output")
_ANYTHING_ELSE = "*"


def find_arm(folder: Path, name: str) -> Path:
    """Return the file of an arm.

    Args:
        folder: The suite's folder.
        name: The arm's name.

    Raises:
        InputError: no-file, with the nearest name.
    """
    files = {path.stem: path for path in arm_files(folder)}
    if name in files:
        return files[name]
    advice = suggest(name, files, none=f"write one: {folder / FOLDER / 'champion.yaml'}")
    problem = Problem(
        file=str(folder / FOLDER),
        value=name,
        message=f"there is no arm `{name}`",
        suggestion=advice,
        code="no-file",
    )
    raise InputError((problem,))


def arm_files(folder: Path) -> tuple[Path, ...]:
    """Return the files of all arms of a suite, sorted."""
    found = [*(folder / FOLDER).glob("*.yaml"), *(folder / FOLDER).glob("*.yml")]
    return tuple(sorted(path for path in found if not path.name.startswith(".")))


def load_arm(path: Path, suite: Suite) -> Arm:
    """Return an arm, its prompt read.

    Args:
        path: Its file.
        suite: The suite that it belongs to, loaded.

    Returns:
        The arm.

    Raises:
        InputError: All problems of the file.
    """
    folder = path.parent.parent if path.parent.name == FOLDER else path.parent
    reading = Reading(Files.around(folder))
    known = frozenset(tool.name for tool in suite.tools) if suite.world and suite.world.tools else None
    ground = Ground(suite=suite, folder=folder, tools=known)
    arm = read_arm(reading, path, ground, [case.id for case in suite.cases])
    if arm is None or reading.problems:
        raise InputError(read_order(reading.problems))
    return arm


def read_arm(reading: Reading, path: Path, ground: Ground | None, cases: Iterable[str]) -> Arm | None:
    """Return an arm, or None where its form is wrong; problems are noted.

    Args:
        reading: Where to read and note.
        path: Its file.
        ground: What its suite declares; None where that is not known.
        cases: Ids of the suite's cases.
    """
    document = reading.yaml(path)
    form, problems = validated(document, ArmFile)
    reading.problems += problems
    if form is None:
        return None
    findings = Findings(document, reading.problems)
    if form.arm != path.stem:
        said = "an arm is named like its file"
        findings.add(("arm",), "wrong-value", said, suggestion=f"write `{path.stem}`, or rename the file")
    _check_model(findings, form, list(cases))
    for name in form.prices or {}:
        if name not in _BUCKETS:
            said = f"`{name}` is no bucket of tokens"
            findings.add(
                ("prices", name), "unknown-key", said, suggestion=suggest(name, _BUCKETS), at_key=True
            )
    if ground is not None:
        _check_against(reading, findings, form, ground)
    return _arm(reading, form, document, ground)


def _arm(reading: Reading, form: ArmFile, document: Document, ground: Ground | None) -> Arm:
    given = {key: getattr(form, key) for key in form.model_fields_set if key != "system_file"}
    if form.system_file is not None and ground is not None:
        if form.system:
            Findings(document, reading.problems).add(
                ("system_file",),
                "exactly-one",
                "takes one of system and system_file",
                suggestion="leave one of them out",
            )
        given["system"] = _prompt(reading, form.system_file, document, ground)
    return Arm.model_validate(given)


def _prompt(reading: Reading, written: str, document: Document, ground: Ground) -> str:
    reading.read.add(ground.folder / written)
    try:
        return Files(root=ground.folder.resolve()).text(ground.folder / written, CODE_LIMIT)
    except InputError as error:
        for problem in error.problems:
            Findings(document, reading.problems).add(
                ("system_file",), problem.code, problem.message, suggestion=problem.suggestion
            )
    return ""


def _check_model(findings: Findings, form: ArmFile, cases: list[str]) -> None:
    model = form.model
    given = [name for name in ("policy", "replies", "solution") if getattr(model, name)]
    exactly_one(findings, ("model",), given, ("policy", "replies", "solution"))
    path: KeyPath = ("model", "replies")
    by_case: dict[str, tuple[Step, ...]] = model.replies if isinstance(model.replies, dict) else {}
    for case, steps in by_case.items():
        if case != _ANYTHING_ELSE and cases:
            check_name(findings, (*path, case), "case", case, cases)
        check_steps(findings, (*path, case), steps)
    if isinstance(model.replies, tuple):
        check_steps(findings, path, model.replies)


def _check_against(reading: Reading, findings: Findings, form: ArmFile, ground: Ground) -> None:
    for number, tool in enumerate(form.tools or ()):
        check_tool(findings, ("tools", number), tool, ground)
    if form.model.policy is not None:
        check_function(findings, ("model", "policy"), form.model.policy, ground)
        reading.read.add(ground.folder / form.model.policy.partition(":")[0])
