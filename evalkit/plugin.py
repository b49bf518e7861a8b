"""The pytest plugin: `pytest suites/` runs suites, one item for each case and trial.

What comes in: `suite.yaml` files that pytest meets below a path that somebody named. What goes out: items
that pass, fail with why the trial failed, are skipped where nothing was asked of them, and are errors where
nothing was measured. A plain `pytest` that names no path collects no suite: trials may cost money.

The selected cases of a suite are run together when its first item is set up, into one run folder. Under
pytest-xdist one worker does that, whoever comes first, and the others wait for it and read its verdicts.

pytest imports this module in every session; nothing of evalkit is loaded before a suite is collected.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from evalkit.pipeline.suite_session import Outcome, SuiteSession
    from evalkit.records.case import Case

_SHARED = "evalkit_shared"
"""Under xdist: the folder in which the workers of one session find each other's runs."""

_SESSION = pytest.StashKey["SuiteSession"]()
_FOLDER = pytest.StashKey[str]()
"""The same folder, on the side of the controller."""


class NotMeasured(Exception):
    """A trial that nobody examined."""


class TrialFailed(Exception):
    """A trial that failed, with why."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of evalkit.

    Args:
        parser: pytest's parser.
    """
    group = parser.getgroup("evalkit", "suites of evalkit (pytest suites/)")
    group.addoption(
        "--evalkit-arm",
        action="append",
        default=[],
        metavar="[SUITE=]ARM",
        help="Arm to run, of every suite that has it or of one suite; may be repeated. "
        "Left out: the only arm, else `champion`.",
    )
    group.addoption(
        "--evalkit-mode",
        choices=("mock", "real"),
        default="mock",
        help="Pinned tools (mock) or tools that answer for themselves.",
    )
    group.addoption(
        "--evalkit-trials", type=_trials, default=1, metavar="K", help="Trials per case (default: 1)."
    )


def _trials(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 1000:
        raise ValueError("a number of trials from 1 to 1000")
    return int(text)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a suite.

    Args:
        file_path: A file that pytest met.
        parent: Its folder's collector.
    """
    if file_path.name != "suite.yaml" or not _named(parent.config):
        return None
    return SuiteFile.from_parent(parent, path=file_path)


def _named(config: pytest.Config) -> bool:
    """Return whether somebody named a path: on the command line or in testpaths."""
    worker: dict[str, Any] = getattr(config, "workerinput", {})
    if _SHARED in worker:
        return bool(worker[_SHARED])
    return config.args_source is not pytest.Config.ArgsSource.INVOCATION_DIR


class SuiteFile(pytest.File):
    """A suite of evalkit."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield an item for each case and trial.

        Raises:
            CollectError: The suite or its arm does not load; all problems are told.
        """
        from evalkit.errors import EvalkitError

        try:
            planned = _session(self.config).planned(self.path)
        except EvalkitError as error:
            raise self.CollectError(str(error)) from None
        for case in planned:
            for trial in range(self.config.getoption("evalkit_trials")):
                yield SuiteTrial.from_parent(self, name=f"{case.id}[{trial}]", case=case, trial=trial)


class SuiteTrial(pytest.Item):
    """One trial of one case."""

    def __init__(self, *, case: Case, trial: int, **rest: Any) -> None:
        """Name the trial.

        Args:
            case: The case; `-k` also takes its tags.
            trial: Its number.
            **rest: What pytest needs.
        """
        super().__init__(**rest)
        self.case_id, self.trial = case.id, trial
        self.extra_keyword_matches |= {str(tag) for tag in case.tags.values()}
        self._outcome: Outcome | None = None

    def setup(self) -> None:
        """Run the suite if that was not done; a trial that was not measured is an error here.

        Raises:
            NotMeasured: Nobody examined it.
        """
        selected = (item for item in self.session.items if isinstance(item, SuiteTrial))
        cases = tuple(dict.fromkeys(item.case_id for item in selected if item.path == self.path))
        self._outcome = _session(self.config).outcome(self.path, cases, (self.case_id, self.trial))
        if self._outcome.word == "error":
            raise NotMeasured(self._outcome.text)

    def runtest(self) -> None:
        """Pass, fail or be skipped.

        Raises:
            TrialFailed: It failed.
        """
        if self._outcome is None or self._outcome.word == "skipped":
            pytest.skip(self._outcome.text if self._outcome is not None else "not set up")
        if self._outcome.word == "failed":
            raise TrialFailed(self._outcome.text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return why, without a traceback where the trial itself is meant.

        Args:
            excinfo: What was raised.
            style: Of a traceback.
        """
        from evalkit.errors import EvalkitError

        if isinstance(excinfo.value, NotMeasured | TrialFailed | EvalkitError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where the item stands, for pytest's lines."""
        return self.path, None, f"{self.path.parent.name}::{self.name}"


def _session(config: pytest.Config) -> SuiteSession:
    """Return what runs the suites of this session."""
    from evalkit.pipeline.suite_session import SuiteSession

    if _SESSION not in config.stash:
        shared = getattr(config, "workerinput", {}).get(_SHARED)
        config.stash[_SESSION] = SuiteSession(
            arms=tuple(config.getoption("evalkit_arm")),
            mode=config.getoption("evalkit_mode"),
            trials=config.getoption("evalkit_trials"),
            shared=Path(shared) if shared else None,
        )
    return config.stash[_SESSION]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist where it finds the runs of the others, "" where no suite is collected.

    Args:
        node: xdist's handle of the worker.
    """
    config = node.config
    if _FOLDER not in config.stash:
        config.stash[_FOLDER] = tempfile.mkdtemp(prefix="evalkit-") if _named(config) else ""
    node.workerinput[_SHARED] = config.stash[_FOLDER]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say which runs were left, and what to type next.

    Args:
        terminalreporter: pytest's terminal.
        config: pytest's configuration.
    """
    lines = _told(config.stash[_SESSION]) if _SESSION in config.stash else []
    folder = config.stash.get(_FOLDER, "")
    told = sorted(Path(folder).glob("*/line")) if folder else []
    lines += [path.read_text(encoding="utf-8") for path in told]
    if lines:
        terminalreporter.section("evalkit")
    for line in lines:
        terminalreporter.write_line(line)


def _told(session: SuiteSession) -> list[str]:
    """Return what a session has for people: its runs, and what was said of suites that are not there."""
    return [
        *session.lines,
        *(f"--evalkit-arm {said}: no such suite was collected" for said in session.unmet()),
    ]


def pytest_unconfigure(config: pytest.Config) -> None:
    """Take away what the workers shared; the runs stay.

    Args:
        config: pytest's configuration.
    """
    if config.stash.get(_FOLDER, ""):
        shutil.rmtree(config.stash[_FOLDER], ignore_errors=True)
