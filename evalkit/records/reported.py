"""What a call of `report` came to.

What comes in: files as they were written, and those that could not be. What goes out: `Reported`.
"""

from __future__ import annotations

from msgspec import Struct

from evalkit.records.decision import Choice, Counts
from evalkit.records.signature import Manifest


class WrittenReport(Struct, frozen=True, kw_only=True):
    """One file that is whole.

    Attributes:
        path: Where it lies, as the person gave it.
        format: html, md, xml, json, csv, parquet, or summary for what was appended to a step summary.
        size: Bytes; of a summary those that were appended.
    """

    path: str
    format: str
    size: int


class Reported(Struct, frozen=True, kw_only=True):
    """What was reported of a run, and where.

    Attributes:
        manifest: What the run is.
        counts: Trials by the deciding primary, over the arms that are shown.
        decision: What was decided last about these trials; None where nothing was.
        dropped: Why a decision that is stored is not shown; "" where none is left out.
        written: Files that are whole.
        problems: Why others could not be written; what they held before is still there.
        commands: Workflow commands for GitHub, where they were asked for.
    """

    manifest: Manifest
    counts: Counts
    decision: Choice | None = None
    dropped: str = ""
    written: tuple[WrittenReport, ...] = ()
    problems: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
