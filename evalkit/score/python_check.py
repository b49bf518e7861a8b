"""A suite's own check: where code that is not ours is called, and whatever it does becomes a finding.

What comes in: a function of the suite and the fact sheet. What goes out: a `Finding`; one that raises,
or answers neither yes nor no, is the suite's bug and nobody else's.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Mapping
from pathlib import PurePath

from evalkit.records.checks import Python
from evalkit.records.verdict import Measure
from evalkit.records.written import Json
from evalkit.score.finding import CheckView, Finding

_LONGEST = 500  # characters of an exception's text


def python(wanted: Python, view: CheckView) -> Finding:
    """Call a function of the suite over the fact sheet.

    Args:
        wanted: Which function, with which arguments.
        view: What may be read; the scorer hands every such check a copy of the sheet.
    """
    function = view.functions.get(wanted.function)
    if function is None:
        return _broken(f"{wanted.function} is not there")
    try:
        answer = function(view.sheet, **wanted.args)
    except Exception as error:  # the suite's code may raise anything
        return _broken(f"{wanted.function} raised {_described(error)}")
    return _read(wanted.function, answer)


def _read(name: str, answer: object) -> Finding:
    if isinstance(answer, bool):
        return Finding(held=answer, reason=f"{name} says {'yes' if answer else 'no'}")
    if not isinstance(answer, Mapping):
        return _broken(f"{name} answered {answer!r:.80}, neither true nor false nor a dict")
    unknown = sorted(set(answer) - {"passed", "reason", "cites", "measure"})
    passed, cites, measure = answer.get("passed"), answer.get("cites", ()), answer.get("measure")
    if unknown or not isinstance(passed, bool) or not _are_seqs(cites) or not _is_measure(measure):
        return _broken(f"{name} answered {dict(answer)!r:.160}: see records.checks.Python for the form")
    return Finding(
        held=passed,
        reason=str(answer.get("reason", ""))[:_LONGEST] or f"{name} says {'yes' if passed else 'no'}",
        cites=tuple(cites),
        measure=Measure(**measure) if measure is not None else None,
    )


def _are_seqs(value: Json) -> bool:
    return isinstance(value, list | tuple) and all(type(seq) is int and seq >= 0 for seq in value)


def _is_measure(value: Json) -> bool:
    if value is None:
        return True
    if not isinstance(value, Mapping) or not {"value", "unit"} <= set(value) <= {
        "value",
        "unit",
        "n",
        "threshold",
    }:
        return False
    numbers = [value[name] for name in ("value", "threshold") if value.get(name) is not None]
    return isinstance(value["unit"], str) and all(
        isinstance(one, int | float) and not isinstance(one, bool) and math.isfinite(one) for one in numbers
    )


def _broken(reason: str) -> Finding:
    return Finding(held=None, cause="broken_case", reason=reason)


def _described(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"[:_LONGEST]
