"""What a database holds, in a form that shows every change.

What comes in: a connection of the harness and the name of a database. What goes out: definitions, and count
and hash of the rows of each table.
"""

from __future__ import annotations

import duckdb

_DEFINITIONS = """
select 'table', schema_name, table_name, sql from duckdb_tables() where database_name = $name and not internal
union all
select 'view', schema_name, view_name, sql from duckdb_views() where database_name = $name and not internal
union all
select 'index', schema_name, index_name, sql from duckdb_indexes() where database_name = $name
union all
select 'sequence', schema_name, sequence_name, sql || coalesce(last_value, -1)
from duckdb_sequences() where database_name = $name
"""


def content_of(connection: duckdb.DuckDBPyConnection, database: str) -> dict[str, tuple[object, ...]]:
    """Return what a database holds.

    Args:
        connection: A connection that may read the catalogue.
        database: Name of the database.

    Returns:
        ``kind schema.name`` -> definition, and for tables the number of rows and the sum of their hashes,
        which does not depend on their order.
    """
    content: dict[str, tuple[object, ...]] = {}
    for kind, schema, name, sql in connection.execute(_DEFINITIONS, {"name": database}).fetchall():
        rows = _rows(connection, database, schema, name) if kind == "table" else ()
        content[f"{kind} {schema}.{name}"] = (sql, *rows)
    return content


def _rows(
    connection: duckdb.DuckDBPyConnection, database: str, schema: str, table: str
) -> tuple[object, ...]:
    place = ".".join(_quoted(part) for part in (database, schema, table))
    query = f"select count(*), sum(hash(held)) from {place} as held"  # noqa: S608 - quoted names of the catalogue
    return tuple(connection.execute(query).fetchall()[0])


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
