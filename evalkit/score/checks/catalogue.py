"""Kind -> function: the one place where a check is looked up.

What comes in: an expectation. What goes out: what its check found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evalkit.records.checks import CheckKind, Expectation
from evalkit.score.checks.bounds import within
from evalkit.score.checks.calls import called, only_called, order, refused, schema
from evalkit.score.checks.claims import claim_matches_state
from evalkit.score.checks.companions import companion
from evalkit.score.checks.eventually import eventually
from evalkit.score.checks.intents import idempotent
from evalkit.score.checks.loops import repetition
from evalkit.score.checks.replies import cites, reply
from evalkit.score.checks.results import returned
from evalkit.score.checks.soundness import encoding
from evalkit.score.checks.sql import sql_equals
from evalkit.score.checks.state import reconcile, state, unchanged
from evalkit.score.checks.sums import identity
from evalkit.score.finding import CheckView, Finding
from evalkit.score.python_check import python

CATALOGUE: dict[CheckKind, Callable[[Any, CheckView], Finding]] = {
    "called": called,
    "order": order,
    "only_called": only_called,
    "returned": returned,
    "state": state,
    "unchanged": unchanged,
    "reconcile": reconcile,
    "identity": identity,
    "eventually": eventually,
    "reply": reply,
    "cites": cites,
    "refused": refused,
    "claim_matches_state": claim_matches_state,
    "idempotent": idempotent,
    "within": within,
    "schema": schema,
    "encoding": encoding,
    "repetition": repetition,
    "sql_equals": sql_equals,
    "companion": companion,
    "python": python,
}
"""Check kind -> what examines it."""


def examine(expectation: Expectation, view: CheckView) -> Finding:
    """Return what a check found.

    Args:
        expectation: The entry; its `negated` is not looked at here.
        view: What the check may read.
    """
    return CATALOGUE[expectation.kind](expectation.arguments, view)
