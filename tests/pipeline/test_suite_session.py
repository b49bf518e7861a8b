"""What a test runner says of a trial, and who of several processes runs a suite."""

import json
from pathlib import Path

import pytest

from evalkit.errors import InputError
from evalkit.pipeline.api import load_suite
from evalkit.pipeline.suite_session import Outcome, SuiteSession, chosen_arm, outcome_of
from evalkit.records.verdict import Cause, CauseClass, Verdict
from tests.journeys.walking import case, greet

FREE = """\
suite: greet
cases: cases.jsonl
world: {database: world.sql}
metrics: {kept: {primary: true, check: state}}
"""


def errs(cause: Cause, kind: CauseClass, roots: tuple[str, ...] = ()) -> Verdict:
    """Return an error of a deciding metric."""
    return Verdict(
        index=0,
        case="a",
        arm="x",
        trial=1,
        of="metric",
        name="done",
        outcome="error",
        cause=cause,
        cause_class=kind,
        sub="queue" if cause == "environment" else None,
        message="no answer",
        roots=roots,
    )


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (
            errs("upstream_failed", "explained", ("look",)),
            Outcome(word="skipped", text="a[1]: done upstream_failed: no answer (root look)"),
        ),
        (
            errs("not_required", "not_asked"),
            Outcome(word="skipped", text="a[1]: done not_required: no answer"),
        ),
        (
            errs("environment", "unmeasured"),
            Outcome(
                word="error",
                text="not measured: a[1]: done environment/queue: no answer\nevalkit show r a 1",
            ),
        ),
    ],
)
def test_errors_by_their_class(row: Verdict, expected: Outcome) -> None:
    """Explained and not asked: skipped, with the root; unmeasured: an error."""
    assert expected == outcome_of(row, None, "r")


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite with a case that passes and one that fails."""
    monkeypatch.setenv("EVALKIT_REPORTS", str(tmp_path / "reports"))
    return greet(tmp_path, [case(1), case(2, expected="farewell")]) / "suite.yaml"


def test_a_free_case_is_refused_at_collection(tmp_path: Path) -> None:
    """A suite with a case that doing nothing passes has no items: its passes would mean nothing."""
    place = greet(tmp_path, [], suite=FREE, gate="require: [{metric: kept, at_least: 0.5}]")
    (place / "world.sql").write_text("create table loans (book varchar);")
    free = {"state": {"sql": "select count(*) from loans", "equals": 0}}
    (place / "cases.jsonl").write_text(json.dumps({"id": "free", "input": "x", "expect": [free]}))
    with pytest.raises(InputError) as told:
        SuiteSession(mode="mock", trials=1).planned(place / "suite.yaml")
    assert [("free-case", "free")] == [(one.code, one.key) for one in told.value.problems]


def session(suite: Path, shared: Path | None = None) -> SuiteSession:
    """Return a session that has collected the suite."""
    made = SuiteSession(mode="mock", trials=1, shared=shared)
    made.planned(suite)
    return made


@pytest.mark.parametrize(
    ("arms", "said", "expected"),
    [
        (("a",), (), "a"),
        (("a", "champion"), (), "champion"),
        (("a", "champion"), ("a",), "a"),
        (("a", "champion"), ("b", "a"), "a"),
        (("a", "champion"), ("a", "greet=champion"), "champion"),
        (("a", "champion"), ("a", "other=b"), "a"),
        (("a", "b"), (), None),
        (("a", "b"), ("a", "b"), None),
        (("a", "champion"), ("b",), None),
        (("a", "b"), ("other=b",), None),
    ],
)
def test_the_arm_of_a_suite(
    suite: Path, arms: tuple[str, ...], said: tuple[str, ...], expected: str | None
) -> None:
    """SUITE=ARM goes before ARM; nothing said is the only arm, else champion; what is open is refused."""
    loaded = load_suite(suite)
    for name in arms:
        (suite.parent / "arms" / f"{name}.yaml").touch()
    if "champion" not in arms:
        (suite.parent / "arms" / "champion.yaml").unlink()
    if expected is not None:
        assert expected == chosen_arm(loaded, said)
    else:
        with pytest.raises(InputError, match=f"greet=ARM.*there are: {', '.join(arms)}"):
            chosen_arm(loaded, said)


def words(made: SuiteSession, suite: Path) -> list[str]:
    """Return what a session says of both cases."""
    cases = ("case-1", "case-2")
    return [made.outcome(suite, cases, (name, 0)).word for name in cases]


def test_a_suite_is_run_once(suite: Path, tmp_path: Path) -> None:
    """However many items ask."""
    made = session(suite)
    assert ["passed", "failed"] == words(made, suite) == words(made, suite)
    assert 1 == len(list((tmp_path / "reports").iterdir()))
    assert 1 == len(made.lines)


def test_sessions_that_share_a_folder_share_the_run(suite: Path, tmp_path: Path) -> None:
    """The second reads what the first has run; the line for people is written once."""
    shared = tmp_path / "shared"
    shared.mkdir()
    assert ["passed", "failed"] == words(session(suite, shared), suite)
    assert ["passed", "failed"] == words(session(suite, shared), suite)
    assert 1 == len(list((tmp_path / "reports").iterdir()))
    assert 1 == len(list(shared.glob("*/line")))


def test_what_keeps_a_suite_from_running_is_told_to_every_item(suite: Path) -> None:
    """It is tried once, and is an error for each trial."""
    made = session(suite)
    (suite.parent / "arms" / "champion.yaml").unlink()
    for name in ("case-1", "case-2"):
        with pytest.raises(InputError, match="arm"):
            made.outcome(suite, ("case-1", "case-2"), (name, 0))
