"""Verdicts -> what a run came to: counts, coverage, causes, and the numbers that every verb prints.

What comes in: a run folder. What goes out: `RunReport`, and its JSON object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

import msgspec
from msgspec import Struct

from evalkit.decide.counts import counts, total
from evalkit.decide.tally import Tallies, tally
from evalkit.decide.words import count, not_planned
from evalkit.errors import StoreError
from evalkit.pipeline.scoring import settle, verdict_rows
from evalkit.records.decision import Counts
from evalkit.records.signature import Manifest
from evalkit.records.suite import Suite
from evalkit.records.verdict import Verdict
from evalkit.report.following import MENDED
from evalkit.store.folder import RunFolder
from evalkit.store.journal import Journal


class RunReport(Struct, frozen=True, kw_only=True):
    """What a run came to.

    Attributes:
        manifest: What the run is.
        counts: Trials by the deciding primary, all arms together.
        arms: The same for each arm.
        complete: Every planned trial has a closing line.
        folder: Where the run lies.
        stopped: The operator stopped it.
        notes: Cases that were not planned, the first trial that is broken, and metrics other than the
            deciding primary of which something was not measured.
        ended_by: The budget that ended it before its last trial, in words; "" where none did.
        broken: What the deciding primary says of the first trial that only a change of the suite gets rid of.
    """

    manifest: Manifest
    counts: Counts
    arms: dict[str, Counts]
    complete: bool
    folder: str
    stopped: bool = False
    notes: tuple[str, ...] = ()
    ended_by: str = ""
    broken: Verdict | None = None

    @property
    def measured(self) -> bool:
        """Whether everything planned was measured."""
        return self.complete and self.counts.unmeasured == 0 and self.counts.coverage is not None


def summary(folder: RunFolder) -> RunReport:
    """Settle the verdicts of a run and sum them up.

    Args:
        folder: A run, held for writing.
    """
    complete = settle(folder)
    found = _summed(folder, folder.verdicts, complete=complete)
    _outdate(folder, found.arms)
    return found


def _outdate(folder: RunFolder, arms: Mapping[str, Counts]) -> None:
    """Say in a stored decision whether the verdicts are still those that it was made from.

    Verdicts of before decisions held their hash are told by their counts.
    """
    try:
        decision = folder.decision()
    except StoreError:  # what cannot be read says so itself, where it is asked for
        return
    if decision is None:
        return
    same = decision.counts == arms.get(decision.arm)
    if decision.verdicts:
        same = decision.verdicts == folder.verdicts_hash()
    if decision.stale is same:
        folder.write_decision(msgspec.structs.replace(decision, stale=not same))


def report(folder: RunFolder) -> RunReport:
    """Sum up a run as it stands; nothing is written.

    Args:
        folder: A run, settled or not.
    """
    journal = Journal(folder.path)
    complete = all(journal.last((one.arm, one.case, one.trial)) is not None for one in folder.plan())
    return _summed(folder, partial(verdict_rows, folder), complete=complete)


def _summed(folder: RunFolder, rows: Callable[[], Iterator[Verdict]], *, complete: bool) -> RunReport:
    suite = folder.suite()
    counted = tally(suite, rows())
    arms = {arm: counts(suite, one) for arm, one in counted.items()}
    broken = first_broken(suite, arms, rows)
    return RunReport(
        manifest=folder.manifest(),
        counts=total(tuple(arms.values())),
        arms=arms,
        complete=complete,
        folder=str(folder.path),
        notes=(
            *not_planned(folder.manifest().plan.not_in_mode),
            *([] if broken is None else [_broken(broken)]),
            *(note for arm, one in counted.items() for note in _unmeasured(suite, arm, one)),
        ),
        broken=broken,
    )


def first_broken(
    suite: Suite, arms: Mapping[str, Counts], rows: Callable[[], Iterable[Verdict]]
) -> Verdict | None:
    """Return what the deciding primary says of the first trial that only a change of the suite gets rid of.

    Args:
        suite: The suite.
        arms: What the trials of each arm come to; where none is broken, no row is read.
        rows: The verdicts in plan order.
    """
    if not any(MENDED & counted.causes.keys() for counted in arms.values()):
        return None
    deciding = suite.deciding.name
    return next(
        (
            row
            for row in rows()
            if row.of == "metric" and row.name == deciding and row.arm in arms and row.cause in MENDED
        ),
        None,
    )


def _broken(row: Verdict) -> str:
    said = row.message.strip().partition("\n")[0]
    return f"{row.cause}: the first is {row.case} #{row.trial} of {row.arm}: {said or row.name}"


def _unmeasured(suite: Suite, arm: str, counted: Tallies) -> Iterator[str]:
    """Yield a line for every metric that explains and was not measured everywhere."""
    for name, cases in counted.metrics.items():
        missing = sum(one.unmeasured for one in cases)
        if missing and name != suite.deciding.name:
            asked = sum(one.planned - one.not_asked for one in cases)
            where = "its only trial" if asked == 1 else f"{missing} of {count(asked, 'trial')}"
            yield f"{arm}: {name} was not measured in {where}"


def tallies(folder: RunFolder) -> dict[str, Tallies]:
    """Count the verdicts of a run, by arm.

    Args:
        folder: A run with verdicts.
    """
    return tally(folder.suite(), verdict_rows(folder))
