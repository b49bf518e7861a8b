"""A forecast rests on the newest run that is alike, else on the limits, else it knows nothing and says so."""

from pathlib import Path

import pytest

from evalkit.pipeline.forecasting import Owed, forecast
from evalkit.pipeline.spending import NO_BUDGET, RunBudget
from evalkit.records.arm import Arm
from evalkit.records.event import Closed, Event, Usage
from evalkit.records.plan import PlanSummary
from evalkit.records.signature import Manifest, Signature
from evalkit.records.suite import Suite
from evalkit.store.encoding import LineEncoder
from evalkit.store.folder import RunFolder
from evalkit.store.journal import JournalWriter
from tests.store.events import execution, opened


def suite(**limits: float) -> Suite:
    """Return a suite with such limits."""
    return Suite.model_validate(
        {
            "suite": "s",
            "stages": [{"name": "reply", "ran": {"replied": True}}],
            "metrics": [{"name": "outcome", "primary": True}],
            "cases": [],
            "limits": limits,
        }
    )


def arm(prices: dict[str, float] | None = None, name: str = "champion", model: str = "m") -> Arm:
    """Return a scripted arm."""
    spec = {"name": model, "replies": [{"reply": "x"}]}
    return Arm.model_validate({"arm": name, "model": spec, "prices": prices})


PRICED = arm({"input": 1.0})


def owed(
    arms: dict[str, Arm] | None = None, trials: int = 100, budget: RunBudget = NO_BUDGET, **limits: float
) -> Owed:
    """Return so many trials of each arm at four jobs."""
    known = arms or {"champion": PRICED}
    return Owed(
        suite=suite(**{"seconds": 60.0, **limits}),
        arms=known,
        mode="mock",
        trials=dict.fromkeys(known, trials),
        jobs=4,
        budget=budget,
    )


def ran(
    reports: Path, name: str, costs: list[float | None], like: Arm = PRICED, started: str = "2026-11-02"
) -> None:
    """Write a run whose trials cost so much and took four seconds each."""
    folder = RunFolder.create(reports, name, LineEncoder())
    folder.write_manifest(
        Manifest(
            run=name,
            suite="s",
            arms={"champion": like.model_dump(mode="json", by_alias=True, exclude_defaults=True)},
            signature=Signature(suite_hash="h", mode="mock"),
            plan=PlanSummary(trials=1, planned=len(costs), cases=len(costs)),
            plan_hash="",
            started=f"{started}T00:00:00Z",
        )
    )
    with JournalWriter(folder.path, LineEncoder()) as journal:
        for trial, cost in enumerate(costs):
            usage = None if cost is None else Usage(input=1, cost_usd=cost)
            head, tail = execution(f"e{trial}", [], opened(trial=trial), Closed(usage=usage))
            journal.append(head)
            journal.append(Event(execution=tail.execution, seq=1, at=4.0, body=tail.body))


def said(asked: Owed, reports: Path) -> list[str]:
    """Return the lines of a forecast."""
    return list(forecast(asked, reports))


def test_nothing_is_said_of_what_is_free(tmp_path: Path) -> None:
    """A scripted arm without prices, and an arm of which nothing is owed, have no forecast."""
    assert [] == said(owed({"champion": arm()}), tmp_path)
    assert [] == said(owed(trials=0), tmp_path)


def test_without_a_run_or_a_limit_the_cost_is_unknown(tmp_path: Path) -> None:
    """What nobody can know is not guessed; the time is bounded by the limits all the same."""
    expected = (
        "forecast: 100 trials, cost unknown: no earlier run tells it, and limits.cost_usd sets no bound; "
    )
    assert [f"{expected}at most 25 min at 4 jobs by limits"] == said(owed(), tmp_path)


def test_the_mean_of_the_newest_run_is_the_forecast(tmp_path: Path) -> None:
    """Mean cost and length of a trial, times the trials that are owed; the limits stand beside it."""
    ran(tmp_path, "old", [9.0], started="2026-11-01")
    ran(tmp_path, "new", [0.01, 0.03], started="2026-11-30")
    expected = "forecast: 100 trials, about 2.00 USD (mean of new), at most 50.00 USD by limits; "
    assert [f"{expected}about 100 s at 4 jobs"] == said(owed(cost_usd=0.5), tmp_path)


@pytest.mark.parametrize(
    "like", [arm({"input": 2.0}), arm({"input": 1.0}, model="other"), arm()], ids=["prices", "model", "none"]
)
def test_a_run_of_another_arm_tells_nothing(tmp_path: Path, like: Arm) -> None:
    """Other prices or another model cost something else."""
    ran(tmp_path, "r", [9.0], like=like)
    assert "cost unknown" in said(owed(), tmp_path)[0]


def test_a_run_that_does_not_know_its_cost_tells_nothing(tmp_path: Path) -> None:
    """One trial of unknown cost makes the mean unknown: the run before it is asked."""
    ran(tmp_path, "old", [0.01], started="2026-11-01")
    ran(tmp_path, "new", [0.01, None], started="2026-11-30")
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "manifest.json").write_text("{")
    assert "about 1.00 USD (mean of old)" in said(owed(), tmp_path)[0]


def test_an_arm_of_which_nothing_is_known_leaves_the_whole_unknown(tmp_path: Path) -> None:
    """Half of a cost is no forecast; the bound is that of the arms that cost."""
    ran(tmp_path, "r", [0.01])
    arms = {"champion": PRICED, "other": arm({"input": 1.0}, "other"), "free": arm(None, "free")}
    line = said(owed(arms, trials=10, cost_usd=0.5), tmp_path)[0]
    assert line.startswith("forecast: 30 trials, at most 10.00 USD by limits;")


@pytest.mark.parametrize(
    ("budget", "known", "warning"),
    [
        (
            RunBudget(usd=0.5),
            True,
            "warning: the budget of 0.50 USD ends the run after about 50 trials of 100",
        ),
        (RunBudget(usd=1.5), True, ""),
        (RunBudget(usd=0.5), False, "warning: the budget of 0.50 USD may end the run before its last trial"),
        (
            RunBudget(minutes=1.0),
            True,
            "warning: the budget of 1 min ends the run after about 60 trials of 100",
        ),
        (RunBudget(minutes=1.0), False, "warning: the budget of 1 min may end the run before its last trial"),
        (RunBudget(minutes=30.0), False, ""),
    ],
)
def test_a_budget_below_the_forecast_is_warned_of(
    tmp_path: Path,
    budget: RunBudget,
    known: bool,  # noqa: FBT001
    warning: str,
) -> None:
    """How many trials it will pay for, or that it may not do, where nobody knows."""
    if known:
        ran(tmp_path, "r", [0.01])
    assert warning == "".join(said(owed(budget=budget), tmp_path)[1:])
