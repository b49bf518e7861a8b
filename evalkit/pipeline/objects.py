"""The JSON objects that verbs print: always signature, planned, pass, fail, error, causes and coverage.

What comes in: records of a run. What goes out: plain dicts (`interfaces.md` section 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from evalkit.decide.counts import total
from evalkit.pipeline.summing import RunReport
from evalkit.records.board import Blamed, Board, RunLine, TrialView
from evalkit.records.checkup import SuiteCheck
from evalkit.records.decision import Counts, Decision
from evalkit.records.document import Document
from evalkit.records.reported import Reported
from evalkit.records.safe import encodable, storable
from evalkit.records.signature import Signature


def headline(signature: Signature, counts: Counts) -> dict[str, object]:
    """Return what every object carries.

    Args:
        signature: What it was measured on.
        counts: Trials by the deciding primary.
    """
    return {
        "signature": msgspec.to_builtins(signature),
        "planned": counts.planned,
        "pass": counts.passed,
        "fail": counts.failed,
        "error": counts.errors,
        "causes": counts.causes,
        "coverage": counts.coverage,
    }


def nothing_measured() -> dict[str, object]:
    """Return the same keys for an object that is about no one run: what is undefined is null, never 0."""
    counts: dict[str, object] = dict.fromkeys(("planned", "pass", "fail", "error"))
    return {"signature": None, **counts, "causes": {}, "coverage": None}


def report_object(report: RunReport) -> dict[str, object]:
    """Return the object of `run`, `resume`, `retry`, `score` and `import`."""
    manifest = report.manifest
    return {
        "run": manifest.run,
        **headline(manifest.signature, report.counts),
        "arms": {arm: _counts(counts) for arm, counts in report.arms.items()},
        "complete": report.complete,
        "measured": report.measured,
        "notes": list(report.notes),
        "losses": list(manifest.losses),
        "source": manifest.source,
        "folder": report.folder,
    }


def decision_object(decision: Decision) -> dict[str, object]:
    """Return the object of `gate`: the decision first, then the headline, reasons, estimates and roots."""
    plain: dict[str, object] = msgspec.to_builtins(decision)
    told_elsewhere = ("decision", "counts", "signature", "verdicts", "stale")
    kept = {name: value for name, value in plain.items() if name not in told_elsewhere}
    return {"decision": decision.decision, **headline(decision.signature, decision.counts), **kept}


def board_object(board: Board) -> dict[str, object]:
    """Return the object of `show RUN`."""
    counts = total(tuple(board.counts.values()))
    plain: dict[str, object] = msgspec.to_builtins(board)
    return {
        "run": board.manifest.run,
        **headline(board.manifest.signature, counts),
        "source": board.manifest.source,
        **plain,
        "counts": {arm: _counts(one) for arm, one in board.counts.items()},
    }


def views_object(views: Sequence[TrialView], report: RunReport) -> dict[str, object]:
    """Return the object of `show RUN CASE [TRIAL]`."""
    return {
        "run": report.manifest.run,
        **headline(report.manifest.signature, report.counts),
        "trials": [msgspec.to_builtins(view) for view in views],
    }


def blame_object(blamed: Sequence[Blamed], report: RunReport) -> dict[str, object]:
    """Return the object of `blame`; a cluster of trials that passed all the same says `passed`."""
    return {
        "run": report.manifest.run,
        **headline(report.manifest.signature, report.counts),
        "clusters": [{**msgspec.to_builtins(one), "passed": one.example.passed} for one in blamed],
    }


def runs_object(lines: Sequence[RunLine]) -> dict[str, object]:
    """Return the object of `list`; it sums nothing over runs, which differ in their signatures."""
    return {**nothing_measured(), "runs": [msgspec.to_builtins(line) for line in lines]}


def check_object(checks: Sequence[SuiteCheck]) -> dict[str, object]:
    """Return the object of `check`, which measures nothing."""
    return {
        **nothing_measured(),
        "suites": [msgspec.to_builtins(one) for one in checks],
        "problems": sum(not problem.warning for one in checks for problem in one.problems),
        "warnings": sum(problem.warning for one in checks for problem in one.problems),
    }


def reported_object(reported: Reported) -> dict[str, object]:
    """Return the object of `report`: what was written, and what was not."""
    return {
        "run": reported.manifest.run,
        **headline(reported.manifest.signature, reported.counts),
        "decision": reported.decision,
        "dropped": reported.dropped or None,
        "complete": reported.manifest.complete,
        "written": [msgspec.to_builtins(one) for one in reported.written],
        "problems": list(reported.problems),
    }


def machine_report(document: Document) -> Iterator[str]:
    """Yield the report that is JSON: headline, decision, figures, clusters, then a line for each case.

    Args:
        document: What the report is about.

    Yields:
        Pieces of one JSON object; a surrogate stands there as `encodable` makes it.
    """
    board, decision = document.board, document.decision
    head: dict[str, object] = {
        "run": board.manifest.run,
        **headline(board.manifest.signature, total(tuple(board.counts.values()))),
        "decision": decision.decision if decision is not None else None,
        "dropped": document.dropped or None,
        "complete": board.manifest.complete,
        "arms": {arm: _counts(one) for arm, one in board.counts.items()},
        "decided": decision,
        "manifest": board.manifest,
        "estimates": board.estimates,
        "clusters": board.clusters,
        "spreads": document.spreads,
        "stages": document.stages,
        "waivers": document.waivers,
        "notes": board.notes,
        "left_out": document.left_out,
        "columns": board.columns,
    }
    yield _line(head)[:-1] + ',"rows":['
    for number, row in enumerate(board.rows):
        yield f"{',' if number else ''}\n{_line(row)}"
    yield "\n]}\n"


def _line(value: object) -> str:
    """Return a value as JSON on one line; numbers that are not finite are refused."""
    return msgspec.json.encode(storable(msgspec.to_builtins(value), encodable)).decode()


def _counts(counts: Counts) -> dict[str, object]:
    return {
        "planned": counts.planned,
        "pass": counts.passed,
        "fail": counts.failed,
        "error": counts.errors,
        "causes": counts.causes,
        "coverage": counts.coverage,
        "degraded": counts.degraded,
    }
