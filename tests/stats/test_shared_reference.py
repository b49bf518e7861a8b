"""The statistics against figures that others computed: the reference file, tau-bench and terminal-bench."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from evalkit.stats.interval import clopper_pearson, jeffreys, lower_bound, wilson
from evalkit.stats.passk import case_pass_at, case_pass_hat, suite_pass_at, suite_pass_hat
from evalkit.stats.power import most_fails, units_needed
from evalkit.stats.rate import suite_rate
from evalkit.stats.suite_mean import spread, t_interval
from evalkit.stats.tally import CaseTally, completed


@pytest.fixture(scope="module")
def reference(shared_data: Path) -> dict[str, Any]:
    """The worked values, by section and name."""
    found: dict[str, Any] = json.loads((shared_data / "stats" / "reference.json").read_text(encoding="utf-8"))
    return found


def _tally(outcomes: list[bool | None]) -> CaseTally:
    return CaseTally(
        n_pass=outcomes.count(True), n_fail=outcomes.count(False), n_unmeasured=outcomes.count(None)
    )


def _equal(expected: dict[str, float], found: dict[str, float | None]) -> None:
    """Compare two tables of figures to 1e-9, the tolerance that the design names."""
    assert sorted(expected) == sorted(found)
    for name, value in expected.items():
        assert value == pytest.approx(found[name], abs=1e-9), name


def test_pass_at_and_pass_hat(reference: dict[str, Any]) -> None:
    """Every row of the section "pass": subset enumeration, with None where k > n."""
    rows = {name: row["value"] for name, row in reference["pass"].items() if name.startswith("n=")}
    assert len(rows) >= 6
    for name, row in rows.items():
        n, c, k = (int(part.split("=")[1]) for part in name.split(","))
        tally = CaseTally(n_pass=c, n_fail=n - c)
        found = (case_pass_at(tally, k).value, case_pass_hat(tally, k).value)
        assert (row["pass_at"], row["pass_hat"]) == found, name


def test_proportions(reference: dict[str, Any]) -> None:
    """Every row of the section "proportion", asserted there against statsmodels."""
    methods = {"wilson": wilson, "clopper_pearson": clopper_pearson, "jeffreys": jeffreys}
    for name, row in reference["proportion"].items():
        x, n = map(int, name.split("/"))
        for method, ends in row["value"].items():
            interval = methods[method](x, n)
            _equal({"low": ends[0], "high": ends[1]}, {"low": interval.low, "high": interval.high})


def test_cluster_standard_error(reference: dict[str, Any]) -> None:
    """The clustered example, asserted there against statsmodels."""
    ((name, row),) = reference["cluster_se"].items()
    values, clusters = ([int(digit) for digit in part.split("=")[1]] for part in name.split())
    found, figure = spread(values, clusters), t_interval(values, clusters)
    expected = dict(row["value"])
    low, high = expected.pop("t_ci")
    _equal(
        {**expected, "low": low, "high": high},
        {
            "mean": found.mean,
            "naive_se": spread(values).se,
            "clustered_se": found.se,
            "df": found.df,
            "low": figure.low,
            "high": figure.high,
        },
    )


def test_standard_error_of_the_population(reference: dict[str, Any]) -> None:
    """The 8 x 5 example of section 1.9: SE over cases .0680, and .0351 if trials were taken for cases."""
    values = [1, 1, 0.8, 1, 0.6, 0.6, 0.8, 1, 0.8, 1, 0.4, 0.6, 0.8, 0.6, 0.4, 0.2, 1, 0.6, 0.8, 0.4]
    trials = [*[1.0] * 5, *[1.0] * 5, *[0.8] * 5, *[1.0] * 5, *[0.6] * 5, *values[5:]]
    means = [sum(trials[5 * i : 5 * i + 5]) / 5 for i in range(8)]
    row = reference["variance"]["8x5 (3 unstable)"]["value"]
    assert row["se_mean_superpop"] == pytest.approx(spread(means).se, abs=1e-9)
    assert row["naive_se_40_independent"] == pytest.approx(spread(trials).se, abs=1e-9)


def test_consecutive_passes(reference: dict[str, Any]) -> None:
    """Units needed, and what m straight passes prove."""
    section = reference["consecutive"]
    needed = section["zero-failure runs needed (conf .95)"]["value"]
    assert needed == {threshold: units_needed(float(threshold)) for threshold in needed}
    proven = section["lower95_one_sided after m straight"]["value"]
    _equal(proven, {m: lower_bound(int(m), int(m)) for m in proven})


def test_fewest_agreements(reference: dict[str, Any]) -> None:
    """The section "judge": how many of n must agree before .85 is proven."""
    rows = reference["judge"]["min agree count to claim >=85% at n"]["value"]
    assert len(rows) >= 4
    for n, passes in rows.items():
        fails = most_fails(int(n), 0.85)
        assert passes == (None if fails is None else int(n) - fails), n


def test_tau_bench(shared_data: Path) -> None:
    """From the recorded rewards: pass^1..4 by our convention, and by the authors' as the worst case."""
    text = (shared_data / "tau-bench" / "airline-10x4.json").read_text(encoding="utf-8")
    outcomes: dict[int, list[bool | None]] = defaultdict(list)
    for trial in json.loads(text):
        measured = trial["info"].get("reward_info") is not None
        outcomes[trial["task_id"]].append(trial["reward"] == 1 if measured else None)
    tallies = [_tally(row) for row in outcomes.values()]
    figures = [suite_pass_hat(tallies, k) for k in (1, 2, 3, 4)]
    assert [0.458333, 0.283333, 0.225, 0.2] == pytest.approx([f.value for f in figures], abs=5e-7)
    assert [0.45, 0.283333, 0.225, 0.2] == pytest.approx([f.worst for f in figures], abs=5e-7)
    assert [10] * 4 == [f.n_cases for f in figures]


def test_terminal_bench(shared_data: Path) -> None:
    """The pass@2, 4, 5 and accuracy that the harness wrote into its own file, null a failure as there."""
    text = (shared_data / "terminal-bench" / "orch-qwen" / "run-1.json").read_text(encoding="utf-8")
    stated = json.loads(text)
    outcomes: dict[str, list[bool | None]] = defaultdict(list)
    for trial in stated["results"]:
        outcomes[trial["task_id"]].append(trial["is_resolved"])
    tallies = completed([_tally(row) for row in outcomes.values()], "fail")
    assert stated["pass_at_k"] == {
        k: pytest.approx(suite_pass_at(tallies, int(k)).value) for k in ("2", "4", "5")
    }
    assert stated["accuracy"] == pytest.approx(suite_rate(tallies).value)
