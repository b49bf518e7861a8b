"""One table of all that must be reached, each line with its figure or its tests; run by `make evidence`.

Comes in: nothing. Goes out: the table on stdout; exit code 1 when a line falls short, or a test is missing or
red. Figures are measured here and now: processes by their own CPU time, tests by running them.
"""

import json
import re
import resource
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evalkit.records.checks import CHECKS
from evalkit.suite.codes import CODES, WARNINGS
from tests.seen import Line, large, reports

ROOT = Path(__file__).resolve().parents[1]
REPORT = "junit.xml"

# Lines of peers.md section 1 that come with later features.
LATER = {6: "judge", 12: "replay", 13: "replay", 18: "judge", 20: "live costs"}

LAWS = {
    "graph and table against the oracle": "tests/score/test_against_oracle.py",
    "the counting law": "tests/score/test_laws.py",
    "journal round trip, truncation at every byte": "tests/store/test_journal.py",
    "order-independence of estimates": "tests/decide",
}


@dataclass(frozen=True)
class Spent:
    """What a child process cost: CPU seconds, and its peak memory in kB."""

    cpu: float
    peak: int
    out: str


def spent(folder: Path, *words: str) -> Spent:
    """Run the command line as a process of its own and return what it cost."""
    code = (
        "import resource, sys; from evalkit.cli.main import main; main(sys.argv[1:]); sys.stdout.flush(); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Spent(cpu, int(done.stderr.split()[-1]), done.stdout)


def start_up() -> Iterator[Line]:
    """Yield the CPU time of `--version` and `--help`, the least of five."""
    for option in ("--version", "--help"):
        least = min(_cpu("-m", "evalkit", option) for _ in range(5))
        bare = min(_cpu("-c", "pass") for _ in range(5))
        figure = f"{1000 * least:.0f} ms CPU (bare Python {1000 * bare:.0f} ms); at most 150"
        yield Line(f"evalkit {option}", figure, least < 0.150)


def _cpu(*words: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def trials(folder: Path) -> Iterator[Line]:
    """Yield CPU for one trivial trial with its trace on disk and its verdicts, and the growth of memory."""
    place = folder / "suites" / "greet"
    (place / "arms").mkdir(parents=True)
    (place / "suite.yaml").write_text("suite: greet\ncases: cases.jsonl\n")
    rows = [{"id": f"c{n}", "input": "hi", "expect": [{"reply": {"contains": "hello"}}]} for n in range(10)]
    (place / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (place / "arms" / "champion.yaml").write_text(
        "arm: champion\nmodel: {provider: scripted, replies: [{reply: hello}]}\n"
    )
    few, some, many = (
        spent(folder, "run", str(place), "--trials", str(n), "--json") for n in (10, 100, 1000)
    )
    each = 1000 * (many.cpu - few.cpu) / (10_000 - 100)
    passed = json.loads(many.out)["pass"]
    yield Line(
        "one trivial trial", f"{each:.3f} ms CPU, run and verdicts ({passed} passed); at most 1", each < 1
    )
    growth = many.peak / some.peak
    peaks = f"{some.peak / 1024:.0f} MiB at 1,000, {many.peak / 1024:.0f} MiB at 10,000 trials"
    yield Line("memory", f"{peaks}: ratio {growth:.3f}; at most 1.2", growth < 1.2)


def kills(folder: Path) -> Line:
    """Return what fifty kills did."""
    sys.path.insert(0, str(ROOT))
    code = "import sys; sys.argv[1:1] = []; from tests.journeys import walking; from pathlib import Path; "
    code += "walking.greet(Path(sys.argv[1]), [walking.case(n) for n in range(40)], "
    code += "steps='[{reply: hello, delay_ms: 60}]')"
    subprocess.run([sys.executable, "-c", code, str(folder)], cwd=ROOT, check=True)
    words = [sys.executable, str(ROOT / "tests/journeys/killing.py"), str(folder), "50", "11"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    good = found["kills"] >= 50 and found["open"] >= 20 and not found["different"]
    counts = f"{found['kills']} kills, {found['open']} with trials open"
    figure = f"{counts}, {len(found['different'])} runs that differ"
    return Line("kill -9, then resume", figure, good)


def outcomes() -> dict[str, str]:
    """Run the tests that are named in the table and return test -> passed, failed, error or skipped."""
    files = ["tests/suite/test_codes.py", "tests/score/checks", "tests/pipeline", *LAWS.values()]
    files += sorted({str(path.relative_to(ROOT)) for path in _peer_files()})
    with tempfile.TemporaryDirectory() as name:
        report = Path(name) / REPORT
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            "auto",
            f"--junitxml={report}",
            *dict.fromkeys(files),
        ]
        subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
        root = ET.parse(report).getroot()  # noqa: S314 - written by pytest a moment ago
    found = {}
    for test in root.iter("testcase"):
        bad = next((child.tag for child in test if child.tag in ("failure", "error", "skipped")), "passed")
        found[f"{test.get('classname', '')}.{test.get('name', '')}"] = bad
    return found


def _peer_files() -> Iterator[Path]:
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if re.search(r"def test_peer_\d\d_", path.read_text(encoding="utf-8")):
            yield path


def laws(found: dict[str, str]) -> Iterator[Line]:
    """Yield the property tests of every law, with how many there are."""
    for name, place in LAWS.items():
        prefix = place.removesuffix(".py").replace("/", ".")
        yield _tests(f"law: {name}", [test for test in found if test.startswith(prefix)], found)


def peers(found: dict[str, str]) -> Iterator[Line]:
    """Yield every line of the peers' faults with the tests that bear its number."""
    for number in range(1, 25):
        tests = [test for test in found if f".test_peer_{number:02d}_" in test]
        if tests or number not in LATER:
            yield _tests(f"peers {number}", tests, found)
        else:
            yield Line(f"peers {number}", f"comes with {LATER[number]}", good=True)


def lints(found: dict[str, str]) -> Iterator[Line]:
    """Yield every lint with its passing and its failing test, and whether it refuses or warns."""
    for code in CODES:
        kind = "warns" if code in WARNINGS else "refuses"
        passing = [test for test in found if _is_about(test, code, "passes")]
        failing = [test for test in found if _is_about(test, code, "fails")]
        line = _tests(f"lint {code}", [*passing, *failing], found)
        good = line.good and bool(passing) and bool(failing)
        yield Line(line.name, f"{kind}; passing {len(passing)}, failing {len(failing)}: {line.figure}", good)


def _is_about(test: str, code: str, what: str) -> bool:
    named = code.replace("-", "_")
    return test.endswith(f".test_{what}[{code}]") or f".test_{named}_{what}_" in test


def checks(found: dict[str, str]) -> Iterator[Line]:
    """Yield every check kind with its passing, failing and error test."""
    for kind in CHECKS:
        each = {
            what: [test for test in found if re.search(rf"\.test_{kind}_{what}", test)]
            for what in ("passes", "fails", "cannot_be_examined")
        }
        line = _tests(f"check {kind}", [test for tests in each.values() for test in tests], found)
        counts = ", ".join(
            f"{what.replace('cannot_be_examined', 'error')} {len(t)}" for what, t in each.items()
        )
        yield Line(line.name, f"{counts}: {line.figure}", line.good and all(each.values()))


def _tests(name: str, tests: list[str], found: dict[str, str]) -> Line:
    bad = [test for test in tests if found[test] != "passed"]
    if not tests:
        return Line(name, "NO TEST", good=False)
    return Line(name, f"{len(tests) - len(bad)} of {len(tests)} tests passed", not bad)


def oracle_came_first() -> Line:
    """Return which came first, the slow oracle or the fast graph."""
    first = [_first_commit(path) for path in ("tests/oracle", "evalkit/score/graph.py")]
    if not all(first):
        return Line("oracle before graph", "no history at hand", good=True)
    return Line("oracle before graph", f"committed {first[0]} and {first[1]}", first[0] <= first[1])


def _first_commit(path: str) -> str:
    command = ["git", "log", "--reverse", "--format=%cI", "--", path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[0]


def main() -> int:
    """Print the table."""
    lines = [*start_up()]
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        lines += [*trials(Path(one)), kills(Path(other)), oracle_came_first()]
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        lines += [*reports(Path(one)), *large(Path(other))]
    found = outcomes()
    for part in (laws, peers, lints, checks):
        lines += part(found)
    width = max(len(line.name) for line in lines)
    for line in lines:
        sys.stdout.write(f"{'ok ' if line.good else 'NOT'}  {line.name:<{width}}  {line.figure}\n")
    short = [line.name for line in lines if not line.good]
    sys.stdout.write(f"{len(lines) - len(short)} of {len(lines)} lines hold\n")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
