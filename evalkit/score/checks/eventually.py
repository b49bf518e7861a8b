"""The check on what comes late: eventually.

What comes in: typed arguments and a `CheckView`. What goes out: a `Finding` that cites the look at which the
answer was there, and measures the seconds that were waited for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalkit.records.fact import ProbeFact
from evalkit.records.probe import Window, window_id
from evalkit.records.verdict import Measure
from evalkit.records.watching import Eventually
from evalkit.records.written import Json
from evalkit.score.checks.answers import answer, answers, simplest
from evalkit.score.checks.values import shown
from evalkit.score.finding import CheckView, Finding


def arrived(window: Window, rows: list[list[Json]]) -> bool:
    """Return whether an answer is the one that is waited for; implements `ports.Arrived`.

    Args:
        window: What is waited for.
        rows: What the world says.
    """
    return answers(window.equals, rows, window.tolerance, ordered=window.ordered)


def eventually(wanted: Eventually, view: CheckView) -> Finding:
    """The world gives the answer within the window; one that came after it is the environment's.

    Args:
        wanted: Question, answer and window.
        view: What may be read.
    """
    window = wanted.window
    name = window_id(wanted.sql, window)
    asked = view.sheet.probes.get(name)
    looks = () if asked is None else (*asked.earlier, asked)
    right = _first_right(window, looks)
    if right is not None:
        return _came(right, window)
    found = answer(view.sheet, name)
    if isinstance(found, Finding):
        return found
    last, rows = found
    reason = f"after {last.waited:g} s the world says {shown(simplest(rows))}"
    if last.waited < window.moments[-1]:
        reason += ", and it was not watched any longer"
        return Finding(held=None, cause="not_observed", reason=reason, cites=(last.seq,))
    reason += f", it should be {shown(wanted.equals)}: {shown(wanted.sql)}"
    return Finding(held=False, reason=reason, cites=(last.seq,), live=True)


def _first_right(window: Window, looks: Sequence[ProbeFact]) -> ProbeFact | None:
    return next((look for look in looks if look.rows is not None and arrived(window, look.rows)), None)


def _came(look: ProbeFact, window: Window) -> Finding:
    said = f"the world said {shown(simplest(look.rows or []))} after {look.waited:g} s"
    reason = f"{said}, {window.within:g} s are allowed"
    if look.waited > window.within:
        return Finding(held=None, cause="environment", sub="late_effect", reason=reason, cites=(look.seq,))
    measure = Measure(value=look.waited, unit="seconds", threshold=window.within)
    return Finding(held=True, reason=reason, cites=(look.seq,), measure=measure, live=True)
