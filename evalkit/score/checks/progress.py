"""How far a trial went: required steps, rounds of retrieval, citations that hit.

What comes in: typed arguments of `companion` and a `CheckView`. What goes out: what was counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from evalkit.errors import SuiteBug
from evalkit.records.companions import Companion
from evalkit.records.stage import Stage
from evalkit.records.written import Json
from evalkit.score.checks.counted import Counted, absent, nothing_asked
from evalkit.score.checks.seen import calls_of, cited, ran, shown_at, unobserved
from evalkit.score.checks.values import as_text, leaves, shown
from evalkit.score.finding import CheckView, Finding


def call_chain(_: Companion, view: CheckView) -> Counted | Finding:
    """Of the required steps that a call shows, the share that was done.

    Args:
        view: What may be read.
    """
    return _steps(view, by_call=True)


def steps_skipped(_: Companion, view: CheckView) -> Counted | Finding:
    """Required steps that a call or a fact would show, and that were not done.

    Args:
        view: What may be read.
    """
    found = _steps(view, by_call=False)
    if isinstance(found, Finding):
        return found
    skipped = round((1 - found.value) * found.n)
    return Counted(float(skipped), "steps skipped", found.n, found.told, found.cites)


def _steps(view: CheckView, *, by_call: bool) -> Counted | Finding:
    """The share of the required steps that were done."""
    stages = list(_required(view, by_call=by_call))
    if not stages:
        return nothing_asked("the case requires no step that a call or a fact shows")
    done = {stage.name: _done(stage, view) for stage in stages}
    missing = [name for name, events in done.items() if not events]
    blind = (
        unobserved(view, "calls", "results") if by_call else unobserved(view, "calls", "results", "replies")
    )
    if missing and blind is not None:
        return blind
    cites = tuple(sorted({seq for events in done.values() for seq in events}))
    told = f"{len(stages) - len(missing)} of {len(stages)} required steps were done"
    told += f", not {', '.join(missing)}" if missing else ""
    return Counted((len(stages) - len(missing)) / len(stages), "share of steps", len(stages), told, cites)


def _required(view: CheckView, *, by_call: bool) -> Iterator[Stage]:
    """The stages that the case requires and something that the agent did shows: a call, or else a fact."""
    for stage in view.suite.stages:
        demand = view.case.demand.get(stage.name, stage.demand)
        fact = view.suite.facts.get(stage.ran.fact) if stage.ran.fact is not None else None
        shows = stage.ran.tools or (fact is not None and (not by_call or fact.source == "call"))
        if demand == "required" and shows:
            yield stage


def _done(stage: Stage, view: CheckView) -> tuple[int, ...]:
    """Return the first event that shows a stage, () where none does."""
    calls = [shown_at(call) for call in ran(calls_of(view)) if call.tool in stage.ran.tools]
    facts = [one.cites[0] for one in view.sheet.declared if one.name == stage.ran.fact and one.cites]
    return tuple(sorted([*calls, *facts])[:1])


def retrieval_rounds(wanted: Companion, view: CheckView) -> Counted | Finding:
    """Rounds in which something was looked up; calls that the model asked for at once are one round.

    Args:
        wanted: The tools that retrieve.
        view: What may be read.
    """
    calls = [call for call in calls_of(view) if call.tool in wanted.tools]
    blind = unobserved(view, "calls")
    if blind is not None:
        return blind
    if not calls:
        needed = [
            stage.name for stage in _required(view, by_call=True) if set(stage.ran.tools) & set(wanted.tools)
        ]
        if not needed:
            return nothing_asked("nothing was looked up, and the case does not require it")
        reason = f"nothing was looked up, and the case requires {', '.join(needed)}"
        return absent(reason, view)
    rounds = {("asked", call.asked) if call.asked is not None else ("made", call.seq) for call in calls}
    told = f"{len(calls)} calls in {len(rounds)} rounds of retrieval"
    return Counted(float(len(rounds)), "rounds", len(calls), told, cited(calls))


def citation_hit(wanted: Companion, view: CheckView) -> Counted | Finding:
    """Of what is cited, the share that some tool had returned before.

    Args:
        wanted: The fact that is a citation.
        view: What may be read.

    Raises:
        SuiteBug: The suite declares no such fact.
    """
    if wanted.fact not in view.suite.facts:
        raise SuiteBug(f"the suite declares no fact {wanted.fact!r}")
    named = [one for one in view.sheet.declared if one.name == wanted.fact and view.turn in (None, one.turn)]
    if not named:
        return unobserved(view, "replies") or _cites_nothing(wanted, view)
    results = [(shown_at(call), call.value) for call in ran(view.sheet.calls)]
    missed = [one for one in named if not _is_in(one.value, [v for at, v in results if at < one.cites[0]])]
    if missed and (blind := unobserved(view, "results")) is not None:
        return blind
    told = f"{len(named) - len(missed)} of {len(named)} citations were returned by a tool"
    told += f", not {shown(missed[0].value)}" if missed else ""
    cites = tuple(sorted({seq for one in named for seq in one.cites}))
    return Counted(1 - len(missed) / len(named), "share of citations", len(named), told, cites)


def _cites_nothing(wanted: Companion, view: CheckView) -> Finding:
    stages = [stage for stage in _required(view, by_call=False) if stage.ran.fact == wanted.fact]
    if not stages:
        return nothing_asked("nothing is cited, and the case does not require it")
    reason = f"nothing is cited, and the case requires {stages[0].name}"
    return absent(reason, view)


def _is_in(value: Json, results: list[Json]) -> bool:
    text = as_text(value)
    return any(as_text(leaf) == text for result in results for leaf in leaves(result))
