"""Suites as a test runner sees them: cases to name, each suite run once, an outcome for each trial.

What comes in: paths of suites, the cases that are left after selection. What goes out: `Outcome`s in the
words of a test runner: fail is failed, explained and not-asked errors are skipped, unmeasured is an error.

Several processes may share a session. Whoever first needs a suite runs it while holding a lock; the others
wait, and read that run. A process that dies lets go of the lock, and the next one runs the suite.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from evalkit.errors import EvalkitError, InputError
from evalkit.pipeline.api import Run, load_suite, open_run, run_suite
from evalkit.pipeline.checking import refuse_at_rest
from evalkit.pipeline.suites import LoadedSuite, arms_of
from evalkit.records.attribution import Attribution
from evalkit.records.case import Case
from evalkit.records.policy import Mode
from evalkit.records.verdict import Verdict
from evalkit.report.console import Look
from evalkit.report.runs import count_line
from evalkit.report.trials import attribution_lines
from evalkit.store.folder import RunFolder
from evalkit.suite.arms import arm_files
from evalkit.world.clock import SystemClock

_LOOK = Look(width=100, colour=False)
_DEFAULT = "champion"  # the arm of a suite that has several, where none is named
_WAIT = 0.1  # seconds between two looks at what another process is running

Key = tuple[str, int]
"""(case, trial)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a test runner is to say of one trial.

    Attributes:
        word: passed, failed, skipped or error.
        text: Why; "" of a pass.
    """

    word: Literal["passed", "failed", "skipped", "error"]
    text: str = ""


@dataclass(slots=True)
class _Done:
    """One suite, run: the deciding verdict of each trial and why it failed, or what kept it from running."""

    run: str = ""
    rows: dict[Key, Verdict] = field(default_factory=dict)
    blame: dict[Key, Attribution] = field(default_factory=dict)
    problem: EvalkitError | None = None


@dataclass(slots=True, kw_only=True)
class SuiteSession:
    """The suites of one session.

    Attributes:
        arms: What was said of arms: ``ARM`` for every suite that has it, ``SUITE=ARM`` for one suite.
        mode: Real or mock.
        trials: Trials per case.
        shared: Folder in which the processes of the session find each other's runs; None: there is one.
        lines: One for each run that this process made alone, for people.
    """

    arms: tuple[str, ...] = ()
    mode: Mode
    trials: int
    shared: Path | None = None
    lines: list[str] = field(default_factory=list)
    _loaded: dict[Path, LoadedSuite] = field(default_factory=dict)
    _chosen: dict[Path, str] = field(default_factory=dict)
    _done: dict[Path, _Done] = field(default_factory=dict)

    def planned(self, path: Path) -> tuple[Case, ...]:
        """Return the cases of a suite.

        Args:
            path: Its `suite.yaml`.

        Raises:
            InputError: The suite or its arm does not load, or doing nothing passes a case; all problems.
        """
        loaded = load_suite(path)
        arm = chosen_arm(loaded, self.arms)
        arms_of(loaded, (arm,))
        refuse_at_rest(loaded.suite, path, SystemClock())
        self._loaded[path], self._chosen[path] = loaded, arm
        return loaded.suite.cases

    def unmet(self) -> tuple[str, ...]:
        """Return what was said of suites that this session did not meet."""
        met = {one.suite.suite for one in self._loaded.values()}
        return tuple(said for said in self.arms if "=" in said and said.partition("=")[0] not in met)

    def outcome(self, path: Path, cases: Sequence[str], key: Key) -> Outcome:
        """Return what became of one trial; the suite is run if that was not done.

        Args:
            path: The suite's `suite.yaml`.
            cases: Ids of all its cases that were selected.
            key: The trial.

        Raises:
            EvalkitError: The suite cannot be run; the same for each of its trials.
        """
        faulty = {case.id for case in self._loaded[path].suite.cases if case.declares_fault}
        if self.mode == "real" and key[0] in faulty:
            return Outcome(word="skipped", text=f"{key[0]} declares a fault and is not planned in mode real")
        if path not in self._done:
            left = [case for case in cases if self.mode != "real" or case not in faulty]
            self._done[path] = self._run(path, left)
        done = self._done[path]
        if done.problem is not None:
            raise done.problem
        return outcome_of(done.rows[key], done.blame.get(key), done.run)

    def _run(self, path: Path, cases: Sequence[str]) -> _Done:
        try:
            run = self._made(path, cases) if self.shared is None else self._found(self.shared, path, cases)
        except EvalkitError as error:
            return _Done(problem=error)
        deciding = self._loaded[path].suite.deciding.name
        rows = (row for row in run.rows() if row.of == "metric" and row.name == deciding)
        return _Done(
            run=run.name,
            rows={(row.case, row.trial): row for row in rows},
            blame={(one.case, one.trial): one for one in run.attributions()},
        )

    def _made(self, path: Path, cases: Sequence[str]) -> Run:
        """Execute the selected cases of a suite."""
        run = run_suite(
            self._loaded[path],
            arm=self._chosen[path],
            mode=self.mode,
            trials=self.trials,
            only=f"id={','.join(cases)}",
        )
        if self.shared is None:
            self.lines.append(_line(run))
        return run

    def _found(self, shared: Path, path: Path, cases: Sequence[str]) -> Run:
        """Return the run that the session has of a suite, made by whoever gets here first."""
        place = shared / hashlib.sha256(os.fsencode(path)).hexdigest()
        place.mkdir(exist_ok=True)
        told = place / "run"
        while not told.exists():
            with ExitStack() as held:
                try:
                    held.enter_context(RunFolder(place).lock())
                except InputError:  # another process runs it
                    time.sleep(_WAIT)
                    continue
                if not told.exists():
                    self._tell(place, self._made(path, cases))
        return open_run(told.read_text(encoding="utf-8"))

    def _tell(self, place: Path, run: Run) -> None:
        """Say which run it is; the file that the others wait for appears whole, and last."""
        (place / "line").write_text(_line(run), encoding="utf-8")
        (place / "run.part").write_text(str(run.folder), encoding="utf-8")
        (place / "run.part").replace(place / "run")


def chosen_arm(loaded: LoadedSuite, said: Sequence[str]) -> str:
    """Return the arm that a suite is run with.

    Args:
        loaded: The suite.
        said: ``ARM``s, of which the one that the suite has is taken, and ``SUITE=ARM``s, which go before.

    Returns:
        What was said; where nothing was, the only arm there is, else `champion`.

    Raises:
        InputError: Nothing that was said fits, more than one does, or nothing was said and nothing is plain.
    """
    name, known = loaded.suite.suite, [path.stem for path in arm_files(loaded.folder)]
    pairs = [one.partition("=") for one in said]
    own = list(dict.fromkeys(arm for suite, sign, arm in pairs if sign and suite == name))
    plain = list(dict.fromkeys(one for one, sign, _ in pairs if not sign))
    fitting = own or [arm for arm in plain if arm in known]
    if not plain and not own:
        fitting = known if len(known) == 1 else [arm for arm in known if arm == _DEFAULT]
    if len(fitting) == 1:
        return fitting[0]
    raise InputError.of(
        f"suite {name} needs one arm: name it with --evalkit-arm ARM, or --evalkit-arm {name}=ARM",
        file=str(loaded.folder / "arms"),
        value=", ".join(own or plain),
        suggestion=f"there are: {', '.join(known) or 'none'}",
    )


def _line(run: Run) -> str:
    return f"run {run.name}: {count_line(run.counts)}; next: evalkit show {run.name}"


def outcome_of(row: Verdict, blame: Attribution | None, run: str) -> Outcome:
    """Return a deciding verdict in the words of a test runner.

    Args:
        row: The verdict.
        blame: Why the trial failed, where it did.
        run: Name of its run.
    """
    if row.outcome == "pass":
        return Outcome(word="passed")
    show = f"evalkit show {run} {row.case} {row.trial}"
    if row.outcome == "fail":
        return Outcome(word="failed", text="\n".join([*_why(row, blame), show]))
    cause = f"{row.cause}/{row.sub}" if row.sub else str(row.cause)
    told = f"{row.case}[{row.trial}]: {row.name} {cause}: {row.message}"
    if row.cause_class == "unmeasured":
        return Outcome(word="error", text=f"not measured: {told}\n{show}")
    roots = f" (root {', '.join(row.roots)})" if row.roots else ""
    return Outcome(word="skipped", text=f"{told}{roots}")


def _why(row: Verdict, blame: Attribution | None) -> Iterator[str]:
    """Yield why a trial failed: root stage, event, suggestion."""
    yield f"{row.name} failed: {row.message}"
    if blame is not None:
        yield from attribution_lines(blame, _LOOK, titled=False)
