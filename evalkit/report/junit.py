"""JUnit XML for build servers: a test suite for each arm, a test case for each trial.

What comes in: a `Document` and the trials of an arm, streamed. What goes out: pieces of XML 1.0 that stay
well-formed whatever stands in a verdict. A trial is what its deciding primary says: fail -> failure; an error
that is explained or was not asked -> skipped; an unmeasured error -> error.
Source of the form: the schema of Jenkins' xunit plugin (junit-10.xsd), with `file` and `line` as pytest
writes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from evalkit.errors import OutputError
from evalkit.records.decision import Counts
from evalkit.records.document import Document
from evalkit.records.flat import TrialRows
from evalkit.records.safe import legible
from evalkit.records.verdict import Verdict
from evalkit.records.waivers import WaiverLine

_MOST_TEXT = 2000  # characters of one message; build servers keep every one of them in memory
_MOST_LINES = 12  # further verdicts told with a trial

_IN_TEXT: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_IN_ATTRIBUTE: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)


def junit_xml(document: Document, trials: Callable[[str], Iterable[TrialRows]]) -> Iterator[str]:
    """Yield a run as JUnit XML.

    Args:
        document: What the report is about.
        trials: Arm -> its trials in plan order.

    Yields:
        Pieces of one document, to be encoded as UTF-8.

    Raises:
        OutputError: The trials are not those that were counted: the run changed while it was read.
    """
    arms = document.board.counts
    totals = {name: sum(_attributes(one)[name] for one in arms.values()) for name in _COUNTED}
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"<testsuites{_written({'name': document.board.manifest.suite, **totals})}>\n"
    for number, (arm, counts) in enumerate(arms.items()):
        yield from _suite(document, arm, number, counts, trials(arm))
    yield "</testsuites>\n"


_COUNTED = ("tests", "failures", "errors", "skipped")


def _attributes(counts: Counts) -> dict[str, int]:
    return {
        "tests": counts.planned,
        "failures": counts.failed,
        "errors": counts.unmeasured,
        "skipped": counts.errors - counts.unmeasured,
    }


def _suite(
    document: Document, arm: str, number: int, counts: Counts, trials: Iterable[TrialRows]
) -> Iterator[str]:
    manifest = document.board.manifest
    name = f"{manifest.suite}.{arm}"
    known: dict[str, object] = {"id": number, "name": name, **_attributes(counts)}
    known |= _seconds(document, arm)
    known |= {"timestamp": manifest.started[:19], "hostname": manifest.signature.host or "unknown"}
    yield f"<testsuite{_written(known)}>\n<properties>\n"
    for key, value in _properties(document, arm, counts).items():
        yield f"<property{_written({'name': key, 'value': value})}/>\n"
    yield "</properties>\n"
    met: Counter[str] = Counter()
    waivers = {one.case: one for one in document.waivers if one.state == "active"}
    for one in trials:
        row = _deciding(document, one)
        kind = _kind(row)
        met.update(("tests", kind))
        yield _case(name, one, row, waivers.get(row.case), many=manifest.plan.trials > 1)
    if any(met[key] != planned for key, planned in _attributes(counts).items()):
        raise OutputError("the run changed while it was read; report it again")
    yield "</testsuite>\n"


def _seconds(document: Document, arm: str) -> dict[str, object]:
    """Return the seconds of an arm, where they are known of every trial that closed."""
    spread = next((one for one in document.spreads.get(arm, ()) if one.name == "agent"), None)
    whole = spread is not None and spread.total is not None and spread.unknown == 0
    return {"time": f"{spread.total:.6f}"} if spread is not None and whole else {}


def _properties(document: Document, arm: str, counts: Counts) -> dict[str, object]:
    """Return what a reader has to know of every figure: what it was measured on, and what was decided."""
    manifest, signature = document.board.manifest, document.board.manifest.signature
    found: dict[str, object] = {
        "run": manifest.run,
        "mode": signature.mode,
        "suite_hash": signature.suite_hash,
        "scoring_version": signature.scoring_version,
        "seed": signature.seed,
        "evalkit": signature.evalkit,
        "complete": str(manifest.complete).lower(),
        "coverage": "undefined" if counts.coverage is None else f"{counts.coverage:.6f}",
    }
    if document.decision is not None and document.decision.arm == arm:
        found["decision"] = document.decision.decision
    elif document.dropped:
        found["decision_dropped"] = document.dropped
    return found


def _deciding(document: Document, trial: TrialRows) -> Verdict:
    name = next(column.name for column in document.board.columns if column.deciding)
    return next(row for row in trial.rows if row.of == "metric" and row.name == name)


def _kind(row: Verdict) -> str:
    """Return what a deciding verdict counts as; a pass counts as nothing but a test."""
    if row.outcome == "error":
        return "errors" if row.cause_class == "unmeasured" else "skipped"
    return "failures" if row.outcome == "fail" else "passed"


def _case(suite: str, trial: TrialRows, row: Verdict, waiver: WaiverLine | None, *, many: bool) -> str:
    file, _, line = trial.place.rpartition(":")
    known: dict[str, object] = {
        "classname": suite,
        "name": f"{row.case}[{row.trial}]" if many else row.case,
    }
    known |= {} if trial.seconds is None else {"time": f"{trial.seconds:.6f}"}
    known |= {"file": file, "line": line} if file and line.isdecimal() else {}
    inside = _result(row, trial, waiver) + _output(trial, row)
    return (
        f"<testcase{_written(known)}>\n{inside}</testcase>\n" if inside else f"<testcase{_written(known)}/>\n"
    )


def _result(row: Verdict, trial: TrialRows, waiver: WaiverLine | None) -> str:
    """Return the element that says how a trial ended; "" for a pass."""
    kind = _kind(row)
    if kind == "skipped":
        return f"<skipped{_written({'message': _why(row, trial)})}/>\n"
    if kind == "passed":
        return ""
    element, sort = ("error", row.cause) if kind == "errors" else ("failure", row.reason)
    told = [_why(row, trial), f"cites events {', '.join(map(str, row.cites))}" if row.cites else ""]
    told.append(f"waived until {waiver.until} by {waiver.owner}: {waiver.reason}" if waiver else "")
    text = _text("\n".join(_short(part) for part in told if part))
    known = _written({"message": _why(row, trial), "type": sort or row.outcome})
    return f"<{element}{known}>{text}</{element}>\n"


def _why(row: Verdict, trial: TrialRows) -> str:
    """Return why a verdict is no pass, and what the roots say of themselves where others are to blame."""
    cause = "" if row.cause is None else f"{row.cause}{f' ({row.sub})' if row.sub else ''}"
    roots = f"root {', '.join(row.roots)}" if row.roots else ""
    of_roots = {one.message for one in trial.rows if one.of == "stage" and one.name in row.roots}
    said = "; ".join(dict.fromkeys(text for text in (*sorted(of_roots), row.message) if text))
    between = ": " if of_roots - {""} else "; "
    why = between.join(part for part in (roots, said) if part)
    return _short(": ".join(part for part in (cause, why) if part) or row.outcome)


def _output(trial: TrialRows, deciding: Verdict) -> str:
    """Return what else did not pass: stages and metrics that failed or were not measured."""
    others = [
        f"{row.of} {row.name}: {row.outcome}: {_why(row, trial)}"
        for row in trial.rows
        if row is not deciding and _kind(row) in ("failures", "errors")
    ]
    if not others:
        return ""
    more = [f"and {len(others) - _MOST_LINES} more"] if len(others) > _MOST_LINES else []
    text = "\n".join(_short(line) for line in (*others[:_MOST_LINES], *more))
    return f"<system-out>{_text(text)}</system-out>\n"


def _short(text: str) -> str:
    return text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]} ... ({len(text)} characters)"


def _text(text: str) -> str:
    return legible(text).translate(_IN_TEXT)


def _written(attributes: Mapping[str, object]) -> str:
    return "".join(
        f' {name}="{legible(str(value)).translate(_IN_ATTRIBUTE)}"' for name, value in attributes.items()
    )
