"""One metric of one trial: its findings weighed, its rule applied, its turns folded into one answer.

What comes in: the metric, the entries that feed it, and a function that examines one entry. What goes out:
`Judged`. Cheapest first: checks decide, then the rule; what is left is doubt for a judge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from evalkit.records.checks import CheckKind, Expectation
from evalkit.records.fact import FactSheet
from evalkit.records.metric import Grade, Metric, Rule
from evalkit.records.policy import Mode
from evalkit.records.verdict import ACTIONS, Cause, Measure, Outcome, cause_class
from evalkit.score.finding import Finding
from evalkit.score.grades import grade_of, strongest, weakest

Ask = Callable[[Expectation, int | None], Finding]
"""Examine one entry, of one user turn or (None) of the whole trial; never raises, and `not_` is already
applied."""

_CAUSES: dict[Cause | None, int] = {cause: place for place, cause in enumerate(ACTIONS)}
_BROKEN: frozenset[Cause | None] = frozenset({"broken_case", "harness"})
"""Faults of the suite and of evalkit: what such a metric says is never held against the agent."""
_MOST_CITED = 20
"""Events that one verdict cites; so many show the reader what happened."""


class Judged(Struct, frozen=True, kw_only=True):
    """What a metric's own evidence says.

    Attributes:
        outcome: pass, fail or error.
        cause: Of an error.
        sub: Sub-cause.
        message: One sentence for people.
        cites: `seq` of the events that show it.
        measure: What the answer was read from.
        grade: Strength of the evidence; None for errors.
        decided_by: Which step decided.
    """

    outcome: Outcome
    cause: Cause | None = None
    sub: str | None = None
    message: str = ""
    cites: tuple[int, ...] = ()
    measure: Measure | None = None
    grade: Grade | None = None
    decided_by: Literal["check", "rule", "judge"] = "check"


class Weighed(Struct, frozen=True, kw_only=True):
    """Several findings as one: held by all, refuted by one, or open.

    A fail that was seen stands, whatever else the run could not show; where an entry itself is broken, all of
    it is open. Of several causes a broken one is taken, then the first of the closed list, so that the order
    of the entries changes nothing.
    """

    held: bool | None
    findings: tuple[tuple[CheckKind, Finding], ...]

    @property
    def telling(self) -> tuple[tuple[CheckKind, Finding], ...]:
        """The findings that show it: all of them for a pass, else those that say so."""
        return tuple([pair for pair in self.findings if pair[1].held is self.held])

    @property
    def open(self) -> Finding:
        """Of the findings that could not be examined the one whose cause comes first."""
        unexamined = (finding for _, finding in self.findings if finding.held is None)
        return min(unexamined, key=lambda one: (one.cause not in _BROKEN, _CAUSES[one.cause]))

    @property
    def is_broken(self) -> bool:
        """Whether the suite or evalkit is at fault that an entry was not examined."""
        return any(finding.held is None and finding.cause in _BROKEN for _, finding in self.findings)


class Question(Struct, frozen=True, kw_only=True):
    """One metric in one trial.

    Attributes:
        metric: The metric.
        entries: What feeds it: the suite's own arguments and the case's entries.
        mode: The mode of the trial, for the grade.
        sheet: The facts of the trial, for its turns.
        at_least: User turns that are asked about although they were never begun.
    """

    metric: Metric
    entries: tuple[Expectation, ...]
    mode: Mode
    sheet: FactSheet
    at_least: int = 0


def judge_metric(question: Question, ask: Ask) -> Judged:
    """Return what a metric's own evidence says.

    A metric of scope `turn` is asked about every turn that an entry names; entries that name none, a rule and
    a judge are asked about every turn that was begun. The deciding primary is asked about every turn of the
    case: nothing happened is a fail.

    Args:
        question: The metric and what feeds it.
        ask: Examines one entry.
    """
    if question.metric.scope != "turn":
        return _judge_once(question, question.entries, ask, None)
    return min((judge_turn(question, ask, turn) for turn in turns_asked(question)), key=turn_rank)


def turns_asked(question: Question) -> list[int]:
    """Return the user turns, from 0, about which a metric of scope `turn` is asked, ascending.

    Args:
        question: The metric and what feeds it.
    """
    named = {entry.turn for entry in question.entries if entry.turn is not None}
    free = question.metric.rule or question.metric.judge or any(e.turn is None for e in question.entries)
    everyone = range(max(1, question.sheet.turns, question.at_least)) if free or not named else ()
    return sorted(named.union(everyone))


def turn_rank(judged: Judged) -> int:
    """Return the place of an answer among the turns: broken, fail, unmeasured, explained, pass, not asked."""
    if judged.cause in _BROKEN:
        return -1
    if judged.cause is None:
        return 0 if judged.outcome == "fail" else 3
    return {"unmeasured": 1, "explained": 2, "not_asked": 4}[cause_class(judged.cause, ())]


def judge_turn(question: Question, ask: Ask, turn: int) -> Judged:
    """Answer for one turn and cite it: by the evidence, else by the turn's replies.

    Args:
        question: The metric and what feeds it.
        ask: Examines one entry.
        turn: The user turn, from 0.
    """
    entries = tuple(entry for entry in question.entries if entry.turn in (None, turn))
    judged = _judge_once(question, entries, ask, turn)
    cites = judged.cites or replies_to(question.sheet, turn)
    return msgspec.structs.replace(judged, message=f"turn {turn}: {judged.message}", cites=cites)


def replies_to(sheet: FactSheet, turn: int) -> tuple[int, ...]:
    """Return `seq` of the first replies to a user turn: what cites the turn where nothing else does.

    Args:
        sheet: The facts of the trial.
        turn: The user turn, from 0.
    """
    return tuple([reply.seq for reply in sheet.replies if reply.turn == turn])[:_MOST_CITED]


def _judge_once(question: Question, entries: Sequence[Expectation], ask: Ask, turn: int | None) -> Judged:
    metric = question.metric
    weighed = weigh(entries, ask, turn)
    if weighed.held is False or (weighed.held is None and weighed.findings):
        return _answer(weighed, question.mode, "check")
    if metric.rule is not None:
        ruled = _by_rule(metric.rule, question.mode, lambda expected: weigh(expected, ask, turn))
        if ruled is not None:
            return ruled
    if metric.rule is not None or metric.judge is not None:
        return _doubt(metric)
    if not entries:
        message = f"nothing is expected for {metric.name}"
        return Judged(outcome="error", cause="broken_case", message=message)
    return _answer(weighed, question.mode, "check")


def weigh(entries: Sequence[Expectation], ask: Ask, turn: int | None) -> Weighed:
    """Return what several entries come to; every one of them is examined.

    Args:
        entries: Entries of `expect`, or of a rule; none of them holds nothing, and that is open.
        ask: Examines one entry.
        turn: The user turn for entries that name none.
    """
    found = tuple([(entry.kind, ask(entry, turn if entry.turn is None else entry.turn)) for entry in entries])
    held = [finding.held for _, finding in found]
    whole = Weighed(held=None if None in held or not held else True, findings=found)
    if False in held and not whole.is_broken:
        return Weighed(held=False, findings=found)
    return whole


def _by_rule(rule: Rule, mode: Mode, weighed: Callable[[Sequence[Expectation]], Weighed]) -> Judged | None:
    """Both at once contradict each other; neither is doubt (None); a fail that was seen stands.

    Unless an entry of the rule is broken: that is the rule's answer.
    """
    passes, fails = weighed(rule.pass_when), weighed(rule.fail_when)
    broken = [one for one in (fails, passes) if one.is_broken]
    if broken:
        return _answer(broken[0], mode, "rule")
    if passes.held and fails.held:
        message = "pass_when and fail_when hold both"
        return Judged(outcome="error", cause="broken_case", message=message, decided_by="rule")
    if fails.held:
        return _answer(fails, mode, "rule", outcome="fail")
    unexamined = [one for one in (fails, passes) if one.held is None and one.findings]
    if unexamined:
        return _answer(unexamined[0], mode, "rule")
    return _answer(passes, mode, "rule") if passes.held else None


def _doubt(metric: Metric) -> Judged:
    by = f"judge {metric.judge}" if metric.judge else "a judge"
    message = f"neither checks nor rules decide {metric.name}, and {by} is not available"
    return Judged(outcome="error", cause="judge_unavailable", message=message, decided_by="judge")


def _answer(
    weighed: Weighed, mode: Mode, step: Literal["check", "rule"], outcome: Outcome | None = None
) -> Judged:
    if weighed.held is None:
        shown = weighed.open
        return Judged(
            outcome="error",
            cause=shown.cause,
            sub=shown.sub,
            message=shown.reason,
            cites=shown.cites[:_MOST_CITED],
            decided_by=step,
        )
    message, measure, grades, cited = "", None, [], set[int]()
    for kind, finding in weighed.telling:
        message = message or finding.reason
        measure = measure or finding.measure
        grades.append(grade_of(kind, finding, mode, by_rule=step == "rule"))
        cited.update(finding.cites)
    return Judged(
        outcome=outcome or ("pass" if weighed.held else "fail"),
        message=message,
        cites=tuple(sorted(cited)[:_MOST_CITED]),
        measure=measure,
        grade=weakest(grades) if weighed.held else strongest(grades),
        decided_by=step,
    )
