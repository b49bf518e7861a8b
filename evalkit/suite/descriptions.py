"""What stands under each key of a written form: the docstrings of its fields, read when a schema is wanted.

What comes in: the schema of a form. What goes out: the same with descriptions. Pydantic could collect them
when the classes are made, but then every start of the harness would pay for it.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from itertools import pairwise

from pydantic import BaseModel

from evalkit.records.written import Json, Written


def describe(found: dict[str, Json], root: type[BaseModel]) -> None:
    """Put the docstring of each field under its key.

    Args:
        found: The JSON Schema of `root`; changed in place. What has a description keeps it.
        root: The model that it is of.
    """
    classes = {one.__name__: one for one in _below(Written)}
    parts = {name: part for name, part in found.get("$defs", {}).items() if name in classes}
    for model, part in [(root, found), *((classes[name], part) for name, part in parts.items())]:
        texts = field_texts(model)
        for name, field in model.model_fields.items():
            shown = part.get("properties", {}).get(field.alias or name)
            if shown is not None and name in texts:
                shown.setdefault("description", texts[name])


def _below(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for one in model.__subclasses__():
        yield one
        yield from _below(one)


def field_texts(model: type[BaseModel]) -> dict[str, str]:
    """Return field -> docstring, of the class itself before those that it is made from.

    Args:
        model: A model of what people write.
    """
    texts: dict[str, str] = {}
    for one in reversed(model.__mro__):
        if issubclass(one, Written):
            texts |= _own_texts(one)
    return texts


def _own_texts(model: type[BaseModel]) -> dict[str, str]:
    tree = ast.parse(inspect.getsource(sys.modules[model.__module__]))
    bodies = [
        node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == model.__name__
    ]
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for body in bodies
        for field, text in pairwise(body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
