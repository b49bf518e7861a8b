"""The benchmark says what it measured: slopes without start-up, and targets beside their figures."""

from pathlib import Path

import pytest

from benchmarks import outcome, work
from benchmarks.children import Cost
from benchmarks.measuring import Figures, Measured, slope

BENCHMARKS = Path(work.__file__).parent


def _cost(cpu: float) -> Cost:
    return Cost(cpu=cpu, rss=70 << 20, stored=0, said={})


def _figures(kind: str, tool: str, trial: float, floor: float | None = None) -> Figures:
    return Figures(
        kind=kind, tool=tool, trial=trial, startup=0.5, rss=70 << 20, stored=1234.0, again=0.1, floor=floor
    )


def test_a_trial_is_the_slope_and_starting_up_is_no_part_of_it() -> None:
    """A run of one trial tells start-up, and what a trial costs is told by all sizes beyond it."""
    assert 0.002 == pytest.approx(slope({1: _cost(5.0), 200: _cost(1.4), 1_000: _cost(3.0)}))


@pytest.mark.parametrize(("trials", "cases", "repeats"), [(1, 1, 1), (100, 100, 1), (10_000, 100, 100)])
def test_a_size_is_a_suite_as_people_have_them(trials: int, cases: int, repeats: int) -> None:
    """A hundred cases and their repeats, the same for everyone."""
    assert work.Size(cases=cases, repeats=repeats) == work.size(trials)
    assert trials == work.size(trials).trials


def test_a_size_that_cannot_be_had_is_refused() -> None:
    """Half a repeat is no trial."""
    with pytest.raises(ValueError, match="not a multiple of 100"):
        work.size(250)


def test_a_slow_row_is_not_run_again_and_a_bounded_one_not_beyond() -> None:
    """What takes minutes averages over busy moments by itself."""
    rows = {row.tool: Measured(row=row) for row in work.peer_rows(quick=False) if row.kind == "turns"}
    assert rows["Inspect AI"].wants(10_000, 0)
    assert not rows["Inspect AI"].wants(10_000, 1)
    assert not rows["Inspect AI, loop by hand"].wants(10_000, 0)
    assert rows["pydantic-evals"].wants(10_000, 1)


def test_a_target_is_reached_missed_or_not_measured() -> None:
    """The ratio is to the cheapest row of a peer; what nobody ran is not called reached."""
    figures = [
        _figures("trivial", "evalkit run", 0.4, floor=0.02),
        _figures("trivial", "Inspect AI", 8.0),
        _figures("trivial", "Inspect AI, realtime log", 5.0),
        _figures("turns", "evalkit run", 0.4, floor=0.04),
    ]
    lines = [target.line() for target in outcome.targets(figures, score=0.0002, large=None)]
    words = [line.split()[-1] for line in lines]
    assert ["MISSED", "measured", "measured", "reported", "reported", "reached", "measured"] == words
    assert "0.080" in lines[0]
    assert "20.0" in lines[3]


def test_the_table_fits_a_terminal() -> None:
    """Eighty columns, also with figures as large as a busy machine makes them."""
    figures = [_figures(row.kind, row.tool, 0.123456, floor=0.012) for row in work.own_rows()]
    figures += [_figures(row.kind, row.tool, 0.123456) for row in work.peer_rows(quick=False)]
    page = outcome.page(figures, outcome.targets(figures, 0.001, 500 << 20), (200, 1_000, 10_000))
    assert [] == [line for line in page.splitlines() if len(line) > 80]


def test_every_peer_is_locked_by_hash() -> None:
    """The environment of the peers is the same for everybody who makes it."""
    lock = (BENCHMARKS / "requirements.lock").read_text(encoding="utf-8")
    entries = [entry for entry in lock.split("\n") if "==" in entry and not entry.startswith((" ", "#"))]
    assert len(entries) > 10
    assert all(entry.endswith("\\") for entry in entries)
    wanted = (BENCHMARKS / "requirements.in").read_text(encoding="utf-8").split()
    assert all(any(entry.startswith(f"{name}==") for entry in entries) for name in wanted)
