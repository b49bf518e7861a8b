"""The written form of one expectation: a mapping with one check as its single key, and its short forms.

What comes in: entries of `expect`, of a rule, or of a metric's `check`. What goes out: typed entries, and
`Expectation` records made of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self, TypeAlias

from pydantic import BeforeValidator, Field, create_model, model_validator

from evalkit.records.checks import CHECKS, Called, CheckKind, Expectation, ExpectedCall, OnlyCalled, Order
from evalkit.records.written import Json, Written

_BESIDE = ("for", "turn")  # keys that people write beside the check or among its arguments


class CalledOnce(ExpectedCall):
    """Short form of `called` with one expected call."""

    times: int | None = Field(default=None, ge=0)
    """Exactly so many calls match; default: at least one."""
    attempted: bool = False
    """Count calls that were refused, invalid or unanswered too."""


def _long_called(value: Json) -> Json:
    """Return the long form of `called`."""
    if isinstance(value, str):
        return {"calls": [{"tool": value}]}
    if isinstance(value, list):
        return {"calls": value}
    if isinstance(value, dict) and "calls" not in value:
        outer = {key: value[key] for key in ("times", "attempted") if key in value}
        return {"calls": [{key: item for key, item in value.items() if key not in outer}], **outer}
    return value


def _long_tools(value: Json) -> Json:
    """Return the long form of a list of tools."""
    return {"tools": value} if isinstance(value, list) else value


# Check -> its arguments with their short forms, where there are any.
_FORMS: dict[CheckKind, Any] = {
    "called": Annotated[
        Called,
        BeforeValidator(_long_called, json_schema_input_type=Called | CalledOnce | list[ExpectedCall] | str),
    ],
    "order": Annotated[Order, BeforeValidator(_long_tools, json_schema_input_type=Order | list[str])],
    "only_called": Annotated[
        OnlyCalled, BeforeValidator(_long_tools, json_schema_input_type=OnlyCalled | list[str])
    ],
}


class OneCheck(Written):
    """A mapping of which exactly one key names a check."""

    @property
    def given(self) -> tuple[str, Written]:
        """The name of the check as written, and its arguments."""
        name = next(name for name in self.model_fields_set if name.startswith("check_"))
        arguments: Written = getattr(self, name)
        return name.removeprefix("check_"), arguments

    @model_validator(mode="after")
    def _one_check(self) -> Self:
        """Refuse none and several."""
        given = sorted(
            name.removeprefix("check_") for name in self.model_fields_set if name.startswith("check_")
        )
        if not given:
            raise ValueError("names no check")
        if len(given) > 1:
            raise ValueError(f"names {len(given)} checks ({', '.join(given)}); write one entry for each")
        return self


class EntryFrame(OneCheck):
    """What an entry says beside its check."""

    metric: str = Field(default="", alias="for")
    """The metric that this entry feeds; default: the one whose `check` names the kind."""
    turn: int | None = Field(default=None, ge=0)
    """The user turn (from 0) that this entry is about; default: the whole trial."""

    @model_validator(mode="before")
    @classmethod
    def _lift(cls, value: Json) -> Json:
        """Take `for` and `turn` out of the check's arguments, where people may write them too."""
        if not isinstance(value, dict):
            return value
        lifted: dict[str, Json] = {}
        for kind, args in value.items():
            inner = {
                key: args[key]
                for key in _BESIDE
                if isinstance(args, dict) and key in args and key not in value
            }
            lifted |= inner
            lifted[kind] = {key: item for key, item in args.items() if key not in inner} if inner else args
        return lifted


def _fields(*, negations: bool) -> dict[str, Any]:
    """Return one optional field per check, the negations included where they are asked for."""
    fields: dict[str, Any] = {}
    for kind, model in CHECKS.items():
        form = _FORMS.get(kind, model)
        about = " ".join((model.__doc__ or "").split())
        fields[f"check_{kind}"] = (form, Field(default=None, alias=kind, description=about))
        if negations:
            said = f"Holds when `{kind}` does not."
            fields[f"check_not_{kind}"] = (form, Field(default=None, alias=f"not_{kind}", description=said))
    return fields


if TYPE_CHECKING:
    Entry: TypeAlias = EntryFrame
    SuiteCheck: TypeAlias = OneCheck
else:
    # One optional field per kind instead of a union, so that one fault gives one message.
    Entry = create_model("Entry", __base__=EntryFrame, __doc__="One expectation.", **_fields(negations=True))
    SuiteCheck = create_model(
        "SuiteCheck", __base__=OneCheck, __doc__="A check with its arguments.", **_fields(negations=False)
    )


def expectation(entry: OneCheck) -> Expectation:
    """Return the record of a validated entry.

    Args:
        entry: An `Entry` or `SuiteCheck`.

    Returns:
        The expectation; `metric` is what `for` says, or "".
    """
    name, arguments = entry.given
    beside = {"metric": entry.metric, "turn": entry.turn} if isinstance(entry, EntryFrame) else {}
    return Expectation.model_validate(
        {
            "kind": name.removeprefix("not_"),
            "negated": name.startswith("not_"),
            "args": arguments.model_dump(mode="json", by_alias=True, exclude_unset=True),
            **beside,
        }
    )
