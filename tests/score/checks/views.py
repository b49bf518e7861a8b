"""Short ways to write fact sheets down, and to ask one check about them.

What comes in: calls, replies, answers of the world. What goes out: a `CheckView`, a `Finding`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import structs

from evalkit.facts.texts import as_text, fields_of
from evalkit.records.checks import CheckKind, Expectation
from evalkit.records.event import EVERYTHING, CallStatus, Observable
from evalkit.records.fact import CallFact, FactSheet, ProbeFact, ReplyFact, StopFact
from evalkit.records.probe import probe_id
from evalkit.records.suite import Claim, ClaimProbe, FactSource, Suite
from evalkit.records.written import Json
from evalkit.score.checks import examine
from evalkit.score.finding import CheckView, Finding
from tests.facts.events import suite_of

END = 90
"""`seq` of the end of the trial; answers of the world stand before it, from `ANSWERED` on."""

ANSWERED = 70
SQL = "select paid from orders"
"""A question of a suite."""

Act = CallFact | ReplyFact


def made(
    tool: str,
    args: dict[str, Json] | None = None,
    value: Json = None,
    *,
    status: CallStatus = "ok",
    turn: int = 0,
    **more: Any,
) -> CallFact:
    """A call; `view_of` says where it stands."""
    known = {"args": {} if args is None else args, **more}
    return CallFact(seq=0, returned=None, turn=turn, tool=tool, status=status, value=value, **known)


def unread(tool: str, **more: Any) -> CallFact:
    """A call whose arguments are not known."""
    return structs.replace(made(tool, **more), args=None)


def said(content: Json, turn: int = 0) -> ReplyFact:
    """A reply; `view_of` says where it stands."""
    return ReplyFact(seq=0, turn=turn, content=content, text=as_text(content), fields=fields_of(content))


def answered(rows: list[list[Json]] | None, sql: str = SQL, **more: Any) -> ProbeFact:
    """The world's answer at the end, or with `when="start"` at the start."""
    return ProbeFact(id=probe_id(sql, more.pop("when", "end")), seq=0, rows=rows, **more)


def sheet_of(*acts: Act, answers: Iterable[ProbeFact] = (), **more: Any) -> FactSheet:
    """Facts of a trial in which these things happened, in this order: a call takes two events."""
    calls, replies, seq = list[CallFact](), list[ReplyFact](), 0
    for act in acts:
        seq += 2
        if isinstance(act, ReplyFact):
            replies.append(structs.replace(act, seq=seq))
        else:
            returned = None if act.status == "unanswered" else seq + 1
            calls.append(structs.replace(act, seq=seq, returned=returned))
    probes = [structs.replace(one, seq=ANSWERED + at) for at, one in enumerate(answers)]
    given: dict[str, Any] = {"observes": EVERYTHING, "stop": StopFact(end="done", seq=END), **more}
    return FactSheet(
        case="case",
        calls=tuple(calls),
        replies=tuple(replies),
        probes={one.id: one for one in probes},
        **given,
    )


def view_of(
    *acts: Act,
    facts: dict[str, FactSource] | None = None,
    claims: Mapping[str, str] | None = None,
    functions: Mapping[str, Callable[..., object]] | None = None,
    turn: int | None = None,
    **more: Any,
) -> CheckView:
    """What a check may read; `claims` gives each claim its question."""
    declared = {name: Claim(reply=name, holds=ClaimProbe(sql=sql)) for name, sql in (claims or {}).items()}
    suite: Suite = suite_of(facts=facts, claims=declared)
    sheet = sheet_of(*acts, **more)
    return CheckView(suite=suite, case=suite.cases[0], sheet=sheet, functions=functions or {}, turn=turn)


def without(*kinds: Observable) -> tuple[Observable, ...]:
    """What a trace observes that does not show these kinds of event."""
    return tuple(kind for kind in EVERYTHING if kind not in kinds)


def ask(kind: CheckKind, view: CheckView, **args: Json) -> Finding:
    """What a check finds."""
    return examine(Expectation(kind=kind, args=args), view)


def held(kind: CheckKind, view: CheckView, **args: Json) -> bool | None:
    """Whether a check holds."""
    return ask(kind, view, **args).held


def unexamined(finding: Finding) -> str:
    """Why a check could not be examined; "" where it was."""
    return "" if finding.held is not None or finding.cause is None else finding.cause
