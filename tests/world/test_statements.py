"""What SQL may say inside a trial."""

from collections.abc import Iterator

import duckdb
import pytest

from evalkit.world import forbidden
from evalkit.world.handle import StatementError
from evalkit.world.statements import Statements


@pytest.fixture(scope="module")
def statements() -> Iterator[Statements]:
    """A screen over an empty engine."""
    with duckdb.connect(":memory:") as connection:
        yield Statements(connection)


@pytest.mark.parametrize(
    "sql",
    [
        "select 1",
        "select * from orders o where o.id = $id order by o.day desc, o.id desc limit 3",
        "with q as (select 1 as x) select x from q",
        "insert into orders values ('memory', 'duckdb_tables()')",
        "update orders set note = 'query_table(x)' where id = 'A'",
        "delete from orders",
        "create table pg_rating (query int, nextval int, summary text)",
        "select query, nextval, summary from pg_rating",
        "create or replace view v as select sum(amount) from orders",
        "create sequence s start 3",
        "select nextval('s'), currval( 'sub.s' )",
        "show tables",
        "describe orders",
        'describe "order"',
        "describe select 1",
        'select "show", "describe" from tv_shows',
        "begin; update orders set n = 1; commit",
        "explain select 1",
        "select * from range(3), unnest([1, 2]), json_each('[1]')",
        "select * from orders order by name desc",
        "select * from orders order by all desc",
        "select array_agg(x order by y desc), count(*) from t group by z order by count(*) desc, 1 desc",
        "select row_number() over (partition by a order by b desc) from t",
        "merge into a using b on a.x = b.x when matched then delete",
        "alter table orders add column z int",
        "drop table orders",
        "select '中文 🙂' as \"名\" -- 注释\n",
        "/* a comment */ select 1",
    ],
)
def test_ordinary_sql_is_allowed(statements: Statements, sql: str) -> None:
    """A trial may do to its own database what it likes, with words of any language."""
    assert statements.parse(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "attach ':memory:' as x",
        "detach x",
        "use memory",
        "set threads = 4",
        "set variable x = 1",
        "reset threads",
        "pragma show_databases",
        "pragma table_info('orders')",
        "call pragma_version()",
        "copy orders to 'x.csv'",
        "copy from database a to b",
        "export database 'x'",
        "import database 'x'",
        "install httpfs",
        "load httpfs",
        "update extensions",
        "prepare q as select 1",
        "execute q",
        "checkpoint",
        "vacuum",
        "pivot orders on day",
        "select 1; set threads = 4",
        "",
        " ; ",
        "-- nothing",
        "selec 1",
        "select 'unclosed",
        "select '\0'",
        "select '\ud800'",
    ],
)
def test_statements_beyond_one_database_are_refused(statements: Statements, sql: str) -> None:
    """Only kinds of statement that work inside one database are run, and a text must hold one."""
    with pytest.raises(StatementError):
        statements.parse(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "select * from evalkit_template.orders",
        'from "EvalKit_Template".main.orders',
        "select * from Evalkit_T7.orders",
        "with q as (delete from evalkit_template.orders returning id) select * from q",
        "select nextval('evalkit_template.s')",
        "select 'evalkit_t1'",
        "/* evalkit_t1 */ select 1",
        "create view v as select * from evalkit_t1.orders",
    ],
)
def test_no_text_names_a_database(statements: Statements, sql: str) -> None:
    """The names of the harness's databases stand nowhere in a text, in no case and in no kind of quote."""
    with pytest.raises(StatementError, match="belong to the harness"):
        statements.parse(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "select * from query('select 1')",
        "select * from query_table('evalkit' || '_template.orders')",
        "select * from query_table((select 'x'))",
        'select * from "query_table" /* why */ ($x)',
        "select * from main.Query_Table(['a', 'b'])",
        "create macro leak(x) as table select * from query_table(x)",
        "select * from json_execute_serialized_sql('{}')",
        "select nextval('evalkit' || '_template.s')",
        "select nextval(E'\\x65valkit_template.s')",
        "select nextval($$s$$)",
        "select nextval($name)",
        "select ('evalkit' || '_template.s').nextval()",
        "select setval('s', 5)",
        "select * from read_csv('/etc/passwd')",
        "select * from read_text('/etc/passwd')",
        "select * from glob('/*')",
        "select * from pandas_scan(1)",
        "select * from enable_logging()",
        "create persistent secret s (type s3)",
        "create or replace temporary secret s (type s3)",
    ],
)
def test_functions_that_reach_further_are_refused(statements: Statements, sql: str) -> None:
    """No function takes a name or SQL as data, opens a file, or reaches the instance."""
    with pytest.raises(StatementError, match=r"reaches beyond|plain text|belongs to the instance"):
        statements.parse(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "select * from duckdb_databases()",
        "select * from duckdb_tables",
        "select * from information_schema.tables",
        'select * from "Information_Schema".tables',
        "select * from pg_catalog.pg_tables",
        "select * from pg_class",
        "select * from sqlite_master",
        "show databases",
        "show all tables",
        "show schemas",
        "show",
        "desc",
        "describe",
        "describe;",
        "from (show databases)",
        "from (describe) as x",
        "from (desc)",
        "values (1) union show databases",
        "insert into t show databases",
        "insert into t desc",
        "explain show databases",
        "with q as (show all tables) select * from q",
        "select 1 union all desc",
        "with q as (select 1 as x order by 1) from q union by name desc",
        "with q as (select 1 order by 1 desc) insert into t desc",
    ],
)
def test_catalogues_of_the_instance_are_refused(statements: Statements, sql: str) -> None:
    """Nothing lists what other trials hold."""
    with pytest.raises(StatementError, match=r"whole instance|reaches beyond"):
        statements.parse(sql)


def test_the_engine_knows_no_word_that_we_do_not() -> None:
    """A new version of the engine that brings table functions or system views is looked at before use."""
    with duckdb.connect(":memory:") as connection:
        functions = connection.execute(
            "select function_name from duckdb_functions() where function_type in ('table', 'table_macro')"
        ).fetchall()
        views = connection.execute(
            "select view_name from duckdb_views() where internal and schema_name <> 'information_schema'"
        ).fetchall()
    assert set() == {name for (name,) in functions} - forbidden.FUNCTIONS - forbidden.ALLOWED_FUNCTIONS
    assert set() == {name for (name,) in views} - forbidden.RELATIONS


def test_one_statement_means_one(statements: Statements) -> None:
    """Where one statement is asked for, two are refused."""
    with pytest.raises(StatementError, match="takes one statement, got 2"):
        statements.one("select 1; select 2")


def test_values_are_bound_by_name(statements: Statements) -> None:
    """A statement gets the values that it names and no others; a name without a value is refused."""
    parsed = statements.one("select $a, $b, '$c'")
    assert {"a": 1, "b": None} == parsed.bound({"a": 1, "b": None, "d": 4})
    with pytest.raises(StatementError, match=r"no value for \$b \(given: \$a\)"):
        parsed.bound({"a": 1})


@pytest.mark.parametrize(
    ("expected", "sql"),
    [
        (False, "select 1"),
        (True, "insert into t values (1)"),
        (True, "with q as (insert into t values (1) returning x) select * from q"),
        (True, "select \"nextval\"('s')"),
    ],
)
def test_what_may_write_is_told(statements: Statements, expected: bool, sql: str) -> None:  # noqa: FBT001 - a parameter
    """A SELECT is held to be harmless only if no word in it could write."""
    assert expected == statements.one(sql).may_write
