"""What is shown of a run, measured: the part of the table of evidence that reads reports and imports.

Comes in: nothing; recorded results of others where they are at hand. Goes out: lines for `tests.evidence`.
"""

import json
import os
import resource
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FORMATS = ("html", "xml", "md", "csv", "parquet", "json")

# Terminal-Bench's leaderboard, submission orch-qwen: what its authors state, and what was not measured in it.
STATED = {"accuracy": 0.1925, "pass@2": 0.2725, "pass@4": 0.3575, "pass@5": 0.3875}
UNMEASURED = {"test_timeout": 13, "parse_error": 20, "unknown_agent_error": 10}


@dataclass(frozen=True)
class Line:
    """One line of the table."""

    name: str
    figure: str
    good: bool


def reports(folder: Path) -> Iterator[Line]:
    """Yield what the six formats of each run at hand come to.

    Args:
        folder: Where runs and reports are written.
    """
    for name, words in _runs().items():
        run = _called(folder, *words, "--json").stdout
        yield _formats(folder, name, json.loads(run)["run"])
    if _data() is not None:
        yield _terminal_bench(folder)


def large(folder: Path) -> Iterator[Line]:
    """Yield size and time of the page of a run with 20,000 trials.

    Args:
        folder: Where the run is written.
    """
    place = folder / "suites" / "many"
    (place / "arms").mkdir(parents=True)
    (place / "suite.yaml").write_text("suite: many\ncases: cases.jsonl\n")
    rows = (
        {"id": f"c{n}", "input": "hi", "expect": [{"reply": {"contains": "hello" if n % 17 else "bye"}}]}
        for n in range(4_000)
    )
    (place / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (place / "arms" / "champion.yaml").write_text(
        "arm: champion\nmodel: {provider: scripted, replies: [{reply: hello}]}\n"
    )
    run = json.loads(_called(folder, "run", "suites/many", "--trials", "5", "--json").stdout)["run"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = _called(folder, "report", run, "-o", "many.html")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    size = (folder / "many.html").stat().st_size / 1e6
    figure = f"{size:.1f} MB of at most 15, {cpu:.1f} s CPU of at most 10"
    yield Line("page of 20,000 trials", figure, done.returncode == 0 and size < 15 and cpu < 10)


def _runs() -> dict[str, tuple[str, ...]]:
    """Return the runs at hand: of the demo, and of others' results."""
    runs: dict[str, tuple[str, ...]] = {
        "demo": ("gate", str(ROOT / "suites" / "refund"), "--arm", "champion")
    }
    data = _data()
    if data is not None:
        runs["tau-bench"] = ("import", "tau-bench", str(data / "tau-bench" / "airline-10x4.json"))
        runs["terminal-bench"] = ("import", "terminal-bench", str(data / "terminal-bench" / "orch-qwen"))
    return runs


def _data() -> Path | None:
    place = Path(os.environ.get("EVALKIT_SHARED_DATA", ROOT.parent / "shared" / "data"))
    return place if place.is_dir() else None


def _called(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "evalkit", *words]
    return subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def _formats(folder: Path, name: str, run: str) -> Line:
    files = [folder / f"{name}.{suffix}" for suffix in FORMATS]
    done = _called(folder, "report", run, *(word for file in files for word in ("-o", str(file))))
    if done.returncode != 0:
        return Line(f"reports of {name}", f"exit {done.returncode}: {done.stderr[-200:]}", good=False)
    cases = len(ET.parse(folder / f"{name}.xml").getroot().findall(".//testcase"))  # noqa: S314 - our own file
    planned = json.loads((folder / f"{name}.json").read_text())["planned"]
    sizes = ", ".join(f"{file.suffix} {file.stat().st_size // 1000} kB" for file in files)
    return Line(f"reports of {name}", f"{sizes}; {cases} of {planned} trials in JUnit", cases == planned)


def _terminal_bench(folder: Path) -> Line:
    """Hold the authors' figures and what was not measured against what the run says."""
    shown = json.loads(_called(folder, "show", "latest", "--json").stdout)
    told = json.dumps([shown["source"], shown.get("notes", [])])
    figures = all(f"{value:.4f}".rstrip("0").lstrip("0") in told for value in STATED.values())
    subs: dict[str, int] = {}
    for line in (next(folder.glob(f"reports/{shown['run']}")) / "verdicts.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["name"] == "resolved" and row.get("cause_class") == "unmeasured":
            subs[row["sub"]] = subs.get(row["sub"], 0) + 1
    good = figures and subs == UNMEASURED and shown["error"] == sum(UNMEASURED.values())
    words = ", ".join(f"{key} {value}" for key, value in STATED.items())
    return Line("import terminal-bench", f"{words}; not measured: {subs} of {shown['planned']}", good)
