"""A suite's own check: where code that is not ours is called, and whatever it does becomes a finding.

What comes in: a function of the suite and the fact sheet. What goes out: a `Finding`; one that raises,
or answers neither yes nor no, is the suite's bug and nobody else's.
"""

from __future__ import annotations

import copy
import inspect
import reprlib
import sys
import traceback
from collections.abc import Iterator, Mapping
from pathlib import PurePath

from evalkit.records.checks import Python
from evalkit.records.fact import FactSheet
from evalkit.records.verdict import Measure
from evalkit.records.written import Json
from evalkit.score.finding import CheckView, Finding

_LONGEST = 500  # characters of a reason, or of an exception's text


class _NoAnswer(ValueError):
    """The function answered in no form that is known; the text says what is wrong."""


def python(wanted: Python, view: CheckView) -> Finding:
    """Call a function of the suite over the fact sheet.

    The function gets a fresh copy of its arguments each time, so that nothing it keeps in them reaches
    another trial. Whatever it raises is its own doing, `SystemExit` too; only a keyboard interrupt is the
    operator's.

    Args:
        wanted: Which function, with which arguments.
        view: What may be read; the scorer hands every such check a copy of the sheet.
    """
    name, sheet = wanted.function, view.sheet
    function = view.functions.get(name)
    if function is None:
        return _broken(f"{name} is not there")
    try:
        return _read(name, function(sheet, **copy.deepcopy(wanted.args)), sheet)
    except KeyboardInterrupt:
        raise
    except _NoAnswer as problem:
        return _broken(f"{name} {problem}")
    except BaseException as error:
        return _broken(f"{name} raised {_described(error)}")


def _read(name: str, answer: object, sheet: FactSheet) -> Finding:
    if isinstance(answer, bool):
        answer = {"passed": answer}
    if inspect.iscoroutine(answer):
        answer.close()
        raise _NoAnswer("is async; a check is a plain function")
    if not isinstance(answer, Mapping):
        kind = f"{type(answer).__module__}.{type(answer).__qualname__}"
        raise _NoAnswer(f"answered {reprlib.repr(answer)}, a {kind}, and no bool or dict")
    problem = _problem(answer, sheet)
    if problem:
        raise _NoAnswer(f"answered a dict in which {problem}")
    passed, measure = answer["passed"], answer.get("measure")
    said = answer.get("reason") or f"{name} says {'yes' if passed else 'no'}"
    return Finding(
        held=passed,
        reason=said[:_LONGEST],
        cites=tuple(answer.get("cites", ())) or _ending(sheet),
        measure=_measure(measure) if measure is not None else None,
    )


def _problem(answer: Mapping[str, Json], sheet: FactSheet) -> str:
    unknown = [key for key in answer if key not in ("passed", "reason", "cites", "measure")]
    if unknown:
        return f"{reprlib.repr(unknown[0])} is no known key (passed, reason, cites, measure)"
    if not isinstance(answer.get("passed"), bool):
        return f"`passed` is {reprlib.repr(answer.get('passed'))}, neither True nor False"
    if not isinstance(answer.get("reason", ""), str):
        return "`reason` is no text"
    cites, there = answer.get("cites", ()), set(_events(sheet))
    if not isinstance(cites, list | tuple) or not all(type(seq) is int for seq in cites):
        return "`cites` is no list of event numbers"
    invented = [seq for seq in cites if seq not in there]
    if invented:
        return f"`cites` names event {invented[0]}, which the fact sheet does not"
    return "" if _is_measure(answer.get("measure")) else "`measure` is not {value, unit, n, threshold}"


def _ending(sheet: FactSheet) -> tuple[int, ...]:
    return (sheet.stop.seq,) if sheet.stop is not None else ()


def _events(sheet: FactSheet) -> Iterator[int]:
    """Yield the events that a fact sheet names: a check that cites others made them up."""
    for call in sheet.calls:
        yield call.seq
        yield call.seq if call.returned is None else call.returned
    yield from (reply.seq for reply in sheet.replies)
    yield from (probe.seq for probe in sheet.probes.values())
    yield from (seq for fault in sheet.faults for seq in (fault.started, fault.seq))
    for declared in sheet.declared:
        yield from declared.cites
    yield from _ending(sheet)


def _is_measure(value: Json) -> bool:
    if value is None:
        return True
    if not isinstance(value, Mapping) or set(value) - {"value", "unit", "n", "threshold"}:
        return False
    count, threshold = value.get("n", 1), value.get("threshold")
    return (
        _is_finite(value.get("value"))
        and isinstance(value.get("unit"), str)
        and (type(count) is int and count >= 0)
        and (threshold is None or _is_finite(threshold))
    )


def _is_finite(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _measure(value: Mapping[str, Json]) -> Measure:
    threshold = value.get("threshold")
    return Measure(
        value=float(value["value"]),
        unit=value["unit"],
        n=value.get("n", 1),
        threshold=None if threshold is None else float(threshold),
    )


def _broken(reason: str) -> Finding:
    return Finding(held=None, cause="broken_case", reason=reason[:_LONGEST])


def _described(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    said = "".join(traceback.format_exception_only(error)).strip()
    return f"{said[:_LONGEST]}{place}"
