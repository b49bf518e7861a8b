"""What pydantic says of a form -> problems with place, value, what is allowed and the nearest known word.

What comes in: a document and the model of its form. What goes out: the form, or None, and problems: one line
per fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from evalkit.errors import Problem
from evalkit.records.written import Json
from evalkit.suite.document import Document, KeyPath, inside, short
from evalkit.suite.doubts import doubtful
from evalkit.suite.schemas import allowed_values, known_keys
from evalkit.suite.words import nearest, suggest

_Form = TypeVar("_Form", bound=BaseModel)

# Error type -> what the value must be; where a union takes several, these are listed.
_TYPES: dict[str, str] = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "tuple_type": "a list",
    "list_type": "a list",
    "date_type": "a date (YYYY-MM-DD)",
    "date_parsing": "a date (YYYY-MM-DD)",
    "date_from_datetime_parsing": "a date (YYYY-MM-DD)",
    "date_from_datetime_inexact": "a date (YYYY-MM-DD)",
    "none_required": "nothing",
}
# Figure in pydantic's error -> the words before it.
_BOUNDS: dict[str, str] = {
    "ge": "write at least",
    "gt": "write more than",
    "le": "write at most",
    "lt": "write less than",
    "min_length": "the least length is",
    "max_length": "the greatest length is",
}
# Sign in the message of a validator of ours -> code, where it is not `exactly-one`.
_VALUE_ERRORS: dict[str, str] = {
    "nothing: give": "empty-expectation",
    "statistic must": "wrong-value",
    "pass^k takes": "wrong-value",
}


@dataclass(frozen=True, slots=True)
class _Fault:
    """One error of pydantic, led back to the source.

    Attributes:
        path: The value (for missing keys: what should hold the key).
        missing: The key that is missing, or "".
        fork: Path of the union whose member `member` was tried, or None.
        member: The member of the union.
        kind: Pydantic's type of error.
        said: Pydantic's message.
        limits: Pydantic's figures.
    """

    path: KeyPath
    missing: str
    fork: KeyPath | None
    member: str
    kind: str
    said: str
    limits: dict[str, Any]

    @property
    def at_top(self) -> bool:
        """The value is not at all what the member takes."""
        return (
            self.path == self.fork
            and not self.missing
            and (self.kind in _TYPES or self.kind == "literal_error")
        )


def validated(document: Document, model: type[_Form]) -> tuple[_Form | None, list[Problem]]:
    """Return the form that a document has, and everything that is wrong with it.

    Args:
        document: What was read.
        model: The form that it should have.

    Returns:
        The form (None where it is not valid) and the problems.
    """
    if document.unreadable:
        return None, []
    if document.value is None:
        problem = document.problem((), "empty-file", "the file says nothing", suggestion=_needed(model))
        return None, [problem]
    problems = doubtful(document, model)
    refused = {problem.key for problem in problems}
    try:
        form = model.model_validate(document.value, by_alias=True, by_name=False)
    except ValidationError as error:
        found = _problems(document, model, error)
        return None, problems + [problem for problem in found if problem.key not in refused]
    return (None if problems else form), problems


def _needed(model: type[BaseModel]) -> str:
    names = [field.alias or name for name, field in model.model_fields.items() if field.is_required()]
    return f"it needs {', '.join(names)}" if names else "write something into it"


def _problems(document: Document, model: type[BaseModel], error: ValidationError) -> list[Problem]:
    faults = [
        _led_back(document.value, dict(item)) for item in error.errors(include_url=False, include_input=False)
    ]
    kept = [fault for fault in _one_per_union(faults, document) if not _echo(fault, faults)]
    misspelt = {
        (fault.path[:-1], nearest(str(fault.path[-1]), known_keys(model, fault.path[:-1])))
        for fault in kept
        if fault.kind == "extra_forbidden"
    }
    return [_problem(document, model, fault) for fault in kept if (fault.path, fault.missing) not in misspelt]


def _led_back(value: Json, error: dict[str, Any]) -> _Fault:
    """Follow an error's location through the source; parts that are not there name members of unions."""
    location: list[str | int] = list(error["loc"])
    missing = str(location.pop()) if error["type"] == "missing" else ""
    path: list[str | int] = []
    fork: KeyPath | None = None
    member = ""
    for part in location:
        below = inside(value, part)
        if below is value:
            fork, member = (tuple(path), str(part)) if fork is None else (fork, member)
        else:
            path.append(part)
            value = below
    return _Fault(tuple(path), missing, fork, member, error["type"], error["msg"], error.get("ctx", {}))


def _one_per_union(faults: list[_Fault], document: Document) -> Iterable[_Fault]:
    """Of the members of a union, keep those that fit best; where none fits at all, say so once."""
    forks = dict.fromkeys(fault.fork for fault in faults if fault.fork is not None)
    yield from (fault for fault in faults if fault.fork is None)
    for fork in forks:
        group = [fault for fault in faults if fault.fork == fork]
        hopeless = {fault.member for fault in group if fault.at_top}
        fitting = [fault for fault in group if fault.member not in hopeless]
        yield from fitting or [_merged(group, document)]


def _merged(group: list[_Fault], document: Document) -> _Fault:
    """Return one fault that says everything that the value could have been."""
    first = group[0]
    if isinstance(_value_at(document.value, first.path), str):
        words = [fault for fault in group if fault.kind == "literal_error"]
        if words:
            return words[0]
    wanted = dict.fromkeys(_TYPES.get(fault.kind, "one of the known words") for fault in group)
    return _Fault(first.path, "", first.fork, "", "union", " or ".join(wanted), {})


def _echo(fault: _Fault, faults: list[_Fault]) -> bool:
    """Whether a list is called too short only because its entries are wrong."""
    size = len(fault.path)
    return fault.kind == "too_short" and any(
        len(o.path) > size and o.path[:size] == fault.path for o in faults
    )


def _value_at(value: Json, path: KeyPath) -> Json:
    for part in path:
        value = inside(value, part)
    return value


def _problem(document: Document, model: type[BaseModel], fault: _Fault) -> Problem:
    if fault.missing:
        return document.problem(
            (*fault.path, fault.missing),
            "missing-key",
            f"the key `{fault.missing}` is missing",
            suggestion=f"add `{fault.missing}: ...`",
        )
    special = _SPECIAL.get(fault.kind)
    if special is not None:
        return special(document, model, fault)
    if fault.kind in _TYPES or fault.kind == "union":
        return _wrong_type(document, fault)
    return _wrong_value(document, fault)


def _unknown_key(document: Document, model: type[BaseModel], fault: _Fault) -> Problem:
    key = str(fault.path[-1])
    holder = fault.path[:-1]
    where = f" in `{holder[-1]}`" if holder and isinstance(holder[-1], str) else ""
    return document.problem(
        fault.path,
        "unknown-key",
        f"the key `{short(key)}` is not known{where}",
        suggestion=_elsewhere(document, model, fault.path) or suggest(key, known_keys(model, holder)),
        value=short(key),
        at_key=True,
    )


def _elsewhere(document: Document, model: type[BaseModel], path: KeyPath) -> str:
    """Return advice where the key is known further out: then the line is indented too far."""
    key = str(path[-1])
    for depth in range(len(path) - 2, -1, -1):
        if key in known_keys(model, path[:depth]):
            owner = f"`{path[depth - 1]}`" if depth else "the file itself"
            _, column = document.place(path[: depth + 1], at_key=True)
            return f"`{key}` is a key of {owner}: indent it less, to column {column}"
    return ""


def _wrong_word(document: Document, model: type[BaseModel], fault: _Fault) -> Problem:
    words = allowed_values(model, fault.path)
    value = _value_at(document.value, fault.path)
    said = f"must be one of {', '.join(words)}" if words else fault.said
    return document.problem(fault.path, "wrong-value", said, suggestion=suggest(str(value), words))


def _value_error(document: Document, model: type[BaseModel], fault: _Fault) -> Problem:
    """Report what a validator of ours says; its sentences name what to do."""
    said = fault.said.removeprefix("Value error, ")
    code = next((code for sign, code in _VALUE_ERRORS.items() if sign in said), "exactly-one")
    advice = suggest("", known_keys(model, fault.path), none="write one of those")
    return document.problem(fault.path, code, said, suggestion=advice)


def _wrong_type(document: Document, fault: _Fault) -> Problem:
    wanted = fault.said if fault.kind == "union" else _TYPES[fault.kind]
    value = _value_at(document.value, fault.path)
    advice = f"write {wanted}"
    if wanted.startswith("text") and isinstance(value, int | float):
        advice = f'quote it: "{document.text(fault.path)}"'
    elif wanted == "true or false" and isinstance(value, str):
        meant = value.lower() in ("yes", "on", "true", "y")
        advice = f"write {'true' if meant else 'false'}"
    elif wanted.endswith("number") and isinstance(value, str):
        advice = "write the number plainly, without quotes, underscores or units"
    return document.problem(fault.path, "wrong-type", f"must be {wanted}", suggestion=advice)


def _wrong_value(document: Document, fault: _Fault) -> Problem:
    """Report a value that is out of bounds; pydantic's message names the bound."""
    said = fault.said[0].lower() + fault.said[1:]
    said = (
        said.replace("input should be", "must be")
        .replace(" after validation", "")
        .replace("tuple", "the list")
    )
    bounds = [f"{words} {fault.limits[name]}" for name, words in _BOUNDS.items() if name in fault.limits]
    return document.problem(
        fault.path, "wrong-value", said, suggestion="; ".join(bounds) or "see `evalkit schema`"
    )


_Report = Callable[[Document, type[BaseModel], _Fault], Problem]
_SPECIAL: dict[str, _Report] = {
    "extra_forbidden": _unknown_key,
    "literal_error": _wrong_word,
    "value_error": _value_error,
}
