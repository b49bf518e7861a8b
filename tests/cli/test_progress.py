"""Progress is one line on a terminal and few lines in a log, and never stands in the way of anything."""

import io
import os
import pty
import struct
import subprocess
import sys
import termios
from fcntl import ioctl
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.cli.progress import Display, columns
from evalkit.report.console import cells
from evalkit.world.clock import ManualClock
from tests.journeys.walking import case, greet
from tests.report.building import nasty


class Narrow(io.StringIO):
    """A terminal of so many columns, by way of a pseudo-terminal that tells its size."""

    def __init__(self, width: int) -> None:
        """Open a terminal of that width."""
        super().__init__()
        self.main, self.side = pty.openpty()
        ioctl(self.side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))

    def fileno(self) -> int:
        """Return the terminal's descriptor."""
        return self.side

    def close(self) -> None:
        """Close the terminal, too."""
        os.close(self.main)
        os.close(self.side)
        super().close()


def screen(written: str) -> list[str]:
    """Return what stands on the lines of a terminal after a text of carriage returns and newlines."""
    lines = []
    for line in written.split("\n"):
        shown: list[str] = []
        for part in line.split("\r"):
            over = [char for char in part for _ in range(max(1, cells(char)))]
            shown[: len(over)] = over
        lines.append("".join(shown).rstrip())
    return lines


@given(st.lists(nasty(), max_size=5), st.sampled_from([4, 20, 40, 133]))
def test_a_line_is_never_wider_than_its_terminal(lines: list[str], width: int) -> None:
    """Whatever it holds, wide characters too, it fits with a cell to spare, to be written over."""
    with Narrow(width) as terminal:
        display = Display(terminal, rewrites=True, now=ManualClock().now)
        for line in lines:
            display.progress(line)
        written = terminal.getvalue()
    assert "\n" not in written
    assert "\x1b" not in written
    assert [] == [part for part in written.split("\r") if cells(part) > width - 1]


def test_a_shorter_line_leaves_nothing_of_the_longer_one() -> None:
    """The last line alone is seen; a notice stands on a line of its own, and so does what comes after."""
    with Narrow(20) as terminal:
        display = Display(terminal, rewrites=True, now=ManualClock().now)
        display.progress("  1/180 退款退款退款退款退款")
        display.progress("  2/180")
        assert ["2/180"] == screen(terminal.getvalue())
        display.notice("stopping")
        display.progress("  3/180")
        assert ["stopping", "3/180"] == screen(terminal.getvalue())
        display.progress("")
        assert ["stopping", ""] == screen(terminal.getvalue())


def test_a_log_is_not_flooded() -> None:
    """A line every two seconds for an hour becomes fewer than seventy, the first after five seconds."""
    clock, log = ManualClock(), io.StringIO()
    display = Display(log, rewrites=False, now=clock.now)
    seen = []
    for second in range(2, 3600, 2):
        clock.advance(2)
        before = len(log.getvalue())
        display.progress(f"  {second}/3600 trials")
        seen += [second] if len(log.getvalue()) > before else []
    assert 6 == seen[0]
    assert 20 < len(seen) < 70
    assert "\r" not in log.getvalue()
    display.progress("")
    assert log.getvalue().endswith("trials\n")


class Closed(io.StringIO):
    """A stream that nobody reads."""

    def write(self, _text: str) -> int:
        """Fail as a broken pipe does."""
        raise BrokenPipeError


@pytest.mark.parametrize("rewrites", [True, False])
def test_nobody_has_to_look(rewrites: bool) -> None:  # noqa: FBT001
    """A run does not end because its progress goes nowhere."""
    clock = ManualClock()
    display = Display(Closed(), rewrites=rewrites, now=clock.now)
    clock.advance(60)
    display.progress("  1/2")
    display.progress("")


def test_what_is_no_terminal_is_eighty_wide() -> None:
    """Where the width cannot be told, a line is as wide as lines usually are."""
    assert 80 == columns(io.StringIO())


SLOW = "[{reply: 您好 hello, delay_ms: 700}]"


def on_terminal(folder: Path, width: int, **environment: str) -> tuple[bytes, bytes]:
    """Run a suite for some seconds with stderr on a terminal; return stdout and what the terminal got."""
    main, side = pty.openpty()
    ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    known = {name: value for name, value in os.environ.items() if name not in ("CI", "NO_COLOR")}
    command = [sys.executable, "-m", "evalkit", "run", "suites/greet", "-j", "1", "--budget-minutes", "9"]
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=side,
        env={**known, "TERM": "xterm", **environment},
    )
    os.close(side)
    shown = b""
    while True:
        try:
            chunk = os.read(main, 4096)
        except OSError:  # the other end is closed
            break
        if not chunk:
            break
        shown += chunk
    out, _ = process.communicate(timeout=60)
    os.close(main)
    assert 0 == process.returncode
    return out, shown


def test_a_run_on_a_narrow_terminal(tmp_path: Path) -> None:
    """Twenty columns: one line, written over, taken away at the end; nothing of it on stdout."""
    greet(tmp_path, [case(number) for number in range(8)], steps=SLOW)
    out, shown = on_terminal(tmp_path, 20)
    text = shown.decode()
    assert "/8 trials" in text
    assert "\n" not in text
    assert [] == [part for part in text.split("\r") if cells(part) > 19]
    assert "" == screen(text)[-1]
    assert b"trials" not in out
    assert b"8 planned = 8 pass" in out


def test_a_run_under_ci_has_plain_lines(tmp_path: Path) -> None:
    """With CI set a terminal is a log: whole lines, with what is left of the budget."""
    greet(tmp_path, [case(number) for number in range(10)], steps=SLOW)
    _, shown = on_terminal(tmp_path, 20, CI="true")
    lines = shown.decode().replace("\r\n", "\n").splitlines()
    assert [] == [line for line in lines if "\r" in line]
    assert any("0 fail, 0 error; spent 0.1 of 9 min" in line for line in lines), lines
