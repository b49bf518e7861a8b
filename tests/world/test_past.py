"""Answers that are remembered from one trial to the next."""

import itertools
import re
from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalkit.errors import DependencyError
from evalkit.records.probe import Probe
from evalkit.world import forbidden, wandering
from evalkit.world.clock import SystemClock
from evalkit.world.database import Template
from evalkit.world.handle import StatementError
from evalkit.world.past import Memory, Past
from evalkit.world.trial_database import TrialDatabase
from evalkit.world.values import json_value

WORLD = """
create sequence ticket;
create table orders (id integer primary key, total double, tags text[], today date);
insert into orders values (1, 10.0, ['a'], '2026-10-02'), (2, 20.5, null, '2026-10-03');
"""
STATEMENTS = (
    "select * from orders",
    "select count(*), sum(total) from orders where id >= $n",
    "insert into orders values ($n, 1.5, ['b', 'c'], null)",
    "update orders set total = total * 2 where id = $n",
    "delete from orders where id > $n",
    "insert into orders values (7, 0, null, null) returning nextval('ticket')",
    "create table extra (n integer)",
    "insert into extra values ($n)",
    "select * from extra",
    "begin",
    "rollback",
    "with gone as (delete from orders where id = $n returning id) select * from gone",
    "select nextval('ticket')",
)
ZONE = frozenset(
    re.findall(
        r"\S+",
        """
        + - century date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day dayname
        dayofmonth dayofweek dayofyear decade era generate_series hour isodow isoyear julian last_day
        make_timestamptz microsecond millennium millisecond minute month monthname quarter range second
        strftime time_bucket timezone timezone_hour timezone_minute week weekday weekofyear year yearweek
        """,
    )
)
"""What the engine does not call consistent because of the time zone alone, which is fixed for a run."""


def _template(sql: str) -> Iterator[Template]:
    made = Template(sql, SystemClock())
    yield made
    made.verify()
    made.close()


@pytest.fixture
def template() -> Iterator[Template]:
    """Two orders; nothing is remembered yet."""
    yield from _template(WORLD)


def _ran(trial: TrialDatabase) -> bool:
    """Whether a trial has needed a database of its own."""
    return trial._filled


def _answer(trial: TrialDatabase, sql: str, number: int) -> object:
    try:
        return trial.handle(5.0).rows(sql, n=number)
    except StatementError:
        return "refused"


def _truth(connection: duckdb.DuckDBPyConnection, sql: str, number: int) -> object:
    try:
        done = connection.execute(sql, {"n": number} if "$n" in sql else None)
        names = [str(column[0]) for column in done.description or []]
        return [dict(zip(names, map(json_value, row), strict=True)) for row in done.fetchall()]
    except duckdb.Error:
        return "refused"


_STEPS = st.lists(st.tuples(st.sampled_from(STATEMENTS), st.integers(1, 3)), max_size=8)


@settings(max_examples=25, deadline=None)
@given(scripts=st.lists(_STEPS, min_size=2, max_size=4))
def test_memory_is_invisible(scripts: list[list[tuple[str, int]]]) -> None:
    """Whatever trials ran before, every trial gets what a database of its own would have answered."""
    made = Template(WORLD, SystemClock())
    for script in [*scripts, *scripts]:
        trial = made.open()
        with duckdb.connect(":memory:") as own:
            own.execute(WORLD)
            expected = [_truth(own, sql, number) for sql, number in script]
        assert expected == [_answer(trial, sql, number) for sql, number in script]
        trial.close()
    made.close()


def test_a_repeated_trial_needs_no_database(template: Template) -> None:
    """A trial that does what another did is answered from memory, reads after writes included."""
    script = [(STATEMENTS[2], 5), (STATEMENTS[1], 1), (STATEMENTS[4], 4), (STATEMENTS[0], 0)]
    one, two = template.open(), template.open()
    expected = [_answer(one, sql, number) for sql, number in script]
    assert expected == [_answer(two, sql, number) for sql, number in script]
    assert (True, False) == (_ran(one), _ran(two))
    assert [{"n": 2}] == two.handle(5.0).rows("select count(*)::int as n from orders")  # owes two statements
    assert _ran(two)
    one.close()
    two.close()


@pytest.mark.parametrize(
    "sql",
    ["select random()", "select current_date", "select NOW()", 'select "uuid"()', "select 1 using sample 1"],
)
def test_clock_and_chance_are_asked_anew(template: Template, sql: str) -> None:
    """A statement that may answer differently the second time is never remembered."""
    for _ in range(2):
        trial = template.open()
        trial.probe(Probe(id="p", sql=sql))
        assert _ran(trial)
        trial.close()


def test_a_template_with_a_clock_in_it_remembers_nothing() -> None:
    """A default that asks the clock works in statements that do not name it."""
    made = Template("create table t (x int, made timestamp default current_timestamp)", SystemClock())
    for _ in range(2):
        trial = made.open()
        trial.handle(5.0).run("insert into t (x) values (1)")
        assert _ran(trial)
        trial.close()
    made.close()


def test_values_are_told_apart_by_type(template: Template) -> None:
    """1, 1.0, true and '1' are four values."""
    trial = template.open()
    found = [trial.handle(5.0).value("select typeof($x)", x=x) for x in (1, 1.0, True, "1")]
    assert ["INTEGER", "DOUBLE", "BOOLEAN", "VARCHAR"] == found
    trial.close()


def test_an_answer_that_a_tool_changes_stays_what_it_was(template: Template) -> None:
    """What a tool does to its rows reaches nobody else's."""
    for _ in range(3):
        trial = template.open()
        tags = trial.handle(5.0).value("select tags from orders where id = 1")
        assert ["a"] == tags
        assert isinstance(tags, list)
        tags.append("mine")
        trial.close()


def test_a_probe_never_takes_the_answer_of_a_write(template: Template) -> None:
    """A text that a tool may run is refused as a probe, whatever is remembered of it."""
    sql = STATEMENTS[11].replace("$n", "1")
    one, two = template.open(), template.open()
    assert [{"id": 1}] == one.handle(5.0).rows(sql)
    assert "broken_case" == two.probe(Probe(id="p", sql=sql)).cause
    assert 2 == two.handle(5.0).value("select count(*) from orders")
    one.close()
    two.close()


def test_a_database_that_answers_otherwise_is_the_environments_fault(template: Template) -> None:
    """Where what was answered from memory does not come out again, nothing is measured."""
    one, two = template.open(), template.open()
    one.handle(5.0).run("delete from orders")
    two.handle(5.0).run("delete from orders")
    owed = two._past.owed
    owed[0] = type(owed[0])(owed[0].parsed, owed[0].bound, "something else")
    with pytest.raises(DependencyError, match="does not answer the same twice"):
        two.handle(5.0).rows("select 1")
    one.close()
    two.close()


def test_memory_is_bounded(template: Template) -> None:
    """Whatever is asked, the memory forgets before it fills the machine."""
    memory, past = Memory(), Past(None)
    assert past.recall(template._statements.one("select 1"), {}) is None
    for number in range(1000):
        memory.keep((0, f"select {number}", "x" * 100_000), "[]", changes=False)
    assert 1000 > len(memory._known)
    pasts = [memory.keep((0, f"delete {number}", ""), "[]", changes=True) for number in range(3)]
    assert all(one < other for one, other in itertools.pairwise([0, *pasts]))


def test_the_engine_has_no_clock_that_we_do_not_know() -> None:
    """A function that the engine does not call consistent is listed, or depends on the time zone alone."""
    with duckdb.connect(":memory:") as connection:
        connection.execute("load icu")
        every = connection.execute(
            "select distinct function_name from duckdb_functions() where stability <> 'CONSISTENT'"
        ).fetchall()
        macros = connection.execute(
            "select distinct function_name from duckdb_functions() where function_type = 'macro'"
            " and regexp_matches(macro_definition, 'now|current_|random|uuid|get_')"
        ).fetchall()
    unknown = {name for (name,) in every + macros if not wandering.depends(name, "(")}
    assert set() == unknown - forbidden.FUNCTIONS - ZONE


def test_the_engine_has_no_bare_word_that_we_do_not_know() -> None:
    """What the engine answers without parentheses is no column: it is listed, or a constant."""
    with duckdb.connect(":memory:") as connection:
        names = connection.execute(
            "select function_name from duckdb_functions() where regexp_matches(function_name, '^[a-z_0-9]+$')"
            " union select keyword_name from duckdb_keywords()"
        ).fetchall()
        answered = set()
        for (name,) in names:
            try:
                connection.execute(f"select {name}")
            except duckdb.Error:
                continue
            answered.add(name)
    assert {"false", "null", "true"} == {name for name in answered if not wandering.depends(name, "")}
