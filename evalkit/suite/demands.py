"""What a case asks of the stages: of all of it, or turn by turn.

What comes in: the form of a case and what the suite declares. What goes out: demands of every stage, and
problems where they do not go together.
"""

from __future__ import annotations

from evalkit.records.case import Turn
from evalkit.records.stage import Demand
from evalkit.suite.document import Findings, KeyPath
from evalkit.suite.forms import CaseFile, TurnFile
from evalkit.suite.ground import Ground, check_name
from evalkit.suite.words import nearest

DEMANDS: dict[str, Demand] = {"requires": "required", "optional": "optional", "forbids": "forbidden"}
"""Key -> the demand of the stages that it lists."""

_STRONGEST: tuple[Demand, ...] = ("required", "forbidden", "optional")
_OF_A_TURN = (*DEMANDS, "allow_empty")


def demands_of(findings: Findings, form: CaseFile, ground: Ground) -> dict[str, Demand]:
    """Return what a case asks of every stage of the suite, as far as its turns ask nothing of their own.

    Args:
        findings: Where problems are noted.
        form: The case as written.
        ground: What the suite declares.
    """
    named = _named(findings, (), form, ground, {})
    return {stage.name: named.get(stage.name, stage.demand) for stage in ground.suite.stages}


def asking_turns(
    findings: Findings, form: CaseFile, turns: tuple[Turn, ...], demand: dict[str, Demand], ground: Ground
) -> tuple[Turn, ...]:
    """Return the turns of a case with what each asks of every stage, where one of them says `requires`.

    A stage that a turn does not name is optional in it; what the case forbids, or the suite by default, stays
    forbidden. A case whose turns ask of their own does not ask for all of them at once.

    Args:
        findings: Where problems are noted.
        form: The case as written.
        turns: Its turns.
        demand: What the case as a whole asks.
        ground: What the suite declares.
    """
    written = form.turns or ()
    if not any("requires" in turn.model_fields_set for turn in written):
        _check_no_turn_asks(findings, written)
        return turns
    for key in ("requires", "optional"):
        if getattr(form, key):
            said = f"the turns of the case say what each requires, and so does `{key}` of the whole case"
            advice = f"move `{key}` into the turns: a stage that a turn does not name is optional there"
            findings.add((key,), "turn-demands", said, suggestion=advice)
    forbidden: dict[str, str] = dict.fromkeys(form.forbids, "forbids")
    unnamed: dict[str, Demand] = {
        name: "forbidden" if found == "forbidden" else "optional" for name, found in demand.items()
    }
    return tuple(
        turn.model_copy(
            update={
                "demand": unnamed | _named(findings, ("turns", number), asked, ground, forbidden),
                "allow_empty": asked.allow_empty,
            }
        )
        for number, (turn, asked) in enumerate(zip(turns, written, strict=True))
    )


def strongest(turns: tuple[Turn, ...], demand: dict[str, Demand]) -> dict[str, Demand]:
    """Return the strongest demand of all turns for every stage; that of the case where they ask nothing.

    Args:
        turns: The turns of a case.
        demand: What the case as a whole asks.
    """
    asked = [turn.demand for turn in turns if turn.demand]
    if not asked:
        return demand
    return {name: min((one[name] for one in asked), key=_STRONGEST.index) for name in demand}


def misspelt(form: CaseFile, ground: Ground) -> frozenset[str]:
    """Return the stages that names which a case gives wrongly may mean; all, where nothing is near to one.

    Args:
        form: The case as written.
        ground: What the suite declares.
    """
    known = frozenset(stage.name for stage in ground.suite.stages)
    named = {name for one in (form, *(form.turns or ())) for key in DEMANDS for name in getattr(one, key)}
    near = {nearest(name, known) for name in named - known}
    return known if "" in near else frozenset(near)


def _named(
    findings: Findings, path: KeyPath, form: CaseFile | TurnFile, ground: Ground, forbidden: dict[str, str]
) -> dict[str, Demand]:
    """What is asked of the stages that a case, or a turn, names; `forbidden` are those of the whole case."""
    known = tuple(stage.name for stage in ground.suite.stages)
    demands: dict[str, Demand] = {}
    named: dict[str, str] = {}
    for key, demand in DEMANDS.items():
        for number, stage in enumerate(getattr(form, key)):
            here: KeyPath = (*path, key, number)
            if not check_name(findings, here, "stage", stage, known):
                continue
            if named.setdefault(stage, key) != key:
                said = f"`{stage}` stands in `{named[stage]}` and in `{key}`"
                findings.add(here, "two-demands", said, suggestion="leave it out of one of them")
            elif stage in forbidden and demand != "forbidden":
                said = f"`{stage}` stands in `{key}` of a turn, and the case forbids it in all of them"
                advice = "write `forbids` in the turns that are meant, and not in the case"
                findings.add(here, "two-demands", said, suggestion=advice)
            demands[stage] = demand
    for number, stage in enumerate(form.allow_empty):
        check_name(findings, (*path, "allow_empty", number), "stage", stage, known)
    return demands


def _check_no_turn_asks(findings: Findings, turns: tuple[TurnFile, ...]) -> None:
    """Note what a turn says of the stages where none says `requires`: all stages would become optional."""
    for number, turn in enumerate(turns):
        for key in _OF_A_TURN:
            if key in turn.model_fields_set:
                said = f"a turn says `{key}`, and none says what it requires"
                advice = "add `requires: [...]` to the turns in which a stage must run; `[]` where none must"
                findings.add(("turns", number, key), "turn-demands", said, suggestion=advice)
