"""Cases and prompts that give the solution away: then a suite measures obedience, and not judgement.

What comes in: a suite and its arms. What goes out: warnings. A name counts where nobody says it by chance: it
has an underscore, a digit or a capital inside (`get_order`, `getOrder`), and `find` is a word like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from evalkit.errors import Problem
from evalkit.records.arm import Arm
from evalkit.records.case import Case
from evalkit.records.suite import Suite
from evalkit.suite.answers import given_away
from evalkit.suite.expected import choices, expected_calls, expected_orders, expected_values
from evalkit.suite.situations import said
from evalkit.suite.warning import listed, of_case, warning

_NAME = re.compile(r"[A-Za-z_]\w*")
_MADE = re.compile(r".+_|.*\d|.*[a-z][A-Z]")  # a name that somebody made up, and no word
_STEP = re.compile(
    r"\b(?:then|next|after|afterwards|before|first|finally|followed by)\b|->|=>|→|然后|接着|之后|最后|再|先"
    r"|\n\s{0,20}(?:step )?\d{1,3}\s?[.):、]",
    re.IGNORECASE,
)


def recipes(suite: Suite, arms: tuple[Arm, ...]) -> Iterator[Problem]:
    """Yield the warnings of cases, prompts and descriptions that give a solution away.

    Args:
        suite: The suite.
        arms: Its arms.
    """
    named = frozenset(tool.name for tool in suite.tools if _MADE.match(tool.name))
    options = choices(suite.tools)
    for case in suite.cases:
        yield from _of_case(case, suite, named, options)
    orders = expected_orders(suite)
    for arm in arms:
        for order in _prescribed(arm.system, orders):
            told = (
                f"the system prompt says in which order to call {' -> '.join(order)}, and a case expects it"
            )
            yield _prescribing(f"arms/{arm.arm}.yaml", "system", arm.arm, told)
    tools_file = (suite.world.tools if suite.world else None) or "tools.py"
    for tool in suite.tools:
        for order in _prescribed(tool.description, orders):
            told = f"the description says in which order to call {' -> '.join(order)}, and a case expects it"
            yield _prescribing(tools_file, tool.name, tool.name, told)


def _prescribing(file: str, key: str, value: str, told: str) -> Problem:
    advice = "say what must hold, and leave the way to the agent"
    return warning("recipe-in-prompt", file, key, value, told, advice)


def _of_case(case: Case, suite: Suite, named: frozenset[str], options: frozenset[str]) -> Iterator[Problem]:
    text = said(case)
    words = set(_NAME.findall(text))
    advice = "write what a user would say"
    tools = sorted(words & named & expected_calls(case, suite))
    if tools:
        told = f"the user names the tool to call: {listed(tools)}"
        yield of_case("declared-recipe", case, "input", told, advice)
    chosen = sorted(words & options & {str(value) for value in expected_values(case)})
    if chosen:
        told = f"the user names what the agent has to choose: {listed(chosen)}"
        yield of_case("declared-recipe", case, "input", told, advice)
    how = given_away(case)
    if how:
        yield of_case("declared-recipe", case, "input", how, "leave the answer out of the question")


def _prescribed(text: str, orders: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the expected orders that a text prescribes: every name, and a word of order between two."""
    mentions = [(match[0], match.start(), match.end()) for match in _NAME.finditer(text)]
    return [order for order in orders if _follows(text, mentions, order)]


def _follows(text: str, mentions: list[tuple[str, int, int]], order: tuple[str, ...]) -> bool:
    left, since = list(order), -1
    for word, start, end in mentions:
        if left and word == left[0] and _MADE.match(word):
            if since >= 0 and not _STEP.search(text, since, start):
                return False
            left.pop(0)
            since = end
    return not left
