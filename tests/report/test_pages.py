"""What the pages say: every look by its sign, every figure with what belongs beside it."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace as structs_replace

from evalkit.errors import Problem
from evalkit.records.attribution import Attribution
from evalkit.records.board import BoardRow, Cell, RunLine, TrialView
from evalkit.records.checkup import Proof, SuiteCheck
from evalkit.records.decision import Decision, RootSummary
from evalkit.records.estimate import Estimate
from evalkit.records.event import Body, Closed, Event, Opened, Replied
from evalkit.records.fact import StopFact
from evalkit.records.policy import GatePolicy
from evalkit.records.signature import Signature
from evalkit.records.verdict import Measure, Verdict
from evalkit.report.checks import check_page
from evalkit.report.console import Look
from evalkit.report.decisions import decision_page
from evalkit.report.events import in_words, trace_lines
from evalkit.report.figures import asked_lines, shown_lines
from evalkit.report.grid import grid
from evalkit.report.pages import blame_page, board_page, case_page, trial_page
from evalkit.report.runs import list_page, run_block
from tests.report import building

PLAIN = Look()


def _line(page: str, part: str) -> str:
    return next(line for line in page.split("\n") if part in line)


@pytest.mark.parametrize(
    ("cell", "sign"),
    [
        (Cell(roots=2), "F"),
        (Cell(roots=1, passed=1), "F1"),
        (Cell(below=2), "f"),
        (Cell(explained=2), "-"),
        (Cell(unmeasured=1, below=1), "?1"),
        (Cell(passed=2, degraded=2), "~"),
        (Cell(passed=2), "."),
        (Cell(not_asked=2), "o"),
        (Cell(), ""),
    ],
)
def test_every_look_has_its_own_sign(cell: Cell, sign: str) -> None:
    """Signs differ without colour; the worst is shown, with the trials that it holds for."""
    lines = grid(building.columns(("s",)), [building.row("c", "a", (cell,))], PLAIN)
    assert f"c    1/2  {sign}".rstrip() == lines[1]


def test_the_signs_are_explained() -> None:
    """Every sign of the grid stands in the legend, and every number with its name."""
    text = " ".join(grid(building.columns(("find", "solved", "kind")), [_row()], PLAIN))
    assert all(f"{sign} " in text for sign in "Ff-?~.o")
    assert "1 find" in text
    assert "2 solved (decides)" in text
    assert "3 kind (observed)" in text


def _row(case: str = "c", cells: int = 3) -> BoardRow:
    return building.row(case, "a", (Cell(passed=2),) * cells)


def test_forty_columns_take_more_than_one_block() -> None:
    """As many columns side by side as fit; the others follow below, and none is lost."""
    names = tuple(f"m{at}" for at in range(1, 41))
    lines = grid(building.columns(names), [_row(cells=40)], PLAIN)
    heads = [line for line in lines if line.startswith("case")]
    assert len(heads) > 1
    shown = [word for line in heads for word in line.replace("|", " ").split()[2:]]
    assert [str(at) for at in range(1, 41)] == shown


def test_long_case_ids_are_not_cut() -> None:
    """Two ids that differ in their last letter are told apart."""
    ids = tuple("an-unusually-long-case-id-that-ends-" + "in-" * 6 + last for last in "ab")
    text = "\n".join(grid(building.columns(("s",)), [_row(name, 1) for name in ids], PLAIN))
    assert "…" not in text
    assert ["n-in-in-in-in-a", "n-in-in-in-in-b"] == [line for line in text.split("\n") if line[:2] == "n-"]


def test_a_board_too_long_for_a_page_keeps_its_fails() -> None:
    """Of a hundred cases sixty are shown, those that failed among them, and the rest is counted."""
    rows = [
        BoardRow(case=f"c{at}", arm="a", trials=1, cells=(Cell(passed=1),), outcome=(1, 0, 0))
        for at in range(99)
    ]
    bad = BoardRow(case="bad", arm="a", trials=1, cells=(Cell(roots=1),), outcome=(0, 1, 0))
    board = msgspec.structs.replace(
        building.board("x", width=1), rows=(*rows, bad), columns=building.columns(("s",))
    )
    board = msgspec.structs.replace(board, next="evalkit show x bad")
    page = board_page(board, PLAIN)
    assert "bad" in _line(page, "bad")
    assert "... and 40 cases more, 0 of them not wholly passed" in page
    assert page.endswith("next: evalkit show x bad")


def test_a_conditional_rate_stands_beside_its_root_stage() -> None:
    """Of those that got there .95 is never printed without how many did."""
    figures = [
        Estimate(metric="faithful", value=0.57, worst=0.57, best=0.57),
        Estimate(metric="faithful", statistic="conditional", value=0.95),
        Estimate(metric="retrieve", statistic="ran", value=0.6, flags=("root_of=faithful",)),
    ]
    lines = shown_lines(figures, PLAIN)
    at = next(at for at, line in enumerate(lines) if "of those that got there" in line)
    assert ".950" in lines[at]
    assert "root stage retrieve ran" in lines[at + 1]
    assert ".600" in lines[at + 1]


def test_clean_and_degraded_are_printed_apart() -> None:
    """Where a trial was degraded, clean and degraded stand beside the rate."""
    figures = [Estimate(metric="solved", value=0.9, clean=0.6, degraded=0.3, worst=0.9, best=0.9, n=100)]
    head, first, *_ = shown_lines(figures, PLAIN)
    assert ["clean", "degraded"] == head.split()[-2:]
    assert [".600", ".300"] == first.split()[-2:]


def test_worst_and_best_stand_beside_what_is_not_known() -> None:
    """Where trials are unmeasured, worst and best have columns of their own; else one line says so."""
    sure = Estimate(metric="m", value=0.5, worst=0.5, best=0.5)
    unsure = msgspec.structs.replace(sure, worst=0.4, best=0.6)
    assert ["worst", "best"] == shown_lines([unsure], PLAIN)[0].split()[-2:]
    assert shown_lines([sure], PLAIN)[-1].startswith("worst and best are the value itself")


@pytest.mark.parametrize(
    ("side", "decision", "proven", "asked"),
    [
        ("at_least", "go", ">= .600", ">= .500"),
        ("at_least", "no-go", "<= .600", ">= .500"),
        ("at_least", "undecided", ">= .600", ">= .500"),
        ("at_most", "go", "<= .600", "<= .500"),
        ("at_most", "no-go", ">= .600", "<= .500"),
    ],
)
def test_what_is_proven_says_in_which_direction(side: str, decision: str, proven: str, asked: str) -> None:
    """The bound that decides is a lower or an upper one, and the page says which."""
    one = Estimate(
        metric="m",
        value=0.7,
        bound=0.6,
        threshold=0.5,
        n=9,
        decision=decision,  # type: ignore[arg-type]
        flags=(side,),
    )
    line = asked_lines([one], PLAIN)[1]
    assert ["m rate", ".700", proven, asked, "9", "-", "-", decision] == [
        word.strip() for word in line.split("  ") if word.strip()
    ]


def _decision(**more: object) -> Decision:
    plain = Decision(
        decision="no-go",
        reasons=("no-go: it fell",),
        changes=("mend verify",),
        estimates=tuple(
            Estimate(
                metric="refunded", slice=f"capability={name}", value=0.0, threshold=0.5, decision="no-go"
            )
            for name in ("full_refund", "window_policy")
        ),
        roots=(
            RootSummary(stage="verify", cause="missing", cases=("c1",), tags={"capability": ["x"]}, trials=2),
        ),
        counts=building.counts(),
        signature=Signature(suite_hash="f" * 64, mode="mock"),
        run="r1",
        arm="challenger",
        policy={"purpose": "regression", "coverage": 0.98, "defaults": ["coverage"]},
    )
    return msgspec.structs.replace(plain, **more)


def test_a_decision_begins_with_itself_and_ends_with_what_to_type() -> None:
    """The first word is the decision, the last lines the exit code and the next command."""
    lines = decision_page(_decision(), PLAIN).split("\n")
    assert "NO-GO  arm challenger, run r1" == lines[0]
    assert ["exit code 1", "next: evalkit show r1 c1"] == lines[-2:]


def test_a_decision_prints_the_law_and_the_causes() -> None:
    """The counts add up on the page, errors with their causes."""
    page = decision_page(_decision(), PLAIN)
    assert "6 planned = 3 pass + 2 fail + 1 error; coverage .833" in page
    assert "errors: 1 environment" in page
    assert "verify (missing): 2 trials of 1 case; capability x" in page


def test_the_words_that_matter_are_not_cut() -> None:
    """Capabilities stand in full under what was asked of each."""
    page = decision_page(_decision(), PLAIN)
    assert "refunded rate per capability" in page
    assert "- full_refund" in page
    assert "- window_policy" in page
    assert "…" not in page


def test_explain_prints_every_entry_and_marks_defaults() -> None:
    """Every entry of the policy is there with its meaning; what was not written is marked."""
    page = decision_page(_decision(), PLAIN, explain=True)
    assert all(f"{name} = " in page for name in GatePolicy.model_fields if name != "require")
    assert "coverage = 0.98*" in page
    assert "purpose = regression:" in page
    assert "below coverage .90 nothing is decided" in page
    assert "suite_hash" in page


def test_degraded_trials_are_counted_on_the_first_page() -> None:
    """A run whose passes were degraded says so in its counts."""
    page = decision_page(_decision(counts=building.counts(degraded=2)), PLAIN)
    assert "coverage .833; 2 degraded" in page


def test_overrides_are_printed() -> None:
    """Flags that took the place of the policy stand among what to know."""
    page = decision_page(_decision(warnings=("--trials 2 instead of the policy's 5",)), PLAIN)
    assert "--trials 2 instead of the policy's 5" in page


def test_a_trial_shows_verdicts_facts_and_trace() -> None:
    """One trial: every verdict, why it failed, its facts, its events; what a fail cites is marked."""
    page = trial_page(building.view("x"), PLAIN)
    assert all(part in page for part in ("why", "facts", "trace", "root x", "follows from x"))
    assert "what to do: fix the environment, then `evalkit retry RUN --errors`" in page.replace(
        "\n         ", " "
    )
    assert "fact x =" in page
    assert "claims x (event 3)" in page
    assert _line(page, "opened: x").startswith(">   0")
    assert "not observed: results, replies, usage, probes, timing" in page


def test_a_passing_trial_says_what_failed_in_it() -> None:
    """Its record says that it passed, and a metric that failed is no fault."""
    view = building.view("x")
    assert view.attribution is not None
    passed = msgspec.structs.replace(view, attribution=msgspec.structs.replace(view.attribution, passed=True))
    assert "it passed all the same; x failed" in trial_page(passed, PLAIN)


def test_a_pass_that_was_read_from_a_bound_shows_its_measure() -> None:
    """A figure that is only observed is there to be seen; without a bound a pass stays one line."""
    verdict = Verdict(index=0, case="c", arm="a", trial=0, of="metric", name="rounds", outcome="pass")
    measured = structs_replace(verdict, measure=Measure(value=2.0, unit="rounds", threshold=3.0))
    view = building.view("x")
    assert "measured 2 rounds, asked 3" in trial_page(structs_replace(view, verdicts=(measured,)), PLAIN)
    free = structs_replace(verdict, measure=Measure(value=2.0, unit="rounds"))
    assert "measured" not in trial_page(structs_replace(view, verdicts=(free,)), PLAIN)


def test_a_case_shows_its_trials_and_the_first_that_failed() -> None:
    """All trials in a table, then the verdicts of the first that failed, and how to see its trace."""
    good = msgspec.structs.replace(building.view("x", trial=0), attribution=None)
    page = case_page((good, building.view("x", trial=1)), PLAIN)
    assert ["a", "0", "1", "1 pass, 2 fail, 1 error", "-"] == [
        word.strip() for word in page.split("\n")[2].split("  ") if word.strip()
    ]
    assert "x #1 [a]" in page
    assert page.endswith("its trace and facts: evalkit show RUN x 1")


def test_events_are_told_in_words() -> None:
    """Every kind of event says who did what; a probe says what the world answered."""
    told = [in_words(event) for event in building.trace("x").events]
    assert {"trial", "user", "model", "call", "result", "reply", "probe", "fault", "limit"} == {
        who for who, _ in told
    }
    assert ("call", 'x {"x": ["x"]}') in told
    assert ("result", "x fault (environment), fault http_500: x") in told
    assert ("probe", 'x -> [["x"]]') in told
    assert ("fault", "declared fault of the model: environment/rate x") in told


def test_blame_names_causes_before_cases() -> None:
    """The count of causes comes first, each with an example and the event that left the path."""
    lines = blame_page(building.blamed("x"), PLAIN).split("\n")
    assert "1 root cause in 1 case" == lines[0]
    assert "  x (x): 1 trial of 1 case, capability x" in lines
    assert "    left at event 3, x" in lines
    assert "no trial failed" == blame_page((), PLAIN)


def test_blame_tells_trials_that_passed_from_those_that_failed() -> None:
    """A metric that failed in a passing trial is counted apart, and no trial is said to have failed by it."""
    (one,) = building.blamed("x")
    passed = structs_replace(one, example=structs_replace(one.example, passed=True))
    head = blame_page((one, passed), PLAIN).split("\n")[0]
    assert "1 root cause of failing trials in 1 case; 1 root cause of trials that passed" in head
    page = blame_page((passed,), PLAIN)
    assert page.startswith("1 root cause of trials that passed all the same in 1 case")
    assert "which passed all the same" in page


def test_a_long_row_of_powers_is_shown_by_its_ends() -> None:
    """Up to five pass^k all are printed, of more the first and the last."""

    def shown(most: int) -> list[str]:
        figures = [Estimate(metric="m", statistic=f"pass^{k}", value=0.5) for k in range(1, most + 1)]
        return [line.split()[1] for line in shown_lines(figures, PLAIN) if line.startswith("m ")]

    assert [f"pass^{k}" for k in range(1, 6)] == shown(5)
    assert ["pass^1", "pass^8"] == shown(8)


def test_what_is_undefined_says_why() -> None:
    """A dash alone explains nothing: the reason stands below the table, asked for or not."""
    shown = Estimate(metric="m", statistic="pass^4", reason="2 trials asked, fewer than k = 4")
    asked = structs_replace(
        shown, statistic="rate", slice="case=c", threshold=0.5, reason="nothing was asked"
    )
    assert "- is undefined: m pass^4: 2 trials asked, fewer than k = 4" in shown_lines([shown], PLAIN)
    assert "- is undefined: m rate, c: nothing was asked" in asked_lines([asked], PLAIN)


def test_names_of_runs_are_never_broken() -> None:
    """A name is there to be copied: other columns give way, and on a narrow terminal it stands above them."""
    name = "20261130-120052-a-suite-with-a-long-name"
    line = RunLine(name=name, arms=("champion", "challenger"), mode="mock", planned=180, decision="undecided")
    for width in (40, 60, 80, 133):
        assert name in list_page((line,), Look(width=width)), width


def _event(seq: int, body: Body) -> Event:
    return Event(execution="e", seq=seq, at=0, turn=0, body=body)


def test_a_limit_is_told_once() -> None:
    """The end and its message are one phrase."""
    ended = Closed(end="limit", message="limit seconds: 10 of 10")
    view = building.view("x")
    assert view.sheet is not None
    stop = StopFact(end="limit", seq=3, limit="seconds", message=ended.message)
    page = trial_page(structs_replace(view, sheet=structs_replace(view.sheet, stop=stop)), PLAIN)
    assert "  ended: limit seconds: 10 of 10\n" in page
    assert ("trial", "closed: limit seconds: 10 of 10") == in_words(_event(0, ended))


def test_a_reply_is_shown_whole_and_a_time_that_is_not_known_is_none() -> None:
    """What the user was told is never cut; a recording without times shows none."""
    said = " ".join(f"word{at}" for at in range(900))
    bodies: tuple[Body, ...] = (Opened(case="c", arm="a", mode="imported", trial=0), Replied(content=said))
    events = [_event(at, body) for at, body in enumerate(bodies)]
    lines = list(trace_lines(events, frozenset(), PLAIN))
    assert said == " ".join(line[24:] for line in lines[1:])
    assert ["-", "-"] == [lines[at].split()[1] for at in (0, 1)]


def test_what_to_do_names_the_run_and_leaves_a_recording_alone() -> None:
    """The command can be typed as it stands; nobody retries what was recorded elsewhere."""
    view = structs_replace(building.view("x"), run="r7")
    assert "`evalkit retry r7 --errors`" in " ".join(trial_page(view, PLAIN).split())
    assert "evalkit show r7 x 0" in case_page((view,), PLAIN)
    assert view.trace is not None
    opened = structs_replace(view.trace.opened, mode="imported")
    imported = structs_replace(view, trace=structs_replace(view.trace, opened=opened))
    assert "retry" not in trial_page(imported, PLAIN)


def test_a_stage_at_which_only_a_metric_failed_is_not_called_failed() -> None:
    """The page names the metric; and what facts lack stands with them."""
    view = building.view("x")
    assert view.attribution is not None
    blamed = structs_replace(
        view.attribution, states={"a": "failed", "b": "failed"}, failed_by={"b": "right"}
    )
    page = trial_page(structs_replace(view, attribution=blamed, notes=("fact p: has no `q`",)), PLAIN)
    assert "stages  a failed, b: right failed" in page
    assert "  fact p: has no `q`" in page


def test_check_prints_every_problem_with_its_place() -> None:
    """File, line, column, key, value and suggestion of every problem; one problem is not two problems."""
    problem = Problem(
        message="unknown key", file="suite.yaml", line=3, column=5, key="metrics.x", value="scop",
        suggestion="did you mean scope?", code="unknown-key",
    )  # fmt: skip
    page = check_page((SuiteCheck(path="suites/x", problems=(problem,)),), PLAIN)
    assert "suites/x: 1 problem, 0 warnings" in page
    assert "error [unknown-key] suite.yaml:3:5" in page
    assert "metrics.x: unknown key" in page
    assert "got: scop" in page
    assert "did you mean scope?" in page


def test_check_says_what_can_be_proven() -> None:
    """The slices of a require stand under it in full; what can never pass is said."""
    proofs = tuple(
        Proof(metric="refunded", slice=name, asked="rate >= 0.9", units=units, provable=best, fails=fails)
        for name, units, best, fails in (("partial_refund", 8, 0.688, None), ("identity", 40, 0.928, 1))
    )
    page = check_page((SuiteCheck(path="p", suite="refund", cases=48, proofs=proofs),), PLAIN)
    assert "refunded rate >= 0.9" in page
    assert ["-", "partial_refund", "8", ".688", "can", "never", "pass"] == _line(
        page, "partial_refund"
    ).split()
    assert ["-", "identity", "40", ".928", "1"] == _line(page, "- identity").split()
    assert "…" not in page


def test_a_suite_without_cases_is_not_sound() -> None:
    """Nothing to measure is said, not praised."""
    page = check_page((SuiteCheck(path="p", suite="empty"),), PLAIN)
    assert "empty: no cases: nothing to measure, 0 warnings" == page


def test_a_run_that_cannot_be_read_is_listed() -> None:
    """Its problem stands below the table, whole."""
    runs = (RunLine(name="r1", arms=("a",), planned=4), RunLine(name="r0", problem="manifest.json: cut off"))
    page = list_page(runs, PLAIN)
    assert "incomplete" in _line(page, "r1")
    assert "unreadable" in _line(page, "r0")
    assert "\nr0: manifest.json: cut off\n" in page
    assert "there are no runs here" == list_page((), PLAIN)


@pytest.mark.parametrize(
    ("complete", "errors", "command"),
    [(False, 1, "resume r1"), (True, 1, "retry r1 --errors"), (True, 0, "blame r1")],
)
def test_a_run_ends_with_the_next_command(complete: bool, errors: int, command: str) -> None:  # noqa: FBT001
    """Unfinished: resume; unmeasured: retry; failing: look at the roots."""
    block = run_block(building.manifest(), {"a": building.counts(errors=errors)}, PLAIN, complete=complete)
    assert block.endswith(f"next: evalkit {command}")


def test_two_arms_have_boards_of_their_own() -> None:
    """Rows of one arm never stand among those of another."""
    page = board_page(building.board("x", arms=("a", "b")), PLAIN)
    assert ["arm a", "arm b"] == [line for line in page.split("\n") if line.startswith("arm ")]


def _attributed(view: TrialView) -> Attribution:
    assert view.attribution is not None
    return view.attribution


def test_owner_and_grade_of_a_suggestion_are_shown() -> None:
    """Who should look, and how far the suggestion goes."""
    view = building.view("x")
    found = msgspec.structs.replace(_attributed(view), grade="ticket", suggestion="look", owner="agent")
    page = trial_page(msgspec.structs.replace(view, attribution=found), PLAIN)
    assert "  ticket  look (agent)" in page
