"""What holds for every check kind, on every fact sheet."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from evalkit.records.checks import CHECKS, CheckKind, Expectation
from evalkit.records.event import EVERYTHING, Observable, Usage
from evalkit.records.fact import CallFact, FactSheet, ReplyFact
from evalkit.score.checks import examine
from evalkit.score.checks.catalogue import CATALOGUE
from evalkit.score.settling import settled
from tests.score.checks.sheets import ASKED, SEEDS, hidden, is_sound, random_sheet, view
from tests.score.checks.views import made, said, sheet_of

ENTRIES = tuple(Expectation(kind=kind, args=args) for kind, args in ASKED)
OBSERVABLES: tuple[Observable, ...] = EVERYTHING


def test_every_kind_is_in_the_catalogue() -> None:
    """The kinds, the models of their arguments, the functions and the laws below are about the same names."""
    kinds = set(get_args(CheckKind))
    assert kinds == set(CHECKS) == set(CATALOGUE) == {kind for kind, _ in ASKED}


@given(SEEDS)
def test_every_finding_can_be_counted(seed: int) -> None:
    """Held, refuted, or open with a cause; always with a reason; a fail cites what shows it."""
    seen = view(random_sheet(seed))
    for entry in ENTRIES:
        found = examine(entry, seen)
        assert is_sound(found)
        assert found.held is not False or found.cites


def test_every_entry_holds_somewhere_and_fails_somewhere() -> None:
    """The laws are not about sheets on which nothing ever happens."""
    seen = [view(random_sheet(seed)) for seed in range(300)]
    told = [{examine(entry, one).held for one in seen} for entry in ENTRIES]
    assert [] == [entry for entry, held in zip(ENTRIES, told, strict=True) if not {True, False} <= held]


@settings(max_examples=300)
@given(SEEDS, st.sampled_from(OBSERVABLES))
def test_what_is_not_observed_never_turns_an_answer_round(seed: int, kind: Observable) -> None:
    """A trace that shows less says the same or nothing: absent is not false, and what was seen counts."""
    sheet = random_sheet(seed)
    for entry in ENTRIES:
        if entry.kind == "python":
            continue  # what a suite's own function makes of a smaller sheet is its own doing
        whole, less = examine(entry, view(sheet)), examine(entry, view(hidden(sheet, kind)))
        assert less.held in (whole.held, None) or whole.held is None
        assert less.held is not None or whole.held is None or less.cause == "not_observed"


@given(SEEDS)
def test_not_turns_what_was_examined_and_nothing_else(seed: int) -> None:
    """As the scorer applies it: an open answer stays open, and nothing to look at holds nothing."""
    sheet = random_sheet(seed)
    for entry in ENTRIES:
        found = examine(entry, view(sheet))
        plain = settled(entry, found, sheet, None)
        turned = settled(entry.model_copy(update={"negated": True}), found, sheet, None)
        assert plain.held is found.held
        if found.held is None:
            assert turned == plain
        elif _has_something_to_look_at(entry, sheet) and not found.absent:
            assert turned.held is not plain.held
            assert f"not_{entry.kind}: {found.reason}" == turned.reason
        else:
            assert False is plain.held is turned.held


def _has_something_to_look_at(entry: Expectation, sheet: FactSheet) -> bool:
    if entry.kind in ("reply", "cites", "encoding", "repetition") and entry.args.get("of") != "calls":
        return bool(sheet.replies)
    if entry.kind == "returned":
        return any(call.tool == entry.args["tool"] and call.status == "ok" for call in sheet.calls)
    return True


def _hostile() -> FactSheet:
    """What an agent can make a sheet look like."""
    nested: Any = 1
    for _ in range(5_000):
        nested = [nested]
    huge = "退" * 300_000
    calls = [
        made("pay", {"n": nested, "m": huge}, nested, message=huge),
        made("pay", {"n": nested, "m": huge}, {"hits": nested}, message="\ud800\x00"),
        made("pay", {}, {"hits": [{"id": nested}, {"id": huge}, {"id": None}, 7, None]}, status="refused"),
        structs.replace(made("get", value={"hits": [{"id": nested}]}), args=None),
        made("", {"": 10**400}, value={"": nested}),
    ]
    replies = [said("\ud800 d1 " + huge), _reply({"n": nested, "\ud800": huge}), _reply(nested)]
    return sheet_of(*calls, *replies, usage=Usage(input=10**400, cost_usd=float("nan")))


def _reply(content: Any) -> ReplyFact:
    return ReplyFact(seq=0, turn=0, content=content, text="d1", fields=content)


@pytest.mark.parametrize(("kind", "args"), ASKED, ids=lambda one: one if isinstance(one, str) else "")
def test_no_check_raises_for_the_agents_sake(kind: CheckKind, args: dict[str, Any]) -> None:
    """Values of any depth and length, lone surrogates, numbers without end: each check has an answer."""
    whole = _hostile()
    for turn in (None, 0, 7):
        for replies in (whole.replies, whole.replies[:1], whole.replies[:2], ()):
            sheet = structs.replace(whole, replies=replies)
            shown = structs.replace(sheet, calls=_turned(sheet.calls))
            for one in (sheet, shown):
                seen = view(one)
                assert is_sound(
                    examine(Expectation(kind=kind, args=args), type(seen)(**_fields(seen) | {"turn": turn}))
                )


def _turned(calls: tuple[CallFact, ...]) -> tuple[CallFact, ...]:
    return tuple(reversed(calls))


def _fields(seen: Any) -> dict[str, Any]:
    return {name: getattr(seen, name) for name in ("suite", "case", "sheet", "functions")}
