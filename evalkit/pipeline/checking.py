"""`check`: load, lint, look for free cases, say what the sample size can prove. No agent is run.

What comes in: paths that a person typed. What goes out: `SuiteCheck`s.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evalkit.decide.proving import proofs
from evalkit.errors import InputError, Problem
from evalkit.pipeline.empty import empty_traces
from evalkit.pipeline.order import today
from evalkit.pipeline.scoring import Rescorer, check_functions
from evalkit.pipeline.setting import Setting
from evalkit.records.checkup import SuiteCheck
from evalkit.records.policy import GatePolicy
from evalkit.records.suite import Suite
from evalkit.suite.arms import load_arm
from evalkit.suite.functions import load_functions
from evalkit.suite.lint import lint
from evalkit.suite.load import load_suite
from evalkit.suite.policies import load_policy
from evalkit.world.tools import describe


def check(paths: Sequence[Path], setting: Setting) -> tuple[SuiteCheck, ...]:
    """Look at suites.

    Args:
        paths: Folders of suites, or their `suite.yaml`.
        setting: The surroundings.
    """
    return tuple(_check(path, setting) for path in paths)


def _check(path: Path, setting: Setting) -> SuiteCheck:
    folder = path if path.is_dir() else path.parent
    try:
        suite = load_suite(path, describe=describe)
    except InputError as error:
        return SuiteCheck(path=str(path), problems=error.problems)
    policy, problems = _policy(folder, suite)
    problems += _arms(folder, suite)
    problems += lint(suite, today=today(setting), policy=policy)
    if not any(not problem.warning for problem in problems):
        problems += free_cases(suite, folder, setting)
    return SuiteCheck(
        path=str(path),
        suite=suite.suite,
        cases=len(suite.cases),
        problems=problems,
        proofs=proofs(suite, policy) if policy is not None else (),
    )


def free_cases(suite: Suite, folder: Path, setting: Setting) -> tuple[Problem, ...]:
    """Return the cases that an agent passes by doing nothing.

    World and probes run on an empty transcript, no agent; whatever then passes by the deciding primary is
    free.

    Args:
        suite: The loaded suite.
        folder: Its folder.
        setting: The surroundings.
    """
    rescore = Rescorer(suite, load_functions(folder, check_functions(suite)))
    places = {case.id: case.place for case in suite.cases}
    traces = empty_traces(suite, folder, setting.clock)
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


def _policy(folder: Path, suite: Suite) -> tuple[GatePolicy | None, tuple[Problem, ...]]:
    path = folder / "gate.yaml"
    if not path.is_file():
        return None, ()
    try:
        return load_policy(path, suite), ()
    except InputError as error:
        return None, error.problems


def _arms(folder: Path, suite: Suite) -> tuple[Problem, ...]:
    problems: tuple[Problem, ...] = ()
    for path in sorted((folder / "arms").glob("*.yaml")):
        try:
            load_arm(path, suite)
        except InputError as error:
            problems += error.problems
    return problems
