"""Words of DuckDB that reach beyond one database of an instance.

What comes in: nothing. What goes out: sets of names. A test reads the engine's own catalogue and fails when a
new version knows a table function or a system view that stands nowhere here.

Source: `duckdb_functions()` and `duckdb_views()` of DuckDB 2.0.1.
"""

from __future__ import annotations

ALLOWED_FUNCTIONS = frozenset(
    {
        "generate_series",
        "histogram",
        "histogram_values",
        "icu_calendar_names",
        "json_each",
        "json_tree",
        "pg_timezone_names",
        "range",
        "repeat",
        "repeat_row",
        "unnest",
    }
)
"""Table functions that see only their arguments."""

_SQL_AS_DATA = frozenset({"json_execute_serialized_sql", "query", "query_table", "seq_scan", "summary"})
_FILES_AND_MEMORY = frozenset(
    {
        "arrow_scan",
        "arrow_scan_dumb",
        "glob",
        "pandas_scan",
        "parquet_bloom_probe",
        "parquet_file_metadata",
        "parquet_full_metadata",
        "parquet_kv_metadata",
        "parquet_metadata",
        "parquet_page_index",
        "parquet_scan",
        "parquet_schema",
        "python_arrow_scan",
        "python_map_function",
        "read_blob",
        "read_csv",
        "read_csv_auto",
        "read_duckdb",
        "read_json",
        "read_json_auto",
        "read_json_objects",
        "read_json_objects_auto",
        "read_ndjson",
        "read_ndjson_auto",
        "read_ndjson_objects",
        "read_parquet",
        "read_single_csv_file",
        "read_single_json_file",
        "read_single_parquet_file",
        "read_text",
        "sniff_csv",
    }
)
_INSTANCE = frozenset(
    {
        "add_grammar_extension",
        "checkpoint",
        "create_external_resource",
        "deregister_external_resource",
        "destroy_external_resource",
        "disable_logging",
        "disable_profiling",
        "duckdb_approx_database_count",
        "duckdb_available_metrics",
        "duckdb_columns",
        "duckdb_connection_count",
        "duckdb_constraints",
        "duckdb_coordinate_systems",
        "duckdb_databases",
        "duckdb_dependencies",
        "duckdb_dialects",
        "duckdb_eviction_queues",
        "duckdb_extension_repositories",
        "duckdb_extensions",
        "duckdb_external_file_cache",
        "duckdb_external_resource_types",
        "duckdb_external_resources",
        "duckdb_functions",
        "duckdb_grammar_extensions",
        "duckdb_indexes",
        "duckdb_keywords",
        "duckdb_live_query_metrics",
        "duckdb_log_contexts",
        "duckdb_logs",
        "duckdb_logs_parsed",
        "duckdb_memory",
        "duckdb_optimizers",
        "duckdb_prepared_statements",
        "duckdb_profiling_settings",
        "duckdb_schemas",
        "duckdb_secret_type_parameters",
        "duckdb_secret_types",
        "duckdb_secrets",
        "duckdb_sequences",
        "duckdb_settings",
        "duckdb_table_sample",
        "duckdb_tables",
        "duckdb_temporary_files",
        "duckdb_triggers",
        "duckdb_types",
        "duckdb_variables",
        "duckdb_views",
        "enable_logging",
        "enable_profiling",
        "force_checkpoint",
        "pragma_collations",
        "pragma_database_size",
        "pragma_metadata_info",
        "pragma_platform",
        "pragma_show",
        "pragma_storage_info",
        "pragma_table_info",
        "pragma_user_agent",
        "pragma_version",
        "register_external_resource",
        "register_external_resource_type",
        "remove_grammar_extension",
        "test_all_types",
        "test_vector_types",
        "truncate_duckdb_logs",
        "which_secret",
        "write_log",
    }
)

FUNCTIONS = _SQL_AS_DATA | _FILES_AND_MEMORY | _INSTANCE
"""Functions that take a name or SQL as data, open files or foreign memory, or see the instance."""

SEQUENCE_FUNCTIONS = frozenset({"currval", "nextval", "setval"})
"""Functions that take the name of a sequence as text."""

RELATIONS = frozenset(
    {
        "duckdb_columns",
        "duckdb_constraints",
        "duckdb_databases",
        "duckdb_indexes",
        "duckdb_logs",
        "duckdb_schemas",
        "duckdb_tables",
        "duckdb_types",
        "duckdb_views",
        "information_schema",
        "pg_am",
        "pg_attrdef",
        "pg_attribute",
        "pg_catalog",
        "pg_class",
        "pg_collation",
        "pg_constraint",
        "pg_database",
        "pg_depend",
        "pg_description",
        "pg_enum",
        "pg_index",
        "pg_indexes",
        "pg_namespace",
        "pg_prepared_statements",
        "pg_proc",
        "pg_sequence",
        "pg_sequences",
        "pg_settings",
        "pg_tables",
        "pg_tablespace",
        "pg_type",
        "pg_views",
        "pragma_database_list",
        "sqlite_master",
        "sqlite_schema",
        "sqlite_temp_master",
        "sqlite_temp_schema",
    }
)
"""Views and schemas that list what all databases hold."""

WRITING = frozenset({"delete", "insert", "merge", "nextval", "setval", "truncate", "update"})
"""Words without which a SELECT changes nothing (a CTE of DuckDB 2 may insert, update and delete)."""

SHOWING = frozenset({"describe", "show"})
"""Statements about tables; without a table they show the whole instance."""

SHOWN_WHOLE = frozenset({"all", "databases", "schemas"})
"""What they must not be followed by."""

STARTS = frozenset(
    {
        "(",
        ";",
        "all",
        "analyze",
        "as",
        "describe",
        "desc",
        "except",
        "explain",
        "intersect",
        "show",
        "union",
    }
)
"""What a `desc` that means describe, and not descending, can follow."""

UNCREATABLE = frozenset({"secret"})
"""What a trial may not create, because it belongs to the instance."""
