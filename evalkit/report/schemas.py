"""JSON Schemas of everything that evalkit writes for machines.

What comes in: the name of a file or of a verb's object. What goes out: a schema of dialect 2020-12, generated
from the record, with a description under every key; an unknown key is refused, so that a drift is noticed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from evalkit.records import objects
from evalkit.records.attribution import Attribution
from evalkit.records.decision import Decision
from evalkit.records.event import Event
from evalkit.records.flat import VerdictRow
from evalkit.records.plan import PlannedTrial
from evalkit.records.signature import Manifest
from evalkit.records.suite import Suite
from evalkit.records.verdict import Verdict
from evalkit.records.written import Json

RECORDS: Final[Mapping[str, type[Struct]]] = {
    "manifest": Manifest,
    "plan": PlannedTrial,
    "event": Event,
    "verdict": Verdict,
    "attribution": Attribution,
    "decision": Decision,
    "report": objects.MachineReport,
    "table": VerdictRow,
    "run-json": objects.RunObject,
    "gate-json": objects.GateObject,
    "show-json": objects.ShowObject,
    "trials-json": objects.TrialsObject,
    "blame-json": objects.BlameObject,
    "list-json": objects.ListObject,
    "check-json": objects.CheckObject,
    "init-json": objects.InitObject,
    "report-json": objects.ReportedObject,
    "error-json": objects.ErrorObject,
}
"""What is written -> its record."""

LOADED_SUITE: Final = "loaded-suite"
"""`suite.json` of a run: the suite as it was loaded."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_ATTRIBUTE = re.compile(r"^    (\w+): (.+(?:\n {8}.+)*)", re.MULTILINE)


def machine_schema(name: str) -> dict[str, Json]:
    """Return the JSON Schema of something that evalkit writes.

    Args:
        name: A key of `RECORDS`, or `LOADED_SUITE`.
    """
    if name == LOADED_SUITE:
        made: dict[str, Json] = Suite.model_json_schema(by_alias=True)
        return {"$schema": _DIALECT, **made, "title": f"evalkit {name}"}
    record = RECORDS[name]
    (made,), components = msgspec.json.schema_components(
        (record,), schema_hook=_anything, ref_template="#/$defs/{name}"
    )
    told = {kind.__name__: _told(kind) for kind in (objects.ArmCounts, record)}
    for component, written in components.items():
        _close(written, told.get(component, {}))
    return {"$schema": _DIALECT, "title": f"evalkit {name}", **made, "$defs": components}


def _anything(kind: type) -> dict[str, Any]:
    """Return the schema of a field that may hold any JSON value.

    Raises:
        NotImplementedError: The type is another.
    """
    if kind is object:
        return {"description": "Any JSON value."}
    raise NotImplementedError


def _close(schema: dict[str, Any], told: Mapping[str, str]) -> None:
    """Refuse unknown keys of a record, and put what its docstring tells of each under the key."""
    if "properties" not in schema:
        return
    schema["additionalProperties"] = False
    text = schema.get("description", "")
    told = {**told, **_attributes(text)}
    for name, written in schema["properties"].items():
        if name in told:
            written.setdefault("description", told[name])
    schema["description"] = text.partition("\n\n    Attributes:")[0].partition("\n\nAttributes:")[0]


def _told(record: type[Struct]) -> dict[str, str]:
    """Return what a record's docstrings and those of its bases tell, under the keys that are written."""
    told: dict[str, str] = {}
    for kind in reversed(record.__mro__):
        found = _attributes(kind.__doc__ or "")
        keys = dict(zip(record.__struct_fields__, record.__struct_encode_fields__, strict=True))
        told |= {keys.get(name, name): text for name, text in found.items()}
    return told


def _attributes(docstring: str) -> dict[str, str]:
    """Return name -> text of the section `Attributes:` of a docstring."""
    section = docstring.partition("Attributes:\n")[2]
    return {name: " ".join(text.split()) for name, text in _entries(section)}


def _entries(section: str) -> Iterator[tuple[str, str]]:
    lines = [line for line in section.splitlines() if line.strip()]
    indent = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    for match in _ATTRIBUTE.finditer("\n".join(f"    {line[indent:]}" for line in lines)):
        yield match[1], match[2]
