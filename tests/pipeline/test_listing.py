"""The list shows every folder that takes room, in the order that is asked for."""

import json
from pathlib import Path

import pytest

from evalkit.store.joining import UNFINISHED
from tests.journeys.walking import Walker, case, greet


@pytest.fixture
def walk(walk: Walker) -> Walker:
    """Stand in a folder with three runs: the second is the largest, the third a shard."""
    place = greet(walk.folder, [case(number) for number in range(4)])
    names = ["b-first", "c-second", "a-third"]
    flags: list[tuple[object, ...]] = [(), ("--trials", 20), ("--shard", "1/2")]
    for hour, (name, more) in enumerate(zip(names, flags, strict=True), start=10):
        folder = walk.run_folder(walk("run", place, "--json", *more).run)
        path = folder / "manifest.json"
        started = f"2026-11-30T{hour}:00:00.000Z"
        path.write_text(json.dumps({**json.loads(path.read_text()), "started": started}))
        folder.rename(folder.with_name(name))
    return walk


def names(walk: Walker, *flags: object) -> list[str]:
    """Return the names of the listed runs in their order."""
    return [run["name"] for run in walk("list", "--json", *flags).object["runs"]]


@pytest.mark.parametrize(
    ("flags", "order"),
    [
        ((), ["a-third", "c-second", "b-first"]),
        (("--sort", "name"), ["a-third", "b-first", "c-second"]),
        (("--limit", "2"), ["a-third", "c-second"]),
    ],
)
def test_runs_stand_in_the_order_asked_for(walk: Walker, flags: tuple[str, ...], order: list[str]) -> None:
    """The last begun first, or by name; the limit cuts what is shown."""
    assert order == names(walk, *flags)


def test_the_largest_first(walk: Walker) -> None:
    """Whoever looks for room finds the largest on top; the total counts what is not shown, too."""
    assert "c-second" == names(walk, "--sort", "size", "--limit", "1")[0]
    found = walk("list", "--sort", "size", "--limit", "1", "--json").object
    whole = walk("list", "--json").object
    assert (3, whole["total_size"]) == (found["total"], found["total_size"])
    assert sum(run["size"] for run in whole["runs"]) == whole["total_size"]
    assert found["runs"][0]["size"] == max(run["size"] for run in whole["runs"])


def test_the_page_tells_parts_and_how_to_delete(walk: Walker) -> None:
    """A shard is called one, and nothing is deleted but by the person."""
    page = walk("list", "--limit", "2").out
    assert "shard 1 of 2" in page
    assert "2 runs, " in page
    assert "1 more not shown" in page
    assert "rm -r reports/RUN" in page


def test_what_a_killed_merge_left_takes_room_and_is_listed(walk: Walker) -> None:
    """It is no run, for it has no name of one; but it lies there, and can be deleted."""
    left = walk.folder / "reports" / f"{UNFINISHED}abc"
    left.mkdir()
    (left / ".lock").touch()
    (left / "events-0000.jsonl").write_text("x" * 1000)
    line = next(run for run in walk("list", "--json").object["runs"] if run["name"] == left.name)
    assert (1000, "left behind by a merge: delete it") == (line["size"], line["problem"])
    assert "a-third" == Path(walk("score", "latest", "--json").object["folder"]).name


def gated(walk: Walker) -> str:
    """Run and decide by a policy that four passing cases are enough for; return the run's name."""
    policy = "require: [{metric: outcome, at_least: 0.1}]\ntrials: 1\n"
    (walk.folder / "suites" / "greet" / "gate.yaml").write_text(policy)
    return walk("gate", "suites/greet", "--json").run


def decided(walk: Walker) -> tuple[str, bool]:
    """Return what the list tells of the decision about the last begun run."""
    line = walk("list", "--limit", "1", "--json").object["runs"][0]
    return line["decision"], line["stale"]


def test_a_decision_on_other_verdicts_is_called_stale(walk: Walker) -> None:
    """A go that the verdicts have left behind is not listed as one; a new decision is, wherever it lies."""
    run = gated(walk)
    assert ("go", False) == decided(walk)
    events = walk.run_folder(run) / "events-0000.jsonl"
    events.write_text(events.read_text().replace('"content":"hello"', '"content":"bye"'))
    assert 0 == walk("score", run).code
    walk.run_folder(run).rename(walk.run_folder(f"{run}-copied"))
    assert ("go", True) == decided(walk)
    assert "go (stale)" in walk("list").out
    assert 3 == walk("gate", "latest").code
    assert ("undecided", False) == decided(walk)


def test_a_decision_on_the_same_verdicts_is_not_stale(walk: Walker) -> None:
    """To decide the verdicts again, or to try again what there is nothing of, changes nothing."""
    run = gated(walk)
    for verb in (("score", run), ("resume", run), ("retry", run, "--errors")):
        walk(*verb)
        assert ("go", False) == decided(walk)


def test_other_verdicts_with_the_same_counts_are_other_verdicts(walk: Walker) -> None:
    """A decision may rest on more than the counts of the deciding primary."""
    run = gated(walk)
    path = walk.run_folder(run) / "decision.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "verdicts": "0" * 64}))
    walk("score", run)
    assert ("go", True) == decided(walk)
