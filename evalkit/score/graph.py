"""The table: in topological order, the first row that fits gives each stage its verdict.

What comes in: the graph, what a case or a turn asks, what a trial shows, its taints. What goes out: one
`Ruling` per stage, roots still unknown.
"""

from __future__ import annotations

from evalkit.score.reading import AT_THE_START, Reading
from evalkit.score.ruling import NOBODY, NOTHING_EARLIER, Earlier, Ruling, cited, with_cause_of
from evalkit.score.structure import Asked, Node, Structure, positions
from evalkit.score.taints import Taint


class Table:
    """The rules of one trial, or one turn, worked stage by stage.

    A need is bridged where the case does not require it, it did not run and that could be seen: its own needs
    take its place. `rulings` holds what was found so far of the stages themselves, `seen` what was found of
    them as needs: the same, but for what ran in earlier turns only.
    """

    def __init__(
        self,
        structure: Structure,
        asked: Asked,
        reading: Reading,
        taints: tuple[Taint, ...],
        *,
        limited: bool,
        earlier: Earlier = NOTHING_EARLIER,
    ) -> None:
        """Work the table.

        Args:
            structure: The suite's graph.
            asked: What the case asks.
            reading: What the trial, or the turn, shows.
            taints: Its taints, the earliest first.
            limited: A limit stopped it.
            earlier: What earlier turns leave.
        """
        self.structure = structure
        self.asked = asked
        self.reading = reading
        self.taints = taints
        self.earlier = earlier
        self.carried = earlier.ran & ~reading.ran
        self.had = reading.ran | earlier.ran
        self.needs = self._bridged_needs()
        self.empty = reading.ran & ~reading.output & ~asked.forbidden
        self.hollow = self.empty | (earlier.hollow & self.carried)
        self.stopped = self._stopped_stage() if limited else NOBODY
        self.rulings: list[Ruling] = [Ruling(outcome="pass")] * len(structure.nodes)
        self.seen = list(self.rulings) if self.carried else self.rulings
        for position in structure.order:
            ruling = self._rule(structure.nodes[position])
            self.rulings[position] = ruling
            self.seen[position] = earlier.rulings[position] if self.carried >> position & 1 else ruling

    def excusing(self, node: Node) -> Taint | None:
        """Return the earliest taint that excuses a stage."""
        return next((taint for taint in self.taints if taint.excuses & node.bit), None)

    def _bridged_needs(self) -> list[int]:
        bridged = (self.asked.optional | self.asked.forbidden) & ~self.had & self.reading.examinable
        needs = [0] * len(self.structure.nodes)
        for position in self.structure.order:
            declared = self.structure.nodes[position].needs
            found = declared & ~bridged
            for need in positions(declared & bridged):
                found |= needs[need]
            needs[position] = found
        return needs

    def _rule(self, node: Node) -> Ruling:
        """Return what the first row that fits says."""
        reading, bit = self.reading, node.bit
        if self.asked.forbidden & reading.tried & bit:
            return self._forbidden(node)
        if reading.output & bit:
            return self._with_output(node)
        if self.empty & bit:
            return self._ran_empty(node)
        if not reading.examinable & bit:
            message = f"what shows {node.name} was not recorded"
            return Ruling(outcome="error", cause="not_observed", message=message)
        if self.asked.optional & bit:
            return self._not_required(node)
        return self._unmet_need(node) or self._needs_ran(node)

    def _forbidden(self, node: Node) -> Ruling:
        events = self.reading.events[node.index]
        did = "ran" if self.reading.ran & node.bit else "was attempted"
        message = f"{node.name} {did}, and the case forbids it"
        return Ruling(outcome="fail", asks="judged", reason="forbidden", message=message, cites=cited(events))

    def _with_output(self, node: Node) -> Ruling:
        first = self.reading.first_output[node.index]
        shown = (first,) if first != AT_THE_START else ()
        late, why = self._out_of_order(node)
        if not late:
            return Ruling(outcome="pass", asks="judged", message=f"{node.name} ran", cites=shown)
        return Ruling(
            outcome="fail" if node.stage.strict else "pass",
            asks="judged",
            reason="out_of_order",
            message=f"{node.name} ran out of order: {why}",
            cites=shown,
        )

    def _out_of_order(self, node: Node) -> tuple[bool, str]:
        first = self.reading.first_ran[node.index]
        for need in positions(self.needs[node.index] & ~self.earlier.ran):
            name = self.structure.nodes[need].name
            if not self.reading.ran >> need & 1:
                if self.rulings[need].blocks:
                    return True, f"{name} did not run"
            elif self.reading.first_ran[need] > first:
                return True, f"{name} first ran later"
        return False, ""

    def _ran_empty(self, node: Node) -> Ruling:
        cites = cited(self.reading.events[node.index])
        if self.asked.allow_empty & node.bit:
            message = f"{node.name} returned nothing, which the case allows"
            return Ruling(outcome="pass", asks="empty", message=message, cites=cites)
        taint = self._at_last_call(node)
        if taint is None:
            message = f"{node.name} ran and returned nothing"
            return Ruling(outcome="fail", asks="empty", reason="empty", message=message, cites=cites)
        return with_cause_of(taint, f"a fault met the last call of {node.name}")

    def _at_last_call(self, node: Node) -> Taint | None:
        call = self.reading.last_calls[node.index]
        if call is None or call.returned is None:
            return None
        return next((t for t in self.taints if t.fault.where == "tool" and t.seq == call.returned), None)

    def _not_required(self, node: Node) -> Ruling:
        taint = self.excusing(node)
        if taint is not None:
            return with_cause_of(taint, f"{node.name} did not run after a fault")
        message = f"the case does not ask for {node.name}, and it did not run"
        return Ruling(outcome="error", cause="not_required", message=message)

    def _unmet_need(self, node: Node) -> Ruling | None:
        """The rows in which a need is missing or blocked, unmeasured, or empty: in this order.

        A need that ran empty because of a fault is unmeasured too: were it merely empty, what waits for it
        would count as not asked, and a broken dependency would look measured.
        """
        needs = self.needs[node.index]
        unmet = positions(needs & ~self.had)
        failed = sum(1 << need for need in unmet if self.rulings[need].blocks)
        if failed:
            names = ", ".join(self.structure.names(failed))
            message = f"{node.name} was not reached: it needs {names}"
            return Ruling(outcome="error", cause="upstream_failed", message=message, blames=failed)
        unmeasured = [need for need in positions(needs) if self.seen[need].unmeasured]
        return self._unmeasured(node, unmeasured) if unmeasured else self._emptied(node, needs)

    def _unmeasured(self, node: Node, needs: list[int]) -> Ruling:
        """Of several causes that of the first need; a taint behind any of them goes on holding below."""
        need = self.seen[needs[0]]
        return Ruling(
            outcome="error",
            cause=need.cause,
            sub=need.sub,
            message=f"{node.name} needs {self.structure.nodes[needs[0]].name}: {need.message}",
            taint=self._standing(next((met for need in needs if (met := self.seen[need].taint)), None)),
        )

    def _standing(self, taint: Taint | None) -> Taint | None:
        """Return a taint as this table knows it; None where it has been made good since."""
        return next((one for one in self.taints if taint is not None and one.seq == taint.seq), None)

    def _emptied(self, node: Node, needs: int) -> Ruling | None:
        """Of several empty needs one whose emptiness is a fail goes first, then the suite's order."""
        origins = [
            need if self.hollow >> need & 1 else self.seen[need].emptied_by
            for need in positions(needs)
            if self.hollow >> need & 1 or self.seen[need].cause == "upstream_empty"
        ]
        if not origins:
            return None
        failed = (origin for origin in origins if self.seen[origin].reason == "empty")
        return self.emptied_by(next(failed, origins[0]), node.name)

    def emptied_by(self, origin: int, name: str) -> Ruling:
        """Return the error of what needs a stage that returned nothing; roots where that is a fail."""
        return Ruling(
            outcome="error",
            cause="upstream_empty",
            message=f"{name} needs {self.structure.nodes[origin].name}, which returned nothing",
            emptied_by=origin,
            blames=(self.seen[origin].reason == "empty") << origin,
        )

    def _needs_ran(self, node: Node) -> Ruling:
        """The last four rows: all that the stage needs ran."""
        taint = self.excusing(node)
        if taint is not None:
            return with_cause_of(taint, f"{node.name} did not run after a fault")
        if self.asked.forbidden & node.bit:
            message = f"{node.name} is forbidden and did not run, though it could have been reached"
            return Ruling(outcome="pass", asks="refused", message=message)
        if self.stopped not in {NOBODY, node.index} and not node.below & self.reading.tried:
            message = f"a limit stopped the trial at {self.structure.nodes[self.stopped].name}"
            stopped = 1 << self.stopped
            return Ruling(outcome="error", cause="upstream_failed", message=message, stopped=stopped)
        events = self.reading.events[node.index]
        message = f"{node.name} {'was only attempted' if events else 'did not run'}"
        return Ruling(outcome="fail", asks="missing", reason="missing", message=message, cites=cited(events))

    def _stopped_stage(self) -> int:
        """Of the stages that the last two rows fit the one with the last event, else the suite's first.

        A limit stops a trial once: what an earlier turn told stands.
        """
        if self.earlier.stopped != NOBODY:
            return self.earlier.stopped
        reading = self.reading
        open_ = self.asked.required & ~reading.ran & reading.examinable
        full = self.had & ~self.hollow
        among = [
            node.index
            for node in self.structure.nodes
            if open_ & node.bit and not self.needs[node.index] & ~full and self.excusing(node) is None
        ]
        return max(among, key=reading.last_event, default=NOBODY)
