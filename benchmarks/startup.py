"""CPU time of `evalkit --version` and `evalkit --help`, beside that of a Python that does nothing.

Comes in: how many runs, as the first argument (default 15). Goes out: a table on standard output, and exit
code 1 where a call is over its budget. Absolute figures depend on the machine; the ratio to the bare
interpreter travels.
"""

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

BUDGET_MS = 150  # CPU of one call, user and system together
RUNS = 15  # an odd number, so that the median is a run that happened

SCRIPT = str(Path(sys.executable).with_name("evalkit"))
CALLS = {
    "python -c pass": (sys.executable, "-c", "pass"),
    "evalkit --version": (SCRIPT, "--version"),
    "evalkit --help": (SCRIPT, "--help"),
}


def cpu_ms(command: tuple[str, ...]) -> float:
    """Run a command once and return the CPU milliseconds of it and its children, user and system."""
    warm = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=warm)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000


def medians(runs: int) -> dict[str, float]:
    """Return the median CPU milliseconds of every call, interleaved so that a busy moment hits all."""
    seen: dict[str, list[float]] = {name: [] for name in CALLS}
    for command in CALLS.values():
        cpu_ms(command)  # compiles what was never compiled; no user waits for that twice
    for _ in range(runs):
        for name, command in CALLS.items():
            seen[name].append(cpu_ms(command))
    return {name: statistics.median(values) for name, values in seen.items()}


def main() -> int:
    """Print the table; return 1 where a call is over the budget."""
    figures = medians(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
    bare = figures["python -c pass"]
    print(f"{'call':<20}{'CPU ms':>8}{'ratio':>7}")
    for name, figure in figures.items():
        print(f"{name:<20}{figure:>8.0f}{figure / bare:>7.1f}")
    return int(max(figures.values()) > BUDGET_MS)


if __name__ == "__main__":
    sys.exit(main())
