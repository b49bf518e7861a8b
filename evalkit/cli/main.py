"""The entry point: a group of verbs that are loaded only when they are typed.

What comes in: the words after `evalkit`. What goes out: text on stdout, notices on stderr, an exit code
(`interfaces.md` section 1). `--help` and `--version` load nothing but click.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import importlib
import os
import sys
import threading
from collections.abc import Sequence

import click

from evalkit import __version__
from evalkit.cli.output import fail
from evalkit.errors import EvalkitError, OutputError

# verb -> (module under evalkit.cli, one line of help); a dict so that --help need not import the verbs.
VERBS: dict[str, tuple[str, str]] = {
    "init": ("init", "Scaffold a working suite, with one failing case explained."),
    "check": ("check", "Load and lint suites; run no agent."),
    "schema": ("schema", "Print the JSON Schema of a file for editors."),
    "run": ("run", "Execute a suite into a new run folder."),
    "resume": ("resume", "Finish what a run is missing."),
    "retry": ("retry", "Try the unmeasured trials of a run again."),
    "merge": ("merge", "Join the shards of one plan into one run."),
    "score": ("score", "Decide verdicts again from stored events."),
    "show": ("show", "Show a run, a case or a trial."),
    "list": ("list_runs", "List runs and their size."),
    "gate": ("gate", "Decide: go, no-go or undecided."),
    "report": ("report", "Write reports of a run: HTML, Markdown, JUnit, JSON, CSV, Parquet."),
    "blame": ("blame", "Show the root causes of a run."),
    "import": ("import_run", "Turn somebody else's recorded results into a run."),
}

# New objects before the collector looks for cycles among them. By default it looks after 700, which is a few
# trials, and again and again over all that a large suite or report holds: up to half of all time. What waits
# here is some megabytes.
_COLLECT_EVERY = 20_000

# The store says OutputError itself; what is left is stdout, and files that a person named and none can read.
_CANNOT_WRITE = frozenset({errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.EPIPE})


class Verbs(click.Group):
    """A group whose commands are imported on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of a day's work."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one verb.

        Args:
            ctx: Click's context.
            cmd_name: The verb as typed.

        Returns:
            Its command, or None where there is no such verb.
        """
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"evalkit.cli.{VERBS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb that was typed.

        Args:
            ctx: Click's context.
            args: The words.

        Returns:
            Its name, its command and the words after it.

        Raises:
            UsageError: There is no such verb; with the nearest one.
        """
        if args and args[0] not in VERBS and not args[0].startswith("-") and not ctx.resilient_parsing:
            from evalkit.suite.words import suggest

            ctx.fail(f"No such command {args[0]!r}; {suggest(args[0], VERBS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of verbs without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(verb, text) for verb, (_, text) in VERBS.items()])


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "--version", prog_name="evalkit")
def cli() -> None:
    """Evaluate LLM agents so that a release can be staked on it.

    Exit codes: 0 go, or done; 1 no-go; 2 bad input; 3 undecided; 4 not written; 70 a bug in evalkit;
    130 interrupted.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return its exit code.

    Args:
        arguments: The words after `evalkit`; default: those of the process.

    Returns:
        An exit code of `interfaces.md` section 1.
    """
    if arguments is not None:
        return _guarded(list(arguments))
    _open_descriptors()
    gc.set_threshold(_COLLECT_EVERY)
    code = _guarded(sys.argv[1:])
    _leave(code)
    return code


def _guarded(words: list[str]) -> int:
    """Run one verb; whatever ends it, there is an exit code that does not lie."""
    as_json = "--json" in words or bool(os.environ.get("EVALKIT_JSON"))
    try:
        try:
            code = _invoke(words)
            if sys.stdout is not None:
                sys.stdout.flush()
        except BrokenPipeError:
            return _broken_pipe()
        except BaseException as error:  # the last boundary: whatever is left is a bug, and said to be
            return _explain(error, as_json=as_json)
    except (OSError, OutputError, ValueError):  # nobody can be told: stdout or stderr is closed, or full
        return _broken_pipe()
    except BaseException:  # not even that can be said; what is left to Python is exit 1, and that says no-go
        return 70
    return code if isinstance(code, int) else 0


def _open_descriptors() -> None:
    """Fill closed standard descriptors, or the journal would take their place and hold what is printed."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        continue
    os.close(descriptor)


def _leave(code: int) -> None:
    """End the process at once where threads of a suite would hold it."""
    others = (thread for thread in threading.enumerate() if thread is not threading.current_thread())
    if any(thread.is_alive() and not thread.daemon for thread in others):
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(AttributeError, OSError, ValueError):
                stream.flush()
        os._exit(code)


def _invoke(words: list[str]) -> object:
    """Run one verb; click's own `main` would turn a closed pipe into exit 1."""
    try:
        with cli.make_context("evalkit", words) as context:
            return cli.invoke(context)
    except click.exceptions.Exit as stop:
        return stop.exit_code


def _explain(error: BaseException, *, as_json: bool) -> int:
    """Say what ended the process and return its exit code."""
    if isinstance(error, click.ClickException):
        return fail(error.format_message(), 2, as_json=as_json, usage=_usage(error))
    if isinstance(error, click.Abort | KeyboardInterrupt):
        return fail("interrupted", 130, as_json=as_json)
    if isinstance(error, EvalkitError):
        return fail(error, error.exit_code, as_json=as_json)
    if isinstance(error, OSError):
        code = 4 if error.errno in _CANNOT_WRITE else 2
        return fail(f"cannot read or write: {error}", code, as_json=as_json)
    return fail(error, 70, as_json=as_json)


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f"try: {context.command_path} --help" if context is not None else "try: evalkit --help"


def _broken_pipe() -> int:
    """Return 4; what is left in the buffer goes nowhere, so that nothing complains at exit."""
    with contextlib.suppress(AttributeError, OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 4
