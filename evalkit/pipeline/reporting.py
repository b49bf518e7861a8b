"""A stored run as files for people and machines: render only, each file whole or not at all.

What comes in: what `report` was asked for. What goes out: files, and `Reported`. Every format is tried,
whatever became of the one before it; what could not be written is told in the end, all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evalkit.decide.counts import total
from evalkit.errors import OutputError
from evalkit.pipeline.documents import document_of
from evalkit.pipeline.outputs import check_outputs, extension
from evalkit.pipeline.rendering import FORMATS, Source
from evalkit.pipeline.setting import Setting
from evalkit.records.reported import Reported, WrittenReport
from evalkit.report.annotations import workflow_commands
from evalkit.report.markdown import markdown
from evalkit.store.folder import RunFolder
from evalkit.store.whole import append, whole

PAGE: Final = "report.html"
"""What is written into the run folder where no file was named."""

_SUMMARY_LIMIT = 2**20  # bytes; GitHub drops a step summary that is longer


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRequest:
    """What `report` was asked for.

    Attributes:
        run: The run's name or path.
        outputs: Files, the format by their extension; () with nothing else asked for: `report.html` in the
            run folder.
        arm: Only this arm; None shows all.
        summary: File that the Markdown is appended to.
        annotations: Also workflow commands for GitHub.
    """

    run: str
    outputs: tuple[Path, ...] = ()
    arm: str | None = None
    summary: Path | None = None
    annotations: bool = False


def write_reports(request: ReportRequest, setting: Setting) -> Reported:
    """Render a stored run into files.

    Args:
        request: What was asked for.
        setting: The surroundings.

    Returns:
        What was written, and why other files were not.

    Raises:
        InputError: There is no such run or arm, or a path is wrong; nothing was written.
        StoreError: The run is damaged; files that were whole before that stay.
    """
    check_outputs(request.outputs, request.summary)
    folder = RunFolder.find(setting.reports, request.run)
    source = Source(folder, document_of(folder, setting, request.arm))
    steps = tuple(_steps(request, folder, source, setting))
    board, decision = source.document.board, source.document.decision
    return Reported(
        manifest=board.manifest,
        counts=total(tuple(board.counts.values())),
        decision=decision.decision if decision is not None else None,
        dropped=source.document.dropped,
        written=tuple(one for one in steps if isinstance(one, WrittenReport)),
        problems=tuple(one for one in steps if isinstance(one, str)),
        commands=tuple(workflow_commands(source.document, source.failing)) if request.annotations else (),
    )


def _steps(
    request: ReportRequest, folder: RunFolder, source: Source, setting: Setting
) -> Iterator[WrittenReport | str]:
    """Yield for each file what was written, or why it was not."""
    for path in request.outputs or _default(request, folder):
        try:
            with whole(path, setting.ids()) as beside:
                FORMATS[extension(path)](source, beside)
                size = beside.stat().st_size
            yield WrittenReport(path=str(path), format=extension(path)[1:], size=size)
        except OutputError as error:
            yield str(error)
    if request.summary is not None:
        text = "".join(markdown(source.document, source.failing)).encode("utf-8", "backslashreplace")
        try:
            append(request.summary, text, _SUMMARY_LIMIT)
            yield WrittenReport(path=str(request.summary), format="summary", size=len(text))
        except OutputError as error:
            yield str(error)


def _default(request: ReportRequest, folder: RunFolder) -> Sequence[Path]:
    asked = request.summary is not None or request.annotations
    return () if asked else (folder.path / PAGE,)
