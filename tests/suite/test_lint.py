"""Warnings, and what a sample can prove."""

import datetime as dt
from pathlib import Path

import pytest

from evalkit.records.policy import GatePolicy, Require
from evalkit.records.suite import Suite
from evalkit.suite.lint import lint
from evalkit.suite.load import load_suite
from evalkit.suite.proofs import Proof, proofs

TODAY = dt.date(2026, 11, 30)


def _suite(folder: Path, cases: int, clusters: int | None = None, head: str = "") -> Suite:
    """Return a text suite with some cases, in capabilities a and b by turns."""
    rows = [
        f'{{"id": "c-{n}", "tags": {{"capability": "{"ab"[n % 2]}", "cluster": "{n % (clusters or cases)}"}},'
        f' "input": "{_words(n)}", "expect": [{{"reply": {{"contains": "y"}}}}]}}'
        for n in range(cases)
    ]
    (folder / "suite.yaml").write_text(f"suite: x\n{head}cases: c.jsonl\n", encoding="utf-8")
    (folder / "c.jsonl").write_text("\n".join(rows), encoding="utf-8")
    return load_suite(folder)


def _words(number: int) -> str:
    """Return a request that is like no other, in words and in length: the number's digits as words."""
    digits = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    words = [digits[int(digit)] + place for place, digit in zip("abc", f"{number:03}", strict=True)]
    return " ".join(words) + "!" * (number % 40)


def _policy(**require: object) -> GatePolicy:
    return GatePolicy(require=(Require.model_validate({"metric": "outcome", **require}),), trials=5)


def test_five_of_five_and_forty_of_forty(tmp_path: Path) -> None:
    """Without a policy it is said what the cases prove at best: 5 of 5 .549, 40 of 40 .928."""
    small, large = tmp_path / "small", tmp_path / "large"
    small.mkdir()
    large.mkdir()
    (five,) = proofs(_suite(small, 5), None)
    (forty,) = proofs(_suite(large, 40), None)
    assert (5, 0.549, 40, 0.928) == (five.units, round(five.best, 3), forty.units, round(forty.best, 3))


@pytest.mark.parametrize(
    ("require", "units"),
    [
        ({"at_least": 0.5}, [("suite", 10)]),
        ({"at_least": 0.5, "estimand": "suite"}, [("suite", 50)]),
        ({"at_least": 0.5, "per": "capability"}, [("a", 5), ("b", 5)]),
        ({"at_least": 0.5, "per": "case", "where": "id~c-[01]"}, [("c-0", 5), ("c-1", 5)]),
        ({"at_least": 0.5, "where": "capability=a"}, [("suite", 5)]),
        ({"at_most": 0.5, "statistic": "degraded"}, [("suite", 10)]),
        ({"at_least": 0.5, "where": "capability=z"}, []),
    ],
)
def test_units_are_what_the_gate_will_count(
    tmp_path: Path, require: dict[str, object], units: list[tuple[str, int]]
) -> None:
    """Clusters for cases like these, trials for one about these very cases."""
    found = proofs(_suite(tmp_path, 10), _policy(**require))
    assert units == [(proof.of, proof.units) for proof in found]


def test_clusters_are_the_units(tmp_path: Path) -> None:
    """Ten cases of two customers are two units, whatever the trials."""
    (proof,) = proofs(_suite(tmp_path, 10, clusters=2), _policy(at_least=0.5))
    assert (2, False, 5) == (proof.units, proof.possible, proof.needed)


def test_a_waived_case_is_asked_for_nothing(tmp_path: Path) -> None:
    """Requires per case leave a waived case out."""
    head = "known: [{case: c-0, reason: r, owner: o, until: 2027-01-31}]\n"
    found = proofs(_suite(tmp_path, 3, head=head), _policy(at_least=0.5, per="case"))
    assert ["c-1", "c-2"] == [proof.of for proof in found]


@pytest.mark.parametrize(
    ("threshold", "afforded", "possible"), [(0.5, 1, True), (0.52, 1, True), (0.69, None, False)]
)
def test_how_many_fails_a_gate_affords(
    tmp_path: Path, threshold: float, afforded: int | None, *, possible: bool
) -> None:
    """Eight cases afford one fail at .5 (7 of 8 prove .529), and cannot prove .69 at all."""
    (proof,) = proofs(_suite(tmp_path, 8), _policy(at_least=threshold))
    assert (afforded, possible) == (proof.afforded, proof.possible)


def test_a_bound_from_above_is_warned_of_in_its_own_words(tmp_path: Path) -> None:
    """`at_most` is proven by few hits among many units, and the warning says so."""
    policy = _policy(at_most=0.1, statistic="degraded")
    (warning,) = lint(_suite(tmp_path, 5), policy, (), today=TODAY)
    assert ("cannot-prove", "0.1", "it takes 29 of them") == (warning.code, warning.value, warning.suggestion)
    assert "no less than .451" in warning.message


def test_nothing_asked_is_nothing_proven(tmp_path: Path) -> None:
    """A suite without cases proves nothing, and is not warned of twice."""
    suite = _suite(tmp_path, 0)
    assert (Proof(require=None, metric="outcome", of="suite", units=0, best=0.0),) == proofs(suite, None)
    assert ["empty-selection"] == [w.code for w in lint(suite, _policy(at_least=0.5), (), today=TODAY)]


def test_two_statistics_of_one_metric_share_its_root(tmp_path: Path) -> None:
    """Rate and pass^k of one metric are one cause with two votes; rate and degradation are two questions."""
    suite = _suite(tmp_path, 60)
    rate = Require(metric="outcome", at_least=0.5)
    steady = Require(metric="outcome", statistic="pass^3", at_least=0.5)
    degraded = Require(metric="outcome", statistic="degraded", at_most=0.5)
    twice = lint(suite, GatePolicy(require=(rate, steady)), (), today=TODAY)
    apart = lint(suite, GatePolicy(require=(rate, degraded)), (), today=TODAY)
    assert (["shared-root"], []) == ([w.code for w in twice], [w.code for w in apart])


def test_warnings_refuse_nothing(tmp_path: Path) -> None:
    """Whatever `lint` says is a warning."""
    suite = _suite(tmp_path, 2, head="known: [{case: gone, reason: r, owner: o, until: 2020-01-01}]\n")
    found = lint(suite, _policy(at_least=0.9), (), today=TODAY)
    assert ["unknown-waiver", "expired-waiver", "cannot-prove"] == [warning.code for warning in found]
    assert all(warning.warning for warning in found)


def test_a_misspelt_value_of_a_gate_is_told_with_the_nearest(tmp_path: Path) -> None:
    """An entry that selects nothing says which value no case has, and which comes near."""
    where = {"at_least": 0.04, "where": "cluster=12 and id=c-33"}
    (found,) = lint(_suite(tmp_path, 5), _policy(**where), (), today=TODAY)
    assert "empty-selection" == found.code
    assert "no case has id=c-33: did you mean `c-3`?" in found.suggestion
