"""What a report of a run shows, laid out by `report` for a browser, a pull request or a build server.

What comes in: a board, the stored decision and some trials with their evidence, put together by `pipeline`.
What goes out: one `Document`; whoever lays it out computes nothing.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from evalkit.records.board import Board, TrialView
from evalkit.records.decision import Decision
from evalkit.records.stage import Demand
from evalkit.records.waivers import WaiverLine

Why = Literal["failed", "error", "passing"]
"""Why a trial is shown: an example of a cluster, of an unmeasured cause, or one that passed."""


class Spread(Struct, frozen=True, kw_only=True):
    """How a measured quantity spreads over the trials of one arm; the unknown is counted and never 0.

    Attributes:
        name: What was measured: agent, model, tool, queue (seconds), turns, calls, tokens, cost.
        unit: s, turns, calls, tokens or USD.
        n: Closed trials of which it is known.
        unknown: Closed trials of which it is not.
        total: Sum over the known ones; None where nothing is known.
        p50: Median; None where nothing is known.
        p90: 90th percentile.
        p99: 99th percentile.
    """

    name: str
    unit: str
    n: int
    unknown: int
    total: float | None = None
    p50: float | None = None
    p90: float | None = None
    p99: float | None = None


class StageNode(Struct, frozen=True, kw_only=True):
    """One node of the suite's execution dependency graph, for drawing.

    Attributes:
        name: Stage.
        needs: Stages that it needs.
        demand: The suite's default demand.
        fallback: It is a declared fallback.
    """

    name: str
    needs: tuple[str, ...] = ()
    demand: Demand = "required"
    fallback: bool = False


class ShownTrial(Struct, frozen=True, kw_only=True):
    """One trial that is shown with its whole evidence.

    Attributes:
        view: Its verdicts, facts and events.
        why: Why it was chosen: failed (example of a cluster), error (example of an unmeasured cause) or
            passing.
        cluster: Id of the cluster that it is an example of; "" where it is of none.
    """

    view: TrialView
    why: Why
    cluster: str = ""


class Document(Struct, frozen=True, kw_only=True):
    """Everything that a report shows.

    Attributes:
        board: The run at a glance: manifest, counts, columns, rows, clusters, estimates, notes.
        decision: What was decided last about these trials; None where nothing was.
        dropped: Why a decision that is stored is not shown, as a sentence; "" where none is left out.
        ask: The command that leads to a decision about these trials.
        stages: The execution dependency graph, in the suite's order.
        spreads: Arm -> costs and latencies.
        waivers: Known failures, as they stand.
        trials: Trials shown with their evidence: of the first clusters, of unmeasured causes, three that
            passed.
        left_out: What is not shown, in sentences, with where to find it.
    """

    board: Board
    decision: Decision | None = None
    dropped: str = ""
    ask: str = ""
    stages: tuple[StageNode, ...] = ()
    spreads: dict[str, tuple[Spread, ...]] = {}
    waivers: tuple[WaiverLine, ...] = ()
    trials: tuple[ShownTrial, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def undecided(self) -> str:
        """Why there is no decision here, as a sentence; "" where there is one."""
        return "" if self.decision is not None else self.dropped or "No gate was asked about this run."
