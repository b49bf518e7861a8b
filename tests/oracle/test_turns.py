"""Tables per turn, by hand: needs of earlier turns, taints from their turn on, and the order over turns."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.oracle.building import (
    CHAIN,
    EMPTY_A,
    A,
    B,
    emptied,
    failed_at,
    fault,
    not_asked,
    own,
    tool_stage,
    unmeasured,
)
from tests.oracle.drawing import Shape
from tests.oracle.model import (
    Call,
    Case,
    Demand,
    Event,
    Fault,
    LimitStop,
    Metric,
    Raw,
    Reply,
    Stage,
    Suite,
    Trace,
    Trial,
    TrialResult,
    Turn,
    UserSpoke,
    Verdict,
)
from tests.oracle.strategies import seeded_trials
from tests.oracle.trial import judge_trial
from tests.oracle.turns import tables_of

NEXT = UserSpoke()
OUTCOME = Metric("outcome", stage="a", scope="outcome", tier="gate", deciding=True)
SPOKEN = Metric("spoken", stage="b", scope="turn")


def requires(*names: str, **others: Demand) -> Turn:
    """Make what a turn asks: these stages, and the others as they say."""
    required: dict[str, Demand] = dict.fromkeys(names, "required")
    return Turn(demands=required | others)


def talk(
    turns: tuple[Turn, ...],
    *events: Event,
    stages: tuple[Stage, ...] = CHAIN,
    metrics: tuple[Metric, ...] = (OUTCOME,),
    raw: Mapping[str, Raw] | None = None,
    raw_in_turn: Mapping[tuple[str, int], Raw] | None = None,
    forbids: tuple[str, ...] = (),
) -> TrialResult:
    """Judge a conversation; checks hold unless it is said otherwise."""
    names = frozenset(metric.name for metric in metrics)
    case = Case(turns=turns, feeds=names, demands=dict.fromkeys(forbids, "forbidden"))
    says: dict[str, Raw] = dict.fromkeys(names, "pass")
    says.update(raw or {})
    return judge_trial(Trial(Suite(stages, metrics), case, Trace(events), says, raw_in_turn or {}))


def test_what_ran_in_an_earlier_turn_counts_for_needs() -> None:
    """Looked up in the first turn, acted upon in the second; the third asks nothing."""
    result = talk((requires("a"), requires("b"), requires()), Call("a"), NEXT, Call("b"), NEXT)
    assert Verdict("pass") == own(result, "a") == own(result, "b")
    assert 1 == result.stages["b"].turn
    assert not result.stages["b"].out_of_order


def test_a_stage_that_no_turn_asks_for_is_not_required() -> None:
    """Unnamed stages are optional, though the suite requires them by default."""
    assert not_asked("not_required") == own(
        talk((requires("a"), requires("b")), Call("a"), NEXT, Call("b")), "c"
    )


def test_missing_in_one_turn_is_a_fail_and_explains_what_is_below() -> None:
    """The turn in which it was missing gives the verdict, and the roots of what it kept from running."""
    result = talk((requires("a"), requires("b", "c")), Call("a"), NEXT)
    assert Verdict("fail", reason="missing", roots=("b",)) == own(result, "b")
    assert failed_at("b") == own(result, "c")
    assert (1, 1) == (result.stages["b"].turn, result.stages["c"].turn)


def test_a_stage_that_two_turns_ask_for_has_to_run_in_both() -> None:
    """That it ran in an earlier turn serves what needs it, not itself."""
    result = talk((requires("a"), requires("a", "b")), Call("a"), NEXT, Call("b"))
    assert Verdict("fail", reason="missing", roots=("a",)) == own(result, "a")
    assert Verdict("pass") == own(result, "b")


def test_a_stage_may_be_forbidden_in_one_turn_alone() -> None:
    """In the first it was asked for, in the third it must not be."""
    turns = (requires("a", "b"), requires(), requires(b="forbidden"))
    kept = talk(turns, Call("a"), Call("b"), NEXT, Call("b"), NEXT)
    broken = talk(turns, Call("a"), Call("b"), NEXT, NEXT, Call("b", "refused"))
    assert Verdict("pass") == own(kept, "b")
    assert Verdict("fail", reason="forbidden", roots=("b",)) == own(broken, "b")
    assert 2 == broken.stages["b"].turn


def test_what_the_case_forbids_is_forbidden_in_every_turn() -> None:
    """A turn that does not name it allows nothing."""
    result = talk((requires("a"), requires()), Call("a"), NEXT, Call("b"), forbids=("b",))
    assert "forbidden" == own(result, "b").reason


def test_a_taint_counts_from_its_turn_on() -> None:
    """The turn before is judged as it was; what the fault befell is unmeasured."""
    turns = (requires("a"), requires("b"), requires("c"))
    late = talk(turns, Reply(), NEXT, Fault("world", "environment"), NEXT)
    early = talk(turns, Call("a"), NEXT, fault("b"), NEXT)
    assert Verdict("fail", reason="missing", roots=("a",)) == own(late, "a")
    assert Verdict("pass") == own(early, "a")
    assert unmeasured() == own(early, "b") == own(early, "c") == early.metrics["outcome"]


def test_a_fault_that_a_later_turn_made_good_excuses_its_own_turn_alone() -> None:
    """The agent could not do it when it was asked to; the outcome is of the whole trial, and is asked."""
    turns = (requires("a"), requires("b"))
    result = talk(turns, fault("a"), NEXT, Call("a"), Call("b"), raw={"outcome": "fail"})
    assert unmeasured() == own(result, "a")
    assert "fail" == result.metrics["outcome"].outcome


def test_a_stage_that_was_only_ever_empty_is_an_empty_need_of_later_turns() -> None:
    """It fails where it ran, and is the root of what waits for it; output in a turn between feeds it."""
    turns = (requires("a"), requires(), requires("b"))
    starved = talk(turns, EMPTY_A, NEXT, NEXT)
    fed = talk(turns, EMPTY_A, NEXT, Call("a"), NEXT)
    assert emptied("a", "a") == own(starved, "b")
    assert Verdict("fail", reason="missing", roots=("a",), inherited=True) == own(fed, "b")


def test_an_optional_stage_has_the_cause_of_a_taint_in_any_turn() -> None:
    """Unnamed is optional: what passed where it was asked for may be hidden by a fault of a later turn."""
    result = talk((requires("a"), requires("b")), Call("a"), NEXT, Fault("world", "environment"), Call("b"))
    assert unmeasured() == own(result, "a")


def test_an_emptiness_after_a_fault_leaves_later_turns_unmeasured() -> None:
    """The taint still holds there."""
    result = talk((requires("a"), requires("b")), EMPTY_A, fault("a"), NEXT)
    assert unmeasured() == own(result, "a") == own(result, "b")


def test_a_limit_stops_one_stage_of_one_turn() -> None:
    """Turns that were never begun point to it; in turns before it the agent had gone on."""
    stages = (A, B, tool_stage("side"))
    turns = (requires("a"), requires("b"), requires("side"))
    stopped = talk(turns, Call("a"), NEXT, LimitStop(), stages=stages)
    went_on = talk(turns, NEXT, Call("a"), LimitStop(), stages=stages)
    done = talk(turns, Call("a"), NEXT, Call("b"), LimitStop(), stages=stages)
    assert Verdict("fail", reason="missing", roots=("b",)) == own(stopped, "b")
    assert failed_at("b") == own(stopped, "side")
    assert Verdict("fail", reason="missing", roots=("a",)) == own(went_on, "a")
    assert Verdict("fail", reason="missing", roots=("side",)) == own(done, "side")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (("pass", "fail"), Verdict("fail", roots=("b",))),
        (("not_observed", "pass"), unmeasured("not_observed")),
        (("pass", "pass"), Verdict("pass")),
    ],
)
def test_a_turn_metric_is_asked_where_its_turn_lets_it(said: tuple[Raw, Raw], expected: Verdict) -> None:
    """The first turn does not get to its stage, so that nothing is asked there."""
    turns = (requires("a"), requires("b"), requires("b"))
    raw: dict[tuple[str, int], Raw] = {("spoken", 0): "fail", ("spoken", 1): said[0], ("spoken", 2): said[1]}
    result = talk(
        turns,
        Call("a"), NEXT, Call("b"), NEXT, Call("b"),
        metrics=(OUTCOME, SPOKEN), raw_in_turn=raw,
    )  # fmt: skip
    assert expected == result.metrics["spoken"]


def test_a_turn_metric_counts_a_turn_that_does_not_get_to_it() -> None:
    """A fail first, else what could not be asked is told, though another turn was right."""
    turns = (requires("a", "b"), requires("b"))
    result = talk(turns, Call("a"), Call("b"), NEXT, metrics=(OUTCOME, SPOKEN))
    assert failed_at("b") == result.metrics["spoken"]


def test_a_turn_metric_may_need_what_ran_in_an_earlier_turn() -> None:
    """The answer of the second turn is held against what the first one found."""
    faithful = Metric("faithful", stage="b", scope="turn", needs=("a",))
    turns = (requires("a"), requires("b"))
    raw: dict[tuple[str, int], Raw] = {("faithful", 1): "fail"}
    asked = talk(turns, Call("a"), NEXT, Call("b"), metrics=(OUTCOME, faithful), raw_in_turn=raw)
    silent = talk((requires("a"), requires()), Call("a"), NEXT, metrics=(OUTCOME, faithful), raw_in_turn=raw)
    assert Verdict("fail", roots=("b",)) == asked.metrics["faithful"]
    assert Verdict("pass") == silent.metrics["faithful"]


def test_a_deciding_turn_metric_is_asked_about_every_turn_of_the_case() -> None:
    """Nothing happened is a fail, also of a turn that was never begun; a taint counts from its turn on."""
    deciding = Metric("deciding", stage="a", scope="turn", tier="gate", deciding=True)
    turns = (requires("a"), requires("b"))
    raw: dict[tuple[str, int], Raw] = {("deciding", 1): "fail"}
    short = talk(turns, Call("a"), metrics=(deciding,), raw_in_turn=raw)
    broken = talk(turns, Call("a"), NEXT, Fault("world", "environment"), metrics=(deciding,), raw_in_turn=raw)
    before = talk(
        turns, Call("a"), NEXT, Fault("world", "environment"),
        metrics=(deciding,), raw_in_turn={("deciding", 0): "fail"},
    )  # fmt: skip
    assert "fail" == short.metrics["deciding"].outcome == before.metrics["deciding"].outcome
    assert unmeasured() == broken.metrics["deciding"]


def test_a_forbidden_stage_of_an_earlier_turn_is_not_erased_by_a_taint() -> None:
    """The agent did it before the dependency broke: the outcome is a fail."""
    turns = (requires("a", b="forbidden"), requires("c"))
    result = talk(turns, Call("a"), Call("b"), NEXT, Fault("world", "environment"))
    assert "fail" == result.metrics["outcome"].outcome


def test_a_metric_of_the_whole_trial_takes_each_need_over_the_turns() -> None:
    """Two needs that run in different turns let it be asked; one that is missing in any turn does not."""
    both = Metric("both", stage="b", needs=("a", "b"))
    whole = talk((requires("a"), requires("b")), Call("a"), NEXT, Call("b"), metrics=(OUTCOME, both))
    torn = talk((requires("a"), requires("a", "b")), Call("a"), NEXT, Call("b"), metrics=(OUTCOME, both))
    nothing = talk((requires(), requires("b")), NEXT, Call("b"), metrics=(OUTCOME, both))
    assert Verdict("pass") == whole.metrics["both"]
    assert failed_at("a") == torn.metrics["both"]
    assert not_asked("not_required") == nothing.metrics["both"]


def test_what_follows_the_last_turn_of_the_case_belongs_to_it() -> None:
    """A simulated user may speak more often than the case says."""
    result = talk((requires("a"), requires("b")), Call("a"), NEXT, Reply(), NEXT, Call("b"))
    assert Verdict("pass") == own(result, "b")


def test_one_turn_that_names_everything_is_the_table_of_the_trial() -> None:
    """Without a second turn the rule changes nothing."""
    for drawn in seeded_trials(400, seed=21, shape=Shape(partly_seen=False)):
        demands = {s.name: drawn.case.demands.get(s.name, s.demand) for s in drawn.suite.stages}
        turn = Turn(demands=demands, allow_empty=drawn.case.allow_empty)
        case = Case(feeds=drawn.case.feeds, turns=(turn,))
        again = Trial(drawn.suite, case, drawn.trace, drawn.raw)
        assert judge_trial(drawn) == judge_trial(again)


def test_drawn_conversations_reach_every_turn_and_row() -> None:
    """What the property tests are held against covers the rule: all rows in later turns, all merges."""
    rows: set[tuple[int, bool]] = set()
    for trial in seeded_trials(600, seed=5, shape=Shape(turns=True)):
        tables = tables_of(trial)
        for number, table in enumerate(tables):
            rows |= {(finding.row, number > 0) for finding in table.found.values()}
    assert {(row, later) for row in range(1, 13) for later in (False, True)} == rows


def test_a_failing_root_stands_behind_every_explained_error_of_a_conversation() -> None:
    """Roots are worked over the merged verdicts, and each of them fails."""
    for trial in seeded_trials(600, seed=6, shape=Shape(turns=True)):
        result = judge_trial(trial)
        verdicts = [found.verdict for found in result.stages.values()] + list(result.metrics.values())
        for verdict in verdicts:
            if verdict.cause_class == "explained":
                assert verdict.roots
                assert all("failed" == result.stages[root].state for root in verdict.roots)
