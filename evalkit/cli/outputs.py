"""`-o`: the reports that a verb writes when its result is known.

What comes in: paths. What goes out: files, lines about them on stderr, and exit code 4 where one is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from evalkit.cli.options import setting
from evalkit.cli.output import notice, width

_Command = TypeVar("_Command", bound=Callable[..., object])


def outputs_option(command: _Command) -> _Command:
    """Add `-o`."""
    option = click.option(
        "-o",
        "--output",
        "outputs",
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Report to write: .html, .md, .xml (JUnit), .json, .csv, .parquet; repeat for several.",
    )
    return option(command)


def refuse_outputs(outputs: tuple[Path, ...]) -> None:
    """Refuse files of `-o` that no report can be written to, before anything is run.

    Args:
        outputs: Files of `-o`.

    Raises:
        InputError: Every wrong path.
    """
    if outputs:
        from evalkit.pipeline.outputs import check_outputs

        check_outputs(outputs)


def report_to(run: str, outputs: tuple[Path, ...], code: int) -> int:
    """Write the files of `-o` about a run whose result is printed already.

    Args:
        run: The run's name or path.
        outputs: Files of `-o`.
        code: The exit code of the result.

    Returns:
        4 where a file could not be written, else `code`.
    """
    if not outputs:
        return code
    from evalkit.pipeline.reporting import ReportRequest, write_reports
    from evalkit.report.console import Look
    from evalkit.report.files import written_lines

    reported = write_reports(ReportRequest(run=run, outputs=outputs), setting())
    for line in (*written_lines(reported.written, Look(width=width())), *reported.problems):
        notice(line if line.startswith(" ") else f"evalkit: {line}")
    return 4 if reported.problems else code
