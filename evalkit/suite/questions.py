"""Every SQL text of a suite that a trial runs, with the place where it stands.

What comes in: a suite and one of its cases. What goes out: `Question`s, each with a key path of its file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evalkit.records.case import Case
from evalkit.records.checks import CheckKind, Expectation
from evalkit.records.metric import Metric
from evalkit.records.probe import probe_id, window_id
from evalkit.records.suite import Suite
from evalkit.records.watching import Eventually, SqlEquals
from evalkit.suite.document import KeyPath

# Check -> the argument that holds its question to the world.
_ASKS: dict[CheckKind, str] = {
    "state": "sql",
    "unchanged": "sql",
    "reconcile": "authority",
    "eventually": "sql",
    "sql_equals": "gold",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One SQL text.

    Attributes:
        sql: As written.
        path: Where it stands: in the case, or in suite.yaml.
        whose: Who asks, for messages.
        claim: The claim that it shows, "" for anything else.
        watched: The id under which it is asked again and again, "" where it is asked once.
        needs_rows: An answer without rows would show nothing.
    """

    sql: str
    path: KeyPath
    whose: str
    claim: str = ""
    watched: str = ""
    needs_rows: bool = False

    @property
    def probes(self) -> tuple[str, ...]:
        """The ids under which its answers are journalled."""
        return (self.watched,) if self.watched else (probe_id(self.sql, "start"), probe_id(self.sql))


def sql_of(expectation: Expectation) -> str:
    """Return the question that a check asks the world, or ""."""
    key = _ASKS.get(expectation.kind)
    return str(expectation.args.get(key, "")) if key else ""


def of_start(case: Case) -> Iterator[Question]:
    """Yield the statements that make a case's start state.

    Args:
        case: The case.
    """
    for number, sql in enumerate(case.start.statements):
        yield Question(sql=sql, path=("start", "sql", number), whose="the start state")


def of_case(case: Case) -> Iterator[Question]:
    """Yield the questions that the entries of a case ask.

    Args:
        case: The case.
    """
    for number, entry in enumerate(case.expect):
        yield from _of_entry(entry, ("expect", number), f"`{entry.kind}`")


def of_suite(suite: Suite, case: Case) -> Iterator[Question]:
    """Yield the questions that a suite asks about a case that does not go without them.

    Args:
        suite: The suite; its cases are not read.
        case: The case.
    """
    claims: set[str] = set()
    for metric in suite.metrics:
        if metric.name in case.without:
            continue
        yield from _of_metric(metric)
        if metric.check == "claim_matches_state":
            claims |= set((metric.args or {}).get("claims") or suite.claims)
    for name in (name for name in suite.claims if name in claims):
        sql = suite.claims[name].holds.sql
        yield Question(sql=sql, path=("claims", name, "holds", "sql"), whose=f"claim `{name}`", claim=name)


def _of_metric(metric: Metric) -> Iterator[Question]:
    whose = f"metric `{metric.name}`"
    if metric.check is not None and metric.args is not None:
        given = Expectation(kind=metric.check, args=metric.args)
        yield from _of_entry(given, ("metrics", metric.name, "check"), whose)
    if metric.rule is not None:
        for key, entries in (("pass_when", metric.rule.pass_when), ("fail_when", metric.rule.fail_when)):
            for number, entry in enumerate(entries):
                yield from _of_entry(entry, ("metrics", metric.name, "rule", key, number), whose)


def _of_entry(entry: Expectation, path: KeyPath, whose: str) -> Iterator[Question]:
    sql = sql_of(entry)
    if sql:
        name = f"not_{entry.kind}" if entry.negated else entry.kind
        asked = entry.arguments
        yield Question(
            sql=sql,
            path=(*path, name, _ASKS[entry.kind]),
            whose=whose,
            watched=window_id(sql, asked.window) if isinstance(asked, Eventually) else "",
            needs_rows=isinstance(asked, SqlEquals) and not asked.allow_empty,
        )
