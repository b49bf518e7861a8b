"""The final block says what the run came to and what to type next; the list says what lies on the disk."""

import msgspec
import pytest

from evalkit.records.board import Ending, RunLine
from evalkit.records.plan import PlanSummary, Shard
from evalkit.records.signature import Manifest, Part
from evalkit.records.spent import Spent
from evalkit.report.console import Look
from evalkit.report.following import After, next_command
from evalkit.report.runs import duration, list_page, run_block
from tests.report import building

PLAIN = Look(width=80)
FINE = {"a": building.counts(failed=0, errors=0)}


def shard(number: int = 1, of: int = 4) -> Manifest:
    """Return the manifest of one shard."""
    whole = PlanSummary(trials=2, planned=24, cases=12)
    return msgspec.structs.replace(
        building.manifest(),
        shard=Shard(number=number, of=of, plan=whole, plan_hash="h"),
        source={},
        losses=(),
    )


def merged(*ended: str) -> Manifest:
    """Return the manifest of a merged run, whose shards ended at such seconds; "" for a killed one."""
    parts = tuple(
        Part(
            run=f"s{number}",
            number=number,
            started="2026-11-30T10:00:00.000Z",
            ended=f"2026-11-30T10:00:{end}Z" if end else "",
        )
        for number, end in enumerate(ended, start=1)
    )
    return msgspec.structs.replace(building.manifest(), parts=parts, source={}, losses=())


def typed(
    manifest: Manifest | None = None, ending: Ending | None = None, *, complete: bool = True, **counts: int
) -> str:
    """Return what to type next about a run of one arm."""
    arms = {"a": building.counts(**{"failed": 0, "errors": 0, **counts})}
    told = ending or Ending()
    return next_command(manifest or building.manifest(), arms, complete=complete, ending=told)


@pytest.mark.parametrize(
    ("ending", "command"),
    [
        (Ending(), "evalkit show r1"),
        (Ending(has_policy=True), "evalkit gate r1"),
        (Ending(has_policy=True, decision="go", is_current=True), "evalkit show r1"),
        (Ending(has_policy=True, decision="go"), "evalkit gate r1"),
        (Ending(called="elsewhere/a b"), "evalkit show 'elsewhere/a b'"),
    ],
)
def test_a_measured_run_is_decided_about(ending: Ending, command: str) -> None:
    """With a policy and no decision about these trials: gate; else look at it, as it is called here."""
    assert command == typed(ending=ending)


def test_a_run_that_a_budget_ended_goes_on_with_a_budget() -> None:
    """The flags are typed again, for what is owed and for what is tried again."""
    ending = Ending(ended_by="budget of 2.00 USD reached", flags="--budget-usd 2")
    assert "evalkit resume r1 --budget-usd 2" == typed(ending=ending, complete=False)
    assert "evalkit retry r1 --errors --budget-usd 2" == typed(ending=ending, errors=1)


def test_two_arms_are_decided_about_one_by_one() -> None:
    """The gate takes one arm, and the first one is named."""
    arms = {"a b": building.counts(failed=0, errors=0), "c": building.counts(failed=0, errors=0)}
    told = next_command(building.manifest(), arms, complete=True, ending=Ending(has_policy=True))
    assert "evalkit gate r1 --arm 'a b'" == told


def test_a_shard_goes_on_to_be_merged() -> None:
    """Of a shard alone nothing is decided or blamed; an unfinished one is finished first."""
    assert "evalkit merge r1 ... (all 4 shards)" == typed(shard(), failed=2)
    assert "evalkit resume r1" == typed(shard(), complete=False)
    block = run_block(shard(), FINE, PLAIN, complete=True)
    assert "  shard 1 of 4: 6 of 24 trials" in block.split("\n")


def test_an_imported_run_is_never_run() -> None:
    """Whatever it lacks, nothing in it can be executed."""
    plain = building.manifest()
    signature = msgspec.structs.replace(plain.signature, mode="imported")
    imported = msgspec.structs.replace(plain, signature=signature)
    assert "evalkit show r1" == typed(imported, errors=1)
    assert "evalkit show r1" == typed(imported, complete=False)


@pytest.mark.parametrize(
    ("after", "command"),
    [("run", "blame r1"), ("show", "show r1 'c 1'"), ("gate", "show r1 'c 1'"), ("report", "gate r1")],
)
def test_what_fails_is_looked_at_further(after: After, command: str) -> None:
    """After the counts come the roots, after those a case; after a report without a decision, the gate."""
    told = Ending(has_policy=True, failing="c 1")
    arms = {"a": building.counts(failed=1, errors=0)}
    assert f"evalkit {command}" == next_command(
        building.manifest(), arms, complete=True, ending=told, after=after
    )


@pytest.mark.parametrize("after", ["run", "show", "gate", "report"])
def test_nothing_is_decided_about_a_part(after: After) -> None:
    """Whatever is on the screen, an unfinished run is finished, and a shard is merged."""
    for failed in (0, 2):
        arms = {"a": building.counts(failed=failed, errors=0)}
        told = Ending(has_policy=True, failing="c1")
        joined = next_command(shard(), arms, complete=True, ending=told, after=after)
        assert "evalkit merge r1 ... (all 4 shards)" == joined
        finished = next_command(building.manifest(), arms, complete=False, ending=told, after=after)
        assert "evalkit resume r1" == finished


def test_without_a_policy_the_gate_wants_one() -> None:
    """`gate RUN` alone would be refused; a run that was looked at without one is reported."""
    arms, plain = {"a": building.counts(failed=0, errors=0)}, building.manifest()
    asked = next_command(plain, arms, complete=True, after="report")
    assert "evalkit gate r1 --policy FILE" == asked
    assert "evalkit report r1" == next_command(plain, arms, complete=True, after="show")


@pytest.mark.parametrize("cause", ["broken_case", "fixture_missing"])
@pytest.mark.parametrize("after", ["run", "show", "gate"])
def test_what_is_broken_is_shown(after: After, cause: str) -> None:
    """The first trial that only the suite can mend is what to look at, for its message says what is wrong."""
    arms = {"a": msgspec.structs.replace(building.counts(failed=1, errors=1), causes={cause: 1})}
    told = Ending(broken="c1 0 --arm a", failing="c2", has_policy=True)
    found = next_command(building.manifest(), arms, complete=True, ending=told, after=after)
    assert "evalkit show r1 c1 0 --arm a" == found


@pytest.mark.parametrize(
    ("spent", "line"),
    [
        (Spent(executions=2, known_tokens=12345, known_usd=1.5), "  spent 12,345 tokens, 1.50 USD"),
        (Spent(executions=2, known_tokens=12345, unpriced=2), "  spent 12,345 tokens"),
        (
            Spent(executions=3, uncounted=3, known_usd=1.5, unpriced=1),
            "  spent at least 1.50 USD (1 of 3 unknown)",
        ),
    ],
)
def test_what_was_spent_is_said_as_far_as_it_is_known(spent: Spent, line: str) -> None:
    """A sum that leaves an execution out says so; what is known of none is not told as nought."""
    assert line in run_block(building.manifest(), FINE, PLAIN, complete=True, ending=Ending(spent=spent))


def test_nothing_is_said_of_money_where_nothing_is_known() -> None:
    """No line at all, instead of 0.00 USD."""
    for spent in (None, Spent(), Spent(executions=2, uncounted=2, unpriced=2)):
        block = run_block(building.manifest(), FINE, PLAIN, complete=True, ending=Ending(spent=spent))
        assert "spent" not in block


def test_a_decision_is_told_and_an_old_one_is_called_so() -> None:
    """What was decided about other trials is not passed off as being about these."""
    now, before = (
        run_block(
            building.manifest(),
            FINE,
            PLAIN,
            complete=True,
            ending=Ending(decision="go", arm="a", is_current=current),
        )
        for current in (True, False)
    )
    assert "  decided: go about a" in now
    assert "  decided before, about other trials: go about a" in before


def test_the_budget_that_ended_a_run_is_named() -> None:
    """Why trials are missing stands in the block, not in the scrolled-off notices alone."""
    told = "budget of 2.00 USD reached after 137 of 180 trials"
    assert told in run_block(building.manifest(), FINE, PLAIN, complete=False, ending=Ending(ended_by=told))


def test_a_merged_run_is_as_long_as_its_shards() -> None:
    """Shards ran beside each other or days apart: their lengths are summed, and the killed are counted."""
    block = run_block(merged("04.000", "12.000"), FINE, PLAIN, complete=True)
    assert "mode mock, 2 shards, 16 s together, 12 s the longest" in block
    assert "  merged from s1, s2" in block
    assert "2 shards, 4.0 s together, 4.0 s the longest, 1 not ended" in run_block(
        merged("04.000", ""), FINE, PLAIN, complete=True
    )
    assert "1 shard, 1 not ended" in run_block(merged(""), FINE, PLAIN, complete=True)


def test_a_pause_is_no_work() -> None:
    """A run that was gone on with later took what it worked; where that is unknown, nothing is made up."""
    run = msgspec.structs.replace(
        building.manifest(),
        started="2026-11-30T10:00:00.000Z",
        ended="2026-11-30T10:00:00.800Z",
        complete=False,
        parts=(),
    )
    assert "0.8 s" == duration(run)
    again = msgspec.structs.replace(
        run.reopened("2026-11-30T10:11:00.000Z"), ended="2026-11-30T10:11:00.400Z"
    )
    assert "1.2 s, 11 min of pauses not counted" == duration(again)
    thrice = msgspec.structs.replace(again.reopened("2026-11-30T10:22:00.400Z"), ended="2026-11-30T10:22:01Z")
    assert "1.8 s, 22 min of pauses not counted" == duration(thrice)
    killed = msgspec.structs.replace(run, ended="").reopened("2026-11-30T10:11:00Z")
    assert "not ended" == duration(killed)
    told = duration(msgspec.structs.replace(killed, ended="2026-11-30T10:12:00Z"))
    assert "begun 2026-11-30T10:00:00, ended 2026-11-30T10:12:00, with a pause after it was killed" == told


def test_the_list_sums_up_and_tells_how_to_delete() -> None:
    """How many, how large, how many more there are, and what takes one away."""
    lines = (
        RunLine(name="r2", size=2_000_000, complete=True, part="shard 1 of 3"),
        RunLine(name="r1", size=1_000_000),
    )
    page = list_page(lines, PLAIN, left_out=3, place="reports")
    assert "2 runs, 3.0 MB, 3 more not shown" in page
    assert page.endswith("take one away with: rm -r reports/RUN")
    assert "shard 1 of 3" in page


def test_names_of_arms_are_not_broken() -> None:
    """They are there to be typed: a line ends between two of them, and what is too long is cut."""
    arms = ("orch-qwen-run-1", "orch-qwen-run-2")
    runs = (
        RunLine(name="20261130-152257-terminal-bench", arms=arms, mode="imported", complete=True),
        RunLine(name="r1", arms=("x" * 50,), mode="mock", decision="undecided", complete=True),
    )
    for width in (80, 100, 140):
        page = list_page(runs, Look(width=width))
        assert all(arm in page for arm in arms)
        assert f"{'x' * 29}…" in page
        assert all(len(line) <= width for line in page.splitlines())


def test_what_authors_state_is_told_in_words() -> None:
    """No bracket and no quote of a language stands in a page, nor in the notes of a board."""
    source = {
        "files": {"run-1.json": "sha256 12", "run-2.json": "sha256 34"},
        "pass^1..2": [0.5, [0.25, 0.5]],
    }
    manifest = msgspec.structs.replace(building.manifest(), source=source)
    block = run_block(manifest, FINE, PLAIN, complete=True)
    assert "  files: run-1.json sha256 12, run-2.json sha256 34" in block
    assert "  pass^1..2: 0.5, 0.25 to 0.5" in block
