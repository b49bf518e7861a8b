"""Shards -> one run: proven to belong together, put together beside, and there at once or not at all.

What comes in: names or folders of runs, wherever they were copied to. What goes out: a new run folder that
holds the plan, the traces and the verdicts of the undivided run. The shards are only read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from evalkit.errors import InputError, Problem
from evalkit.pipeline.beginning import selection
from evalkit.pipeline.order import run_name
from evalkit.pipeline.setting import Setting
from evalkit.pipeline.summing import RunReport, summary
from evalkit.plan.expand import Plan, PlanRequest
from evalkit.records.plan import PlanSummary, Shard
from evalkit.records.signature import COMPARED, Manifest, Part
from evalkit.records.suite import Suite
from evalkit.store.folder import RunFolder
from evalkit.store.joining import appear, copy_journal, growing, is_held, plan_hash
from evalkit.store.journal import Journal


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """One shard.

    Attributes:
        folder: Its run folder.
        manifest: What it is.
        shard: Which part of which plan.
    """

    folder: RunFolder
    manifest: Manifest
    shard: Shard


def merge(names: Sequence[str], setting: Setting, *, partial: bool = False) -> RunReport:
    """Put the shards of one plan together.

    Args:
        names: Names or folders of the shards' runs, in any order.
        setting: The surroundings.
        partial: Merge although shards are missing: their trials stay unmeasured, and the run incomplete.

    Returns:
        What the merged run came to.

    Raises:
        InputError: Every reason why they are not the shards of one plan, each once.
        StoreError: A folder is damaged.
        OutputError: The merged run cannot be written.
    """
    pieces = _pieces(names, setting)
    _refuse(_doubts(pieces, partial=partial))
    pieces.sort(key=lambda piece: piece.shard.number)
    suite = pieces[0].folder.suite()
    whole = _Whole(suite, pieces[0])
    _refuse(problem for piece in pieces for problem in whole.doubts(piece))
    name = f"{run_name(suite, setting)}-merged"
    with growing(setting.reports, setting.ids(), setting.encoder) as grown:
        with grown.lock():
            found = _fill(grown, pieces, whole, setting)
        named = appear(grown, setting.reports, name)
        return msgspec.structs.replace(found, manifest=named.manifest(), folder=str(named.path))


def _pieces(names: Sequence[str], setting: Setting) -> list[_Piece]:
    """Return the shards that were named; runs that are none are refused, all at once."""
    found: list[_Piece] = []
    problems: list[Problem] = []
    for name in names:
        folder = RunFolder(RunFolder.find(setting.reports, name).path, setting.encoder)
        manifest = folder.manifest()
        if manifest.shard is None:
            problems.append(Problem(message="this run is no shard", value=name, suggestion=_NO_SHARD))
        elif is_held(folder):
            problems.append(Problem(message="another process is writing to this run", value=name))
        else:
            found.append(_Piece(folder=folder, manifest=manifest, shard=manifest.shard))
    _refuse(problems)
    return found


_MOST_SHARDS = 1000  # that are looked for by number
_NO_SHARD = "only what was run with --shard can be merged"


def _refuse(problems: Iterator[Problem] | Sequence[Problem]) -> None:
    found = tuple(problems)
    if found:
        raise InputError(found)


def _doubts(pieces: Sequence[_Piece], *, partial: bool) -> Iterator[Problem]:
    """Yield why these are not the shards of one plan, each once."""
    first = pieces[0]
    differing = [problem for piece in pieces[1:] for problem in _differences(first, piece)]
    yield from differing
    if differing:
        return
    seen: dict[int, _Piece] = {}
    for piece in pieces:
        number = piece.shard.number
        if number in seen:
            message = f"shard {number} of {piece.shard.of} is there twice"
            both = f"{seen[number].folder.path} and {piece.folder.path}"
            yield Problem(message=message, value=both, suggestion="name each shard once")
        seen.setdefault(number, piece)
    missing = [number for number in range(1, min(first.shard.of, _MOST_SHARDS) + 1) if number not in seen]
    if missing and not partial:
        one = len(missing) == 1
        which, are = ("shard", "is") if one else ("shards", "are")
        these = "it too, or leave its" if one else "them too, or leave their"
        message = f"{which} {', '.join(map(str, missing))} of {first.shard.of} {are} missing"
        yield Problem(message=message, suggestion=f"name {these} trials unmeasured with --partial")


def _differences(one: _Piece, other: _Piece) -> Iterator[Problem]:
    """Yield every field in which two shards measure, or belong to, something else."""
    mine, theirs = _compared(one), _compared(other)
    for name, value in mine.items():
        if value != theirs.get(name):
            yield Problem(
                message=f"the runs differ in {name}",
                file=other.folder.name,
                value=_short(theirs.get(name, "none")),
                suggestion=f"{one.folder.name} has {_short(value)}",
            )


def _compared(piece: _Piece) -> dict[str, object]:
    """Return all that shards of one plan have in common, by name."""
    manifest, shard = piece.manifest, piece.shard
    signature = {name: getattr(manifest.signature, name) for name in COMPARED}
    arms = {f"arm {name}": manifest.arms[name] for name in manifest.arms}
    code = {f"code of arm {name}": manifest.arm_code.get(name, "") for name in manifest.arms}
    return {
        "suite": manifest.suite,
        "format": manifest.format,
        **signature,
        "arms": tuple(manifest.arms),
        **arms,
        **code,
        "seed": shard.plan.seed,
        "trials": shard.plan.trials,
        "only": shard.only,
        "skip": shard.skip,
        "number of shards": shard.of,
        "plan": shard.plan_hash,
    }


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


class _Whole:
    """The plan that the shards are parts of, made again from the suite that they keep."""

    def __init__(self, suite: Suite, piece: _Piece) -> None:
        self.suite = suite
        self._shard = piece.shard
        self._encoder = piece.folder.encoder
        self._request = PlanRequest(
            arms=tuple(piece.manifest.arms),
            mode=piece.manifest.signature.mode,
            trials=piece.shard.plan.trials,
            seed=piece.shard.plan.seed,
            selected=selection(piece.shard.only, piece.shard.skip),
        )
        self.plan = Plan(suite, self._request)
        self._hash = plan_hash(self.plan.in_plan_order(), self._encoder)

    @property
    def summary(self) -> PlanSummary:
        """What the whole plan comes to."""
        return self._shard.plan

    def doubts(self, piece: _Piece) -> Iterator[Problem]:
        """Yield why a shard does not hold its own part of the plan, all of it and nothing else."""
        number, of = piece.shard.number, piece.shard.of
        part = Plan(self.suite, self._request, (number, of))
        own = plan_hash(part.in_plan_order(), self._encoder)
        if self._hash != piece.shard.plan_hash or own != piece.manifest.plan_hash:
            message = f"this is not shard {number} of {of} of the plan that it speaks of"
            yield Problem(message=message, file=str(piece.folder.path))
            return
        journal = Journal(piece.folder.path)
        keys = ((one.arm, one.case, one.trial) for one in piece.folder.plan())
        strange = journal.n_closed - sum(journal.last(key) is not None for key in keys)
        if strange:
            message = f"this run holds {strange} trials that are not planned for shard {number} of {of}"
            yield Problem(message=message, file=str(piece.folder.path))
        yield from self._other_code(piece)

    def _other_code(self, piece: _Piece) -> Iterator[Problem]:
        for name in _code_names(self.suite):
            path = piece.folder.code / name
            if not path.resolve().is_relative_to(piece.folder.code.resolve()) or not path.is_file():
                yield Problem(message="a file of the suite's own checks is missing", file=str(path))


def _code_names(suite: Suite) -> tuple[str, ...]:
    """Return the files that hold a suite's own checks."""
    return tuple(dict.fromkeys(ref.partition(":")[0] for ref in suite.own_checks))


def _fill(grown: RunFolder, pieces: Sequence[_Piece], whole: _Whole, setting: Setting) -> RunReport:
    """Write the merged run; its manifest is written last but for the verdicts, and closed after them."""
    grown.write_suite(whole.suite)
    for name in _code_names(whole.suite):
        grown.write_code(name, _one_code(pieces, name))
    written = grown.write_plan(whole.plan.in_plan_order())
    for piece in pieces:
        copy_journal(piece.folder, grown)
    manifest = _manifest(grown, pieces, whole, setting)
    manifest = msgspec.structs.replace(manifest, plan_hash=written)
    grown.write_manifest(manifest)
    found = summary(grown)
    ended = msgspec.structs.replace(manifest, ended=setting.clock.wall(), complete=found.complete)
    grown.write_manifest(ended)
    return found


def _one_code(pieces: Sequence[_Piece], name: str) -> bytes:
    """Return a file of the suite's own checks, which must be the same in every shard."""
    first, *others = ((piece, (piece.folder.code / name).read_bytes()) for piece in pieces)
    for piece, content in others:
        if content != first[1]:
            suggestion = f"{first[0].folder.name} has another one"
            raise InputError.of(
                f"the runs differ in code/{name}", file=piece.folder.name, suggestion=suggestion
            )
    return first[1]


def _manifest(grown: RunFolder, pieces: Sequence[_Piece], whole: _Whole, setting: Setting) -> Manifest:
    first = pieces[0].manifest
    hosts = dict.fromkeys(piece.manifest.signature.host for piece in pieces)
    versions = dict.fromkeys(piece.manifest.signature.evalkit for piece in pieces)
    signature = msgspec.structs.replace(
        first.signature, host=", ".join(hosts), evalkit=", ".join(versions), seed=whole.summary.seed
    )
    return Manifest(
        run=grown.name,
        suite=first.suite,
        arms=first.arms,
        arm_code=first.arm_code,
        signature=signature,
        plan=whole.summary,
        plan_hash="",
        started=setting.clock.wall(),
        suite_path=_suite_path(pieces, setting),
        parts=tuple(_part(piece) for piece in pieces),
    )


def _part(piece: _Piece) -> Part:
    manifest = piece.manifest
    return Part(
        run=manifest.run,
        number=piece.shard.number,
        started=manifest.started,
        ended=manifest.ended,
        evalkit=manifest.signature.evalkit,
        host=manifest.signature.host,
        paused=manifest.paused,
    )


def _suite_path(pieces: Sequence[_Piece], setting: Setting) -> str:
    """Return where the suite lies, seen from the merged run.

    That is where a shard saw it, if it still does; a shard that was copied from another machine does not, and
    then the merged run looks from where that one was made, in the same project.
    """
    place = setting.reports.resolve() / "merged"  # any folder there sees the same
    for piece in pieces:
        seen = Path(os.path.normpath(piece.folder.path.resolve() / piece.manifest.suite_path))
        if (seen / "suite.yaml").is_file():
            return os.path.relpath(seen, place)
    return pieces[0].manifest.suite_path
