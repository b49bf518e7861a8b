"""One short hand-worked trial for each rule around the table: causes, bridges, taints, roots, degradation."""

import pytest

from tests.oracle.building import (
    CHAIN,
    EMPTY_A,
    A,
    B,
    emptied,
    failed_at,
    fault,
    judge,
    not_asked,
    own,
    reply_stage,
    rows,
    tool_stage,
    unmeasured,
)
from tests.oracle.model import (
    Call,
    Case,
    Demand,
    Event,
    Fault,
    LimitStop,
    Metric,
    ModelOk,
    Observes,
    Ran,
    Raw,
    Reply,
    Stage,
    TrialResult,
    Verdict,
)

OUTCOME = Metric("outcome", stage="a", scope="outcome", tier="gate", deciding=True)
ONE_OF_EACH = (
    tool_stage("refused"),
    tool_stage("optional"),
    tool_stage("empty"),
    tool_stage("unseen"),
    tool_stage("missing"),
)
EACH_CASE = Case(demands={"refused": "forbidden", "optional": "optional"})
UNSEEN = Observes(unseen_tools=frozenset({"unseen"}))


def of_needs(*needs: str) -> Verdict:
    """Judge a metric over five stages of which none can be judged, each for another cause."""
    metric = Metric("m", stage="missing", needs=needs)
    events = (Call("empty", "ok_empty"),)
    return judge(ONE_OF_EACH, events, EACH_CASE, {metric: "pass"}, UNSEEN).metrics["m"]


def outcome(result: TrialResult) -> Verdict:
    """Give the verdict of the deciding primary."""
    return result.metrics["outcome"]


# ---------------------------------------------------------------------------------- the order of causes


def test_the_causes_of_unmet_needs_have_one_order() -> None:
    """Failed upstream, then unmeasured, then empty, then not required; refused after all of them."""
    everything = ("refused", "optional", "empty", "unseen", "missing")
    assert failed_at("missing") == of_needs(*everything)
    assert unmeasured("not_observed") == of_needs(*everything[:4])
    assert emptied("empty", "empty") == of_needs(*everything[:3])
    assert not_asked("not_required") == of_needs(*everything[:2])
    assert not_asked("upstream_refused") == of_needs(*everything[:1])


def test_a_stages_unmet_needs_have_the_same_order() -> None:
    """The rows 6, 7 and 8 stand in the order of causes."""
    down = tool_stage("down", "empty", "unseen", "missing")
    down_two = tool_stage("down_two", "empty", "unseen")
    result = judge((down, down_two, *ONE_OF_EACH), (Call("empty", "ok_empty"),), EACH_CASE, observes=UNSEEN)
    assert failed_at("missing") == own(result, "down")
    assert unmeasured("not_observed") == own(result, "down_two")


def test_within_one_cause_the_suites_order_decides() -> None:
    """Of two unmeasured, or two empty, needs the first in the suite speaks, however the need is written."""
    stages = (tool_stage("b"), A, tool_stage("d", "a", "b"))
    first_empty = judge(stages, (EMPTY_A, Call("b", "ok_empty")))
    first_fault = judge(stages, (fault("a"), fault("b", "broken_case")))
    assert emptied("b", "b") == own(first_empty, "d")
    assert unmeasured("broken_case") == own(first_fault, "d")


BROKEN = tool_stage("broken")
BREAKS = (Call("broken", "ok_empty"), fault("broken", "fixture_missing"))
"""A stage that ran empty and whose last call met a fault."""


def test_what_a_fault_emptied_stands_among_the_unmeasured_needs() -> None:
    """After what failed, before what is merely empty, for stages and metrics alike."""
    stages = (*ONE_OF_EACH[2:], BROKEN)
    down = tool_stage("down", "empty", "broken")
    down_two = tool_stage("down_two", "missing", "broken")
    after_empty = Metric("after_empty", stage="empty", needs=("empty", "broken"))
    after_missing = Metric("after_missing", stage="empty", needs=("missing", "broken"))
    events = (Call("empty", "ok_empty"), *BREAKS)
    result = judge((*stages, down, down_two), events, metrics={after_empty: "pass", after_missing: "pass"})
    assert unmeasured("fixture_missing") == own(result, "down") == result.metrics["after_empty"]
    assert failed_at("missing") == own(result, "down_two") == result.metrics["after_missing"]


def test_within_the_unmeasured_the_suites_order_decides_also_over_what_a_fault_emptied() -> None:
    """Unseen or emptied by a fault: the first in the suite speaks."""
    unseen = ONE_OF_EACH[3]
    down = tool_stage("down", "broken", "unseen")
    metric = Metric("m", stage="down", needs=("unseen", "broken"))
    first = judge((BROKEN, unseen, down), BREAKS, metrics={metric: "pass"}, observes=UNSEEN)
    last = judge((unseen, BROKEN, down), BREAKS, metrics={metric: "pass"}, observes=UNSEEN)
    assert unmeasured("fixture_missing") == own(first, "down") == first.metrics["m"]
    assert unmeasured("not_observed") == own(last, "down") == last.metrics["m"]


def test_a_metrics_empty_need_that_is_a_fail_goes_before_one_that_is_allowed() -> None:
    """An explained error never hides behind an allowed emptiness, were it only that of an emptied stage."""
    stages, case = (A, tool_stage("x"), tool_stage("y", "x")), Case(allow_empty=frozenset({"a"}))
    both = Metric("both", stage="a", needs=("a", "x"))
    through = Metric("through", stage="a", needs=("a", "y"))
    result = judge(stages, (EMPTY_A, Call("x", "ok_empty")), case, {both: "pass", through: "pass"})
    assert emptied("x", "x") == result.metrics["both"] == result.metrics["through"]


def test_a_metric_gathers_the_roots_of_all_needs_that_failed() -> None:
    """Two failed needs are two roots; a need that is only unmeasured adds none."""
    metric = Metric("m", stage="a", needs=("c", "b", "a"))
    stages = (A, tool_stage("b"), tool_stage("c"))
    result = judge(stages, (), metrics={metric: "pass"}, observes=Observes(unseen_tools=frozenset({"b"})))
    assert failed_at("a", "c") == result.metrics["m"]


# --------------------------------------------------------------------------------------------- bridging


@pytest.mark.parametrize("demand", ["optional", "forbidden"])
def test_a_need_that_was_not_asked_for_gives_way_to_its_own_needs(demand: str) -> None:
    """What stands below a bridged stage stays required and waits for what the bridge leads to."""
    case = Case(demands={"b": "optional" if demand == "optional" else "forbidden"})
    assert failed_at("a") == own(judge(CHAIN, (), case), "c")
    assert own(judge(CHAIN, (Call("a"),), case), "c").reason == "missing"
    assert emptied("a", "a") == own(judge(CHAIN, (EMPTY_A,), case), "c")


def test_an_optional_stage_that_ran_is_not_bridged() -> None:
    """A need that ran is the need, even where it ran empty."""
    result = judge(CHAIN, (Call("a"), Call("b", "ok_empty")), Case(demands={"b": "optional"}))
    assert emptied("b", "b") == own(result, "c")


def test_a_forbidden_stage_that_was_only_attempted_is_bridged() -> None:
    """It did not run, so its needs take its place; its own fail is a root beside."""
    result = judge(CHAIN, (Call("a"), Call("b", "refused")), Case(demands={"b": "forbidden"}))
    assert {"a": 1, "b": 3, "c": 12} == rows(result)
    assert Verdict("fail", reason="missing", roots=("b",), inherited=True) == own(result, "c")


def test_a_stage_that_is_not_examinable_is_never_bridged() -> None:
    """Nobody knows whether it ran."""
    seen = Observes(unseen_tools=frozenset({"b"}))
    result = judge(CHAIN, (Call("a"),), Case(demands={"b": "optional"}), observes=seen)
    assert unmeasured("not_observed") == own(result, "b") == own(result, "c")


# ----------------------------------------------------------------------------------------------- taints


def test_a_fault_after_which_the_tool_succeeded_is_no_taint() -> None:
    """Success, even empty, clears the fault; a refusal does not, and no other tool does."""
    stages = (A, tool_stage("b"))
    assert own(judge(stages, (fault("b"), Call("b", "ok_empty"))), "b").reason == "empty"
    assert unmeasured() == own(judge(stages, (fault("b"), Call("b", "refused"), Call("a"))), "b")


def test_a_taint_excuses_only_what_the_agent_had_not_gone_past() -> None:
    """A stage below that was done or tried before the fault shows that the stage was skipped."""
    skipped = judge(CHAIN, (Call("c", "refused"), fault("a")))
    waiting = judge(CHAIN, (fault("a"), Call("c", "refused")))
    assert own(skipped, "a").reason == "missing"
    assert unmeasured() == own(waiting, "a")


def test_the_call_that_met_the_fault_counts_as_before() -> None:
    """A fault in a stage below does not excuse the stage above, whose tool is the same or that all lack."""
    named_twice = (A, Stage("b", Ran("called", "a"), ("a",)))
    assert own(judge(named_twice, (fault("a"),)), "a").reason == "missing"
    assert {"a": 12, "b": 6, "c": 6} == rows(judge(CHAIN, (fault("b"),)))


def test_a_taint_holds_below_its_stage_and_not_beside_it() -> None:
    """A fault of a named tool excuses that stage and what is below, and no other branch."""
    stages = (A, tool_stage("side"), B)
    result = judge(stages, (fault("a"),), Case(demands={"b": "optional"}))
    assert {"a": 9, "side": 12, "b": 5} == rows(result)
    assert unmeasured() == own(result, "b")


@pytest.mark.parametrize(
    "event",
    [Fault("model", "environment"), Fault("world", "environment"), fault("of no stage")],
)
def test_a_fault_that_is_nobodys_holds_for_all(event: Event) -> None:
    """Model, world and tools that no stage names taint every stage."""
    result = judge((A, tool_stage("side")), (event,))
    assert unmeasured() == own(result, "a") == own(result, "side")


def test_a_model_that_answered_again_leaves_no_taint() -> None:
    """The same model succeeded again: its fault excuses nothing."""
    events = (Fault("model", "environment"), ModelOk())
    assert own(judge((A,), events), "a").reason == "missing"


def test_a_declared_fault_excuses_nothing() -> None:
    """What the case itself declares, the agent must live with."""
    assert own(judge((A,), (fault("a", declared=True),)), "a").reason == "missing"


def test_a_fact_stage_is_tainted_by_the_tool_that_the_fact_comes_from() -> None:
    """The tool of a fact is named by the fact's stage."""
    cite = Stage("cite", Ran("fact", "citation", "search"))
    result = judge((cite, A), (fault("search"),))
    assert {"cite": 9, "a": 12} == rows(result)


# --------------------------------------------------------------------- the outcome and the deciding primary


@pytest.mark.parametrize("said", ["pass", "fail"])
def test_the_outcome_is_never_blocked(said: Raw) -> None:
    """Nothing happened is a fail, and a world that is right is a pass."""
    assert said == outcome(judge((A,), (), metrics={OUTCOME: said})).outcome


def test_a_deciding_primary_of_another_scope_is_never_blocked_and_others_are() -> None:
    """It is the deciding place that frees a metric, or the scope outcome."""
    deciding = Metric("deciding", stage="a", deciding=True)
    beside = Metric("beside", stage="a")
    result = judge((A,), (), metrics={deciding: "fail", beside: "fail"})
    assert Verdict("fail", roots=("a",)) == result.metrics["deciding"]
    assert failed_at("a") == result.metrics["beside"]


@pytest.mark.parametrize("said", ["pass", "fail"])
def test_a_taint_that_excused_a_required_stage_makes_the_outcome_an_error(said: Raw) -> None:
    """Whether the check would pass or fail, the run did not examine it."""
    assert unmeasured() == outcome(judge((A,), (fault("a"),), metrics={OUTCOME: said}))


def test_a_taint_that_excused_nothing_required_leaves_the_outcome_alone() -> None:
    """An excused optional stage, or a stage that ran before, is no excuse for the outcome."""
    optional = Case(demands={"a": "optional"})
    assert Verdict("fail", roots=("a",)) == outcome(judge((A,), (fault("a"),), optional, {OUTCOME: "fail"}))
    assert Verdict("pass") == outcome(judge((A,), (Call("a"), fault("a")), metrics={OUTCOME: "pass"}))


@pytest.mark.parametrize("demand", ["required", "optional"])
def test_a_stage_below_what_a_fault_emptied_excuses_the_outcome(demand: Demand) -> None:
    """The taint holds for what stands below, and excuses it: where that is required, nothing can be told."""
    events = (EMPTY_A, fault("a"))
    spared = judge(CHAIN, events, Case(demands={"a": demand}), {OUTCOME: "fail"})
    assert unmeasured() == own(spared, "b") == own(spared, "c") == outcome(spared)


def test_a_fault_that_emptied_nothing_required_excuses_no_outcome() -> None:
    """Neither the stage that it met nor one below is required, so the outcome is asked."""
    optional = Case(demands={"a": "optional", "b": "optional"})
    spared = judge((A, B), (EMPTY_A, fault("a")), optional, {OUTCOME: "fail"})
    assert Verdict("fail", roots=("a",)) == outcome(spared)


def test_a_stage_that_the_agent_had_gone_past_excuses_no_outcome() -> None:
    """Its cause comes from its need, and something below it had run before: it was not excused."""
    optional = Case(demands={"a": "optional"})
    spared = judge(CHAIN, (Call("c"), EMPTY_A, fault("a")), optional, {OUTCOME: "fail"})
    assert unmeasured() == own(spared, "b")
    assert Verdict("fail", roots=("a",)) == outcome(spared)


def test_a_taint_that_holds_for_all_makes_the_outcome_an_error() -> None:
    """Even where every stage had run before."""
    events = (Call("a"), Fault("harness", "harness"))
    assert unmeasured("harness") == outcome(judge((A,), events, metrics={OUTCOME: "pass"}))


def test_what_was_not_recorded_makes_the_outcome_not_observed() -> None:
    """The check of the outcome had nothing to read."""
    assert unmeasured("not_observed") == outcome(judge((A,), (Call("a"),), metrics={OUTCOME: "not_observed"}))


def test_a_forbidden_stage_that_ran_before_the_taint_is_a_fail() -> None:
    """An agent's failure is never excused as an error; what it did under the taint is not held against it."""
    stages, case = (A, tool_stage("f")), Case(demands={"f": "forbidden"})
    taint = Fault("world", "environment")
    before = judge(stages, (Call("a"), Call("f", "refused"), taint), case, {OUTCOME: "pass"})
    after = judge(stages, (Call("a"), taint, Call("f")), case, {OUTCOME: "fail"})
    assert Verdict("fail", roots=("a",)) == outcome(before)
    assert unmeasured() == outcome(after)
    assert own(before, "f").reason == own(after, "f").reason == "forbidden"


# ----------------------------------------------------------------------------------- roots, states, limits


def test_a_fail_below_a_failing_ancestor_is_inherited() -> None:
    """A gate metric's fail makes a root of its stage, and the fail below it hangs on that root."""
    gate = Metric("gate", stage="a", tier="gate")
    result = judge((A, B), (Call("a"), Call("b", "ok_empty")), metrics={gate: "fail"})
    assert Verdict("fail", roots=("a",)) == result.metrics["gate"]
    assert Verdict("fail", reason="empty", roots=("a",), inherited=True) == own(result, "b")
    assert "failed" == result.stages["a"].state


def test_a_fail_of_an_observed_metric_makes_no_root() -> None:
    """The observe tier never turns a stage red."""
    watched = Metric("watched", stage="a", tier="observe")
    result = judge((A, B), (Call("a"), Call("b", "ok_empty")), metrics={watched: "fail"})
    assert Verdict("fail") == result.metrics["watched"]
    assert Verdict("fail", reason="empty", roots=("b",)) == own(result, "b")
    assert ("b",) == result.root_stages


def test_two_independent_failing_ancestors_are_two_roots() -> None:
    """`roots` is a list."""
    stages = (tool_stage("x"), A, tool_stage("d", "a", "x"))
    result = judge(stages, (EMPTY_A, Call("x", "ok_empty"), Call("d", "ok_empty")))
    assert ("x", "a") == own(result, "d").roots == result.root_stages


def test_the_ancestors_of_a_root_are_those_of_the_declared_graph() -> None:
    """A bridge moves needs, never ancestors: an attempted forbidden stage is still above."""
    result = judge(CHAIN, (Call("a"), Call("b", "refused")), Case(demands={"b": "forbidden"}))
    assert ("b",) == result.root_stages


@pytest.mark.parametrize("miss", [EMPTY_A, Call("a", "invalid"), fault("a")])
def test_a_miss_made_good_is_soft(miss: Call) -> None:
    """Output after a miss is `recovered`; a miss after output is nothing."""
    good = judge((A,), (miss, Call("a")))
    bad = judge((A,), (Call("a"), miss))
    assert (True, "soft") == (good.stages["a"].recovered, good.stages["a"].state)
    assert (False, "ok") == (bad.stages["a"].recovered, bad.stages["a"].state)


def test_a_miss_between_or_around_output_is_recovered() -> None:
    """One miss with output after it is enough."""
    assert judge((A,), (EMPTY_A, Call("a"), EMPTY_A)).stages["a"].recovered
    assert judge((A,), (Call("a"), EMPTY_A, Call("a"))).stages["a"].recovered


def test_a_limit_after_everything_ran_changes_nothing() -> None:
    """Every metric is judged on what was reached."""
    assert {"a": 1, "b": 1} == rows(judge((A, B), (Call("a"), Call("b"), LimitStop())))


# --------------------------------------------------------------------------------------------- degraded


def test_a_recovered_fault_degrades_and_a_declared_or_lasting_one_does_not() -> None:
    """Degraded is what reached its end after a fault that was made good."""
    assert judge((A,), (fault("a"), Call("a"))).degraded
    assert not judge((A,), (fault("a", declared=True), Call("a"))).degraded
    assert not judge((A,), (Call("a"), fault("a"))).degraded
    assert judge((A,), (Fault("model", "environment"), ModelOk(), Call("a"))).degraded


def test_a_fallback_degrades_unless_only_declared_faults_led_to_it() -> None:
    """A declared fallback that ran is degraded, but a fault that the case declares does not degrade."""
    stages = (A, tool_stage("cache", fallback=True), reply_stage("answer"))
    assert judge(stages, (Call("a"), Call("cache"), Reply())).degraded
    assert judge(stages, (Call("cache"), fault("a", declared=True), Reply())).degraded
    assert judge(stages, (fault("a"), Call("cache"), Reply())).degraded
    assert not judge(stages, (Call("a"), Call("cache", "refused"), Reply())).degraded
    assert not judge(stages, (fault("a", declared=True), Call("cache"), Reply())).degraded
    assert judge(stages, (fault("a", declared=True), fault("b"), Call("cache"), Reply())).degraded
