"""What a run will cost, said before its first trial where it costs money.

What comes in: the trials that are owed, and the runs that lie beside. What goes out: lines for the person. A
figure comes from what the newest run of the same suite, arm and prices spent; failing that from the suite's
limits, as a bound; failing both it is unknown, and that is said. Nothing is asked, and nothing is stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evalkit.errors import StoreError
from evalkit.pipeline.spending import RunBudget
from evalkit.records.arm import Arm
from evalkit.records.policy import Mode
from evalkit.records.signature import Manifest
from evalkit.records.spent import dollars, lasting
from evalkit.records.suite import Suite
from evalkit.store.folder import RunFolder
from evalkit.store.spent import spent

_FREE = frozenset({"scripted"})  # providers that send no bill; an arm with prices costs what they say
_LOOKED_AT = 10  # earlier runs whose journals are read for one arm


@dataclass(frozen=True, slots=True, kw_only=True)
class Owed:
    """What is about to be run.

    Attributes:
        suite: The loaded suite.
        arms: Name -> arm.
        mode: Real or mock.
        trials: Arm name -> trials to begin.
        jobs: Trials at once.
        budget: What may be spent.
    """

    suite: Suite
    arms: Mapping[str, Arm]
    mode: Mode
    trials: Mapping[str, int]
    jobs: int
    budget: RunBudget

    @property
    def total(self) -> int:
        """Trials to begin, all arms together."""
        return sum(self.trials.values())

    @property
    def costing(self) -> tuple[str, ...]:
        """Arms with trials to begin whose trials cost money."""
        return tuple(
            name
            for name, arm in self.arms.items()
            if self.trials.get(name) and (arm.prices is not None or arm.model.provider not in _FREE)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Past:
    """What one trial of an arm took in an earlier run, on average.

    Attributes:
        run: The run's name.
        usd: US dollars.
        seconds: How long it ran.
    """

    run: str
    usd: float
    seconds: float


def forecast(owed: Owed, reports: Path) -> Iterator[str]:
    """Yield what a run is expected to cost, and whether its budget will do; nothing where it costs nothing.

    Args:
        owed: What is about to be run.
        reports: Folder of the runs that lie beside.
    """
    if not owed.costing:
        return
    past = {name: _past(owed, name, reports) for name in owed.costing}
    known = {name: one for name, one in past.items() if one is not None}
    whole = known if len(known) == len(past) else None
    yield f"forecast: {_trials(owed.total)}, {_money(owed, whole)}; {_time(owed, whole)}"
    yield from _too_little(owed, whole)


def _trials(number: int) -> str:
    return f"{number} trial{'' if number == 1 else 's'}"


def _money(owed: Owed, past: Mapping[str, _Past] | None) -> str:
    bound = _bound(owed)
    parts = []
    if past is not None:
        runs = ", ".join(dict.fromkeys(one.run for one in past.values()))
        parts.append(f"about {dollars(_expected(owed, past))} (mean of {runs})")
    if bound is not None:
        parts.append(f"at most {dollars(bound)} by limits")
    if parts:
        return ", ".join(parts)
    return "cost unknown: no earlier run tells it, and limits.cost_usd sets no bound"


def _time(owed: Owed, past: Mapping[str, _Past] | None) -> str:
    at_once = f"at {owed.jobs} job{'' if owed.jobs == 1 else 's'}"
    if past is not None:
        return f"about {lasting(_seconds(owed, past))} {at_once}"
    return f"at most {lasting(_longest(owed))} {at_once} by limits"


def _too_little(owed: Owed, past: Mapping[str, _Past] | None) -> Iterator[str]:
    """Yield where the budget ends the run before its last trial, or may."""
    usd, minutes = owed.budget.usd, owed.budget.minutes
    if usd is not None:
        name = f"the budget of {dollars(usd)}"
        yield from _share(owed, name, usd, _expected(owed, past) if past else None, _bound(owed))
    if minutes is not None:
        name = f"the budget of {minutes:g} min"
        expected = _seconds(owed, past) if past else None
        yield from _share(owed, name, minutes * 60.0, expected, _longest(owed))


def _share(
    owed: Owed, name: str, budget: float, expected: float | None, bound: float | None
) -> Iterator[str]:
    if expected is not None and expected > budget:
        reached = round(owed.total * budget / expected)
        yield f"warning: {name} ends the run after about {_trials(reached)} of {owed.total}"
    elif expected is None and (bound is None or bound > budget):
        yield f"warning: {name} may end the run before its last trial"


def _expected(owed: Owed, past: Mapping[str, _Past]) -> float:
    return sum(owed.trials[name] * one.usd for name, one in past.items())


def _seconds(owed: Owed, past: Mapping[str, _Past]) -> float:
    return sum(owed.trials[name] * one.seconds for name, one in past.items()) / _at_once(owed)


def _bound(owed: Owed) -> float | None:
    limit = owed.suite.limits.cost_usd
    return None if limit is None else limit * sum(owed.trials[name] for name in owed.costing)


def _longest(owed: Owed) -> float:
    return owed.suite.limits.seconds * owed.total / _at_once(owed)


def _at_once(owed: Owed) -> int:
    return max(1, min(owed.jobs, owed.total))


def _past(owed: Owed, arm: str, reports: Path) -> _Past | None:
    """Return what the newest earlier run tells of one arm, None where none does."""
    for folder in _alike(owed, arm, reports)[:_LOOKED_AT]:
        try:
            found = spent(folder.path).get(arm)
        except (StoreError, OSError):
            continue  # a run that cannot be read tells nothing, and is no reason not to run another
        if found is not None and found.usd is not None:
            return _Past(
                run=folder.name,
                usd=found.usd / found.executions,
                seconds=found.seconds / found.executions,
            )
    return None


def _alike(owed: Owed, arm: str, reports: Path) -> list[RunFolder]:
    """Return the runs of the same suite, mode, model and prices, newest first."""
    found: list[tuple[str, RunFolder]] = []
    for path in reports.glob("[!.]*/manifest.json"):
        folder = RunFolder(path.parent)
        try:
            manifest = folder.manifest()
        except StoreError:
            continue
        if manifest.suite == owed.suite.suite and _same(manifest, owed, arm):
            found.append((manifest.started, folder))
    return [folder for _, folder in sorted(found, key=lambda one: one[0], reverse=True)]


def _same(manifest: Manifest, owed: Owed, arm: str) -> bool:
    now = owed.arms[arm].model_dump(mode="json", by_alias=True, exclude_defaults=True)
    then = manifest.arms.get(arm)
    return (
        manifest.signature.mode == owed.mode
        and isinstance(then, dict)
        and all(then.get(key) == now.get(key) for key in ("model", "prices", "sampling"))
    )
