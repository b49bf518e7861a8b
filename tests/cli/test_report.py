"""`evalkit report`: every format from one stored run, whole files or none, and exit codes that do not lie."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.journeys.walking import Said, Walker, case, greet

ROOT = Path(__file__).parents[2]
FORMATS = ("r.html", "r.md", "r.xml", "r.json", "r.csv", "r.parquet")


def ran(walk: Walker, *, trials: int = 2) -> str:
    """Run and gate a suite in which two of four cases fail, and return the run's name."""
    cases = [case(0), case(1), case(2, expected="bye"), case(3, expected="bye")]
    greet(walk.folder, cases, gate="require: [{metric: outcome, at_least: 0.99}]\ntrials: 1\n")
    return walk("gate", "suites/greet", "--trials", trials, "--json").run


def reported(walk: Walker, run: str, *files: str) -> Said:
    """Report a run to files."""
    return walk("report", run, *(word for file in files for word in ("-o", file)))


def called(folder: Path, *words: object, behind: str = "", **more: Any) -> subprocess.CompletedProcess[bytes]:
    """Type words after `evalkit` in a process of its own; `behind` is for the shell."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    line = f"{more.pop('before', '')} exec {sys.executable} -m evalkit {' '.join(map(str, words))} {behind}"
    more.setdefault("stdout", subprocess.PIPE)
    return subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=folder,
        env=environment,
        stderr=subprocess.PIPE,
        timeout=120,
        check=False,
        **more,
    )


def left(folder: Path) -> set[str]:
    """Return the files of a folder, those that begin with a dot included."""
    return {path.name for path in folder.iterdir() if path.is_file()}


def test_every_format_from_one_run(walk: Walker) -> None:
    """One call writes all six, nothing else, and says where; each tells the same counts and the decision."""
    said = reported(walk, ran(walk), *FORMATS)
    assert (0, set(FORMATS)) == (said.code, left(walk.folder))
    assert all(f"wrote {name}" in said.out for name in FORMATS)
    assert "<html" in (walk.folder / "r.html").read_text()
    assert "no-go" in (walk.folder / "r.md").read_text().splitlines()[0]
    suite = ET.parse(walk.folder / "r.xml").getroot().find("testsuite")  # noqa: S314  # evalkit wrote it
    assert suite is not None
    assert ("8", "4", "0") == tuple(suite.attrib[name] for name in ("tests", "failures", "errors"))
    machine = json.loads((walk.folder / "r.json").read_text())
    assert (8, 4, 4, 0, "no-go") == tuple(
        machine[key] for key in ("planned", "pass", "fail", "error", "decision")
    )
    with (walk.folder / "r.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["deciding"] == "true"]
    assert 4 == sum(row["outcome"] == "fail" for row in rows)
    with duckdb.connect() as connection:
        query = "select count(*) from read_parquet($path) where deciding and outcome = 'fail'"
        found = connection.execute(query, {"path": str(walk.folder / "r.parquet")}).fetchone()
    assert (4,) == found


def test_the_tables_are_one_table(walk: Walker) -> None:
    """CSV and Parquet hold the same columns and the same rows in the same order."""
    reported(walk, ran(walk), "r.csv", "r.parquet")
    with (walk.folder / "r.csv").open(newline="", encoding="utf-8") as file:
        head, *lines = csv.reader(file)
    with duckdb.connect() as connection:
        done = connection.execute("from read_parquet($path)", {"path": str(walk.folder / "r.parquet")})
        assert head == [column[0] for column in done.description or ()]
        rows = done.fetchall()
    assert lines == [[_as_cell(value) for value in row] for row in rows]


def _as_cell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ";".join(map(str, value))
    return "" if value is None else str(value)


def test_reporting_changes_nothing_of_the_run(walk: Walker) -> None:
    """The run folder holds the same bytes as before, and the same report twice is the same bytes."""
    run = ran(walk)
    before = {path.name: path.read_bytes() for path in walk.run_folder(run).iterdir()}
    reported(walk, run, *FORMATS)
    assert before == {path.name: path.read_bytes() for path in walk.run_folder(run).iterdir()}
    first = {name: (walk.folder / name).read_bytes() for name in FORMATS if name != "r.parquet"}
    reported(walk, run, *FORMATS)
    assert first == {name: (walk.folder / name).read_bytes() for name in first}


def test_without_a_file_the_page_lies_in_the_run_folder(walk: Walker) -> None:
    """`report RUN` writes report.html beside the verdicts and says where."""
    run = ran(walk)
    said = walk("report", run)
    page = walk.run_folder(run) / "report.html"
    assert 0 == said.code
    assert page.is_file()
    assert "report.html" in said.out.replace("\n", "")


def test_only_one_arm(walk: Walker) -> None:
    """--arm leaves out the others' rows; an arm that is not there is exit 2."""
    run = ran(walk)
    assert 2 == walk("report", run, "--arm", "nobody", "-o", "r.csv").code
    assert 0 == walk("report", run, "--arm", "champion", "-o", "r.csv").code
    assert {"r.csv"} == left(walk.folder)


def test_wrong_paths_are_told_all_at_once_before_anything_is_written(walk: Walker) -> None:
    """Unknown format, no format, missing folder, folder in place, twice: exit 2, and no file."""
    run = ran(walk)
    (walk.folder / "d.md").mkdir()
    words = ["r.htm", "plain", "-", "gone/r.md", "d.md", "same.csv", "./same.csv", "good.md"]
    said = reported(walk, run, *words)
    assert 2 == said.code
    for told in ("did you mean r.html?", "known: .html, .md, .xml", "there is no such folder", "is a folder"):
        assert told in said.err
    assert "same.csv" in said.err
    assert "6 problems" in said.err
    assert set() == left(walk.folder)


def test_files_of_the_run_are_not_overwritten(walk: Walker) -> None:
    """A report cannot take the place of what it is made from."""
    run = ran(walk)
    folder = walk.run_folder(run)
    before = (folder / "decision.json").read_bytes()
    assert 2 == reported(walk, run, f"reports/{run}/decision.json").code
    assert before == (folder / "decision.json").read_bytes()


@pytest.mark.parametrize("verb", ["run", "gate"])
def test_a_wrong_path_is_told_before_anything_runs(walk: Walker, verb: str) -> None:
    """A typing error in -o costs no run."""
    greet(walk.folder, [case(0)])
    assert 2 == walk(verb, "suites/greet", "-o", "r.htlm").code
    assert not (walk.folder / "reports").exists()


def test_a_gate_writes_its_reports(walk: Walker) -> None:
    """-o of gate and run: the decision is printed, the files are there, the exit code is the decision's."""
    greet(walk.folder, [case(n, expected="bye") for n in range(10)])
    said = walk("gate", "suites/greet", "-o", "g.md", "-o", "g.xml", "--json")
    assert (1, "no-go") == (said.code, said.object["decision"])
    assert (walk.folder / "g.md").read_text().startswith("## ❌ no-go")
    again = walk("gate", walk.run_folder(said.run), "-o", "again.md", "--policy", "suites/greet/gate.yaml")
    assert 1 == again.code
    assert 0 == walk("run", "suites/greet", "-o", "run.csv").code
    assert {"g.md", "g.xml", "again.md", "run.csv"} == left(walk.folder)


def test_a_report_that_fails_hides_no_decision(walk: Walker) -> None:
    """The decision stands on stdout, what could not be written on stderr, and the exit code is 4."""
    greet(walk.folder, [case(n) for n in range(10)])
    said = walk("gate", "suites/greet", "-o", "/proc/self/r.md", "-o", "g.md", "--json")
    assert (4, "go") == (said.code, said.object["decision"])
    assert "cannot write /proc/self/r.md" in said.err
    assert {"g.md"} == left(walk.folder)


def test_every_format_is_tried(walk: Walker) -> None:
    """One file that cannot be written keeps none of the others; all faults are told, exit 4."""
    run = ran(walk)
    files = ["/proc/self/r.html", "a.md", "/proc/self/r.parquet", "b.csv", "/proc/self/r.xml"]
    said = walk("report", run, *(word for file in files for word in ("-o", file)), "--json")
    assert (4, 3) == (said.code, len(said.object["problems"]))
    assert ["a.md", "b.csv"] == [one["path"] for one in said.object["written"]]
    assert {"a.md", "b.csv"} == left(walk.folder)


def test_a_full_disk_leaves_the_old_files(walk: Walker) -> None:
    """Each format hits the limit: exit 4, the reason is told, the old files stay, nothing lies beside."""
    run = ran(walk, trials=50)
    for name in FORMATS:
        (walk.folder / name).write_text("old")
    words = [word for name in FORMATS for word in ("-o", name)]
    done = called(walk.folder, "report", run, *words, before="ulimit -f 1;")
    assert 4 == done.returncode, done.stderr
    big = [name for name in FORMATS if name not in ("r.md", "r.parquet", "r.json")]
    assert all(f"cannot write {name}: File too large".encode() in done.stderr for name in big), done.stderr
    assert set(FORMATS) == left(walk.folder)
    assert {"old"} == {(walk.folder / name).read_text() for name in big}
    assert b"Traceback" not in done.stderr


def test_a_full_disk_stops_parquet_as_well(walk: Walker) -> None:
    """DuckDB's own writing fails: the message says why, and neither file nor spool is left."""
    run = ran(walk)
    done = called(walk.folder, "report", run, "-o", "r.parquet", before="ulimit -f 8;")
    assert 4 == done.returncode
    assert b"cannot write r.parquet: " in done.stderr
    assert set() == left(walk.folder)


def test_a_folder_that_cannot_be_written_to(walk: Walker) -> None:
    """No right to write: exit 4, the path and the reason, nothing written."""
    run = ran(walk)
    folder = walk.folder / "locked"
    folder.mkdir()
    folder.chmod(0o555)
    # The superuser writes anywhere but where no file can be.
    place = Path("/proc/self") if os.geteuid() == 0 else folder
    done = called(walk.folder, "report", run, "-o", place / "r.html")
    assert 4 == done.returncode
    assert f"cannot write {place}/r.html".encode() in done.stderr
    assert [] == list(folder.iterdir())


@pytest.mark.parametrize("behind", [">&-", ">/dev/full"])
def test_nobody_to_tell(walk: Walker, behind: str) -> None:
    """Stdout is closed or full: exit 4, the files are whole and named on stderr."""
    run = ran(walk)
    done = called(walk.folder, "report", run, "-o", "r.md", behind=behind)
    assert 4 == done.returncode
    assert b"r.md" in done.stderr
    assert b"Traceback" not in done.stderr
    assert {"r.md"} == left(walk.folder)
    assert (walk.folder / "r.md").read_text().endswith("</sub>\n\n")


def test_a_closed_pipe(walk: Walker) -> None:
    """The reader of stdout went away: exit 4, a message, whole files."""
    run = ran(walk)
    reader, writer = os.pipe()
    os.close(reader)
    done = called(walk.folder, "report", run, "-o", "r.md", "--annotations", stdout=writer)
    os.close(writer)
    assert 4 == done.returncode
    assert b"stdout cannot be written; whole are: r.md" in done.stderr
    assert {"r.md"} == left(walk.folder)


def test_a_killed_run_is_reported_as_incomplete(walk: Walker) -> None:
    """A run without end and verdicts: every format is made from the journal and says so."""
    run = ran(walk)
    folder = walk.run_folder(run)
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "ended": "", "complete": False}))
    (folder / "verdicts.jsonl").unlink()
    (folder / "blame.jsonl").unlink()
    (journal,) = folder.glob("events-*.jsonl")
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:-2]))
    said = reported(walk, run, *FORMATS)
    assert 0 == said.code, said.err
    assert "incomplete" in said.out
    assert "incomplete" in (walk.folder / "r.md").read_text()
    assert "incomplete" in (walk.folder / "r.html").read_text()
    assert '<property name="complete" value="false"/>' in (walk.folder / "r.xml").read_text()
    machine = json.loads((walk.folder / "r.json").read_text())
    assert (False, 8, 1) == (machine["complete"], machine["planned"], machine["error"])
    assert ",cancelled," in (walk.folder / "r.csv").read_text()
    assert not (folder / "verdicts.jsonl").exists()


def test_github_gets_annotations_and_a_summary(walk: Walker) -> None:
    """Errors at the cases' places on stdout; the Markdown appended to what the step has written."""
    run = ran(walk)
    (walk.folder / "summary.md").write_text("before\n")
    said = walk("report", run, "--annotations", "--github-summary", "summary.md")
    assert 0 == said.code
    errors = [line for line in said.out.splitlines() if line.startswith("::error file=")]
    assert ["suites/greet/cases.jsonl,line=3", "suites/greet/cases.jsonl,line=4"] == [
        line.removeprefix("::error file=").partition(",title=")[0] for line in errors
    ]
    assert (walk.folder / "summary.md").read_text().startswith("before\n## ❌ no-go")
    assert not (walk.run_folder(run) / "report.html").exists()


def test_a_summary_that_would_be_too_long_is_not_appended(walk: Walker) -> None:
    """GitHub drops a summary above 1 MiB: what the step wrote stays as it is, and exit is 4."""
    run = ran(walk)
    (walk.folder / "s.md").write_bytes(b"x" * 2**20)
    said = walk("report", run, "--github-summary", "s.md", "-o", "r.md")
    assert 4 == said.code
    assert 2**20 == (walk.folder / "s.md").stat().st_size
    assert (walk.folder / "r.md").is_file()


def test_one_object_on_stdout_or_annotations(walk: Walker) -> None:
    """--json and --annotations both want stdout."""
    assert 2 == walk("report", ran(walk), "--json", "--annotations").code


def test_the_object_says_what_was_written(walk: Walker) -> None:
    """--json: the common keys, the decision, and each file with its format and size."""
    run = ran(walk)
    said = walk("report", run, "-o", "r.md", "--json").object
    assert {"signature", "planned", "pass", "fail", "error", "causes", "coverage"} <= said.keys()
    assert (run, "no-go", True, []) == tuple(said[key] for key in ("run", "decision", "complete", "problems"))
    size = (walk.folder / "r.md").stat().st_size
    assert [{"path": "r.md", "format": "md", "size": size}] == said["written"]
