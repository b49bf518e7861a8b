"""evalkit from Python: load a suite, run it, look at the verdicts as a frame, hold them against a policy.

What comes in: paths and plain values. What goes out: `Run` and `Decision`. Nothing is printed: what the
command line says on standard error goes to the logger `evalkit`. What is wrong raises the exceptions of
`evalkit.errors`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import msgspec

from evalkit import __version__
from evalkit.diagnose.board import columns_of
from evalkit.errors import InputError, Problem
from evalkit.pipeline.again import suite_folder
from evalkit.pipeline.gating import GateRequest
from evalkit.pipeline.gating import gate as decide
from evalkit.pipeline.order import RunRequest, state_of
from evalkit.pipeline.order import run as execute
from evalkit.pipeline.scoring import blame_rows, verdict_rows
from evalkit.pipeline.setting import Setting, surroundings
from evalkit.pipeline.suites import LoadedSuite, load, reworded
from evalkit.pipeline.summing import RunReport
from evalkit.records.attribution import Attribution
from evalkit.records.decision import Counts, Decision
from evalkit.records.policy import Mode
from evalkit.records.signature import Manifest
from evalkit.records.verdict import Verdict
from evalkit.report.flat import COLUMNS, table_rows
from evalkit.store.folder import RunFolder

if TYPE_CHECKING:
    import pandas as pd


_DTYPES = {
    **dict.fromkeys(("scoring_version", "index", "trial", "attempt", "measured_over"), "Int64"),
    **dict.fromkeys(("measure", "threshold"), "Float64"),
    **dict.fromkeys(("deciding", "degraded", "inherited"), "boolean"),
    **dict.fromkeys(("roots", "cites"), "object"),
}
"""Column -> its type in a frame, nullable; all others are text. Never guessed from the rows at hand."""


_WORDS = {
    name: f"{name}="
    for name in ("arm", "mode", "trials", "seed", "jobs", "only", "skip", "policy", "reports")
}
"""Option of the command line -> the keyword that takes its place here."""


_RANGES = {"trials": (1, 1000), "seed": (0, 2**53 - 1), "jobs": (1, 1000)}
"""Keyword -> least and greatest value, as on the command line."""


class RunOptions(TypedDict, total=False):
    """What `run_suite` takes beside the suite."""

    arm: str | Sequence[str]
    """Arm name, or several; may be left out where the suite has one."""
    mode: Mode
    """mock (the default) or real."""
    trials: int
    """Trials per case and arm; 1 unless said."""
    seed: int
    """Seed of order and chance; 0 unless said."""
    jobs: int
    """Trials at once; 8 unless said."""
    only: str
    """Expression that selects cases; "" selects all."""
    skip: str
    """Expression that leaves cases out."""


class Run:
    """A run on disk, as it stood when it was made or opened."""

    def __init__(self, report: RunReport, setting: Setting) -> None:
        """Name a run; `run_suite` and `open_run` make these.

        Args:
            report: What it came to.
            setting: The surroundings.
        """
        self._report = report
        self._setting = setting

    def __repr__(self) -> str:
        """Return name and counts."""
        found = self.counts
        return f"<Run {self.name}: {found.passed} pass, {found.failed} fail, {found.errors} error>"

    @property
    def name(self) -> str:
        """Its name; the command line takes it as RUN."""
        return Path(self._report.folder).name

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return Path(self._report.folder)

    @property
    def manifest(self) -> Manifest:
        """What it is: signature, arms, plan, times."""
        return self._report.manifest

    @property
    def counts(self) -> Counts:
        """Trials by the deciding primary, all arms together."""
        return self._report.counts

    @property
    def arms(self) -> dict[str, Counts]:
        """The same for each arm."""
        return dict(self._report.arms)

    @property
    def measured(self) -> bool:
        """Whether everything planned was measured: what the exit code 0 says on the command line."""
        return self._report.measured

    def rows(self) -> Iterator[Verdict]:
        """Yield the verdicts in plan order: stages and metrics of each trial."""
        return verdict_rows(RunFolder(self.folder))

    def attributions(self) -> Iterator[Attribution]:
        """Yield why trials failed, in plan order."""
        return blame_rows(RunFolder(self.folder))

    def verdicts(self) -> pd.DataFrame:
        """Return the verdicts as a frame, one row for each stage and metric of each trial.

        Returns:
            The columns of the CSV report, with nullable types: what is undefined is missing, never 0. `roots`
            and `cites` hold tuples.
        """
        import pandas as pd

        columns = columns_of(RunFolder(self.folder).suite())
        rows = table_rows(self.manifest, columns, self.rows())
        frame = pd.DataFrame([msgspec.structs.astuple(row) for row in rows], columns=list(COLUMNS))
        return frame.astype({name: _DTYPES.get(name, "string") for name in COLUMNS})

    def gate(self, policy: str | Path | None = None, *, arm: str | None = None) -> Decision:
        """Decide about this run as it stands, and keep the decision in its folder.

        Args:
            policy: Policy file, looked for here and then beside the suite; None: the suite's gate.yaml.
            arm: Which arm; may be left out where there is one.

        Raises:
            InputError: The policy or the arm is wrong.
            OutputError: The decision cannot be written.
        """
        request = GateRequest(
            target=str(self.folder),
            policy=None if policy is None else self._policy(Path(policy)),
            arms=() if arm is None else (arm,),
        )
        with _in_python():
            return decide(request, self._setting)

    def _policy(self, path: Path) -> Path:
        if not path.is_file() and self.manifest.suite_path:
            beside = suite_folder(RunFolder(self.folder), self.manifest) / path
            return beside if beside.is_file() else path
        return path


def load_suite(path: str | Path) -> LoadedSuite:
    """Load a suite.

    Args:
        path: Its folder or its `suite.yaml`.

    Returns:
        `suite`, the loaded suite with its cases, and `folder`, absolute: the working folder may change.

    Raises:
        InputError: All problems of all its files.
    """
    loaded = load(Path(path))
    return replace(loaded, folder=loaded.folder.absolute())


def run_suite(
    suite: LoadedSuite | str | Path, *, reports: str | Path | None = None, **options: Unpack[RunOptions]
) -> Run:
    """Execute a suite into a new run folder.

    Args:
        suite: A loaded suite, or its path.
        reports: Folder that the run's folder goes to; None: `$EVALKIT_REPORTS`, else `reports`.
        **options: See `RunOptions`.

    Raises:
        InputError: The suite, an arm or the selection is wrong.
        Undecidable: Nothing was selected.
        OutputError: The folder cannot be written.
        KeyboardInterrupt: It was stopped; the run can be resumed.
    """
    loaded = suite if isinstance(suite, LoadedSuite) else load_suite(suite)
    setting = _setting(reports)
    with _in_python():
        report = execute(_request(loaded, options), setting, loaded)
    if report.stopped:
        raise KeyboardInterrupt(f"run {report.manifest.run} was stopped; evalkit resume finishes it")
    return Run(report, setting)


def open_run(name: str | Path, *, reports: str | Path | None = None) -> Run:
    """Return a run that lies on disk; nothing is executed or written.

    Args:
        name: Its name, or the path of its folder.
        reports: Folder of runs; None: `$EVALKIT_REPORTS`, else `reports`.

    Raises:
        InputError: There is no such run.
        StoreError: The folder is damaged.
    """
    setting = _setting(reports)
    return Run(state_of(str(name), setting), setting)


def gate(run: Run, policy: str | Path | None = None, *, arm: str | None = None) -> Decision:
    """Decide about a run; see `Run.gate`.

    Args:
        run: The run.
        policy: Policy file, looked for here and then beside the suite; None: the suite's gate.yaml.
        arm: Which arm; may be left out where there is one.
    """
    return run.gate(policy, arm=arm)


@contextmanager
def _in_python() -> Iterator[None]:
    """Let what is wrong name keywords, not options of the command line."""
    try:
        yield
    except InputError as error:
        raise reworded(error, _WORDS) from None


def _request(loaded: LoadedSuite, options: RunOptions) -> RunRequest:
    """Return what is to be run; a keyword that there is none of raises as everywhere in Python."""
    unknown = sorted(options.keys() - RunOptions.__annotations__.keys())
    if unknown:
        raise TypeError(f"run_suite() got an unexpected keyword argument {unknown[0]!r}")
    problems = tuple(_wrong(options))
    if problems:
        raise InputError(problems)
    rest = {name: value for name, value in options.items() if name != "arm"}
    arm = options.get("arm", ())
    arms = (arm,) if isinstance(arm, str) else tuple(arm)
    return replace(RunRequest(suite=loaded.folder, arms=arms), **rest)  # type: ignore[arg-type]  # as typed


def _wrong(options: RunOptions) -> Iterator[Problem]:
    """Yield what no run can be made with, before anything is written."""
    for name, (least, most) in _RANGES.items():
        value = options.get(name, least)
        if type(value) is not int or not least <= value <= most:
            message = f"{name}= takes a whole number from {least} to {most}"
            yield Problem(message=message, value=repr(value))
    mode = options.get("mode", "mock")
    if mode not in ("mock", "real"):
        yield Problem(message="mode= takes mock or real", value=repr(mode))


def _setting(reports: str | Path | None) -> Setting:
    found = surroundings(os.environ, logging.getLogger("evalkit").info, __version__)
    return found if reports is None else replace(found, reports=Path(reports).absolute())
