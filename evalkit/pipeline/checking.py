"""`check`: load, lint, ask the world without an agent, say what the sample size can prove.

What comes in: paths that a person typed. What goes out: `SuiteCheck`s.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from evalkit.errors import InputError, Problem
from evalkit.pipeline.asking import world_problems
from evalkit.pipeline.empty import empty_traces
from evalkit.pipeline.order import today
from evalkit.pipeline.scoring import Rescorer
from evalkit.pipeline.setting import Setting
from evalkit.pipeline.suites import warnings_of
from evalkit.records.checkup import Proof, SuiteCheck
from evalkit.records.event import Trace
from evalkit.records.plan import PlannedTrial
from evalkit.records.policy import GatePolicy
from evalkit.records.ports import Clock
from evalkit.records.suite import Suite
from evalkit.suite.document import read_order
from evalkit.suite.functions import load_functions
from evalkit.suite.load import read_suite
from evalkit.suite.policy import load_policy
from evalkit.suite.proofs import Proof as Bound
from evalkit.suite.proofs import proofs
from evalkit.suite.reading import suite_file
from evalkit.world.tools import describe


def check(paths: Sequence[Path], setting: Setting) -> tuple[SuiteCheck, ...]:
    """Look at suites.

    Args:
        paths: Folders of suites, or their `suite.yaml`.
        setting: The surroundings.

    Raises:
        InputError: No suite is where any of the paths leads.
    """
    found = tuple(_check(path, setting) for path in paths)
    if not any((path / "suite.yaml" if path.is_dir() else path).is_file() for path in paths):
        raise InputError(tuple(problem for one in found for problem in one.problems))
    return found


def _check(path: Path, setting: Setting) -> SuiteCheck:
    folder = path if path.is_dir() else path.parent
    try:
        suite, reading = read_suite(path, describe=describe)
    except InputError as error:
        return SuiteCheck(path=str(path), problems=error.problems)
    gate = folder / "gate.yaml"
    policy = load_policy(gate, suite) if gate.is_file() else None
    return SuiteCheck(
        path=str(path),
        suite=suite.suite,
        cases=len(suite.cases),
        problems=read_order(
            (
                *warnings_of(suite, folder, today(setting), reading),
                *at_rest(suite, suite_file(path), setting.clock),
            )
        ),
        proofs=tuple(_proof(policy, one) for one in proofs(suite, policy, today=today(setting))),
    )


def _proof(policy: GatePolicy | None, one: Bound) -> Proof:
    """Return what a figure can prove, in words."""
    asked = "nothing is asked"
    if policy is not None and one.require is not None:
        sign = "<=" if one.at_most else ">="
        asked = f"{policy.require[one.require].statistic} {sign} {one.threshold}"
    return Proof(
        metric=one.metric,
        slice=one.of or "(none)",
        asked=asked,
        units=one.units,
        provable=one.best,
        fails=one.afforded,
        asks=one.threshold is not None,
    )


def at_rest(suite: Suite, file: Path, clock: Clock) -> tuple[Problem, ...]:
    """Return what shows when the world is built, started and asked for every case, and no agent is run.

    Args:
        suite: The loaded suite.
        file: Its suite.yaml.
        clock: Time.

    Returns:
        SQL that does not run, claims that hold from the start, and cases that are passed by doing nothing.
    """
    try:
        rescore = Rescorer(suite, load_functions(file.parent, suite.own_checks))
        traces = tuple(empty_traces(suite, file.parent, clock))
    except InputError as error:
        return error.problems
    return (*world_problems(suite, file, traces), *_free_cases(suite, traces, rescore))


def refuse_at_rest(suite: Suite, file: Path, clock: Clock) -> None:
    """Refuse a suite that an agent which does nothing would pass, or that cannot be asked: before a decision.

    Args:
        suite: The loaded suite.
        file: Its suite.yaml.
        clock: Time.

    Raises:
        InputError: What `check` refuses on an empty transcript, in the same words.
    """
    found = read_order(problem for problem in at_rest(suite, file, clock) if not problem.warning)
    if found:
        raise InputError(found)


def _free_cases(
    suite: Suite, traces: Iterable[tuple[PlannedTrial, Trace]], rescore: Rescorer
) -> tuple[Problem, ...]:
    """Return the cases whose empty transcript passes by the deciding primary."""
    places = {case.id: case.place for case in suite.cases}
    return tuple(
        _free(trial.case, places[trial.case])
        for trial, trace in traces
        if rescore.outcome(rescore(trial, trace).verdicts) == "pass"
    )


def _free(case: str, place: str) -> Problem:
    file, _, line = place.rpartition(":")
    return Problem(
        code="free-case",
        file=file or place,
        line=int(line) if line.isdigit() else 0,
        key=case,
        message="an agent that does nothing passes this case",
        suggestion="expect something that only doing the work brings about",
    )
