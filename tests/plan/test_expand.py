"""The plan is fixed before anything runs, and its work order is seeded."""

from hypothesis import given
from hypothesis import strategies as st

from evalkit.plan.expand import Plan, PlanRequest, trial_seed
from evalkit.records.suite import Suite


def suite(cases: int, faulty: int = 0) -> Suite:
    """Return a suite of so many cases, the first `faulty` of which declare a fault."""
    fault = {"look": {"answers": [{"fault": "http_500"}]}}
    return Suite.model_validate(
        {
            "suite": "s",
            "stages": [{"name": "reply", "ran": {"replied": True}}],
            "metrics": [{"name": "outcome", "primary": True}],
            "cases": [
                {"id": f"c{n}", "turns": [{"user": "x"}], "mock": fault if n < faulty else {}}
                for n in range(cases)
            ],
        }
    )


def request(
    trials: int, arms: tuple[str, ...] = ("a", "b"), mode: str = "mock", seed: int = 1
) -> PlanRequest:
    """Return a request for every case."""
    return PlanRequest(
        arms=arms,
        mode=mode,  # type: ignore[arg-type]
        trials=trials,
        seed=seed,
        selected=lambda _case: True,
    )


@given(st.integers(1, 6), st.integers(1, 4), st.integers(0, 99))
def test_work_order_is_a_permutation_of_the_plan(cases: int, trials: int, seed: int) -> None:
    """Every planned trial is worked once, and indices count up in plan order."""
    plan = Plan(suite(cases), request(trials, seed=seed))
    planned = list(plan.in_plan_order())
    assert list(range(plan.summary.planned)) == [trial.index for trial in planned]
    assert planned == sorted(plan.in_work_order(), key=lambda trial: trial.index)


def test_the_order_follows_the_seed() -> None:
    """The same seed gives the same order, another seed another one."""
    orders = [
        [trial.index for trial in Plan(suite(9), request(2, seed=seed)).in_work_order()] for seed in (1, 1, 2)
    ]
    assert orders[0] == orders[1]
    assert orders[0] != orders[2]


def test_both_arms_share_the_seed_of_a_trial() -> None:
    """What is random in a trial is the same for champion and challenger."""
    seeds = {(t.case, t.trial, t.seed) for t in Plan(suite(3), request(2)).in_plan_order()}
    assert 6 == len(seeds)


def test_a_declared_fault_is_not_planned_in_real_mode() -> None:
    """Real mode cannot make a fault happen: such a case is left out, and counted."""
    real = Plan(suite(3, faulty=1), request(2, ("a",), "real"))
    mock = Plan(suite(3, faulty=1), request(2, ("a",), "mock"))
    assert ((4, ("c0",)), (6, ())) == tuple((p.summary.planned, p.summary.not_in_mode) for p in (real, mock))


def test_seeds_fit_every_reader_of_json() -> None:
    """A seed is kept exactly by a reader that knows only doubles."""
    assert all(0 <= trial_seed(seed, "案例", 3) < 2**53 for seed in range(200))
