"""The run folder: which file holds what, written atomically, locked against a second writer.

What comes in: records. What goes out: `reports/<run>/` as `interfaces.md` section 3 describes it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, BinaryIO, TypeVar

import msgspec
from msgspec import Struct

from evalkit.errors import InputError, OutputError, StoreError
from evalkit.records.attribution import Attribution
from evalkit.records.decision import Decision
from evalkit.records.plan import PlannedTrial
from evalkit.records.signature import Manifest
from evalkit.records.suite import Suite
from evalkit.records.verdict import Verdict
from evalkit.store.encoding import LineEncoder, decoder
from evalkit.store.journal import segments
from evalkit.store.kept import KeptLines
from evalkit.store.latest import instead, is_latest, latest

if os.name == "posix":
    import fcntl

_Record = TypeVar("_Record", bound=Struct)

REDACTED = b"[redacted]"
"""What stands where a secret stood."""

Results = tuple[tuple[Verdict, ...], Attribution | None]
"""What a trial came to: its verdicts, and what it leaves behind if it failed."""


def no_place(reports: Path, error: OSError) -> str:
    """Return the sentence for a folder of runs in which none can be made: nothing was run yet.

    Args:
        reports: The folder of runs.
        error: What the system says.
    """
    place = f"cannot make a run folder in {reports}: {error.strerror}"
    return f"{place} (nothing was run; let EVALKIT_REPORTS name a folder that can be written)"


class RunFolder:
    """One run on disk. Methods that write raise OutputError, methods that read raise StoreError."""

    def __init__(self, path: Path, encoder: LineEncoder | None = None) -> None:
        """Name the folder; nothing is touched.

        Args:
            path: The folder; kept as an absolute path, since code of a suite may change the working folder.
            encoder: How records become lines; needed only for writing.
        """
        self.path = path.absolute()
        self.encoder = encoder or LineEncoder()
        self._kept = KeptLines(self.path)
        self._suite: Suite | None = None

    @classmethod
    def create(cls, reports: Path, name: str, encoder: LineEncoder) -> RunFolder:
        """Make a new folder; a number is added where the name is taken.

        Args:
            reports: Parent folder, made where missing.
            name: Wanted name.
            encoder: How records become lines.
        """
        try:
            reports.mkdir(parents=True, exist_ok=True)
            for number in range(1, 10_000):
                path = reports / (name if number == 1 else f"{name}-{number}")
                with contextlib.suppress(FileExistsError):
                    path.mkdir()
                    return cls(path, encoder)
        except OSError as error:
            raise OutputError(no_place(reports, error)) from error
        raise OutputError(f"too many runs called {name} in {reports}")

    @classmethod
    def find(cls, reports: Path, name: str) -> RunFolder:
        """Return an existing run, by its name or its path; `latest` and `latest:SUITE` name the last begun.

        Args:
            reports: Folder of the runs.
            name: What a person typed.

        Raises:
            InputError: There is no such run.
        """
        for path in (reports / name, Path(name)):
            with contextlib.suppress(OSError, ValueError):  # no file can have this name, or none be seen
                if (path / "manifest.json").is_file():
                    return cls(path)
                if (path / ".lock").is_file():
                    raise InputError.of(
                        "this run was killed before its manifest was written",
                        value=name,
                        suggestion="nothing of it was executed: delete the folder, and run again",
                    )
        newest = latest(reports, name) if is_latest(name) else None
        if newest is not None:
            return cls(newest)
        raise InputError.of("no such run", value=name, suggestion=instead(reports, name))

    @property
    def name(self) -> str:
        """The run's name."""
        return self.path.name

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the folder for writing.

        Raises:
            InputError: Another process holds it.
        """
        try:
            file = (self.path / ".lock").open("w")
        except OSError as error:
            raise OutputError(f"cannot write in {self.path}: {error.strerror}") from error
        with file, contextlib.closing(self._kept):
            _flock(file, self.name)
            yield

    def discard(self) -> None:
        """Remove a run that never began; one that holds events stays."""
        if not segments(self.path):
            shutil.rmtree(self.path, ignore_errors=True)

    def write_manifest(self, manifest: Manifest) -> None:
        """Write `manifest.json`."""
        self._write("manifest.json", [_pretty(self.encoder.record(manifest))])

    def manifest(self) -> Manifest:
        """Read `manifest.json`; a run is called as its folder is, also where that was copied or renamed."""
        return msgspec.structs.replace(self._read("manifest.json", Manifest), run=self.name)

    def write_suite(self, suite: Suite) -> None:
        """Write `suite.json`."""
        content = suite_bytes(suite)
        stored = self.encoder.document(content)
        self._write("suite.json", [stored])
        self._suite = suite if stored == content else None

    def suite(self) -> Suite:
        """Return the suite as it is stored, read once; a changed one is refused."""
        if self._suite is None:
            self._suite = self._read_suite()
        return self._suite

    def _read_suite(self) -> Suite:
        content = self._bytes("suite.json")
        try:
            suite = Suite.model_validate_json(content)
        except ValueError as error:
            raise StoreError(f"{self.name}/suite.json: {error}") from error
        # A suite that held a secret is stored without it, and its hash is that of the whole one.
        if REDACTED not in content and suite_hash(suite) != self.manifest().signature.suite_hash:
            raise StoreError(f"{self.name}/suite.json is not the suite that this run measured")
        return suite

    def write_plan(self, trials: Iterable[PlannedTrial]) -> str:
        """Write `plan.jsonl` and return its sha256."""
        digest = hashlib.sha256()

        def lines() -> Iterator[bytes]:
            for trial in trials:
                line = self.encoder.record(trial)
                digest.update(line)
                yield line

        self._write("plan.jsonl", lines())
        return digest.hexdigest()

    def plan(self) -> Iterator[PlannedTrial]:
        """Yield the planned trials in plan order; before the first one, refuse a plan that was changed."""
        try:
            with self._file("plan.jsonl").open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise StoreError(f"cannot read {self.name}/plan.jsonl: {error.strerror}") from error
        if found != self.manifest().plan_hash:
            raise StoreError(f"{self.name}/plan.jsonl is not the plan that this run began with")
        yield from self._lines("plan.jsonl", PlannedTrial)

    def keep(self, index: int, results: Results) -> None:
        """Keep what a trial came to until `write_results` asks for it, while the lock is held.

        Args:
            index: Plan index of the trial.
            results: Its verdicts, and what it leaves behind if it failed.
        """
        self._kept.keep(index, *self._lines_of(results))

    def write_results(self, trials: Iterable[tuple[int, Callable[[], Results]]]) -> None:
        """Replace `verdicts.jsonl` and `blame.jsonl`, streaming.

        Args:
            trials: Plan index of every planned trial, in plan order, and what works out what it came to,
                which is asked only where `keep` was not told.
        """
        with self._beside("blame.jsonl") as blame, self._beside("verdicts.jsonl") as verdicts:
            for index, results in trials:
                lines = self._kept.take(index) or self._lines_of(results())
                verdicts.write(lines[0])
                blame.write(lines[1])

    def _lines_of(self, results: Results) -> tuple[bytes, bytes]:
        rows, attribution = results
        record = self.encoder.record
        return b"".join(map(record, rows)), b"" if attribution is None else record(attribution)

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the verdicts in plan order: one for each stage and planned metric of every planned trial.

        Anything else is refused, because a verdict that is not there would leave every rate it belongs to.
        """
        rows = self._lines("verdicts.jsonl", Verdict)
        owed = owed_rows(self.suite())
        for trial in self.plan():
            for key in owed[trial.case]:
                row = next(rows, None)
                if row is None:
                    raise StoreError(
                        f"{self.name}/verdicts.jsonl ends before trial {trial.index}{self._again}"
                    )
                if (row.of, row.name) != key or not _is_of(row, trial):
                    wrong = f"line {row.of} {row.name} of trial {row.index} out of its place"
                    raise StoreError(f"{self.name}/verdicts.jsonl holds {wrong}{self._again}")
                yield row
        if next(rows, None) is not None:
            raise StoreError(f"{self.name}/verdicts.jsonl goes on after the last trial{self._again}")

    def verdicts_hash(self) -> str:
        """Return the sha256 of `verdicts.jsonl`."""
        try:
            with self._file("verdicts.jsonl").open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise StoreError(f"cannot read {self.name}/verdicts.jsonl: {error.strerror}") from error

    def blame(self) -> Iterator[Attribution]:
        """Yield the attribution records."""
        return self._lines("blame.jsonl", Attribution)

    def write_decision(self, decision: Decision) -> None:
        """Write `decision.json`."""
        self._write("decision.json", [_pretty(self.encoder.record(decision))])

    def decision(self) -> Decision | None:
        """Read `decision.json`, or None where nothing was decided."""
        return self._read("decision.json", Decision) if (self.path / "decision.json").exists() else None

    def write_code(self, name: str, content: bytes) -> None:
        """Keep one source file of the suite's own checks under `code/`.

        Args:
            name: Path relative to the suite's folder, without `..`.
            content: Its bytes.
        """
        target = self.path / "code" / name
        if not target.resolve().is_relative_to((self.path / "code").resolve()):
            raise OutputError(f"{name} lies outside the suite")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot write {target}: {error.strerror}") from error
        self._write(f"code/{name}", [content])

    def is_settled(self) -> bool:
        """Whether verdicts are there and belong to all that the journal holds."""
        return bool(self.manifest().ended) and (self.path / "verdicts.jsonl").is_file()

    @property
    def _again(self) -> str:
        return f"; `evalkit score {self.name}` decides them again"

    @property
    def code(self) -> Path:
        """Where the sources of the suite's own checks lie."""
        return self.path / "code"

    def size(self) -> int:
        """Return the folder's size in bytes."""
        return sum(path.stat().st_size for path in self.path.rglob("*") if path.is_file())

    def _write(self, name: str, chunks: Iterable[bytes]) -> None:
        with self._beside(name) as file:
            file.writelines(chunks)

    @contextlib.contextmanager
    def _beside(self, name: str) -> Iterator[BinaryIO]:
        """Write beside, flush to the device, rename: readers see the old file or the new one, whole."""
        target = self.path / name
        beside = target.with_name(f".{target.name}.tmp")
        try:
            with beside.open("wb", buffering=1 << 16) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            beside.replace(target)
        except OSError as error:
            raise OutputError(f"cannot write {target}: {error.strerror}") from error
        finally:
            with contextlib.suppress(OSError):
                beside.unlink()

    def _file(self, name: str) -> Path:
        """Return an ordinary file of the run; to read a pipe would wait for ever."""
        path = self.path / name
        if path.exists() and not path.is_file():
            raise StoreError(f"cannot read {self.name}/{name}: it is no file")
        return path

    def _bytes(self, name: str) -> bytes:
        try:
            return self._file(name).read_bytes()
        except OSError as error:
            raise StoreError(f"cannot read {self.name}/{name}: {error.strerror}") from error

    def _read(self, name: str, kind: type[_Record]) -> _Record:
        try:
            return decoder(kind)(self._bytes(name))
        except StoreError as error:
            raise StoreError(f"{self.name}/{name}: {error}") from error

    def _lines(self, name: str, kind: type[_Record]) -> Iterator[_Record]:
        decode = decoder(kind)
        try:
            with self._file(name).open("rb") as file:
                for number, line in enumerate(file, start=1):
                    try:
                        yield decode(line)
                    except StoreError as error:
                        raise StoreError(f"{self.name}/{name}:{number}: {error}") from error
        except OSError as error:
            raise StoreError(f"cannot read {self.name}/{name}: {error.strerror}") from error


def owed_rows(suite: Suite) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return what is decided about each trial of a case, in the order of `verdicts.jsonl`.

    Args:
        suite: The loaded suite.

    Returns:
        Case id -> ("stage" or "metric", name).
    """
    stages = tuple(("stage", stage.name) for stage in suite.stages)
    return {
        case.id: (*stages, *(("metric", metric.name) for metric in suite.metrics_of(case)))
        for case in suite.cases
    }


def _is_of(row: Verdict, trial: PlannedTrial) -> bool:
    return (row.index, row.case, row.arm, row.trial) == (trial.index, trial.case, trial.arm, trial.trial)


def suite_bytes(suite: Suite) -> bytes:
    """Return the suite as canonical JSON: what is stored, and what is hashed."""
    return suite.model_dump_json(by_alias=True, exclude_defaults=True).encode() + b"\n"


def suite_hash(suite: Suite) -> str:
    """Return the sha256 of the loaded suite and its code; where its cases stood does not count."""
    unplaced = {"cases": {"__all__": {"place"}}}
    plain = suite.model_dump_json(by_alias=True, exclude_defaults=True, exclude=unplaced)
    return hashlib.sha256(plain.encode() + b"\n").hexdigest()


def _pretty(line: bytes) -> bytes:
    return msgspec.json.format(line, indent=2) + b"\n"


def _flock(file: IO[str], name: str) -> None:
    if os.name != "posix":
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise InputError.of("another process is writing to this run", value=name) from error
