"""How long a verdict takes: milliseconds per trial of a suite with five stages, facts and verdicts apart.

What comes in: nothing. What goes out: one line per figure. The checks are fakes that hold at once: what is
timed is the reading of a trace, and the graph.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from evalkit.facts.derive import derive
from evalkit.records.case import Case, Turn
from evalkit.records.checks import Expectation
from evalkit.records.event import (
    Body,
    CallRequest,
    Closed,
    Event,
    ModelReply,
    Opened,
    Replied,
    ToolCalled,
    ToolReturned,
    Trace,
    UserTurn,
)
from evalkit.records.metric import Metric
from evalkit.records.plan import PlannedTrial
from evalkit.records.stage import Ran, Stage
from evalkit.records.suite import FactSource, Suite
from evalkit.score.finding import CheckView, Finding
from evalkit.score.scorer import Scorer
from evalkit.score.structure import structure_of

ROUNDS = 3_000
TARGET_MS = 0.1  # per trial, scoring alone
TOOLS = ("find_customer", "get_order", "record_decision", "issue_refund")


def suite() -> Suite:
    """A refund suite: five stages, four metrics."""
    stages = (
        Stage(name="identify", ran=Ran(called="find_customer")),
        Stage(name="lookup", needs=("identify",), ran=Ran(called="get_order"), strict=True),
        Stage(name="decide", needs=("lookup",), ran=Ran(fact="decision")),
        Stage(name="act", needs=("decide",), ran=Ran(called="issue_refund"), demand="optional"),
        Stage(name="reply", needs=("decide",), ran=Ran(replied=True)),
    )
    metrics = (
        Metric(name="refunded", stage="act", needs=("act",), primary=True, check="state"),
        Metric(
            name="order", scope="trace", stage="lookup", needs=("lookup",), tier="compare", check="called"
        ),
        Metric(name="claims", stage="reply", needs=("reply",), check="claim_matches_state"),
        Metric(name="said", scope="turn", stage="reply", needs=("reply",), tier="observe", check="reply"),
    )
    fed = tuple(Expectation(kind="called", metric=metric.name) for metric in metrics)
    demand = {stage.name: stage.demand for stage in stages}
    case = Case(id="case", turns=(Turn(user="refund"),), demand=demand, expect=fed)
    source = FactSource(source="call", tool="record_decision", path="args.decision")
    return Suite(suite="refund", stages=stages, metrics=metrics, facts={"decision": source}, cases=(case,))


def trace(tools: tuple[str, ...]) -> Trace:
    """A trial that calls these tools, one per model reply, and answers."""
    opened, closed = Opened(case="case", arm="a", mode="mock", trial=0), Closed()
    bodies: list[Body] = [opened, UserTurn(content="refund")]
    for number, tool in enumerate(tools):
        call = str(number)
        bodies += [
            ModelReply(calls=(CallRequest(id=call, tool=tool, raw='{"order": "A-17"}'),), stop="tool_use"),
            ToolCalled(id=call, tool=tool, args={"order": "A-17", "decision": "refund"}),
            ToolReturned(id=call, tool=tool, status="ok", value={"total": 87.5}),
        ]
    bodies += [ModelReply(text="Done."), Replied(content={"status": "refunded"}), closed]
    events = tuple(Event(execution="e", seq=seq, body=body) for seq, body in enumerate(bodies))
    return Trace(opened=opened, events=events, closed=closed)


def milliseconds(work: Callable[[], object]) -> float:
    """The best of three means over many rounds, in milliseconds of this process's own time."""
    means = []
    for _ in range(3):
        start = time.process_time()
        for _ in range(ROUNDS):
            work()
        means.append((time.process_time() - start) / ROUNDS * 1000)
    return min(means)


def main() -> None:
    """Print the figures."""
    refund = suite()
    case = refund.cases[0]
    planned = PlannedTrial(index=0, case="case", arm="a", mode="mock", trial=0, seed=0)
    held = Finding(held=True, reason="held")

    def examine(_entry: Expectation, _view: CheckView) -> Finding:
        return held

    scorer = Scorer(refund, {}, examine)
    print(f"structure, once per suite   {milliseconds(lambda: structure_of(refund)):.3f} ms")
    for name, tools in (("whole trial", TOOLS), ("blocked trial", TOOLS[2:])):
        events = trace(tools)
        sheet = derive(refund, case, events)
        deriving = milliseconds(partial(derive, refund, case, events))
        scoring = milliseconds(partial(scorer, planned, sheet))
        print(f"{name:15} facts {deriving:.3f} ms, verdicts {scoring:.3f} ms (target {TARGET_MS} ms)")


if __name__ == "__main__":
    main()
