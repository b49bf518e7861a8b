"""Words of DuckDB whose answer depends on clock, chance, the instance, or what ran elsewhere.

What comes in: one word of SQL. What goes out: whether a statement with it may answer differently on two
databases that hold the same. A test reads the engine's own catalogue and fails when a new version knows a
function that it does not call consistent and that stands nowhere here.

Source: `duckdb_functions()` of DuckDB 2.0.1, column `stability`.
"""

from __future__ import annotations

_PREFIXES = ("current_", "get_", "icu_", "json_execute", "local", "pg_", "pragma_", "inet_", "txid_")
_CLOCK = frozenset({"age", "ago", "now", "today", "transaction_timestamp"})
_CHANCE = frozenset(
    {
        "gen_random_uuid",
        "random",
        "reservoir_quantile",
        "sample",
        "setseed",
        "tablesample",
        "uuid",
        "uuidv4",
        "uuidv7",
    }
)
# A sequence moves even where the statement fails, and behind the back of a view or a default.
_SEQUENCES = frozenset({"currval", "nextval", "setval"})
_INSTANCE = frozenset(
    {
        "error",
        "getvariable",
        "in_search_path",
        "session_user",
        "sleep_ms",
        "stats",
        "user",
        "vector_type",
        "version",
        "write_log",
    }
)
_WORDS = _CLOCK | _CHANCE | _SEQUENCES | _INSTANCE


def depends(word: str) -> bool:
    """Tell whether a statement with this word may answer differently on equal databases.

    Args:
        word: In lower case, without quotes.

    >>> depends("current_date"), depends("random"), depends("orders")
    (True, True, False)
    """
    return word in _WORDS or word.startswith(_PREFIXES)
