"""The page's worked examples, and one short hand-worked trial for each row of its table."""

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
    FactSeen,
    Fault,
    LimitStop,
    Metric,
    Observes,
    Ran,
    Reply,
    Stage,
    StageResult,
    Verdict,
)

# -------------------------------------------------------------------------------- the worked examples


def test_a_skipped_retrieval_is_one_fail_not_three() -> None:
    """The first worked example of section 3: one root, and what hangs below it is no second red."""
    stages = (
        Stage("intent", Ran("always")),
        Stage("retrieve", Ran("called", "search_docs"), ("intent",)),
        Stage("cite", Ran("fact", "citation", "search_docs"), ("retrieve",)),
        reply_stage("answer", "cite"),
    )
    faithful = Metric("faithfulness", stage="answer", needs=("retrieve",))
    result = judge(stages, (Reply(),), metrics={faithful: "fail"})
    missing = Verdict("fail", reason="missing", roots=("retrieve",))
    assert {
        "intent": StageResult(Verdict("pass"), 1, "ok"),
        "retrieve": StageResult(missing, 12, "failed"),
        "cite": StageResult(failed_at("retrieve"), 6, "not examined"),
        "answer": StageResult(Verdict("pass"), 1, "ok", out_of_order=True),
    } == result.stages
    assert {"faithfulness": failed_at("retrieve")} == result.metrics
    assert ("retrieve",) == result.root_stages


def test_a_refund_that_reads_well_and_never_looked_up_fails_at_lookup() -> None:
    """The second worked example: metrics of the reply pass, the outcome fails, and its root is lookup."""
    stages = (tool_stage("lookup"), tool_stage("refund", "lookup"), reply_stage("answer", "refund"))
    polite = Metric("polite", stage="answer", scope="turn")
    outcome = Metric("refunded", stage="refund", scope="outcome", tier="gate", deciding=True)
    result = judge(stages, (Reply(), Reply()), metrics={polite: "pass", outcome: "fail"})
    assert Verdict("pass") == result.metrics["polite"]
    assert Verdict("fail", roots=("lookup",), inherited=True) == result.metrics["refunded"]
    assert ("lookup",) == result.root_stages


# ------------------------------------------------------------------------------------------- the rows


def test_row_1_a_stage_with_output_passes() -> None:
    """What returned something passes, whatever came of its needs in the end."""
    result = judge((A, B), (Call("a"), Call("b")))
    assert {"a": 1, "b": 1} == rows(result)
    assert Verdict("pass") == own(result, "b")
    assert not result.stages["b"].out_of_order


def test_row_1_a_missing_a_blocked_and_a_late_need_are_out_of_order() -> None:
    """Out of order is a fact of three kinds, and an unmeasured need is none of them."""
    missing = judge((A, B), (Call("b"),))
    blocked = judge(CHAIN, (Call("c"),))
    late = judge((A, B), (Call("b"), Call("a")))
    unseen = judge((A, B), (Call("b"),), observes=Observes(unseen_tools=frozenset({"a"})))
    assert missing.stages["b"].out_of_order
    assert failed_at("a") == own(blocked, "b")
    assert blocked.stages["c"].out_of_order
    assert late.stages["b"].out_of_order
    assert not unseen.stages["b"].out_of_order


def test_row_1_a_need_that_ran_before_and_again_later_is_in_order() -> None:
    """It is the first time that a need ran which counts."""
    assert not judge((A, B), (Call("a"), Call("b"), Call("a"))).stages["b"].out_of_order


def test_row_1_a_strict_stage_out_of_order_fails() -> None:
    """`strict` makes a fail of the fact, and the missing need stays its root."""
    result = judge((A, tool_stage("b", "a", strict=True)), (Call("b"),))
    assert Verdict("fail", reason="out_of_order", roots=("a",), inherited=True) == own(result, "b")


def test_row_2_an_empty_stage_fails() -> None:
    """A stage that never returned anything fails, and what needs it is told which stage was empty."""
    result = judge((A,), (EMPTY_A,), metrics={Metric("m", stage="a"): "pass"})
    assert Verdict("fail", reason="empty", roots=("a",)) == own(result, "a")
    assert emptied("a", "a") == result.metrics["m"]


def test_row_2_an_allowed_empty_stage_passes_and_still_bars_its_metrics() -> None:
    """Where the case allows emptiness there was nothing to judge: not asked."""
    case = Case(allow_empty=frozenset({"a"}))
    result = judge((A,), (EMPTY_A,), case, {Metric("m", stage="a"): "pass"})
    assert Verdict("pass") == own(result, "a")
    assert emptied("a") == result.metrics["m"]


def test_row_2_a_fault_at_the_last_call_excuses_emptiness() -> None:
    """An empty stage whose last call met a fault has the taint's cause; a declared fault is no taint."""
    assert unmeasured() == own(judge((A,), (EMPTY_A, fault("a"))), "a")
    assert unmeasured() == own(judge((A,), (EMPTY_A, fault("a"), Call("other"), Reply())), "a")
    assert own(judge((A,), (EMPTY_A, fault("a", declared=True))), "a").reason == "empty"
    assert own(judge((A,), (fault("a"), EMPTY_A)), "a").reason == "empty"


def test_row_2_an_empty_reply_fails_though_the_model_broke_later() -> None:
    """A reply names no tool and has no call that a fault could have met."""
    events = (Reply(output=False), Fault("model", "environment"))
    assert own(judge((reply_stage("answer"),), events), "answer").reason == "empty"


def test_row_3_running_or_attempting_a_forbidden_stage_fails() -> None:
    """The world's refusal is not the agent's restraint, nor is a fault."""
    case = Case(demands={"a": "forbidden"})
    verdict = Verdict("fail", reason="forbidden", roots=("a",))
    for call in (Call("a"), EMPTY_A, Call("a", "refused"), Call("a", "invalid"), fault("a")):
        result = judge((A,), (call,), case, {Metric("m", stage="a"): "pass"})
        assert verdict == own(result, "a")
        assert Verdict("pass") == result.metrics["m"]


def test_row_4_a_stage_that_would_not_have_been_seen_is_not_observed() -> None:
    """Unseen is neither done nor undone, and a metric that needs it says the same."""
    seen = Observes(unseen_tools=frozenset({"a"}))
    result = judge((A,), (), metrics={Metric("m", stage="a"): "pass"}, observes=seen)
    assert unmeasured("not_observed") == own(result, "a") == result.metrics["m"]


def test_row_4_each_kind_of_stage_is_seen_by_its_own_kind_of_event() -> None:
    """Calls show tools and their facts, replies show replies and theirs."""
    stages = (
        A,
        reply_stage("answer"),
        Stage("cited", Ran("fact", "citation", "search")),
        Stage("claimed", Ran("fact", "claim")),
    )
    unseen = {
        Observes(calls=False): {"a", "cited"},
        Observes(replies=False): {"answer", "claimed"},
        Observes(unseen_tools=frozenset({"search"})): {"cited"},
        Observes(unseen_facts=frozenset({"claim"})): {"claimed"},
    }
    for observes, expected in unseen.items():
        told = rows(judge(stages, (), observes=observes))
        assert expected == {name for name, row in told.items() if row == 4}


def test_row_4_an_event_that_was_observed_always_counts() -> None:
    """A trace without calls may still show one."""
    assert Verdict("pass") == own(judge((A,), (Call("a"),), observes=Observes(calls=False)), "a")


def test_row_5_an_optional_stage_that_did_not_run_is_not_required() -> None:
    """Nobody asked for it, so its metrics are not asked either."""
    result = judge((A,), (), Case(demands={"a": "optional"}), {Metric("m", stage="a"): "pass"})
    assert not_asked("not_required") == own(result, "a") == result.metrics["m"]


def test_row_5_a_taint_excuses_an_optional_stage() -> None:
    """An optional stage that met a fault is unmeasured."""
    assert unmeasured() == own(judge((A,), (fault("a"),), Case(demands={"a": "optional"})), "a")


def test_row_6_the_roots_are_those_of_every_need_that_failed() -> None:
    """Two independent causes are two roots, in the suite's order, and pass through what is blocked."""
    stages = (tool_stage("e", "d"), tool_stage("d", "b", "a"), tool_stage("b"), A)
    result = judge(stages, ())
    assert {"e": 6, "d": 6, "b": 12, "a": 12} == rows(result)
    assert failed_at("b", "a") == own(result, "d") == own(result, "e")
    assert ("b", "a") == result.root_stages


def test_row_6_a_forbidden_stage_below_a_missing_one_is_no_restraint() -> None:
    """Restraint counts only where the temptation was reached."""
    assert failed_at("a") == own(judge((A, B), (), Case(demands={"b": "forbidden"})), "b")


def test_row_7_an_unmeasured_need_gives_its_cause() -> None:
    """The first unmeasured need in the suite's order gives the cause."""
    stages = (tool_stage("c", "a", "b"), tool_stage("b"), A)
    seen = Observes(unseen_tools=frozenset({"a"}))
    result = judge(stages, (fault("b", "broken_case"),), observes=seen)
    assert {"c": 7, "b": 9, "a": 4} == rows(result)
    assert unmeasured("broken_case") == own(result, "c")


def test_row_7_a_need_that_a_fault_emptied_is_unmeasured() -> None:
    """A broken dependency is not an emptiness that was found: below it the taint's cause and sub hold."""
    broken = Call("a", "fault", cause="environment", sub="rate")
    verdict = Verdict("error", "environment", sub="rate", cause_class="unmeasured")
    result = judge(CHAIN, (EMPTY_A, broken), metrics={Metric("m", stage="a"): "pass"})
    assert {"a": 2, "b": 7, "c": 7} == rows(result)
    assert verdict == own(result, "a") == own(result, "b") == own(result, "c") == result.metrics["m"]


def test_row_7_holds_below_what_a_fault_emptied_though_the_agent_had_gone_past_it() -> None:
    """A stage below that ran keeps its verdict; one that did not run is unmeasured, not missing."""
    events = (EMPTY_A, Call("b"), fault("a"))
    result = judge((A, B, tool_stage("side", "a")), events)
    assert {"a": 2, "b": 1, "side": 7} == rows(result)
    assert unmeasured() == own(result, "side")


def test_row_8_stays_where_emptiness_is_allowed_or_the_fault_declared() -> None:
    """An emptiness that may be is not asked whatever came last; a declared fault leaves a fail."""
    events = (EMPTY_A, fault("a"))
    assert emptied("a") == own(judge(CHAIN, events, Case(allow_empty=frozenset({"a"}))), "c")
    assert emptied("a", "a") == own(judge(CHAIN, (EMPTY_A, fault("a", declared=True))), "c")


def test_row_8_an_empty_need_is_named_at_its_origin() -> None:
    """What was emptied names the stage that ran and returned nothing, however far above."""
    result = judge(CHAIN, (EMPTY_A,))
    assert {"a": 2, "b": 8, "c": 8} == rows(result)
    assert emptied("a", "a") == own(result, "b") == own(result, "c")


def test_row_8_an_allowed_emptiness_is_not_asked() -> None:
    """Where emptiness is no fail there is no root."""
    assert emptied("a") == own(judge(CHAIN, (EMPTY_A,), Case(allow_empty=frozenset({"a"}))), "c")


def test_row_8_an_emptiness_that_is_a_fail_goes_before_one_that_is_allowed() -> None:
    """The allowed one comes first in the suite, and hides neither from a stage nor through an emptied one."""
    stages = (A, tool_stage("x"), tool_stage("below_x", "x"), tool_stage("d", "a", "below_x"))
    case = Case(allow_empty=frozenset({"a"}))
    result = judge(stages, (EMPTY_A, Call("x", "ok_empty")), case)
    assert {"a": 2, "x": 2, "below_x": 8, "d": 8} == rows(result)
    assert emptied("x", "x") == own(result, "d")


def test_row_9_a_taint_excuses_a_stage_whose_needs_ran() -> None:
    """The stage whose tool broke is unmeasured, and so is what stands below it."""
    result = judge(CHAIN, (Call("a"), fault("b")), metrics={Metric("m", stage="b"): "fail"})
    assert {"a": 1, "b": 9, "c": 7} == rows(result)
    assert unmeasured() == own(result, "b") == own(result, "c") == result.metrics["m"]


def test_row_10_restraint_where_the_temptation_was_reached_passes() -> None:
    """A forbidden stage that was rightly not run passes, and its metrics are not asked."""
    case = Case(demands={"b": "forbidden"})
    result = judge((A, B), (Call("a"),), case, {Metric("m", stage="b"): "fail"})
    assert StageResult(Verdict("pass"), 10, "ok") == result.stages["b"]
    assert not_asked("upstream_refused") == result.metrics["m"]


def test_row_11_a_limit_fails_one_stage_and_blocks_the_others_that_were_not_reached() -> None:
    """The stage of the last event of a stage that never ran was the one that was stopped."""
    stages = (A, tool_stage("b"), tool_stage("c"), reply_stage("d", "a"))
    result = judge(stages, (Call("a"), Call("c", "invalid"), LimitStop()))
    assert {"a": 1, "b": 11, "c": 12, "d": 11} == rows(result)
    assert failed_at("c") == own(result, "b") == own(result, "d")
    assert Verdict("fail", reason="missing", roots=("c",)) == own(result, "c")


def test_row_11_it_is_the_last_event_of_each_stage_that_counts() -> None:
    """A stage that was tried first and last is the stopped one, and an event at the very start is one."""
    stages = (A, tool_stage("b"), tool_stage("c"))
    again = judge(stages, (Call("b", "invalid"), Call("c", "invalid"), Call("b", "invalid"), LimitStop()))
    start = judge(stages, (Call("c", "invalid"), LimitStop()))
    assert {"a": 11, "b": 12, "c": 11} == rows(again)
    assert {"a": 11, "b": 11, "c": 12} == rows(start)


def test_row_11_without_such_an_event_the_first_in_the_suites_order_was_stopped() -> None:
    """No event of a stage that never ran: the first that the last rows fit."""
    result = judge((tool_stage("c"), tool_stage("b"), A), (Call("a"), LimitStop()))
    assert {"c": 12, "b": 11, "a": 1} == rows(result)


def test_row_11_a_stage_that_the_agent_went_past_is_missing() -> None:
    """A limit does not excuse a stage below which something was done or tried."""
    result = judge((tool_stage("d"), A, B), (Call("d", "refused"), Call("b", "refused"), LimitStop()))
    assert {"d": 12, "a": 12, "b": 6} == rows(result)


def test_row_12_a_required_stage_that_did_not_run_is_missing() -> None:
    """Nothing kept the agent from it: a fail, and the error of a metric that needs it has its root."""
    result = judge((A, B), (Call("a"), Call("b", "refused")), metrics={Metric("m", stage="b"): "pass"})
    assert Verdict("fail", reason="missing", roots=("b",)) == own(result, "b")
    assert failed_at("b") == result.metrics["m"]


def test_a_fact_stands_where_the_event_stands_that_it_cites() -> None:
    """A fact of a call is neither earlier nor later than that call, and a failed call shows none."""
    cite = Stage("cite", Ran("fact", "citation", "a"), ("a",))
    assert not judge((A, cite), (Call("a", facts=(FactSeen("citation"),)),)).stages["cite"].out_of_order
    refused = Call("a", "refused", facts=(FactSeen("citation"),))
    assert {"a": 12, "cite": 6} == rows(judge((A, cite), (refused,)))


def test_a_fact_stage_runs_by_a_fact_of_a_call_or_of_a_reply() -> None:
    """The fact says whether it holds anything; another fact says nothing of the stage."""
    stages = (Stage("cited", Ran("fact", "citation", "search")), Stage("claimed", Ran("fact", "claim")))
    both = (Call("search", facts=(FactSeen("citation"),)), Reply(facts=(FactSeen("claim", output=False),)))
    assert Verdict("pass") == own(judge(stages, both), "cited")
    assert "empty" == own(judge(stages, both), "claimed").reason
    twice = Call("search", facts=(FactSeen("citation", output=False), FactSeen("citation")))
    assert Verdict("pass") == own(judge(stages, (twice,)), "cited")
    other = (Call("search", facts=(FactSeen("date"),)), Reply())
    assert {"cited": 12, "claimed": 12} == rows(judge(stages, other))
