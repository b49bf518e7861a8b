"""Somebody else's recorded trials -> a run folder that every other verb can read.

What comes in: the name of a format and a file. What goes out: a `RunReport`; the run holds suite, plan,
traces and verdicts like any other, and its manifest says what the source does not tell. The whole file is
checked before the first byte is written, and a run that cannot be finished is taken away again.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import msgspec

from evalkit.decide.estimates import shown
from evalkit.errors import InputError
from evalkit.exchange import tau_bench
from evalkit.exchange.imported import Imported
from evalkit.pipeline.order import run_name
from evalkit.pipeline.setting import Setting
from evalkit.pipeline.summing import RunReport, summary, tallies
from evalkit.plan.expand import Plan, PlanRequest
from evalkit.records.signature import Manifest, Signature
from evalkit.records.written import Json
from evalkit.store.folder import RunFolder, suite_hash
from evalkit.store.journal import JournalWriter

_READERS: dict[str, Callable[[Path], Imported]] = {"tau-bench": tau_bench.read}


def import_run(source_format: str, path: Path, setting: Setting) -> RunReport:
    """Turn recorded results into a run.

    Args:
        source_format: Name of the format; `tau-bench` is known.
        path: The file.
        setting: The surroundings.

    Returns:
        What the run came to; losses and the authors' own figures are in its manifest.

    Raises:
        InputError: The format is unknown, or all that is wrong with the file.
        Undecidable: The file holds no trial.
        OutputError: The run cannot be written.
    """
    if source_format not in _READERS:
        raise InputError.of(
            "unknown format", value=source_format, suggestion=f"there are: {', '.join(_READERS)}"
        )
    imported = _READERS[source_format](path)
    folder = RunFolder.create(setting.reports, run_name(imported.suite, setting), setting.encoder)
    with ExitStack() as undo:
        undo.callback(shutil.rmtree, folder.path, ignore_errors=True)
        with folder.lock():
            found = _write(folder, imported, setting)
        undo.pop_all()
    return found


def _write(folder: RunFolder, imported: Imported, setting: Setting) -> RunReport:
    """Write suite, plan and traces, and settle the verdicts."""
    plan = _plan(imported)
    started = setting.clock.wall()
    folder.write_suite(imported.suite)
    plan_hash = folder.write_plan(plan.in_plan_order())
    with JournalWriter(folder.path, setting.encoder) as journal:
        for trial in plan.in_plan_order():
            for event in imported.events(trial):
                journal.append(event)
    manifest = Manifest(
        run=folder.name,
        suite=imported.suite.suite,
        arms=imported.arms,
        signature=_signature(imported, setting),
        plan=msgspec.structs.replace(plan.summary, order="as recorded"),
        plan_hash=plan_hash,
        started=started,
        losses=imported.losses,
        source=imported.figures,
    )
    folder.write_manifest(manifest)
    found = summary(folder)
    manifest = msgspec.structs.replace(
        manifest,
        ended=setting.clock.wall(),
        complete=found.complete,
        source=_beside(imported, folder),
    )
    folder.write_manifest(manifest)
    return msgspec.structs.replace(found, manifest=manifest)


def _plan(imported: Imported) -> Plan:
    request = PlanRequest(
        arms=tuple(imported.arms),
        mode="imported",
        trials=imported.trials,
        seed=0,
        selected=lambda _case: True,
    )
    return Plan(imported.suite, request)


def _signature(imported: Imported, setting: Setting) -> Signature:
    """Return what the figures were measured on; under which limits the trials ran, nobody told."""
    return Signature(
        suite_hash=suite_hash(imported.suite),
        mode="imported",
        limits={},
        evalkit=setting.version,
        host=setting.host,
    )


def _beside(imported: Imported, folder: RunFolder) -> dict[str, Json]:
    """Return our figures beside the authors'."""
    suite = imported.suite
    ours = {
        f"evalkit pass^1..{imported.trials}, {arm}": [
            None if one.value is None else round(one.value, 6)
            for one in shown(suite, counted, imported.trials)
            if one.statistic.startswith("pass^")
        ]
        for arm, counted in tallies(folder).items()
    }
    return {**ours, **imported.figures}
