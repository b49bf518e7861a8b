"""A suite for the benchmark of reports: three stages, four metrics, an agent that errs by chance.

What comes in: how many cases. What goes out: a suite folder. Of a hundred trials about three fail, at three
different roots, and one ends in a broken provider, so that every part of a report has something to show.
"""

from __future__ import annotations

import json
from pathlib import Path

_FILES = {
    "suite.yaml": """\
suite: desk
goal: {object: questions about prices, scene: chat, measure: answers with the price of the list}
world: {tools: tools.py}
stages:
  find:  {ran: {called: find}}
  price: {needs: [find], ran: {called: price}}
  reply: {needs: [price], ran: {replied: true}}
metrics:
  answered:  {scope: outcome, stage: reply, tier: gate, primary: true, check: reply}
  looked_up: {scope: trace, stage: find, tier: compare, primary: true, check: {called: {tool: find}}}
  priced:    {scope: trace, stage: price, tier: observe, check: {called: {tool: price}}}
  short:     {scope: trace, stage: reply, tier: observe, check: {within: {tool_calls: 2}}}
cases: cases.jsonl
""",
    "gate.yaml": """\
purpose: regression
require:
  - {metric: answered, at_least: 0.9}
  - {metric: answered, where: layer=risk, at_least: 0.98}
  - {metric: looked_up, at_least: 0.95}
""",
    "arms/clerk.yaml": "arm: clerk\nmodel: {provider: scripted, policy: 'policies.py:clerk'}\n",
    "tools.py": '''\
async def find(name: str) -> dict:
    """Find an article.

    Args:
        name: Its name.
    """
    return {"article": name, "shelf": 7}


async def price(article: str) -> int:
    """Look a price up.

    Args:
        article: The article.
    """
    return 42
''',
    "policies.py": '''\
from evalkit import DependencyError


def clerk(request, rng):
    """Find, price, answer; err in four of a hundred trials, in one of four ways."""
    fate = rng.random()
    done = {message.tool: message.content for message in request.messages if message.role == "tool"}
    said = request.messages[-1].content if not done else ""
    if not done and fate < 0.01:
        raise DependencyError(503)
    if not done and fate < 0.02:
        return [{"reply": "I do not know."}]
    if "find" not in done:
        return [{"call": {"tool": "find", "args": {"name": said}}}]
    if "price" not in done and fate < 0.01:
        return [{"reply": "It costs 42, I believe."}]
    if "price" not in done:
        return [{"call": {"tool": "price", "args": {"article": "lamp"}}}]
    return [{"reply": "It costs 24." if fate < 0.01 else "It costs 42."}]
''',
}
_LAYERS = ("core", "edge", "risk")


def write(cases: int, place: Path) -> Path:
    """Write the suite with so many cases.

    Args:
        cases: How many.
        place: The suite's folder, which is made.

    Returns:
        The folder.
    """
    (place / "arms").mkdir(parents=True)
    for name, text in _FILES.items():
        (place / name).write_text(text, encoding="utf-8")
    with (place / "cases.jsonl").open("w", encoding="utf-8") as file:
        for number in range(cases):
            case = {
                "id": f"price-{number:05d}",
                "tags": {"layer": _LAYERS[number % 3]},
                "input": f"What does the lamp number {number} cost?",
                "expect": [{"reply": {"contains": "42"}}],
            }
            file.write(json.dumps(case) + "\n")
    return place
