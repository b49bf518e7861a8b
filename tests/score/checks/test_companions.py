"""`companion`: the figures of how a trial went."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from evalkit.errors import SuiteBug
from evalkit.records.companions import AT_LEAST, BOUNDS
from evalkit.records.event import Usage
from evalkit.records.fact import DeclaredFact, ModelFact
from evalkit.records.stage import Demand, Ran, Stage
from evalkit.records.suite import FactSource
from evalkit.score.finding import CheckView, Finding
from tests.score.checks.views import END, ask, made, said, unexamined, view_of, without

FACTS = {
    "citation": FactSource.model_validate({"from": "reply", "matches": "d[0-9]"}),
    "verdict": FactSource.model_validate({"from": "call", "tool": "decide", "path": "args.v"}),
}
STAGES = (
    Stage(name="look", ran=Ran(called=("get", "search"))),
    Stage(name="decide", ran=Ran(fact="verdict")),
    Stage(name="cite", ran=Ran(fact="citation")),
    Stage(name="act", ran=Ran(called="pay"), demand="optional"),
    Stage(name="reply", ran=Ran(replied=True)),
)


def seen(*acts: Any, demand: dict[str, Demand] | None = None, **more: Any) -> CheckView:
    """A trial of a suite with stages."""
    found = view_of(*acts, facts=FACTS, **more)
    suite = found.suite.model_copy(update={"stages": STAGES})
    case = found.case.model_copy(update={"demand": demand or {}})
    return CheckView(suite=suite, case=case, sheet=found.sheet, turn=found.turn)


def figure(name: str, view: CheckView, **more: Any) -> Finding:
    """What is found of a figure."""
    return ask("companion", view, figure=name, **more)


def value(found: Finding) -> float | None:
    """What was measured."""
    return found.measure.value if found.measure is not None else None


def cited(name: str, *values: Any, tool: str | None = None, seq: int = 9) -> tuple[DeclaredFact, ...]:
    """Facts that a trial declares."""
    return tuple(DeclaredFact(name=name, value=one, cites=(seq,), tool=tool) for one in values)


def test_every_figure_has_a_bound() -> None:
    """And a bound of the case's own goes before it; it is held against from the side of the figure."""
    assert set(BOUNDS) >= AT_LEAST
    found = figure("repeated_questions", view_of(said("Which? Which?")))
    assert (False, 1.0) == (found.held, value(found))
    assert True is figure("repeated_questions", view_of(said("Which? Which?")), bound=1).held


def test_companion_passes_a_chain_with_every_required_step() -> None:
    """A step that a fact of a call shows is one; optional steps and the reply are none."""
    facts = cited("verdict", "yes", tool="decide", seq=5)
    whole = figure("call_chain", seen(made("get"), made("decide", {"v": "yes"}), declared=facts))
    assert (True, 1.0, (3, 5)) == (whole.held, value(whole), whole.cites)
    half = figure("call_chain", seen(made("search"), made("pay")))
    assert (False, 0.5, (3,)) == (half.held, value(half), half.cites)
    assert "1 of 2 required steps were done, not decide; at least 1" == half.reason
    none = figure("call_chain", seen(made("get", status="refused")))
    assert (False, 0.0, (END,)) == (none.held, value(none), none.cites)


def test_a_case_says_which_steps_are_required() -> None:
    """Where it requires none, nothing is asked."""
    demand: dict[str, Demand] = {"look": "optional", "decide": "forbidden", "act": "required"}
    found = figure("call_chain", seen(made("pay"), demand=demand))
    assert (True, 1) == (found.held, found.measure.n if found.measure else 0)
    free: dict[str, Demand] = {"look": "optional", "decide": "optional", "cite": "optional"}
    for name in ("call_chain", "steps_skipped"):
        assert "not_required" == unexamined(figure(name, seen(demand=free)))


def test_companion_fails_where_steps_are_skipped() -> None:
    """Also those that a fact of a reply would show."""
    found = figure("steps_skipped", seen(made("get")))
    assert (False, 2.0) == (found.held, value(found))
    assert "1 of 3 required steps were done, not decide, cite; at most 0" == found.reason
    facts = (*cited("verdict", "yes", tool="decide"), *cited("citation", "d1"))
    assert (True, 0.0) == _held(figure("steps_skipped", seen(made("get"), declared=facts)))


def test_steps_that_do_not_show_are_not_skipped() -> None:
    """Where something is missing that the trace might hide, nothing is said."""
    hidden = seen(observes=without("results"))
    assert "not_observed" == unexamined(figure("call_chain", hidden))
    facts = cited("verdict", "yes", tool="decide")
    assert True is figure("call_chain", seen(made("get"), declared=facts, observes=without("replies"))).held
    assert "not_observed" == unexamined(
        figure("steps_skipped", seen(made("get"), observes=without("replies")))
    )


def test_calls_that_were_asked_for_at_once_are_one_round() -> None:
    """A call that nobody was seen to ask for is a round of its own; calls in vain count."""
    acts = [structs.replace(made("get"), asked=at) for at in (1, 1, 7)] + [made("get", status="fault")]
    found = figure("retrieval_rounds", seen(*acts, made("pay")), tools=["get", "search"])
    assert (True, 3.0, 4) == (found.held, value(found), found.measure.n if found.measure else 0)
    assert False is figure("retrieval_rounds", seen(*acts), tools=["get"], bound=2).held


def test_no_round_is_a_fail_only_where_the_case_requires_one() -> None:
    """An answer without a look is no short way."""
    required = figure("retrieval_rounds", seen(), tools=["get"])
    assert (False, True, (END,)) == (required.held, required.absent, required.cites)
    free: dict[str, Demand] = {"look": "optional"}
    assert "not_required" == unexamined(figure("retrieval_rounds", seen(demand=free), tools=["get"]))
    assert "not_observed" == unexamined(
        figure("retrieval_rounds", seen(observes=without("calls")), tools=["get"])
    )


def test_a_citation_hits_where_a_tool_returned_it_before() -> None:
    """Anywhere in its result; what comes after the reply, or was invented, does not count."""
    result = made("get", {}, {"hits": [{"id": "d1"}, {"id": "d2"}]})
    found = figure("citation_hit", seen(result, declared=cited("citation", "d1", "d2")), fact="citation")
    assert (True, 1.0, (9,)) == (found.held, value(found), found.cites)
    half = figure("citation_hit", seen(result, declared=cited("citation", "d1", "d7")), fact="citation")
    assert (False, 0.5, True) == (half.held, value(half), "not d7" in half.reason)
    late = figure("citation_hit", seen(result, declared=cited("citation", "d1", seq=1)), fact="citation")
    assert (False, 0.0) == _held(late)
    hidden = seen(declared=cited("citation", "d1"), observes=without("results"))
    assert "not_observed" == unexamined(figure("citation_hit", hidden, fact="citation"))


def test_no_citation_is_a_fail_only_where_the_case_requires_one() -> None:
    """As with rounds."""
    required = figure("citation_hit", seen(said("no")), fact="citation")
    assert (False, "nothing is cited, and the case requires cite") == (required.held, required.reason)
    free: dict[str, Demand] = {"cite": "forbidden"}
    assert "not_required" == unexamined(figure("citation_hit", seen(said("x"), demand=free), fact="citation"))
    with pytest.raises(SuiteBug):
        figure("citation_hit", seen(), fact="nobody")


def test_a_clarifying_round_is_a_question_that_the_user_went_on_to_answer() -> None:
    """The question of the last turn is answered by nobody."""
    acts = [
        said("Which order?"),
        said("I see.", turn=1),
        said("And why?", turn=2),
        said("Anything else?", turn=3),
    ]
    found = figure("clarifying_rounds", view_of(*acts, turns=4))
    assert (True, 2.0, (2, 6)) == (found.held, value(found), found.cites)
    assert False is figure("clarifying_rounds", view_of(*acts, turns=4), bound=1).held
    none = figure("clarifying_rounds", view_of(said("Done.")))
    assert (True, 0.0, (2,)) == (none.held, value(none), none.cites)


def test_what_is_asked_again_is_counted_and_its_turns_are_a_share() -> None:
    """Twice in one turn is a repeated question, and one turn in which it asks again."""
    acts = [said("Which order?"), said("Which order? Which order?", turn=1), said("Thanks.", turn=2)]
    count = figure("repeated_questions", view_of(*acts, turns=3))
    assert (False, 2.0, (4,)) == (count.held, value(count), count.cites)
    assert "2 of 3 questions were asked before, first 'which order'; at most 0" == count.reason
    rate = figure("re_ask_rate", view_of(*acts, turns=3))
    assert (False, 0.5, (4,)) == (rate.held, value(rate), rate.cites)
    assert "not_required" == unexamined(figure("re_ask_rate", view_of(said("Which?"))))


@pytest.mark.parametrize("name", ["clarifying_rounds", "repeated_questions", "re_ask_rate"])
def test_a_conversation_without_a_reply_is_a_fail_and_one_that_does_not_show_is_open(name: str) -> None:
    """Whoever says nothing asks nothing, and that is no merit."""
    found = figure(name, view_of())
    assert (False, True, (END,)) == (found.held, found.absent, found.cites)
    assert "not_observed" == unexamined(figure(name, view_of(observes=without("replies"))))


def test_context_that_was_read_before_is_a_share_of_all() -> None:
    """Of each context at most what the one before it held: 100 + 200 of 100 + 200 + 300."""
    grows = [Usage(input=n - 50, cache_read=50, cache_write=0, output=9) for n in (100, 200, 300)]
    model = tuple(ModelFact(seq=at, turn=0, usage=usage) for at, usage in enumerate(grows, 1))
    found = figure("repeated_context", view_of(model=model))
    assert (True, 0.5, 3, (1, 2, 3)) == (
        found.held,
        value(found),
        found.measure.n if found.measure else 0,
        found.cites,
    )
    assert "300 of 600 tokens of context were read before; at most 0.8" == found.reason
    assert False is figure("repeated_context", view_of(model=model), bound=0.4).held
    for unknown in (
        (),
        (*model, ModelFact(seq=9, turn=0)),
        (ModelFact(seq=1, turn=0, usage=Usage(input=1)),),
    ):
        assert "not_observed" == unexamined(figure("repeated_context", view_of(model=unknown)))


def test_companion_cannot_be_examined_where_it_needs_a_person() -> None:
    """It is never green without one."""
    assert "needs_human" == unexamined(figure("human_acceptance", view_of(said("Fine prose."))))


def _held(found: Finding) -> tuple[bool | None, float | None]:
    return found.held, value(found)
