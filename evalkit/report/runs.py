"""The final block of a run, and the list of runs.

What comes in: manifests and counts. What goes out: console text that ends in the next command to type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalkit.records.board import Ending, RunLine
from evalkit.records.decision import Counts
from evalkit.records.signature import Manifest, worked
from evalkit.records.spent import dollars, lasting
from evalkit.records.written import Json
from evalkit.report.console import Look, causes, cells, count, cut, harmless, number, wrap
from evalkit.report.following import next_command
from evalkit.report.tables import blocks

_NOTHING_MORE = Ending()

_BESIDE_NAME = 46  # cells that the other columns of a list of runs take, eight of them for its arms
_MOST_ARM = 30  # cells of an arm's name in a list; --json has all of it
_UNITS = ("B", "kB", "MB", "GB", "TB")


def run_block(
    manifest: Manifest,
    arms: dict[str, Counts],
    look: Look,
    *,
    complete: bool,
    notes: Sequence[str] = (),
    ending: Ending = _NOTHING_MORE,
) -> str:
    """Return what a run came to: counts, duration, what it spent, decision, name, next command.

    Args:
        manifest: What the run is.
        arms: Trials by the deciding primary, for each arm.
        look: How it looks.
        complete: Every planned trial has a closing line.
        notes: What else a reader should know.
        ending: What else there is to tell.
    """
    lines = [look.tone(cut(f"run {manifest.run}", look.width), "strong"), *arm_lines(arms, look)]
    told = [*notes, *([ending.ended_by] if ending.ended_by else []), *_whole(manifest)]
    lines += [line for note in told for line in wrap(note, look.width, "  ", "    ")]
    lines += _source_lines(manifest, look)
    mode = f"mode {manifest.signature.mode}, {duration(manifest)}"
    for line in (mode, _spent(ending), _decided(ending)):
        lines += wrap(line, look.width, "  ", "    ") if line else []
    command = next_command(manifest, arms, complete=complete, ending=ending)
    lines += wrap(f"next: {command}", look.width)
    return "\n".join(lines)


def _whole(manifest: Manifest) -> Iterator[str]:
    """Yield which part of a plan this is, and from which parts it was put together."""
    if manifest.shard is not None:
        shard, plan = manifest.shard, manifest.shard.plan
        yield f"shard {shard.number} of {shard.of}: {manifest.plan.planned} of {count(plan.planned, 'trial')}"
    if manifest.parts:
        yield f"merged from {', '.join(part.run for part in manifest.parts)}"


def _spent(ending: Ending) -> str:
    """Return tokens and money, as far as they are known; a sum that leaves one out says so."""
    spent = ending.spent
    if spent is None or not spent.executions:
        return ""
    tokens = f"{spent.known_tokens:,} tokens"
    parts = [
        _at_least(tokens, spent.uncounted, spent.executions),
        _at_least(dollars(spent.known_usd), spent.unpriced, spent.executions),
    ]
    said = [part for part in parts if part]
    return f"spent {', '.join(said)}" if said else ""


def _at_least(text: str, unknown: int, executions: int) -> str:
    if unknown == executions:
        return ""
    return f"at least {text} ({unknown} of {executions} unknown)" if unknown else text


def _decided(ending: Ending) -> str:
    if not ending.decision:
        return ""
    if ending.is_current:
        return f"decided: {ending.decision} about {ending.arm}"
    return f"decided before, about other trials: {ending.decision} about {ending.arm}"


def arm_lines(arms: dict[str, Counts], look: Look) -> list[str]:
    """Return the counts of every arm, and why trials are errors.

    Args:
        arms: Trials by the deciding primary, for each arm.
        look: How it looks.
    """
    return [line for arm, counts in arms.items() for line in _arm(arm, counts, look)]


def _arm(arm: str, counts: Counts, look: Look) -> Iterator[str]:
    yield from wrap(f"{arm}: {count_line(counts)}", look.width, "  ", "    ")
    if counts.errors:
        yield from wrap(f"errors: {causes(counts.causes)}", look.width, "    ", "      ")


def count_line(counts: Counts) -> str:
    """Return counts on one line; they add up to what was planned.

    Args:
        counts: Trials by the deciding primary.
    """
    head = f"{counts.planned} planned = {counts.passed} pass + {counts.failed} fail + {counts.errors} error"
    degraded = f"; {counts.degraded} degraded" if counts.degraded else ""
    return f"{head}; coverage {number(counts.coverage)}{degraded}"


def list_page(runs: Sequence[RunLine], look: Look, *, left_out: int = 0, place: str = "") -> str:
    """Return the list of runs, what they take together, and how one is taken away.

    Args:
        runs: In the order in which they are to be listed.
        look: How it looks.
        left_out: Runs that were not asked for.
        place: Folder that they lie in, as the person would type it; "" says nothing of deleting.
    """
    if not runs:
        return "there are no runs here"
    head = ("run", "arms", "mode", "trials", "decision", "size")
    lines = _run_lines([head, *(_row(run) for run in runs)], look.width)
    broken = [line for run in runs if run.problem for line in _problem(run, look)]
    more = f", {left_out} more not shown" if left_out else ""
    total = f"{count(len(runs), 'run')}, {size(sum(run.size for run in runs))}{more}"
    hint = f"evalkit deletes none; take one away with: rm -r {place}/RUN" if place else ""
    foot = [line for text in (total, hint) if text for line in wrap(text, look.width)]
    return "\n".join([look.tone(lines[0], "strong"), *lines[1:], *broken, "", *foot])


def _run_lines(rows: Sequence[tuple[str, ...]], width: int) -> list[str]:
    """Return a table in which no name is broken, since names are there to be typed.

    Where a name leaves too little room, every name stands above what is said of its run.
    """
    arm = max(cells(word) for row in rows for word in harmless(row[1]).split(" "))
    if max(cells(harmless(row[0])) for row in rows) + _BESIDE_NAME + max(0, arm - 8) <= width:
        laid = blocks(rows, width, right=frozenset({3, 5}), whole=frozenset({0}))
        return [line for lines in laid for line in lines]
    beside = blocks([row[1:] for row in rows], width - 2, right=frozenset({2, 4}))
    named = zip(rows, beside, strict=True)
    return [line for row, lines in named for line in (*wrap(row[0], width), *(f"  {one}" for one in lines))]


def _row(run: RunLine) -> tuple[str, ...]:
    if run.problem:
        return run.name, "-", "-", "-", "unreadable", size(run.size)
    decided = f"{run.decision} (stale)" if run.stale else run.decision
    words = ("" if run.complete else "incomplete", run.part, decided)
    state = " ".join(word for word in words if word) or "-"
    return (
        run.name,
        ", ".join(cut(arm, _MOST_ARM) for arm in run.arms),
        run.mode,
        str(run.planned),
        state,
        size(run.size),
    )


def _problem(run: RunLine, look: Look) -> list[str]:
    return ["", *wrap(f"{run.name}: {run.problem}", look.width, "", "  ")]


def size(count: int) -> str:
    """Return a number of bytes for people.

    >>> size(999), size(12_345_678)
    ('999 B', '12.3 MB')
    """
    value, unit = float(count), 0
    while value >= 1000 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    return f"{value:.0f} {_UNITS[unit]}" if unit == 0 else f"{value:.1f} {_UNITS[unit]}"


def _source_lines(manifest: Manifest, look: Look) -> list[str]:
    """Return what an import could not tell, and the authors' own figures beside ours."""
    lines = []
    if manifest.losses:
        lines.append("  what the source does not tell:")
        for loss in manifest.losses:
            lines += wrap(loss, look.width, "    - ", "      ")
    for told in source_lines(manifest):
        lines += wrap(told, look.width, "  ", "    ")
    return lines


def source_lines(manifest: Manifest) -> Iterator[str]:
    """Yield what the authors of an imported run state, and ours beside it, each as a line in plain words.

    Args:
        manifest: What the run is.
    """
    yield from (f"{name}: {plain(value)}" for name, value in manifest.source.items())


def plain(value: Json) -> str:
    """Return a JSON value in plain words, without brackets and quotes; what is undefined is a dash.

    >>> plain({"a.json": "sha256 1", "b.json": None}), plain([0.5, [0.25, 1]]), plain(True)
    ('a.json sha256 1, b.json -', '0.5, 0.25 to 1', 'yes')
    """
    if isinstance(value, dict):
        return ", ".join(f"{name} {plain(one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(
            " to ".join(map(plain, one)) if isinstance(one, list) else plain(one) for one in value
        )
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)


def duration(manifest: Manifest) -> str:
    """Return how long a run took, pauses not counted; shards of a merged one ran beside each other, or apart.

    Args:
        manifest: What the run is.
    """
    if not manifest.parts:
        return _length(manifest) if manifest.ended else "not ended"
    ended = [part for part in manifest.parts if part.ended]
    lengths = [length for part in ended if (length := worked(part)) is not None]
    parts = [count(len(manifest.parts), "shard")]
    parts += [f"{lasting(sum(lengths))} together, {lasting(max(lengths))} the longest"] if lengths else []
    parts += [f"{len(ended) - len(lengths)} killed and gone on"] if len(ended) > len(lengths) else []
    parts += [f"{len(manifest.parts) - len(ended)} not ended"] if len(manifest.parts) > len(ended) else []
    return ", ".join(parts)


def _length(manifest: Manifest) -> str:
    length = worked(manifest)
    if length is None:
        return f"begun {manifest.started[:19]}, ended {manifest.ended[:19]}, with a pause after it was killed"
    paused = f", {lasting(manifest.paused)} of pauses not counted" if manifest.paused else ""
    return f"{lasting(length)}{paused}"


def plan_line(manifest: Manifest) -> str:
    """Return what was planned, in words.

    Args:
        manifest: What the run is.
    """
    plan = manifest.plan
    trials = f"{count(plan.cases, 'case')}, {count(plan.trials, 'trial')} each"
    return f"suite {manifest.suite}, mode {manifest.signature.mode}, {trials}"
