"""Facts: typed statements derived from a trace, each citing the events that show it. Absent is not false.

What comes in: a trace (through `facts`). What goes out: one `FactSheet` per trial, all that checks, rules and
judges may read.
"""

from __future__ import annotations

from bisect import bisect_right

from msgspec import Struct

from evalkit.records.event import CallStatus, End, LimitName, Observable, Timing, Usage, Where
from evalkit.records.verdict import Measure
from evalkit.records.written import Json


class CallFact(Struct, frozen=True, kw_only=True):
    """One tool call and how it ended.

    Attributes:
        seq: Event that shows the call (`tool_called`, or the reply that asked for it).
        returned: Event that shows its outcome; None where none was recorded.
        turn: User turn.
        tool: Tool name.
        args: Effective arguments; None where they could not be read.
        status: How it ended.
        value: Result.
        message: What the agent was told otherwise.
        cause: Cause of a fault, None otherwise.
        sub: Sub-cause.
        fault: Fixture keyword at work.
        declared: The case declared the fault.
        seconds: How long the tool worked; None where that is not known, or it never ran.
        asked: `seq` of the model reply that asked for the call; calls that share it were asked for at once.
        effect: Whether it took effect, where the status does not say; None: it did if it is `ok`.
    """

    seq: int
    returned: int | None
    turn: int
    tool: str
    args: dict[str, Json] | None
    status: CallStatus
    value: Json = None
    message: str = ""
    cause: str | None = None
    sub: str | None = None
    fault: str | None = None
    declared: bool = False
    seconds: float | None = None
    asked: int | None = None
    effect: bool | None = None


class ModelFact(Struct, frozen=True, kw_only=True):
    """One reply of the model, which asks for calls or becomes a reply to the user.

    Attributes:
        seq: Its event.
        turn: User turn.
        seconds: How long the model worked; None is unknown.
        usage: Its tokens and money; None is unknown.
    """

    seq: int
    turn: int
    seconds: float | None = None
    usage: Usage | None = None


class ReplyFact(Struct, frozen=True, kw_only=True):
    """One reply to the user.

    Attributes:
        seq: Its event.
        turn: User turn that it answers.
        content: Text or object, as sent.
        text: Content as text (objects as JSON).
        fields: The object, or the JSON in a text reply; None where there is none.
    """

    seq: int
    turn: int
    content: Json
    text: str
    fields: Json = None


class ProbeFact(Struct, frozen=True, kw_only=True):
    """What the world answered.

    Attributes:
        id: See `probe.probe_id`.
        seq: Its event.
        rows: Rows as lists; None where there is no answer.
        cause: Why there is none.
        message: For people.
        measure: Over how many things the answer was taken, where that is known.
        waited: Seconds that were waited for it since the end of the agent's work.
        earlier: What the world answered to the same question before, the oldest first.
    """

    id: str
    seq: int
    rows: list[list[Json]] | None = None
    cause: str | None = None
    message: str = ""
    measure: Measure | None = None
    waited: float = 0.0
    earlier: tuple[ProbeFact, ...] = ()


class DeclaredFact(Struct, frozen=True, kw_only=True):
    """A fact that the suite declares under `facts`.

    Attributes:
        name: Its name.
        value: Its value.
        cites: Events that show it; the first is where it stands in the order.
        turn: User turn.
        tool: The tool that it comes from; None for replies.
    """

    name: str
    value: Json
    cites: tuple[int, ...]
    turn: int = 0
    tool: str | None = None


class ClaimFact(Struct, frozen=True, kw_only=True):
    """Something that a reply claimed, apart from what happened.

    Attributes:
        name: Name of the claim.
        seq: The reply's event.
        turn: User turn.
    """

    name: str
    seq: int
    turn: int = 0


class FaultFact(Struct, frozen=True, kw_only=True):
    """A fault that is not the agent's.

    Attributes:
        seq: The event that met it (for a tool: its outcome).
        started: The event from which the call that met it dates (for a tool: `CallFact.seq`), else `seq`.
        where: What it befell.
        tool: The tool, where it was one.
        cause: environment, fixture_missing, broken_case or harness.
        sub: Sub-cause.
        declared: The case declared it.
        recovered: Event at which the same tool or model succeeded again, or None.
        message: For people.
    """

    seq: int
    started: int
    where: Where
    tool: str | None
    cause: str
    sub: str | None = None
    declared: bool = False
    recovered: int | None = None
    message: str = ""


class StopFact(Struct, frozen=True, kw_only=True):
    """Why the trial ended.

    Attributes:
        end: How it closed.
        seq: The closing event (or the limit's).
        limit: The limit that stopped it, or None.
        cause: Cause where the whole trial is unmeasured (`cancelled`, `on_timeout: error`), else None.
        sub: Sub-cause, also a source's own word for it in imported trials.
        message: For people.
    """

    end: End
    seq: int
    limit: LimitName | None = None
    cause: str | None = None
    sub: str | None = None
    message: str = ""


class FactSheet(Struct, frozen=True, kw_only=True):
    """All facts of one trial.

    Attributes:
        case: Case id.
        observes: Kinds of event that the trace observes.
        turns: User turns that were begun.
        begins: `seq` of the event that began each of them: what the user said.
        calls: Tool calls in the order of their `seq`.
        replies: Replies in order.
        declared: Facts that the suite declares.
        claims: Claims that replies made.
        probes: Probe id -> answer.
        faults: Faults in order.
        stop: Why it ended; None where it was never closed.
        model_replies: How many replies the model gave.
        model: The replies of the model in order.
        usage: Sums; unknown is None.
        timing: Sums; None is unknown.
        user_text: What the user said, one per turn.
        recorded: The source's own words on an imported trial (see `Closed.source`).
    """

    case: str
    observes: tuple[Observable, ...]
    turns: int = 1
    begins: tuple[int, ...] = ()
    calls: tuple[CallFact, ...] = ()
    replies: tuple[ReplyFact, ...] = ()
    declared: tuple[DeclaredFact, ...] = ()
    claims: tuple[ClaimFact, ...] = ()
    probes: dict[str, ProbeFact] = {}
    faults: tuple[FaultFact, ...] = ()
    stop: StopFact | None = None
    model_replies: int = 0
    model: tuple[ModelFact, ...] = ()
    usage: Usage | None = None
    timing: Timing | None = None
    user_text: tuple[str, ...] = ()
    recorded: Json = None

    def turn_of(self, seq: int) -> int:
        """Return the user turn, from 0, in which an event stands.

        Args:
            seq: Of the event; what stands before the user spoke belongs to the first turn.
        """
        return max(bisect_right(self.begins, seq) - 1, 0)
