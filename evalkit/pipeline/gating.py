"""From a suite or a run to a decision: run if need be, count, estimate, hold against the policy.

What comes in: what `gate` was asked for. What goes out: `Decision`, kept as `decision.json`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from evalkit.decide.gate import GateQuestion, decide
from evalkit.decide.unasked import unasked
from evalkit.diagnose.clusters import cluster, roots
from evalkit.errors import InputError
from evalkit.pipeline.again import suite_folder
from evalkit.pipeline.beginning import selection
from evalkit.pipeline.checking import refuse_at_rest
from evalkit.pipeline.ending import standing, typed
from evalkit.pipeline.order import RunRequest, run, today
from evalkit.pipeline.scoring import blame_rows, verdict_rows
from evalkit.pipeline.setting import Setting
from evalkit.pipeline.spending import NO_BUDGET, RunBudget
from evalkit.pipeline.suites import arms_of, load, policy_of
from evalkit.pipeline.summing import RunReport, first_broken, report, tallies
from evalkit.records.attribution import Attribution
from evalkit.records.decision import Decision
from evalkit.records.policy import GatePolicy, Mode
from evalkit.report.following import next_command
from evalkit.store.folder import RunFolder
from evalkit.suite.reading import suite_file
from evalkit.suite.where import parse_where


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRequest:
    """What `gate` was asked for; None where a flag was not given.

    Attributes:
        target: Folder of a suite, or a run.
        policy: Policy file.
        arms: Arm names.
        mode: Real or mock.
        trials: Trials per case.
        seed: Seed of order and chance.
        jobs: Trials at once.
        only: Expression that selects cases.
        skip: Expression that leaves cases out.
        budget: What a run may spend.
    """

    target: str
    policy: Path | None = None
    arms: tuple[str, ...] = ()
    mode: Mode | None = None
    trials: int | None = None
    seed: int = 0
    jobs: int = 8
    only: str = ""
    skip: str = ""
    budget: RunBudget = NO_BUDGET


def gate(request: GateRequest, setting: Setting) -> Decision:
    """Decide about a suite (run first) or a run (as it stands).

    Args:
        request: What was asked for.
        setting: The surroundings.

    Raises:
        InputError: Suite, arm, policy or run is wrong, or an agent that does nothing passes a case.
        Undecidable: Nothing was selected.
        OutputError: The decision cannot be written.
    """
    path = Path(request.target)
    if (path / "suite.yaml").is_file() or path.name == "suite.yaml":
        return _gate_suite(path if path.is_dir() else path.parent, request, setting)
    return _gate_run(request, setting)


def _gate_suite(folder: Path, request: GateRequest, setting: Setting) -> Decision:
    loaded = load(folder)
    policy = policy_of(folder, request.policy, loaded.suite)
    arms_of(loaded, request.arms)  # a misspelt one is told before a long look
    wanted = selection(request.only, request.skip)
    asked = loaded.suite.model_copy(update={"cases": tuple(filter(wanted, loaded.suite.cases))})
    refuse_at_rest(asked, suite_file(folder), setting.clock)
    done = run(
        RunRequest(
            suite=folder,
            arms=request.arms,
            mode=request.mode or policy.mode,
            trials=request.trials or policy.trials,
            seed=request.seed,
            jobs=request.jobs,
            only=request.only,
            skip=request.skip,
            budget=request.budget,
        ),
        setting,
        loaded,
    )
    return _decide(RunFolder(Path(done.folder), setting.encoder), policy, request, setting)


def _gate_run(request: GateRequest, setting: Setting) -> Decision:
    folder = RunFolder(RunFolder.find(setting.reports, request.target).path, setting.encoder)
    _refuse_run_options(request)
    manifest = folder.manifest()
    if request.policy is None and not manifest.suite_path:
        raise InputError.of("an imported run has no policy of its own", suggestion="name one with --policy")
    policy = policy_of(suite_folder(folder, manifest), request.policy, folder.suite())
    return _decide(folder, policy, request, setting)


def _refuse_run_options(request: GateRequest) -> None:
    """Refuse what could only be said before a run: said afterwards, it would stand in the report untrue."""
    said: dict[str, object] = {"mode": request.mode, "trials": request.trials, "seed": request.seed}
    said |= {"only": request.only, "skip": request.skip}
    given = ", ".join(
        [*(f"--{name}" for name, value in said.items() if value), *request.budget.flags.split()[::2]]
    )
    if given:
        raise InputError.of(
            f"a run is judged as it stands, and {given} would have to run it again",
            value=request.target,
            suggestion="leave it out, name the suite instead, or select with `where` in the policy",
        )


def _decide(folder: RunFolder, policy: GatePolicy, request: GateRequest, setting: Setting) -> Decision:
    """Count, estimate, decide, and write the decision down."""
    with folder.lock():
        state, suite = report(folder), folder.suite()
        arm = _one_arm(tuple(state.arms), request)
        clusters = cluster(_blamed(folder, policy, arm))
        decided = decide(
            GateQuestion(
                suite=suite,
                policy=policy,
                tallies=tallies(folder)[arm],
                roots=roots(clusters, suite),
                manifest=state.manifest,
                arm=arm,
                today=today(setting),
                complete=state.complete,
                selects=lambda text, case: parse_where(text).matches(case),
                overrides=_overrides(policy, request),
                unasked=unasked(suite, policy, (row for row in verdict_rows(folder) if row.arm == arm)),
            )
        )
        if folder.is_settled():
            decided = msgspec.structs.replace(decided, verdicts=folder.verdicts_hash())
        folder.write_decision(decided)
    return msgspec.structs.replace(decided, next=_next(folder, state, decided, setting))


def _next(folder: RunFolder, state: RunReport, decided: Decision, setting: Setting) -> str:
    """Return what to type after a decision about one arm."""
    arms = {decided.arm: decided.counts}
    broken = first_broken(folder.suite(), arms, partial(verdict_rows, folder))
    told = msgspec.structs.replace(
        standing(folder, state.manifest, arms, setting),
        failing=next((case for root in decided.roots for case in root.cases), ""),
        broken=typed(broken, state.manifest),
    )
    return next_command(state.manifest, arms, complete=state.complete, ending=told, after="gate")


def _blamed(folder: RunFolder, policy: GatePolicy, arm: str) -> Iterator[Attribution]:
    """Yield why trials failed: by the deciding primary, or by a metric that the policy asks about."""
    asked = {require.metric for require in policy.require}
    failed = {
        row.index
        for row in verdict_rows(folder)
        if row.arm == arm and row.of == "metric" and row.outcome == "fail" and row.name in asked
    }
    for one in blame_rows(folder):
        if one.arm == arm and (not one.passed or one.index in failed):
            yield one


def _one_arm(arms: tuple[str, ...], request: GateRequest) -> str:
    if len(request.arms) > 1 or (not request.arms and len(arms) != 1):
        raise InputError.of(
            "the gate decides about one arm", suggestion=f"--arm with one of {', '.join(arms)}"
        )
    arm = request.arms[0] if request.arms else arms[0]
    if arm not in arms:
        raise InputError.of("this run has no such arm", value=arm, suggestion=f"it has {', '.join(arms)}")
    return arm


def _overrides(policy: GatePolicy, request: GateRequest) -> tuple[str, ...]:
    """Return the flags that took the place of what the policy says, in words."""
    said = {"mode": request.mode, "trials": request.trials}
    changed = [
        f"--{name} {value} instead of the policy's {getattr(policy, name)}"
        for name, value in said.items()
        if value is not None and value != getattr(policy, name)
    ]
    chosen = {"only": request.only, "skip": request.skip}
    return (*changed, *(f"--{name} {text!r}" for name, text in chosen.items() if text))
