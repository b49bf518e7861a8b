"""A tool's arguments: JSON Schema for models, checks for calls, both from one Python signature.

What comes in: typed functions of a suite. What goes out: `Signature`, or every problem of a function at once.
"""

from __future__ import annotations

import inspect
import json
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

import msgspec
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ErrorDetails

from evalkit.records.written import Json
from evalkit.world.docstring import argument_texts, filled, first_paragraph
from evalkit.world.handle import Database

_SHOWN = 60  # characters of a wrong value in a message
_CONFIG = ConfigDict(strict=True, extra="forbid")
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_FAST: typing.Final = msgspec.json.Encoder()
_EXACT: typing.Final = json.JSONEncoder(allow_nan=False)
_SIMPLE = (bool, int, float, str, type(None))


class SignatureError(ValueError):
    """A function that cannot be a tool.

    Attributes:
        problems: What is wrong, one sentence each.
    """

    def __init__(self, problems: list[str]) -> None:
        """Keep the problems."""
        super().__init__("; ".join(problems))
        self.problems = problems


class InvalidArguments(ValueError):
    """Arguments that do not fit; the message says what is wrong with each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What a tool takes.

    Attributes:
        description: First paragraph of its docstring, limits filled in.
        parameters: JSON Schema of its arguments, an object.
        takes_database: Its first parameter is the trial's database.
        model: Checks arguments; its fields are named apart from the arguments, which may have any name.
        names: Field of the model and argument, for each argument.
    """

    description: str
    parameters: dict[str, Json]
    takes_database: bool
    model: type[BaseModel]
    names: tuple[tuple[str, str], ...]

    def check(self, args: Mapping[str, Json]) -> dict[str, object]:
        """Return arguments as the function takes them.

        Args:
            args: A model's arguments, JSON values; nothing is converted but whole numbers to floats.

        Returns:
            The given arguments by name; what was not given is left to the function's defaults.

        Raises:
            InvalidArguments: They do not fit the schema.
        """
        try:
            checked = self.model.model_validate_json(_encoded(args))
        except ValidationError as error:
            problems = [self._problem(detail) for detail in error.errors(include_url=False)]
            raise InvalidArguments("; ".join(problems)) from error
        except ValueError as error:
            raise InvalidArguments("a number is not finite") from error
        given = checked.model_fields_set
        return {name: getattr(checked, field) for field, name in self.names if field in given}

    def _problem(self, detail: ErrorDetails) -> str:
        place = ".".join(str(part) for part in detail["loc"])
        known = list(self.parameters["properties"])
        if detail["type"] == "missing":
            return f"`{place}` is missing"
        if detail["type"] == "extra_forbidden" and len(detail["loc"]) == 1:
            near = get_close_matches(place, known, n=1)
            hint = f", did you mean `{near[0]}`?" if near else f" (it takes {', '.join(known) or 'none'})"
            return f"there is no argument `{place}`{hint}"
        message = detail["msg"][:1].lower() + detail["msg"][1:]
        return f"`{place}`: {message}, got {_shown(detail['input'])}" if place else message


def read_signature(function: Callable[..., object], limits: Mapping[str, object]) -> Signature:
    """Return what a function takes.

    Args:
        function: A typed function with a docstring.
        limits: Named limits that its docstring shows.

    Raises:
        SignatureError: It cannot be a tool.
    """
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except (NameError, TypeError, AttributeError) as error:
        raise SignatureError([f"an annotation cannot be read: {error}"]) from error
    parameters = list(inspect.signature(function).parameters.values())
    takes_database = bool(parameters) and hints.get(parameters[0].name) is Database
    arguments = parameters[1:] if takes_database else parameters
    problems = [problem for parameter in arguments for problem in _faults(parameter, hints)]
    try:
        docstring = filled(function.__doc__ or "", dict(limits))
    except KeyError as error:
        problems.append(f"its docstring names the limit {{{error.args[0]}}}, which is not among its limits")
        docstring = ""
    if problems:
        raise SignatureError(problems)
    model = _model(arguments, hints, argument_texts(docstring))
    return Signature(
        description=first_paragraph(docstring),
        parameters=_schema(model),
        takes_database=takes_database,
        model=model,
        names=tuple((_field_name(at), argument.name) for at, argument in enumerate(arguments)),
    )


class _Untitled(GenerateJsonSchema):
    """A schema without titles that only repeat names."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - the shape of the base class
        return False


def _faults(parameter: inspect.Parameter, hints: Mapping[str, object]) -> list[str]:
    if parameter.kind not in _NAMED:
        return [f"`{parameter}` must be an argument with a name of its own"]
    if parameter.name not in hints:
        return [f"`{parameter.name}` has no type"]
    if hints[parameter.name] is Database:
        return [f"`{parameter.name}` is the database, which comes first"]
    return []


def _model(
    arguments: list[inspect.Parameter], hints: Mapping[str, object], texts: Mapping[str, str]
) -> type[BaseModel]:
    fields: dict[str, typing.Any] = {}
    for at, argument in enumerate(arguments):
        hint = hints[argument.name]
        notes = [note for note in getattr(hint, "__metadata__", ()) if isinstance(note, str)]
        description = next(iter(notes), None) or texts.get(argument.name)
        fields[_field_name(at)] = (hint, _field(argument, description))
    try:
        return create_model("Arguments", __config__=_CONFIG, **fields)
    except PydanticUserError as error:
        raise SignatureError([f"an argument has a type that JSON cannot carry: {_line(error)}"]) from error


def _field_name(at: int) -> str:
    return f"argument_{at}"


def _field(argument: inspect.Parameter, description: str | None) -> object:
    default = argument.default
    if default is inspect.Parameter.empty:
        return Field(alias=argument.name, description=description)
    if isinstance(default, _SIMPLE):
        return Field(default=default, alias=argument.name, description=description)
    # Never used, since the function has its own default: it only makes the argument optional.
    return Field(default_factory=lambda: default, alias=argument.name, description=description)


def _schema(model: type[BaseModel]) -> dict[str, Json]:
    try:
        schema = model.model_json_schema(schema_generator=_Untitled)
    except PydanticInvalidForJsonSchema as error:
        raise SignatureError([f"an argument has a type that JSON cannot carry: {_line(error)}"]) from error
    schema.pop("title", None)
    return {"type": "object", "properties": {}, **schema}


def _line(error: Exception) -> str:
    return str(error).splitlines()[0]


def _encoded(args: Mapping[str, Json]) -> bytes | str:
    """Return arguments as JSON; the fast encoder writes NaN as null, and no half of a surrogate pair."""
    try:
        text = _FAST.encode(args)
    except UnicodeEncodeError:
        return _EXACT.encode(args)
    return _EXACT.encode(args) if b"null" in text else text


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
