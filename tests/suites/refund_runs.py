"""Runs the suite `refund` through the product, as it stands or in a copy with other ids and arms.

What comes in: a folder for run folders and copies. What goes out: stored runs, and what their trials came to.
"""

from __future__ import annotations

import itertools
import json
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from evalkit.pipeline.order import RunRequest, run
from evalkit.pipeline.setting import Setting
from evalkit.records.suite import Suite
from evalkit.store.folder import RunFolder
from evalkit.suite.load import load_suite
from evalkit.world.clock import SystemClock
from evalkit.world.tools import describe

ROOT = Path(__file__).resolve().parents[2]
REFUND = ROOT / "suites" / "refund"
GOLDEN = ROOT / "golden" / "refund"
TRIALS = 3  # enough to see a case that wavers; the gate counts cases, not trials

Steps = list[dict[str, Any]]


def loaded() -> Suite:
    """Return the suite as it stands."""
    return load_suite(REFUND, describe=describe)


def setting(reports: Path) -> Setting:
    """Return quiet surroundings whose runs go to a folder."""
    numbers = itertools.count()
    return Setting(
        reports=reports,
        clock=SystemClock(),
        ids=lambda: f"execution-{next(numbers)}",
        secrets=(),
        notice=lambda _line: None,
        host="test",
        version="test",
    )


def run_arms(
    suite: Path, reports: Path, arms: Sequence[str], trials: int = TRIALS, *, only: str = ""
) -> RunFolder:
    """Run arms of a suite, on all cases or those that an expression selects, into a new run folder."""
    request = RunRequest(suite=suite, arms=tuple(arms), trials=trials, seed=7, jobs=4, only=only)
    done = run(request, setting(reports))
    return RunFolder(Path(done.folder))


def outcomes(folder: RunFolder) -> dict[str, dict[str, set[str]]]:
    """Return arm -> case -> the outcomes of its trials by the deciding primary."""
    deciding = folder.suite().deciding.name
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in folder.verdicts():
        if row.of == "metric" and row.name == deciding:
            found[row.arm][row.case].add(row.outcome)
    return {arm: dict(cases) for arm, cases in found.items()}


def copied(
    target: Path, *, ids: Mapping[str, str] | None = None, arms: Mapping[str, Any] | None = None
) -> Path:
    """Copy suite and cases below `target` and return the suite's folder.

    Args:
        target: An empty folder.
        ids: Case id -> the id that it gets instead.
        arms: Name -> the `model` of an arm that stands beside those of the suite.
    """
    suite, golden = target / "suites" / "refund", target / "golden" / "refund"
    shutil.copytree(REFUND, suite, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(GOLDEN, golden)
    for file in golden.glob("*.yaml"):
        case = file.stem
        text = file.read_text(encoding="utf-8")
        file.write_text(
            text.replace(f"\nid: {case}\n", f"\nid: {(ids or {}).get(case, case)}\n"), encoding="utf-8"
        )
    for name, model in (arms or {}).items():
        arm = {"arm": name, "model": {"provider": "scripted", **model}}
        (suite / "arms" / f"{name}.yaml").write_text(json.dumps(arm), encoding="utf-8")  # JSON is YAML
    return suite


def solutions() -> dict[str, Steps]:
    """Return case id -> the steps of its reference solution, as written."""
    reader = YAML(typ="safe")
    return {
        file.stem: reader.load(file.read_text(encoding="utf-8"))
        for file in (GOLDEN / "solutions").glob("*.yaml")
    }
