"""A run folder is written whole or not at all, and read back as it was."""

import errno
import hashlib
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from msgspec import structs

from evalkit.errors import InputError, OutputError, StoreError
from evalkit.records.plan import PlannedTrial, PlanSummary
from evalkit.records.signature import Manifest, Signature
from evalkit.records.suite import Suite
from evalkit.records.verdict import Verdict
from evalkit.store.encoding import LineEncoder
from evalkit.store.folder import Results, RunFolder, suite_hash
from evalkit.store.joining import growing

SUITE = Suite.model_validate(
    {
        "suite": "greet",
        "stages": [{"name": "reply", "ran": {"replied": True}}],
        "metrics": [{"name": "outcome", "primary": True, "any_kind": True}],
        "cases": [
            {
                "id": "你好",
                "turns": [{"user": "hi"}],
                "demand": {"reply": "required"},
                "expect": [{"kind": "reply", "args": {"contains": "hi"}, "metric": "outcome"}],
                "source": {"origin": "written", "at": "2026-10-02"},
                "place": "a.yaml:1",
            }
        ],
    }
)
VERDICT = Verdict(
    index=0, case="你好", arm="a", trial=0, of="metric", name="outcome", outcome="pass", message="lone \ud800"
)
ROWS = (structs.replace(VERDICT, of="stage", name="reply"), VERDICT)


def manifest(plan_hash: str = "0") -> Manifest:
    """Return a small manifest of the suite `SUITE`."""
    return Manifest(
        run="r",
        suite="greet",
        arms={"a": {"arm": "a"}},
        signature=Signature(suite_hash=suite_hash(SUITE), mode="mock"),
        plan=PlanSummary(trials=1, planned=1, cases=1),
        plan_hash=plan_hash,
        started="2026-11-30T00:00:00Z",
    )


def folder(path: Path, *secrets: str) -> RunFolder:
    """Return a new run folder."""
    return RunFolder.create(path, "r", LineEncoder(secrets))


def test_everything_comes_back(tmp_path: Path) -> None:
    """Suite, manifest, plan and verdicts are read back equal to what was written."""
    run = folder(tmp_path)
    planned = [PlannedTrial(index=0, case="你好", arm="a", mode="mock", trial=0, seed=7)]
    digest = run.write_plan(planned)
    run.write_suite(SUITE)
    run.write_manifest(manifest(digest))
    run.write_results([(0, lambda: (ROWS, None))])
    assert hashlib.sha256((run.path / "plan.jsonl").read_bytes()).hexdigest() == digest
    assert (planned, SUITE, manifest(digest), [*ROWS], []) == (
        list(run.plan()),
        run.suite(),
        run.manifest(),
        list(run.verdicts()),
        list(run.blame()),
    )


def test_a_failing_source_leaves_the_old_file(tmp_path: Path) -> None:
    """When the rows break off, the verdicts of before stand and no half file is left behind."""
    run = whole(tmp_path)
    before = list(run.verdicts())

    def rows() -> Iterator[tuple[int, Callable[[], Results]]]:
        yield 0, lambda: (ROWS, None)
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OutputError, match="No space left"):
        run.write_results(rows())
    assert before == list(run.verdicts())
    assert [] == list(run.path.glob(".*.tmp"))


def test_the_hash_of_a_suite_ignores_where_its_cases_stood() -> None:
    """Moving a case to another line is not another suite; changing its input is."""
    case = SUITE.cases[0]
    moved = SUITE.model_copy(update={"cases": (case.model_copy(update={"place": "b.yaml:9"}),)})
    changed = SUITE.model_copy(update={"cases": (case.model_copy(update={"id": "other"}),)})
    assert suite_hash(SUITE) == suite_hash(moved)
    assert suite_hash(SUITE) != suite_hash(changed)


def test_a_taken_name_gets_a_number(tmp_path: Path) -> None:
    """Two runs of one second do not share a folder."""
    assert ["r", "r-2", "r-3"] == [folder(tmp_path).name for _ in range(3)]


def test_a_place_where_no_run_can_lie_is_told_with_what_to_set(tmp_path: Path) -> None:
    """Nothing was run yet, and the sentence names the variable that says where runs go."""
    (tmp_path / "taken").write_text("")
    reports = tmp_path / "taken" / "reports"
    told = r"cannot make .*nothing was run; let EVALKIT_REPORTS name"
    with pytest.raises(OutputError, match=told):
        RunFolder.create(reports, "r", LineEncoder())
    with pytest.raises(OutputError, match=told), growing(reports, "r", LineEncoder()):
        pass


def test_an_unknown_run_names_the_known_ones(tmp_path: Path) -> None:
    """The error says which runs there are."""
    folder(tmp_path).write_manifest(manifest())
    with pytest.raises(InputError, match=r"no such run.*the latest are r"):
        RunFolder.find(tmp_path, "missing")


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    """A run that another holds for writing is not written to."""
    run = folder(tmp_path)
    with run.lock(), pytest.raises(InputError, match="another process"), RunFolder(run.path).lock():
        pass


def test_code_stays_in_its_folder(tmp_path: Path) -> None:
    """A name that climbs out of `code/` is refused."""
    with pytest.raises(OutputError, match="outside the suite"):
        folder(tmp_path).write_code("../../evil.py", b"")


def test_a_damaged_verdict_names_file_and_line(tmp_path: Path) -> None:
    """What cannot be read is said by file and line."""
    run = whole(tmp_path)
    (run.path / "verdicts.jsonl").write_text('{"outcome": "green"}\n')
    with pytest.raises(StoreError, match=r"r/verdicts\.jsonl:1: not a Verdict"):
        list(run.verdicts())


def _renamed(case: str, metric: str) -> Suite:
    """Return `SUITE` with other names."""
    one = SUITE.cases[0]
    entries = tuple(entry.model_copy(update={"metric": metric}) for entry in one.expect)
    metrics = tuple(named.model_copy(update={"name": metric}) for named in SUITE.metrics)
    cases = (one.model_copy(update={"id": case, "expect": entries}),)
    return SUITE.model_copy(update={"cases": cases, "metrics": metrics})


def test_a_secret_that_spells_a_name_does_not_lose_the_run(tmp_path: Path) -> None:
    """Redaction touches the words of others only: names of cases, arms and metrics, and closed lists."""
    spelt = ("metric", "outcome", "outcomes", "mock-arm", "case-one", "message", "planned", "greet-suite")
    run = folder(tmp_path, *spelt, "sk-geheim")
    trial = PlannedTrial(index=0, case="case-one", arm="mock-arm", mode="mock", trial=0, seed=1)
    verdict = Verdict(
        index=0,
        case="case-one",
        arm="mock-arm",
        trial=0,
        of="metric",
        name="outcomes",
        outcome="fail",
        message="it said sk-geheim of metric",
    )
    arms = {"mock-arm": {"arm": "mock-arm", "system": "use sk-geheim"}}
    told = structs.replace(manifest(run.write_plan([trial])), suite="greet-suite", arms=arms)
    stage = structs.replace(verdict, of="stage", name="reply", message="")
    run.write_suite(_renamed("case-one", "outcomes"))
    run.write_results([(0, lambda: ((stage, verdict), None))])
    run.write_manifest(told)
    assert [trial] == list(run.plan())
    clean = structs.replace(verdict, message="it said [redacted] of [redacted]")
    assert [stage, clean] == list(run.verdicts())
    assert (
        structs.replace(told, arms={"mock-arm": {"arm": "mock-arm", "system": "use [redacted]"}})
        == run.manifest()
    )


def test_a_document_keeps_its_names_and_loses_its_secrets() -> None:
    """A secret that spells a key, a kind or a case leaves the suite loadable; elsewhere it is gone."""
    plain = '{"id":"case-one","kind":"contains","args":{"contains":["sk-geheim in case-one"]}}\n'
    told = LineEncoder(("contains", "case-one", "sk-geheim")).document(plain.encode())
    wanted = '{"id":"case-one","kind":"contains","args":{"contains":["[redacted] in [redacted]"]}}\n'
    assert wanted.encode() == told


def whole(path: Path) -> RunFolder:
    """Return a run of three trials with two verdicts each."""
    run = folder(path)
    trials = [PlannedTrial(index=i, case="你好", arm="a", mode="mock", trial=i, seed=7) for i in range(3)]
    told = manifest(run.write_plan(trials))
    run.write_suite(SUITE)
    run.write_manifest(structs.replace(told, plan=PlanSummary(trials=3, planned=3, cases=1)))
    rows = [structs.replace(VERDICT, index=one.index, trial=one.trial) for one in trials]

    def results(row: Verdict) -> Results:
        return (structs.replace(row, of="stage", name="reply"), row), None

    run.write_results((row.index, partial(results, row)) for row in rows)
    return RunFolder(run.path)


def test_a_changed_suite_is_refused(tmp_path: Path) -> None:
    """What was expected cannot be weakened after the run."""
    run = whole(tmp_path)
    file = run.path / "suite.json"
    file.write_text(file.read_text().replace('"hi"', '"h"'))
    with pytest.raises(StoreError, match="not the suite"):
        run.suite()


def test_a_suite_without_its_secrets_is_read(tmp_path: Path) -> None:
    """A stored suite that held a secret has another hash than the whole one, and is read all the same."""
    run = folder(tmp_path, "hi there")
    whole_suite = SUITE.model_copy(update={"goal": None, "suite": "greet"})
    case = whole_suite.cases[0]
    told = case.model_copy(update={"turns": (case.turns[0].model_copy(update={"user": "hi there"}),)})
    held = whole_suite.model_copy(update={"cases": (told,)})
    run.write_suite(held)
    run.write_manifest(
        structs.replace(manifest(), signature=Signature(suite_hash=suite_hash(held), mode="mock"))
    )
    assert "[redacted]" == run.suite().cases[0].turns[0].user


@pytest.mark.parametrize("name", ["plan.jsonl", "verdicts.jsonl"])
@pytest.mark.parametrize(
    "edit",
    [
        lambda lines: lines[:-1] if len(lines) == 3 else lines[:-2],
        lambda lines: lines + lines,
        lambda lines: lines + lines[-1:],
        lambda lines: lines[-1:] + lines[:-1],
        lambda lines: lines[:0],
    ],
    ids=["cut", "twice", "last twice", "turned", "empty"],
)
def test_rows_lost_or_counted_twice_are_refused(
    tmp_path: Path, name: str, edit: Callable[[list[bytes]], list[bytes]]
) -> None:
    """Plan and verdicts are read to their end as they were written, or not at all."""
    run = whole(tmp_path)
    assert (3, 6) == (len(list(run.plan())), len(list(run.verdicts())))
    file = run.path / name
    file.write_bytes(b"".join(edit(file.read_bytes().splitlines(keepends=True))))
    with pytest.raises(StoreError, match=name):
        list(run.plan()) if name == "plan.jsonl" else list(run.verdicts())


@pytest.mark.parametrize("at", range(6))
def test_no_single_verdict_can_be_lost(tmp_path: Path, at: int) -> None:
    """A verdict that is gone would leave its rate: n_pass + n_fail + n_error would be less than planned."""
    run = whole(tmp_path)
    file = run.path / "verdicts.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:at] + lines[at + 1 :]))
    with pytest.raises(StoreError, match=r"verdicts\.jsonl.*evalkit score r"):
        list(run.verdicts())


@pytest.mark.parametrize(
    "change", [{"case": "x"}, {"arm": "b"}, {"trial": 2}, {"index": 9}, {"name": "x"}, {"of": "metric"}]
)
def test_a_verdict_of_something_else_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    """What nobody planned is counted nowhere."""
    run = whole(tmp_path)
    rows = [structs.replace(row, **change) if at == 2 else row for at, row in enumerate(run.verdicts())]
    (run.path / "verdicts.jsonl").write_bytes(b"".join(map(LineEncoder().record, rows)))
    with pytest.raises(StoreError, match=r"verdicts\.jsonl holds"):
        list(run.verdicts())


def test_a_changed_plan_is_refused_before_its_first_trial(tmp_path: Path) -> None:
    """Nobody works on a trial that was never planned."""
    run = whole(tmp_path)
    file = run.path / "plan.jsonl"
    file.write_text(file.read_text().replace('"trial":2', '"trial":3'))
    with pytest.raises(StoreError, match="not the plan"):
        next(run.plan())


@pytest.mark.parametrize(
    "name", ["suite.json", "plan.jsonl", "verdicts.jsonl", "manifest.json", "blame.jsonl"]
)
def test_a_pipe_in_place_of_a_file_is_refused(tmp_path: Path, name: str) -> None:
    """Nothing waits for somebody to write."""
    run = whole(tmp_path)
    (run.path / name).unlink()
    os.mkfifo(run.path / name)
    readers: dict[str, Callable[[], object]] = {
        "suite.json": run.suite,
        "plan.jsonl": lambda: list(run.plan()),
        "verdicts.jsonl": lambda: list(run.verdicts()),
        "manifest.json": run.manifest,
        "blame.jsonl": lambda: list(run.blame()),
    }
    with pytest.raises(StoreError, match="no file"):
        readers[name]()


def test_a_run_is_called_as_its_folder(tmp_path: Path) -> None:
    """A copied or renamed run names itself, not the folder that it was copied from."""
    run = whole(tmp_path)
    assert "other" == RunFolder(run.path.rename(tmp_path / "other")).manifest().run


def test_a_run_that_was_killed_before_its_manifest_says_so(tmp_path: Path) -> None:
    """It is no unknown run: somebody remembers having started it."""
    run = folder(tmp_path)
    with run.lock():
        pass
    with pytest.raises(InputError, match="killed before its manifest"):
        RunFolder.find(tmp_path, run.name)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"started": "2026-11-30T00:00:00Z"', '"started": "x"'),
        ('"started": "2026-11-30T00:00:00Z"', '"started": "2026-11-30T00:00:00"'),
        ('"ended": ""', '"ended": "nan"'),
        ('"trials": 3', '"trials": 0'),
        ('"trials": 3', '"trials": -1'),
        ('"planned": 3', '"planned": -3'),
    ],
)
def test_a_manifest_that_cannot_be_is_refused(tmp_path: Path, old: str, new: str) -> None:
    """Times are times and counts are counts, also where somebody edited the file."""
    run = whole(tmp_path)
    file = run.path / "manifest.json"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(StoreError, match=r"r/manifest\.json: not a Manifest"):
        run.manifest()
