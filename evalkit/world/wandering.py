"""Words of DuckDB whose answer depends on clock, chance, the instance, or what ran elsewhere.

What comes in: one word of SQL. What goes out: whether a statement with it may answer differently on two
databases that hold the same. A test reads the engine's own catalogue and fails when a new version knows a
function that it does not call consistent and that stands nowhere here.

Source: `duckdb_functions()` of DuckDB 2.0.1, column `stability`.
"""

from __future__ import annotations

# They need no parentheses.
_BARE_PREFIXES = ("current_", "local")
_BARE = frozenset({"sample", "session_user", "tablesample", "user"})
_PREFIXES = ("get_", "icu_", "inet_", "json_execute", "pg_", "pragma_", "txid_")
_CLOCK = frozenset({"age", "ago", "now", "today", "transaction_timestamp"})
_CHANCE = frozenset(
    {"gen_random_uuid", "random", "reservoir_quantile", "setseed", "uuid", "uuidv4", "uuidv7"}
)
# A sequence moves even where the statement fails, and behind the back of a view or a default.
_SEQUENCES = frozenset({"currval", "nextval", "setval"})
_INSTANCE = frozenset(
    {"error", "getvariable", "in_search_path", "sleep_ms", "stats", "vector_type", "version", "write_log"}
)
# The function that is meant stands in a string.
_NAMING = frozenset({"aggregate", "array_aggr", "array_aggregate", "list_aggr", "list_aggregate"})
_FUNCTIONS = _CLOCK | _CHANCE | _SEQUENCES | _INSTANCE | _NAMING


def depends(word: str, after: str) -> bool:
    """Tell whether a statement with this word may answer differently on equal databases.

    Args:
        word: In lower case, without quotes.
        after: The word that comes next: a name without a parenthesis is a column.

    >>> depends("current_date", ","), depends("random", "("), depends("today", ","), depends("orders", "(")
    (True, True, False, False)
    """
    if word in _BARE or word.startswith(_BARE_PREFIXES):
        return True
    return after == "(" and (word in _FUNCTIONS or word.startswith(_PREFIXES))
