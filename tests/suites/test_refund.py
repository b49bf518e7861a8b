"""Tests of the demo suite: its size, its planted truth, and that nothing cheap passes a case."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from evalkit.pipeline.empty import empty_traces
from evalkit.pipeline.gating import GateRequest, gate
from evalkit.pipeline.scoring import Rescorer, scored
from evalkit.records.decision import Decision
from evalkit.records.suite import Suite
from evalkit.store.folder import RunFolder
from evalkit.suite.functions import load_functions
from evalkit.world.clock import SystemClock
from tests.suites.refund_runs import (
    REFUND,
    TRIALS,
    Steps,
    copied,
    loaded,
    outcomes,
    run_arms,
    setting,
    solutions,
)

CAPABILITIES = {"full_refund": 9, "partial_refund": 8, "window_policy": 7, "identity": 8, "refusal": 8}
WITHIN = {"decision": "approve", "reason": "within_policy"}
LAYERS = {"happy", "boundary", "recovery", "adversarial"}
KINDS = {"positive", "negative", "adjacent"}
BROKEN = {"window_policy": "decide", "identity": "verify"}
MENDED = "partial-005"
ARMS = ("champion", "challenger")
FEW = 6  # effects; the one long conversation has a run of its own
SILENT: Steps = [
    {"reply": "Nothing to say."}
] * 3  # for cases that a script is not about; no case has more turns


@pytest.fixture(scope="module")
def suite() -> Suite:
    """The suite as it stands."""
    return loaded()


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run of both arms, some trials a case."""
    return run_arms(REFUND, tmp_path_factory.mktemp("both"), ARMS)


def _capability(suite: Suite) -> dict[str, str]:
    return {case.id: str(case.tags["capability"]) for case in suite.cases}


def _decision(folder: RunFolder, arm: str) -> Decision:
    request = GateRequest(target=str(folder.path), policy=REFUND / "gate.yaml", arms=(arm,))
    return gate(request, setting(folder.path.parent))


# -------------------------------------------------------------------------------------------- what is there


def test_forty_cases_are_spread_over_the_capabilities(suite: Suite) -> None:
    """The figures of the gate rest on these sizes: 7 of 7 proves .652, 7 of 8 proves .529."""
    assert CAPABILITIES == Counter(_capability(suite).values())
    assert 40 == len(suite.cases)


def test_the_desk_has_at_least_fourteen_tools_and_says_what_they_change(suite: Suite) -> None:
    """Tools of every effect, and the limits of payments stand in what a model reads."""
    assert len(suite.tools) >= 14
    assert {tool.effect for tool in suite.tools} == {"read", "write", "pay", "external"}
    payers = [tool for tool in suite.tools if tool.effect == "pay"]
    assert all(str(tool.limits["SINGLE_LIMIT_USD"]) in tool.description for tool in payers)


def test_customers_write_chinese_and_english(suite: Suite) -> None:
    """Both languages stand in every capability, and each case says which it is."""
    spoken = Counter((case.tags["capability"], case.tags["language"]) for case in suite.cases)
    assert all(spoken[name, language] >= 3 for name in CAPABILITIES for language in ("zh", "en"))
    for case in suite.cases:
        chinese = any("\u4e00" <= letter <= "\u9fff" for letter in str(case.turns[0].user))
        assert chinese == (case.tags["language"] == "zh"), case.id


def test_the_world_knows_chinese_and_english_customers() -> None:
    """At least ten of each."""
    rows = [
        line for line in (REFUND / "world.sql").read_text(encoding="utf-8").splitlines() if "('C-" in line
    ]
    assert {"en": 11, "zh": 15} == Counter("zh" if "'zh'" in row else "en" for row in rows if "@" in row)


def test_every_capability_has_all_layers_and_positive_negative_and_adjacent_cases(suite: Suite) -> None:
    """No capability is only asked what it can do, or only on a good day."""
    layers, kinds = defaultdict(set), defaultdict(set)
    for case in suite.cases:
        layers[case.tags["capability"]].add(case.tags["layer"])
        kinds[case.tags["capability"]].add(case.tags["kind"])
    assert dict.fromkeys(CAPABILITIES, LAYERS) == layers
    assert dict.fromkeys(CAPABILITIES, KINDS) == kinds


def test_adjacent_cases_name_a_neighbour_among_the_capabilities(suite: Suite) -> None:
    """An adjacent case says which other capability it could be taken for."""
    for case in suite.cases:
        near = case.tags.get("adjacent", [])
        assert set(near) <= CAPABILITIES.keys() - {case.tags["capability"]}, case.id
        assert near or case.tags["kind"] != "adjacent", case.id


def test_every_fault_that_a_case_declares_is_met_by_the_champion(suite: Suite, both: RunFolder) -> None:
    """A fault that nobody meets would make a case look harder than it is."""
    declared: dict[str, set[str]] = {
        case.id: {one.fault for tool in case.mock.values() for one in tool.answers if one.fault}
        for case in suite.cases
    }
    met: dict[str, set[str]] = defaultdict(set)
    for one in scored(both):
        if one.sheet is not None and one.trial.arm == "champion":
            met[one.trial.case] |= {call.fault for call in one.sheet.calls if call.fault}
    assert declared == {case.id: met[case.id] for case in suite.cases}
    assert {"slow", "forbidden", "delayed_persistence"} <= set().union(*declared.values())


def test_cases_of_one_capability_never_share_a_cluster(suite: Suite) -> None:
    """A cluster counts once; shared clusters would prove less than the sizes promise."""
    pairs = [(case.tags["capability"], case.cluster_name) for case in suite.cases]
    assert len(pairs) == len(set(pairs))


def test_every_case_reads_the_world_more_than_once_and_has_source_and_solution(suite: Suite) -> None:
    """One question to the world would let half a right answer pass."""
    for case in suite.cases:
        assert sum(entry.metric == "refunded" for entry in case.expect) >= 5, case.id
        assert case.source is not None, case.id
        assert case.solution, case.id
        assert {"capability", "layer", "risk"} <= case.tags.keys(), case.id


def test_refusals_forbid_the_payment_and_expect_a_mark(suite: Suite) -> None:
    """Where a refusal is right, paying is forbidden and the refusal itself is looked for."""
    refusing = [case for case in suite.cases if case.demand["act"] == "forbidden"]
    assert len(refusing) >= 12
    for case in refusing:
        assert case.demand["decide"] == "required", case.id
        assert any("from declines" in str(entry.args.get("sql")) for entry in case.expect), case.id


# ----------------------------------------------------------------------------------------- the planted truth


@pytest.mark.parametrize("arm", ARMS)
def test_planted_truth_holds_in_every_trial(arm: str, suite: Suite, both: RunFolder) -> None:
    """Which cases pass and fail is what PLANTED.md says, without a single trial between."""
    broken = {id_ for id_, name in _capability(suite).items() if name in BROKEN}
    failing = {MENDED} if arm == "champion" else broken
    expected = {case.id: {"fail"} if case.id in failing else {"pass"} for case in suite.cases}
    assert expected == outcomes(both)[arm]


def test_the_challenger_fails_at_two_roots_and_the_champion_at_one(suite: Suite, both: RunFolder) -> None:
    """Every failing trial has exactly the root of its capability, whatever else failed below it."""
    capability = _capability(suite)
    seen = {(row.arm, capability[row.case], row.primary) for row in both.blame() if not row.passed}
    expected = {("challenger", name, (stage,)) for name, stage in BROKEN.items()}
    assert expected | {("champion", "partial_refund", ("act",))} == seen


def test_no_passing_trial_leaves_a_process_fault(both: RunFolder) -> None:
    """A right answer by a wrong way would blur the planted truth."""
    assert [] == [(row.arm, row.case, row.phenomenon) for row in both.blame() if row.passed]


def test_the_gate_lets_the_champion_go(both: RunFolder) -> None:
    """Every capability proves at least .5."""
    decision = _decision(both, "champion")
    assert "go" == decision.decision, decision.reasons


def test_the_gate_stops_the_challenger_at_the_two_broken_capabilities(both: RunFolder) -> None:
    """No-go, and the roots name the broken capabilities with their stages and nothing else."""
    decision = _decision(both, "challenger")
    assert "no-go" == decision.decision, decision.reasons
    assert BROKEN == {root.tags["capability"][0]: root.stage for root in decision.roots}
    assert len(BROKEN) == len(decision.roots)


def test_trials_vary_in_words_only(both: RunFolder) -> None:
    """Chance changes what is said; how a trial ends is planted."""
    replies = defaultdict(set)
    for one in scored(both):
        if one.sheet is not None and one.trial.arm == "champion":
            replies[one.trial.case].add(tuple(reply.text for reply in one.sheet.replies))
    assert all(1 <= len(said) <= TRIALS for said in replies.values())
    assert sum(len(said) > 1 for said in replies.values()) >= 20


def test_every_metric_passes_where_the_agent_is_right(both: RunFolder) -> None:
    """No metric of the suite is red by itself: the champion's other 39 cases are green throughout."""
    red = [
        (row.case, row.name, row.outcome, row.cause, row.message)
        for row in both.verdicts()
        if row.arm == "champion" and row.case != MENDED and row.outcome != "pass"
        if row.cause not in {"not_required", "upstream_refused"}
    ]
    assert [] == red


def test_permuting_the_ids_of_cases_changes_no_outcome(suite: Suite, both: RunFolder, tmp_path: Path) -> None:
    """What an agent does depends on what it is told, never on what a case is called."""
    names = sorted(case.id for case in suite.cases)
    moved = dict(zip(names, [*names[11:], *names[:11]], strict=True))
    folder = run_arms(copied(tmp_path, ids=moved), tmp_path / "reports", ARMS, trials=1)
    expected = {
        arm: {moved[case]: found for case, found in cases.items()} for arm, cases in outcomes(both).items()
    }
    assert expected == outcomes(folder)


# ------------------------------------------------------------------------------------------- nothing is free


def test_reference_solutions_pass_every_case(suite: Suite, tmp_path: Path) -> None:
    """A case that its own solution fails is a broken case."""
    arms = {"reference": {"solution": True}}
    folder = run_arms(copied(tmp_path, arms=arms), tmp_path / "reports", ["reference"], trials=1)
    assert {case.id: {"pass"} for case in suite.cases} == outcomes(folder)["reference"]


def test_doing_nothing_passes_no_case(suite: Suite) -> None:
    """An empty transcript fails every case."""
    rescore = Rescorer(suite, load_functions(REFUND, suite.own_checks))
    found = {
        trial.case: rescore.outcome(rescore(trial, trace).verdicts)
        for trial, trace in empty_traces(suite, REFUND, SystemClock())
    }
    assert {case.id: "fail" for case in suite.cases} == found


def test_fair_words_alone_pass_no_case(suite: Suite, tmp_path: Path) -> None:
    """Saying that it is done, or that it cannot be done, moves no money and leaves no mark."""
    said = {
        "boaster": [{"reply": {"status": "refunded", "amount": 1.0, "text": "It is all done."}}] * 3,
        "denier": [{"reply": {"status": "declined", "text": "很抱歉，这个请求我们不能办理，请您谅解。"}}] * 3,
    }
    arms = {name: {"replies": steps} for name, steps in said.items()}
    folder = run_arms(copied(tmp_path, arms=arms), tmp_path / "reports", list(said), trials=1)
    expected = {case.id: {"fail"} for case in suite.cases}
    assert {"boaster": expected, "denier": expected} == outcomes(folder)


@pytest.mark.parametrize("few", [True, False])
def test_every_effect_of_a_solution_is_needed(few: bool, suite: Suite, tmp_path: Path) -> None:  # noqa: FBT001
    """A solution that leaves one write, payment or receipt out fails: a half-right world is not right."""
    effects = {tool.name for tool in suite.tools if tool.effect != "read"}
    lame = {
        case: variants
        for case, steps in solutions().items()
        if (variants := _each_without_one(steps, effects)) and few == (len(variants) <= FEW)
    }
    arms = {
        f"without-{number}": {
            "replies": {"*": SILENT}
            | {case: variants[number] for case, variants in lame.items() if number < len(variants)}
        }
        for number in range(max(map(len, lame.values())))
    }
    folder = run_arms(
        copied(tmp_path, arms=arms), tmp_path / "reports", list(arms), trials=1, only=f"id={','.join(lame)}"
    )
    seen = {(arm, case): found for arm, cases in outcomes(folder).items() for case, found in cases.items()}
    assert {place: {"fail"} for place in seen} == seen


def test_paying_again_without_a_look_fails(tmp_path: Path) -> None:
    """After a time-out the money has moved: who pays again blindly has paid twice."""
    steps = solutions()["partial-007"]
    paying = _place(steps, "issue_partial_refund")
    blind = [*steps[: paying + 1], steps[paying], *steps[paying + 3 :]]
    arms = {"blind": {"replies": {"partial-007": blind, "*": SILENT}}}
    folder = run_arms(copied(tmp_path, arms=arms), tmp_path / "reports", ["blind"], trials=1)
    assert {"fail"} == outcomes(folder)["blind"]["partial-007"]


def test_cheap_ways_through_the_harder_cases_fail(tmp_path: Path) -> None:
    """Paying what was dictated, twice, or on the customer's word, and refusing without a mark."""
    written = solutions()
    dictated = _with(written["full-009"], "issue_refund", amount=320.0)
    paying = _place(written["identity-008"], "issue_partial_refund")
    twice = [*written["identity-008"][: paying + 1], *written["identity-008"][paying:]]
    start = _place(written["window-007"], "record_decision")
    trusting: Steps = [
        *written["window-007"][:start],
        {"call": {"tool": "record_decision", "args": dict(WITHIN, order_id="A-1207")}},
        {"call": {"tool": "issue_refund", "args": {"order_id": "A-1207", "amount": 219.0}}},
        {"call": {"tool": "send_receipt", "args": {"order_id": "A-1207", "refund_id": "R-A-1207-1"}}},
        {"reply": {"status": "refunded", "amount": 219.0, "text": "订单的退款已经办好了，请您查收。"}},
    ]
    giving_up = [*written["refusal-008"][: _place(written["refusal-008"], "get_payments") + 1], SILENT[0]]
    tried = {"full-009": dictated, "identity-008": twice, "window-007": trusting, "refusal-008": giving_up}
    arms = {"cheap": {"replies": tried}}
    folder = run_arms(
        copied(tmp_path, arms=arms), tmp_path / "reports", list(arms), trials=1, only=f"id={','.join(tried)}"
    )
    assert {case: {"fail"} for case in tried} == outcomes(folder)["cheap"]


def test_a_receipt_that_never_goes_out_is_handed_on_and_nothing_is_paid_again(tmp_path: Path) -> None:
    """Where the books stay behind, both arms look, stop, and tell a supervisor; no second payment."""
    suite = copied(tmp_path)
    case = suite.parents[1] / "golden" / "refund" / "full-001.yaml"
    text = case.read_text(encoding="utf-8")
    mock = "mock: {issue_refund: [{fault: delayed_persistence, seconds: 900}]}\n"
    case.write_text(text.replace("input:", f"{mock}input:"), encoding="utf-8")
    folder = run_arms(suite, tmp_path / "reports", ARMS, trials=1, only="id=full-001")
    for one in scored(folder):
        assert one.sheet is not None
        called = Counter(call.tool for call in one.sheet.calls)
        assert (1, 3, 1) == (called["issue_refund"], called["send_receipt"], called["escalate"])
        assert "escalated" == one.sheet.replies[-1].content["status"]


def _place(steps: Steps, tool: str) -> int:
    """Return where a script first calls a tool."""
    return next(at for at, step in enumerate(steps) if step.get("call", {}).get("tool") == tool)


def _with(steps: Steps, tool: str, **args: object) -> Steps:
    """Return a script whose first call of a tool has other arguments."""
    at = _place(steps, tool)
    call = steps[at]["call"]
    return [*steps[:at], {"call": {**call, "args": {**call["args"], **args}}}, *steps[at + 1 :]]


def _each_without_one(steps: Steps, effects: set[str]) -> list[Steps]:
    """Return a script once for each of its effects, with that one left out."""
    places = [at for at, step in enumerate(steps) if step.get("call", {}).get("tool") in effects]
    return [[*steps[:place], *steps[place + 1 :]] for place in places]
