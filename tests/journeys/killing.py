"""Kills runs at random moments and resumes them; run by path, so that it may fork without threads around it.

Comes in: a folder with the suite `greet`, how many kills, a seed. Goes out: one JSON object on stdout: how
many kills met open trials, and which resumed runs did not end in the verdicts of an undisturbed one.
"""

import contextlib
import io
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from evalkit.cli.main import main
from evalkit.store.journal import Journal

KILLS_PER_RUN = 4


def quietly(words: list[str]) -> int:
    """Call the command line without its output."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return main(words)


def killed(words: list[str], after: float) -> bool:
    """Start a process, kill it with signal 9 after some seconds, and say whether it was still at work."""
    child = os.fork()
    if child == 0:
        os._exit(quietly(words))
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def newest(reports: Path) -> Path | None:
    """Return the run that was begun last, if it has a manifest."""
    found = sorted(reports.glob("*/manifest.json"), key=lambda path: path.stat().st_ctime_ns)
    return found[-1].parent if found else None


def main_loop(folder: Path, kills: int, chance: random.Random) -> dict[str, object]:
    """Kill and resume until there were so many kills, and compare every run with the undisturbed one."""
    os.chdir(folder)
    run = ["run", "suites/greet", "--trials", "3", "-j", "8"]
    began = time.monotonic()
    quietly(run)
    length = time.monotonic() - began
    undisturbed = newest(Path("reports"))
    assert undisturbed is not None
    expected = (undisturbed / "verdicts.jsonl").read_bytes()
    done = met_open = damaged = 0
    different: list[str] = []
    while done < kills:
        before, words = newest(Path("reports")), run
        for _ in range(KILLS_PER_RUN):
            done += killed(words, chance.uniform(0.02, length / 2))
            at = newest(Path("reports"))
            if at is None or at == before:
                continue
            met_open += Journal(at).unclosed > damaged
            damaged = Journal(at).unclosed
            words = ["resume", at.name]
        damaged = 0
        if words is not run:
            quietly(words)
            if (Path("reports") / words[1] / "verdicts.jsonl").read_bytes() != expected:
                different.append(words[1])
    return {"kills": done, "open": met_open, "different": different}


if __name__ == "__main__":
    found = main_loop(Path(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3])))
    sys.stdout.write(json.dumps(found))
