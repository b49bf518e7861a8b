"""Reads what a tool's docstring says: its first paragraph, and its arguments in Google form.

What comes in: docstrings of suite code. What goes out: plain sentences.
"""

from __future__ import annotations

import inspect
import re

# `name: text`, or `name (type): text`.
_ENTRY = re.compile(r"^(\w+)(?:\s*\([^)]*\))?:\s*(.*)$")
_LIMIT = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


def first_paragraph(docstring: str) -> str:
    """Return the first paragraph on one line.

    >>> first_paragraph('''Pay money back,
    ...     at most once.
    ...
    ...     More.''')
    'Pay money back, at most once.'
    """
    return " ".join(inspect.cleandoc(docstring).split("\n\n")[0].split())


def argument_texts(docstring: str) -> dict[str, str]:
    """Return what the section `Args:` says of each argument.

    >>> argument_texts('''Pay.
    ...
    ...     Args:
    ...         order_id: The order,
    ...             as printed.
    ...         amount (float): How much.
    ...
    ...     Returns:
    ...         nothing: really.
    ...     ''')
    {'order_id': 'The order, as printed.', 'amount': 'How much.'}
    """
    texts: dict[str, str] = {}
    name = ""
    for line in _section(inspect.cleandoc(docstring).splitlines()):
        entry = _ENTRY.match(line)
        if entry:
            name, texts[entry[1]] = entry[1], entry[2]
        elif name:
            texts[name] += " " + line.strip()
    return {key: " ".join(text.split()) for key, text in texts.items()}


def filled(text: str, limits: dict[str, object]) -> str:
    """Return a text with each `{NAME}` replaced by its limit.

    Args:
        text: Text of a docstring.
        limits: Name -> value.

    Raises:
        KeyError: A name is no limit.

    >>> filled("at most {MOST} a day", {"MOST": 500})
    'at most 500 a day'
    """
    return _LIMIT.sub(lambda found: str(limits[found[1]]), text)


def _section(lines: list[str]) -> list[str]:
    """Return the lines under `Args:`, the indent of the first cut from each."""
    if "Args:" not in lines:
        return []
    body: list[str] = []
    for line in lines[lines.index("Args:") + 1 :]:
        if line and not line.startswith(" "):
            break
        if line.strip():
            body.append(line)
    indent = len(body[0]) - len(body[0].lstrip()) if body else 0
    return [line[indent:] if line[:indent].isspace() else line for line in body]
