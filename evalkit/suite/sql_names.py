"""The variables that an SQL text names.

What comes in: SQL. What goes out: the names after `$`, those in texts, comments and quoted names left out.
"""

from __future__ import annotations

import re

# What hides a `$name` comes first, so that it is passed over as a whole.
_PIECES = re.compile(
    r"""
      '(?:[^']|'')*'                          # text
    | "(?:[^"]|"")*"                          # quoted name
    | --[^\n]*                                # comment to the end of the line
    | /\*.*?\*/                               # comment
    | \$(?P<tag>[A-Za-z_]\w*)?\$.*?\$(?(tag)(?P=tag))\$   # dollar-quoted text
    | \$(?P<name>[A-Za-z_]\w*)
    """,
    re.VERBOSE | re.DOTALL,
)


def names_in(sql: str) -> tuple[str, ...]:
    r"""Return the variables of an SQL text in the order of their first use.

    >>> names_in("select '$no', $order -- $never\n where x = $order and y = $limit")
    ('order', 'limit')
    """
    names = (found["name"] for found in _PIECES.finditer(sql))
    return tuple(dict.fromkeys(name for name in names if name))
