"""The form of a case -> a case with the suite's defaults resolved, and what is wrong with it.

What comes in: a validated `CaseFile` and what the suite declares. What goes out: a `Case`, sound where no
problems were noted.
"""

from __future__ import annotations

import re

import msgspec

from evalkit.records.case import Case, Step, Turn
from evalkit.records.ports import Message
from evalkit.suite.arguments import check_arguments
from evalkit.suite.bindings import bound, check_excused, check_fed
from evalkit.suite.demands import asking_turns, demands_of, misspelt, strongest
from evalkit.suite.document import Findings, KeyPath
from evalkit.suite.fixtures import fixtures
from evalkit.suite.forms import CaseFile
from evalkit.suite.ground import Ground, check_name, exactly_one
from evalkit.suite.questions import of_case, of_start, of_suite
from evalkit.suite.sql_names import names_in
from evalkit.suite.words import nearest

_ID = re.compile(r"\w[\w.\-]*")  # no separator of paths, no dash in front that a command line would obey
_ROLES = ("system", "user", "assistant", "tool")


def resolve_case(
    findings: Findings, form: CaseFile, ground: Ground, solution: tuple[Step, ...] | None
) -> Case:
    """Return a case with the suite's defaults resolved.

    Args:
        findings: Where problems of the case are noted.
        form: The case as written.
        ground: What the suite declares.
        solution: The steps of its reference solution, loaded.
    """
    _check_id(findings, form)
    _check_history(findings, form)
    entries = tuple(
        bound(findings, ("expect", number), entry, ground) for number, entry in enumerate(form.expect)
    )
    demand = demands_of(findings, form, ground)
    turns = asking_turns(findings, form, _turns(findings, form), demand, ground)
    case = Case(
        id=form.id,
        tags=form.tags,
        source=form.source,
        split=form.split,
        signal=form.signal,
        evidence_needs=form.needs,
        cluster=form.cluster,
        vars=form.vars,
        start=form.start,
        turns=turns,
        demand=strongest(turns, demand),
        allow_empty=form.allow_empty,
        mock=fixtures(findings, form, ground),
        expect=entries,
        without=form.without,
        solution=solution,
        place=f"{findings.document.file}:{findings.document.line}",
    )
    _check_entries(findings, form, case, ground)
    _check_without(findings, form, ground)
    _check_vars(findings, case, ground)
    check_fed(findings, case, ground)
    return case


def _check_id(findings: Findings, form: CaseFile) -> None:
    if not _ID.fullmatch(form.id):
        said = "an id is made of letters, digits, `.`, `_` and `-`, and begins with a letter or digit"
        sound = re.sub(r"[^\w.-]+", "-", form.id).strip("-.")
        advice = f"write `{sound or 'case-1'}`"
        findings.add(("id",), "wrong-value", said, suggestion=advice)


def _check_history(findings: Findings, form: CaseFile) -> None:
    for number, message in enumerate(form.start.history):
        path: KeyPath = ("start", "history", number)
        advice = "write `{role: user, content: ...}`"
        if message.get("role") not in _ROLES:
            said = f"a message has the role {', '.join(_ROLES)}"
            findings.add((*path, "role"), "wrong-value", said, suggestion=advice)
        try:
            msgspec.convert(message, Message)
        except msgspec.ValidationError as error:
            findings.add(path, "wrong-value", f"this is no message: {error}", suggestion=advice)


def _turns(findings: Findings, form: CaseFile) -> tuple[Turn, ...]:
    given = [name for name, value in (("input", form.input), ("turns", form.turns)) if value is not None]
    if not exactly_one(findings, (), given, ("input", "turns")):
        return (Turn(user=""),)
    if form.turns is None:
        return (Turn(user=form.input),)
    if not form.turns:
        findings.add(("turns",), "wrong-value", "the user says nothing", suggestion="add a turn")
        return (Turn(user=""),)
    return tuple(Turn(user=turn.user) for turn in form.turns)


def _check_entries(findings: Findings, form: CaseFile, case: Case, ground: Ground) -> None:
    meant = misspelt(form, ground)
    for number, (written, entry) in enumerate(zip(form.expect, case.expect, strict=True)):
        path: KeyPath = ("expect", number)
        name, _ = written.given
        check_arguments(findings, (*path, name), entry, ground)
        check_excused(findings, path, entry, case, ground, meant)
        if entry.turn is not None and entry.turn >= len(case.turns):
            said = f"the case has {len(case.turns)} user turns, counted from 0"
            advice = f"write at most {len(case.turns) - 1}, or leave `turn` out"
            findings.add((*path, "turn"), "unknown-turn", said, suggestion=advice, value=str(entry.turn))


def _check_without(findings: Findings, form: CaseFile, ground: Ground) -> None:
    fed = [metric.name for metric in ground.suite.metrics if metric.from_suite]
    names = [metric.name for metric in ground.suite.metrics]
    for number, name in enumerate(form.without):
        if check_name(findings, ("without", number), "metric", name, names) and name not in fed:
            said = (
                f"`{name}` has no arguments from the suite: a case that does not feed it goes without anyway"
            )
            findings.add(("without", number), "wrong-value", said, suggestion="leave it out")


def _check_vars(findings: Findings, case: Case, ground: Ground) -> None:
    """Note variables that SQL names and the case does not give."""
    asked = [(question.path, question) for question in (*of_start(case), *of_case(case))]
    asked += [(("vars",), question) for question in of_suite(ground.suite, case)]
    noted: set[str] = set()
    for path, question in asked:
        for name in names_in(question.sql):
            if name not in case.vars and name not in noted:
                noted.add(name)
                said = f"{question.whose} names `${name}`, and the case has no variable of that name"
                findings.add(path, "unbound-var", said, suggestion=_variable(name, case), value=f"${name}")
    if any(case.start.statements) and not ground.suite.has_world:
        said = "the start state changes a database, and the suite has none"
        findings.add(
            ("start", "sql"), "no-world", said, suggestion="add `world: {database: ...}` to the suite"
        )


def _variable(name: str, case: Case) -> str:
    close = nearest(name, case.vars)
    return f"did you mean `${close}`? Else add `{name}` to `vars`" if close else f"add `{name}` to `vars`"
