"""`--explain`: every entry of the policy with its meaning, and how each figure was computed.

What comes in: a `Decision`. What goes out: lines. Meanings are those of the policy's schema.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from evalkit.records.decision import Decision
from evalkit.records.estimate import Estimate
from evalkit.records.policy import GatePolicy, Require
from evalkit.records.signature import COMPARED
from evalkit.report.console import Look, count, wrap
from evalkit.report.events import content


def explained(decision: Decision, look: Look) -> list[str]:
    """Return the policy with its defaults, and the method of every figure.

    Args:
        decision: What was decided.
        look: How it looks.
    """
    lines = [look.tone("policy (* is a default)", "strong")]
    lines += [
        line for text in policy_in_words(decision.policy) for line in wrap(text, look.width, "  ", "      ")
    ]
    lines += ["", look.tone("how each figure was computed", "strong")]
    lines += [line for text in methods_in_words(decision) for line in wrap(text, look.width, "  ", "    ")]
    lines += ["", look.tone("measured on", "strong")]
    signature = decision.signature
    for name in (*COMPARED, "seed", "evalkit"):
        lines += wrap(f"{name} {content(getattr(signature, name)) or '-'}", look.width, "  ", "      ")
    return [*lines, ""]


def policy_in_words(policy: Mapping[str, object]) -> Iterator[str]:
    """Yield every entry of a policy with its value and its meaning, defaults marked.

    Args:
        policy: Its text form.
    """
    defaults = policy.get("defaults")
    marked = set(defaults) if isinstance(defaults, list) else set()
    for name, field in GatePolicy.model_fields.items():
        if name != "require":
            yield _entry(name, policy.get(name), field.description, default=name in marked)
    requires = policy.get("require")
    for at, require in enumerate(requires if isinstance(requires, list) else []):
        given = ", ".join(f"{key} = {require.get(key)}" for key in ("metric", "statistic"))
        yield f"require {at + 1}: {given}"
        for name, field in Require.model_fields.items():
            if name in ("metric", "statistic") or (name.startswith("at_") and require.get(name) is None):
                continue
            yield "- " + _entry(
                name, require.get(name), field.description, default=f"require[{at}].{name}" in marked
            )


def _entry(name: str, value: object, meaning: str | None, *, default: bool) -> str:
    told = "none" if value is None else content(value)
    return f"{name} = {told}{'*' if default else ''}: {' '.join((meaning or '').split())}"


def methods_in_words(decision: Decision) -> Iterator[str]:
    """Yield every method once, with the figures that it gave and what is said of them.

    Args:
        decision: What was decided.
    """
    for (name, method), group in groupby(decision.estimates, key=_method):
        yield f"{name}: {method}"
        yield from (f"- {_of_slice(one)}" for one in group)
    yield "displayed intervals are two-sided, 95 %; what decides is the one-sided bound"
    yield "below coverage .90 nothing is decided"


def _method(one: Estimate) -> tuple[str, str]:
    about = {"population": "cases like these", "suite": "these very cases"}[one.estimand]
    return f"{one.metric} {one.statistic}", f"about {about} ({one.estimand}); {one.method}"


def _of_slice(one: Estimate) -> str:
    counts = f"{one.n_planned} planned = {one.n_pass} pass + {one.n_fail} fail + {one.n_error} error"
    parts = [counts, count(one.n, "case" if one.estimand == "population" else "measured trial")]
    parts += [f"n* {one.n_effective:.2f}"] if one.n_effective is not None else []
    parts += [flag.replace("_", " ") for flag in one.flags if flag not in ("at_least", "at_most")]
    return f"{one.slice}: {'; '.join(parts)}"
