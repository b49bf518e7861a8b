"""Random fact sheets, and every check kind with arguments that look at them.

What comes in: seeds. What goes out: fact sheets, and what is left of one where the trace does not observe
everything.
"""

from __future__ import annotations

import math
import random
from typing import Any

from hypothesis import strategies as st
from msgspec import structs

from evalkit.records.checks import CheckKind
from evalkit.records.event import EVERYTHING, CallStatus, Observable, Timing, Usage
from evalkit.records.fact import CallFact, ClaimFact, DeclaredFact, FactSheet, ModelFact, ProbeFact
from evalkit.records.probe import REFUSED, Window, stated_id, window_id
from evalkit.records.suite import FactSource
from evalkit.records.written import Json
from tests.score.checks.views import SQL, answered, made, said, sheet_of, view_of

CLAIMS = {"refunded": "select refunded"}
FACTS = {
    "amount": FactSource.model_validate({"from": "call", "tool": "pay", "path": "args.n"}),
    "spoken": FactSource.model_validate({"from": "reply", "path": "n"}),
}
FUNCTIONS: dict[str, Any] = {"c.py:f": lambda sheet: len(sheet.calls) < 3}

# Two entries of every kind at least, so that each of them holds on some sheets and fails on others.
ASKED: tuple[tuple[CheckKind, dict[str, Json]], ...] = (
    ("called", {"calls": [{"tool": "pay"}]}),
    ("called", {"calls": [{"tool": "pay", "args": {"n": 1}}, {"tool": "get"}]}),
    ("called", {"calls": [{"tool": "pay", "args": {"n": 1}, "mode": "exact"}], "times": 1}),
    ("called", {"calls": [{"tool": "pay", "args": {"n": 1}, "mode": "superset"}], "times": 0}),
    ("called", {"calls": [{"tool": "pay", "mode": "ignore"}] * 2, "attempted": True}),
    ("called", {"calls": [{"tool": "pay"}], "attempted": True, "times": 1}),
    ("order", {"tools": ["get", "pay"]}),
    ("order", {"tools": ["get", "pay"], "adjacent": True}),
    ("only_called", {"tools": ["get"]}),
    ("only_called", {"tools": []}),
    ("returned", {"tool": "get", "equals": 1}),
    ("returned", {"tool": "get", "path": "hits[].id", "contains": "d"}),
    ("returned", {"tool": "get", "matches": "d1"}),
    ("state", {"sql": SQL, "equals": 1}),
    ("state", {"sql": SQL, "equals": [1, 2], "tolerance": 0.5}),
    ("unchanged", {"sql": SQL}),
    ("reconcile", {"value": "reply.n", "authority": SQL}),
    ("reconcile", {"value": "fact.amount", "authority": SQL}),
    ("reconcile", {"value": "fact.spoken", "authority": SQL}),
    ("reconcile", {"value": "call.pay.args.n", "authority": SQL}),
    ("identity", {"left": "reply.n", "equals": 1}),
    ("identity", {"left": {"sum": ["call.pay.args.n", 1]}, "equals": {"product": ["reply.n", 2]}}),
    ("identity", {"left": {"difference": ["fact.amount", "fact.spoken"]}, "equals": 0, "tolerance": 0.5}),
    ("eventually", {"sql": SQL, "equals": 1, "within": 2}),
    ("eventually", {"sql": SQL, "equals": [1, 2], "within": 2, "every": 0.5, "tolerance": 0.5}),
    ("sql_equals", {"value": "call.get.result", "gold": SQL}),
    ("sql_equals", {"value": "reply", "gold": SQL, "ordered": True, "allow_empty": True}),
    ("reply", {"contains": "d1", "matches": "d"}),
    ("reply", {"json": {"n": 1}, "numbers": [1], "language": "en"}),
    ("reply", {"equals": {"n": 1}}),
    ("reply", {"json_schema": {"type": "object", "properties": {"n": {"type": "integer", "maximum": 1}}}}),
    ("cites", {"tool": "get", "path": "hits[].id", "pattern": r"d\d"}),
    ("cites", {"tool": "get", "path": "", "pattern": r"d\d", "at_least": 0}),
    ("refused", {"tool": "pay"}),
    ("refused", {"tool": "pay", "matches": "limit"}),
    ("claim_matches_state", {}),
    ("idempotent", {"tool": "pay"}),
    ("idempotent", {"tool": "pay", "key": ["n"]}),
    ("within", {"tool_calls": 1, "turns": 1}),
    ("within", {"tokens": 10, "seconds": 1.0, "cost_usd": 1.0}),
    ("within", {"latency": {"of": "tool", "p50": 1.0}}),
    ("within", {"quantile": {"of": "tool_seconds", "tool": "pay", "p": 100, "at_most": 1.0}}),
    ("within", {"quantile": {"of": "model_seconds", "p": 90, "at_most": 1.0}, "tool_calls": 4}),
    ("within", {"quantile": {"of": "context_tokens", "p": 50, "at_most": 10}}),
    ("schema", {}),
    ("schema", {"tools": ["pay"]}),
    ("encoding", {}),
    ("encoding", {"arguments": True, "mojibake": False}),
    ("repetition", {"ngram": 1}),
    ("repetition", {"of": "replies", "ngram": 2, "max_share": 0.3}),
    ("repetition", {"of": "calls", "max_share": 0.0}),
    ("repetition", {"of": "questions"}),
    ("companion", {"figure": "retrieval_rounds", "tools": ["get", "pay"], "bound": 1}),
    ("companion", {"figure": "citation_hit", "fact": "spoken"}),
    ("companion", {"figure": "clarifying_rounds", "bound": 0}),
    ("companion", {"figure": "repeated_questions"}),
    ("companion", {"figure": "repeated_context", "bound": 0.4}),
    ("python", {"function": "c.py:f"}),
)

SEEDS = st.integers(0, 10**6)
"""A seed is a sheet: drawn evenly, which the strategies of hypothesis for nested values are not."""

_NUMBERS: tuple[Json, ...] = (1, 1, 1.0, 2)
_VALUES: tuple[Json, ...] = (None, 1, 1, "d1", {"hits": [{"id": "d1"}]}, {"hits": [{"id": "d1"}]}, [])
_SAID: tuple[Json, ...] = (
    "see d1",
    "see d1, d2",
    {"n": 1},
    {"n": 2},
    '{"n": 1, "text": "see d1"}',
    "好 1",
    "",
    "d1 d1 d1\x07",
    "d1? d1? d1",
)
_STATUSES: tuple[CallStatus, ...] = ("ok",) * 5 + ("refused", "invalid", "unknown", "unanswered", "fault")
_CELLS: tuple[Json, ...] = (None, True, 0, 1, 1, 1, 2)


def random_sheet(seed: int) -> FactSheet:
    """A sheet that observes everything."""
    rng = random.Random(seed)
    acts = [_random_act(rng) for _ in range(rng.randint(0, 5))]
    end = _random_rows(rng)
    start = end if rng.random() < 0.5 else _random_rows(rng)
    answers = [
        answered(end),
        answered(_random_rows(rng), sql="select refunded"),
        answered(start, when="start"),
        *_random_looks(rng, Window(within=2.0, every=1.0, equals=1)),
        *_random_looks(rng, Window(within=2.0, every=0.5, equals=[1, 2], tolerance=0.5)),
        _random_statement(rng, "call.get.result"),
        _random_statement(rng, "reply"),
    ]
    model = tuple(_random_model(rng, seq) for seq in range(rng.randint(0, 2)))
    sheet = sheet_of(
        *acts,
        answers=answers,
        usage=_random_usage(rng) if rng.random() < 0.7 else None,
        timing=Timing(model=rng.choice((0.5, 2.0))) if rng.random() < 0.8 else None,
        model_replies=len(model),
        model=model,
    )
    return _derived(sheet, claims=rng.random() < 0.6)


def _random_model(rng: random.Random, seq: int) -> ModelFact:
    return ModelFact(seq=seq, turn=0, seconds=rng.choice((0.5, 2.0, None)), usage=_random_usage(rng))


def _random_looks(rng: random.Random, window: Window) -> list[ProbeFact]:
    """What the world said when it was asked again and again: nothing, or what changed once."""
    if rng.random() < 0.1:
        return []
    first = ProbeFact(id=window_id(SQL, window), seq=0, rows=_random_rows(rng))
    waited = rng.choice((0.5, 2.0, 3.0, 4.0))
    return [structs.replace(first, rows=_random_rows(rng), waited=waited, earlier=(first,))]


def _random_statement(rng: random.Random, place: str) -> ProbeFact:
    """What the world said to SQL that the agent stated."""
    if rng.random() < 0.2:
        return ProbeFact(id=stated_id(place), seq=0, cause=REFUSED, message="no such table")
    return ProbeFact(id=stated_id(place), seq=0, rows=_random_rows(rng))


def _random_act(rng: random.Random) -> Any:
    if rng.random() < 0.3:
        return said(rng.choice(_SAID))
    return made(
        rng.choice(("get", "get", "pay", "pay", "look")),
        {name: rng.choice(_NUMBERS) for name in ("n", "m") if rng.random() < 0.6 - 0.4 * (name == "m")},
        rng.choice(_VALUES),
        status=rng.choice(_STATUSES),
        message=rng.choice(("", "over the limit")),
        fault=rng.choice((None, None, "timeout_after")),
        seconds=rng.choice((0.5, 0.5, 2.0, None)),
    )


def _random_usage(rng: random.Random) -> Usage:
    known, cost = (0, 1, 2, 4, 4, None), rng.choice((None, 0.5, 0.5, 2.0))
    return Usage(
        input=rng.choice(known),
        cache_read=rng.choice(known),
        cache_write=rng.choice(known),
        output=3,
        cost_usd=cost,
    )


def _random_rows(rng: random.Random) -> list[list[Json]] | None:
    size = rng.choice((None, 0, 1, 1, 1, 2, 2))
    return None if size is None else [[rng.choice(_CELLS)] for _ in range(size)]


def _derived(sheet: FactSheet, *, claims: bool) -> FactSheet:
    """Add what follows from calls and replies: declared facts, and a claim of the last reply."""
    facts = [_amount(call) for call in sheet.calls if call.status == "ok" and "n" in (call.args or {})]
    facts = [fact for fact in facts if fact.tool == "pay"]
    facts += [
        DeclaredFact(name="spoken", value=reply.fields["n"], cites=(reply.seq,))
        for reply in sheet.replies
        if isinstance(reply.fields, dict) and "n" in reply.fields
    ]
    made_claims = [ClaimFact(name="refunded", seq=reply.seq) for reply in sheet.replies[-1:] if claims]
    return structs.replace(sheet, declared=tuple(facts), claims=tuple(made_claims))


def _amount(call: CallFact) -> DeclaredFact:
    return DeclaredFact(name="amount", value=(call.args or {})["n"], cites=(call.seq,), tool=call.tool)


def view(sheet: FactSheet) -> Any:
    """What a check may read of a sheet."""
    found = view_of(facts=FACTS, claims=CLAIMS, functions=FUNCTIONS)
    return type(found)(suite=found.suite, case=found.case, sheet=sheet, functions=FUNCTIONS)


def hidden(sheet: FactSheet, kind: Observable) -> FactSheet:
    """What is left of a sheet where the trace does not observe one kind of event."""
    left = structs.replace(sheet, observes=tuple(one for one in EVERYTHING if one != kind))
    made_smaller: FactSheet = _HIDE[kind](left)
    return made_smaller


def _hide_calls(sheet: FactSheet) -> FactSheet:
    """Outcomes show their tool, and nothing else of the call."""
    shown = [call for call in sheet.calls if call.returned is not None]
    calls = [structs.replace(call, seq=call.returned, args=None) for call in shown]
    facts = tuple(fact for fact in sheet.declared if fact.tool is None)
    return structs.replace(sheet, calls=tuple(calls), declared=facts)


def _hide_results(sheet: FactSheet) -> FactSheet:
    """Calls show their arguments, and not how they ended."""
    calls = [
        CallFact(
            seq=call.seq, returned=None, turn=call.turn, tool=call.tool, args=call.args, status="unanswered"
        )
        for call in sheet.calls
    ]
    facts = tuple(fact for fact in sheet.declared if fact.tool is None)
    return structs.replace(sheet, calls=tuple(calls), declared=facts)


def _hide_replies(sheet: FactSheet) -> FactSheet:
    facts = tuple(fact for fact in sheet.declared if fact.tool is not None)
    return structs.replace(sheet, replies=(), claims=(), declared=facts, model_replies=0, model=())


_HIDE: dict[Observable, Any] = {
    "calls": _hide_calls,
    "results": _hide_results,
    "replies": _hide_replies,
    "usage": lambda sheet: structs.replace(
        sheet, usage=None, model=tuple(structs.replace(one, usage=None) for one in sheet.model)
    ),
    "probes": lambda sheet: structs.replace(sheet, probes={}),
    "timing": lambda sheet: structs.replace(
        sheet,
        timing=None,
        model=tuple(structs.replace(one, seconds=None) for one in sheet.model),
        calls=tuple(structs.replace(one, seconds=None) for one in sheet.calls),
    ),
}


def is_sound(finding: Any) -> bool:
    """Whether a finding is one that can be counted."""
    measure = finding.measure
    return (
        finding.held in (True, False, None)
        and (finding.held is None) is (finding.cause is not None)
        and bool(finding.reason)
        and all(type(seq) is int for seq in finding.cites)
        and (measure is None or math.isfinite(measure.value))
    )
