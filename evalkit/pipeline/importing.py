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

from evalkit.decide.estimates import powers
from evalkit.decide.figures import counted
from evalkit.errors import InputError
from evalkit.exchange import tau_bench, terminal_bench
from evalkit.exchange.imported import Imported
from evalkit.pipeline.order import run_name
from evalkit.pipeline.setting import Setting
from evalkit.pipeline.summing import RunReport, summary, tallies
from evalkit.plan.expand import Plan, PlanRequest
from evalkit.records.signature import Manifest, Signature
from evalkit.records.written import Json
from evalkit.stats.figure import SuiteFigure
from evalkit.stats.passk import suite_pass_at, suite_pass_hat
from evalkit.store.folder import RunFolder, suite_hash
from evalkit.store.journal import JournalWriter

_READERS: dict[str, Callable[[Path], Imported]] = {
    "tau-bench": tau_bench.read,
    "terminal-bench": terminal_bench.read,
}
_DECIMALS = 6


def import_run(source_format: str, path: Path, setting: Setting) -> RunReport:
    """Turn recorded results into a run.

    Args:
        source_format: Name of the format; `tau-bench` and `terminal-bench` are known.
        path: The file, or the folder of files.
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
    name, trials = imported.suite.deciding.name, imported.trials
    ours: dict[str, Json] = {}
    for arm, found in tallies(folder).items():
        tallied = counted(found.metrics[name], "pass")
        hats = [suite_pass_hat(tallied, k) for k in powers(trials)]
        ours[f"evalkit pass^1..{trials}, {arm}"] = [_shown(one) for one in hats]
        if imported.pass_at:
            listed = ",".join(map(str, imported.pass_at))
            ours[f"evalkit pass@{listed}, {arm}"] = [
                _shown(suite_pass_at(tallied, k)) for k in imported.pass_at
            ]
    return {**ours, **imported.figures}


def _shown(one: SuiteFigure) -> Json:
    """Return a figure, or what it is at least and at most where too few trials were measured for a point."""
    if one.value is not None:
        return round(one.value, _DECIMALS)
    if one.least is None or one.most is None:
        return None
    return [round(one.least, _DECIMALS), round(one.most, _DECIMALS)]
