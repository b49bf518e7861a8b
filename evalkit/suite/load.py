"""Loading a suite: every file of it is read, every problem of every file is reported at once.

What comes in: the path of a suite. What goes out: a `Suite` with all defaults resolved, or one `InputError`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from evalkit.errors import InputError, Problem
from evalkit.records.case import Case
from evalkit.records.suite import Suite, ToolSpec
from evalkit.suite.arms import arm_files, read_arm
from evalkit.suite.check_suite import check_suite
from evalkit.suite.code_hash import code_hash
from evalkit.suite.document import Document, Findings, read_order
from evalkit.suite.faults import validated
from evalkit.suite.files import Files, beside
from evalkit.suite.forms import CaseFile, SuiteFile
from evalkit.suite.ground import Ground
from evalkit.suite.leaks import leaks, masked
from evalkit.suite.policy import NAME, read_policy
from evalkit.suite.reading import Reading, cases_path, suite_file
from evalkit.suite.resolve_case import resolve_case
from evalkit.suite.resolve_suite import resolve_suite
from evalkit.suite.steps import solution_of

Describe = Callable[[Path], tuple[ToolSpec, ...]]
"""Python file of tools -> what the harness knows of each; raises InputError."""


def load_suite(path: Path, *, project: Path | None = None, describe: Describe | None = None) -> Suite:
    """Return a suite, loaded and resolved; arguments and errors as in `read_suite`."""
    return read_suite(path, project=project, describe=describe)[0]


def read_suite(
    path: Path, *, project: Path | None = None, describe: Describe | None = None
) -> tuple[Suite, Reading]:
    """Return a suite, loaded and resolved, and what was read for it.

    Args:
        path: Its folder, or its suite.yaml.
        project: The folder that paths may not lead out of; default: the nearest ancestor of the suite's
            folder that
            holds `suites/`, else that folder itself.
        describe: Reads a file of tools; without it the suite has no tools, and their names are not checked.

    Returns:
        The suite, which may have no cases (whoever runs it says so), and the files that were read.

    Raises:
        InputError: All problems of suite.yaml, the cases, the solutions, the arms and the gate.
    """
    file = suite_file(path)
    folder = file.parent
    reading = Reading(Files.around(folder, project))
    document = reading.yaml(file)
    form, problems = validated(document, SuiteFile)
    reading.problems += problems
    ground = _ground(reading, document, form, folder, describe) if form is not None else None
    cases, ids = _cases(reading, document, folder, ground)
    whole = cases if len(cases) == len(ids) else ()
    if ground is not None and (whole or not ids):
        _check_metrics_are_fed(Findings(document, reading.problems), ground, whole)
    for arm in arm_files(folder):
        read_arm(reading, arm, ground, ids)
    if (folder / NAME).exists():
        read_policy(reading, folder / NAME, ground, whole)
    suite = ground.suite.model_copy(update={"cases": cases}) if ground is not None else None
    hashed = _code_hash(reading, document, form, folder, suite)
    leaked = leaks(reading.files, reading.read)
    if reading.problems or leaked or suite is None:
        raise InputError(read_order(map(masked, (*reading.problems, *leaked))))
    return suite.model_copy(update={"code_hash": hashed}), reading


def _ground(
    reading: Reading, document: Document, form: SuiteFile, folder: Path, describe: Describe | None
) -> Ground:
    ground = resolve_suite(form, folder, _tools(reading, document, form, folder, describe))
    check_suite(Findings(document, reading.problems), form, ground)
    return ground


def _tools(
    reading: Reading, document: Document, form: SuiteFile, folder: Path, describe: Describe | None
) -> tuple[ToolSpec, ...] | None:
    """Return the tools of the suite's world; None where they cannot be known."""
    if form.world is None or form.world.tools is None:
        return None
    findings = Findings(document, reading.problems)
    path = beside(folder, form.world.tools)
    try:
        real = reading.files.confined(path)
        if not real.is_file():
            findings.add(
                ("world", "tools"), "no-file", f"there is no file {path}", suggestion="check the path"
            )
            return None
        return describe(path) if describe is not None else None
    except InputError as error:
        for problem in error.problems:
            reading.problems.append(_about_tools(document, problem))
    return None


def _about_tools(document: Document, problem: Problem) -> Problem:
    """Return a problem of the tools with a place: its own, or the one that names the file."""
    if problem.line:
        return replace(problem, code="tools-file", suggestion=problem.suggestion or "mend the file")
    return document.problem(
        ("world", "tools"), "tools-file", problem.message, suggestion=problem.suggestion or "mend the file"
    )


def _cases(
    reading: Reading, document: Document, folder: Path, ground: Ground | None
) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Return the cases whose form is right, the others noted, and the ids of all."""
    path = cases_path(folder, document)
    if path is None:
        return (), ()
    documents = reading.cases(path, (document, ("cases",)))
    cases: list[Case] = []
    first: dict[str, Document] = {}
    for found in documents:
        form, problems = validated(found, CaseFile)
        reading.problems += problems
        _check_unique(reading, found, first)
        if form is None:
            _name_solution(reading, found)
            continue
        solution = solution_of(reading, found, form, ground)
        if ground is not None:
            cases.append(resolve_case(Findings(found, reading.problems), form, ground, solution))
    if path.is_dir():
        reading.unread(path)
    return tuple(cases), tuple(first)


def _name_solution(reading: Reading, document: Document) -> None:
    """Keep the solution of a case that is wrong otherwise from being taken for a stray file."""
    written = document.value.get("solution") if isinstance(document.value, dict) else None
    if isinstance(written, str):
        reading.read.add(beside(Path(document.file).parent, written))


def _check_unique(reading: Reading, document: Document, first: dict[str, Document]) -> None:
    """Note an id that an earlier case has, whether the rest of the two is right or not."""
    id_ = document.value.get("id") if isinstance(document.value, dict) else None
    if not isinstance(id_, str):
        return
    other = first.setdefault(id_, document)
    if other is not document:
        line, _ = other.place(("id",))
        said = f"another case has this id: {other.file}:{line}"
        Findings(document, reading.problems).add(
            ("id",), "duplicate-id", said, suggestion="rename one of the two"
        )


def _check_metrics_are_fed(findings: Findings, ground: Ground, cases: tuple[Case, ...]) -> None:
    """Note metrics that nothing decides: no check, no rule, no judge, and no expectation that names them."""
    named = {entry.metric for case in cases for entry in case.expect}
    for metric in ground.suite.metrics:
        decided = metric.any_kind or metric.check or metric.rule or metric.judge
        if not decided and metric.name not in named:
            said = f"nothing decides `{metric.name}`"
            advice = f"add `check: ...`, or an expectation with `for: {metric.name}`"
            path = ("metrics", metric.name)
            findings.add(path, "metric-without-check", said, suggestion=advice, at_key=True)


def _code_hash(
    reading: Reading, document: Document, form: SuiteFile | None, folder: Path, suite: Suite | None
) -> str:
    world = form.world if form is not None else None
    checks = suite.own_checks if suite is not None else ()
    named = [path for path in (folder / ref.partition(":")[0] for ref in checks) if path.is_file()]
    for key in ("database", "tools"):
        written = getattr(world, key, None)
        path = beside(folder, written) if written else None
        if path is not None and path.is_file():
            named.append(path)
        elif path is not None and key == "database":
            said = f"there is no file {path}"
            Findings(document, reading.problems).add(
                ("world", key), "no-file", said, suggestion="check the spelling of the path"
            )
    reading.read.update(named)
    try:
        return code_hash(reading.files, folder, named)
    except InputError as error:
        reading.problems += error.problems
    return ""
