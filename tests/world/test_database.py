"""The template and the databases of trials."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalkit.errors import InputError, SuiteBug
from evalkit.records.probe import Probe, ProbeAnswer
from evalkit.world.clock import SystemClock
from evalkit.world.database import Template
from evalkit.world.handle import Database, StatementError, StatementTimeout
from evalkit.world.trial_database import TrialDatabase

WORLD = """
create sequence ticket start 5;
create type mood as enum ('sad', 'glad');
create table customers (id text primary key, name text not null, mood mood);
create table orders (
    id text primary key, customer text references customers (id), total decimal(10, 2) check (total >= 0),
    day date, doubled decimal(11, 2) generated always as (total * 2), notes json
);
create index by_customer on orders (customer);
create view spending as select customer, sum(total) as total from orders group by customer;
create macro taxed(x) as x * 1.19;
insert into customers values ('C1', '王小明', 'glad'), ('C2', 'Ada "quoted" O''Neil', null);
insert into orders (id, customer, total, day, notes) values
    ('A-1', 'C1', 87.50, '2026-10-02', '{"gift": true}'), ('A-2', 'C2', 10, '2026-10-03', null);
"""


@pytest.fixture(scope="module")
def shared() -> Iterator[Template]:
    """A small shop."""
    made = Template(WORLD, SystemClock())
    yield made
    made.close()


@pytest.fixture
def template(shared: Template) -> Iterator[Template]:
    """The shop; unchanged at the end of every test."""
    yield shared
    shared.verify()


@pytest.fixture
def trial(template: Template) -> Iterator[TrialDatabase]:
    """One trial's database."""
    opened = template.open()
    yield opened
    opened.close()


@pytest.fixture
def db(trial: TrialDatabase) -> Database:
    """What a tool is handed."""
    return trial.handle(5.0)


def test_a_copy_holds_what_the_template_holds(db: Database) -> None:
    """Rows, types, views, sequences, macros, generated columns and constraints are copied."""
    expected = {
        "id": "A-1",
        "customer": "C1",
        "total": 87.5,
        "day": "2026-10-02",
        "doubled": 175.0,
        "notes": {"gift": True},
    }
    assert expected == db.row("select * from orders where id = $id", id="A-1")
    assert 87.5 == db.value("select total from spending where customer = 'C1'")
    assert [5, 6] == [db.value("select nextval('ticket')"), db.value("select nextval('ticket')")]
    assert {"x": 119.0} == db.row("select taxed(100) as x")
    with pytest.raises(StatementError, match="foreign key"):
        db.run("insert into orders (id, customer, total) values ('A-3', 'nobody', 1)")
    with pytest.raises(StatementError, match="CHECK"):
        db.run("update orders set total = -1")


def test_a_handle_returns_rows_row_and_value(db: Database) -> None:
    """No row is None, not an error; rows keep the order of the statement."""
    assert [{"id": "C1"}, {"id": "C2"}] == db.rows("select id from customers order by id")
    assert None is db.row("select id from customers where id = $id", id="C9")
    assert None is db.value("select id from customers where id = $id", id="C9")
    assert [{"Count": 1}] == db.rows("update customers set mood = 'sad' where id = 'C2'")


def test_a_view_reads_the_trials_own_tables(db: Database) -> None:
    """What a trial changes shows through the views that came with the template."""
    db.run("update orders set total = 1; update orders set total = total + 1")
    assert 2.0 == db.value("select total from spending where customer = 'C1'")


def test_columns_of_the_same_name_are_refused(db: Database) -> None:
    """A row is a dict, and no value is lost in one."""
    with pytest.raises(StatementError, match="different names"):
        db.rows("select 1 as x, 2 as x")


@pytest.mark.parametrize("sql", ["select 'ab'::blob as x", "select 1.0 / 0 as x", "select map {1: 2} as x"])
def test_what_has_no_json_form_is_an_error(db: Database, sql: str) -> None:
    """A value that no journal can hold is said to be one, not changed."""
    with pytest.raises(StatementError, match="no JSON form"):
        db.rows(sql)


def test_a_value_that_sql_cannot_hold_is_an_error(db: Database) -> None:
    """A lone surrogate in an argument is a fault of the statement, not of the harness."""
    with pytest.raises(StatementError, match="surrogate"):
        db.rows("select $x as x", x="\ud800")


def test_an_answer_cannot_fill_the_memory(db: Database) -> None:
    """More rows than anybody reads are refused."""
    with pytest.raises(StatementError, match="more than 100000 rows"):
        db.rows("select * from range(100001) as r(x)")


def test_python_variables_are_no_tables(db: Database) -> None:
    """SQL does not see the variables of the harness."""
    secrets = [{"x": 1}]
    with pytest.raises(StatementError, match="does not exist"):
        db.rows("select * from secrets")
    assert secrets


def test_files_and_settings_are_out_of_reach(db: Database, tmp_path: Path) -> None:
    """The engine itself opens no file, even where the screen knows no word for it."""
    file = tmp_path / "secret.csv"
    file.write_text("a\n1\n")
    with pytest.raises(StatementError):
        db.rows(f"select * from '{file}'")


@pytest.mark.parametrize(
    "sql",
    [
        "select count(*) from range(100000000000) a, range(1000) b",
        "with recursive r as (select 1 as x union all select x + 1 from r) select count(*) from r",
    ],
)
def test_a_runaway_statement_is_stopped(trial: TrialDatabase, sql: str) -> None:
    """A statement that runs longer than its tool may is interrupted, and the trial goes on."""
    with pytest.raises(StatementTimeout, match=r"longer than 0\.2 s"):
        trial.handle(0.2).value(sql)
    assert 2 == trial.handle(5.0).value("select count(*) from orders")


def test_a_transaction_that_is_left_open_is_rolled_back(trial: TrialDatabase) -> None:
    """What a tool began and did not commit never happened; what it committed did."""
    db = trial.handle(5.0)
    db.run("begin; update orders set total = 1; commit")
    trial.settle()
    db.run("begin; update orders set total = 2")
    trial.settle()
    assert 2.0 == db.value("select sum(total) from orders")


def test_start_binds_vars_and_ignores_the_rest(trial: TrialDatabase) -> None:
    """A start state is SQL of the case over its own vars."""
    trial.start(["update orders set total = $n where id = $order; delete from orders where id = 'A-2'"], VARS)
    assert ProbeAnswer(rows=[[7.0]]) == trial.probe(Probe(id="p", sql="select total from orders"))


VARS: dict[str, object] = {"n": 7, "order": "A-1", "unused": None}


def test_a_probe_answers_with_rows(trial: TrialDatabase) -> None:
    """Rows are lists, decimals numbers, dates text; no row is an answer too."""
    probe = Probe(id="p", sql="select total, day, notes from orders where id = $order", vars=VARS)
    assert ProbeAnswer(rows=[[87.5, "2026-10-02", {"gift": True}]]) == trial.probe(probe)
    assert ProbeAnswer(rows=[]) == trial.probe(Probe(id="p", sql="select 1 from orders where false"))


@pytest.mark.parametrize(
    "sql",
    [
        "select nope from orders",
        "select $missing",
        "update orders set total = 0",
        "select 1; select 2",
        "selec",
        "select 'ab'::blob",
        "select * from range(10001)",
        "show databases",
        "select nextval('ticket')",
        "with q as (update orders set total = 0 returning id) select * from q",
    ],
)
def test_a_wrong_probe_is_a_broken_case(trial: TrialDatabase, sql: str) -> None:
    """A question that cannot be asked says why, and changes nothing."""
    answer = trial.probe(Probe(id="p", sql=sql))
    assert (None, "broken_case") == (answer.rows, answer.cause)
    assert answer.message
    unchanged = Probe(id="p", sql="select sum(total), currval('ticket') is null from orders")
    assert 97.5 == trial.handle(5.0).value("select sum(total) from orders")
    assert trial.probe(unchanged).rows is None  # currval before nextval: still unused


def test_trials_do_not_see_each_other(template: Template) -> None:
    """What one trial does to rows, tables and sequences is not there in another, before or after it."""
    one, two = template.open(), template.open()
    one.handle(5.0).run(
        "delete from orders; drop view spending; create table mine (x int); select nextval('ticket')"
    )
    assert 2 == two.handle(5.0).value("select count(*) from orders")
    assert 5 == two.handle(5.0).value("select nextval('ticket')")
    with pytest.raises(StatementError, match="does not exist"):
        two.handle(5.0).rows("select * from mine")
    with pytest.raises(StatementError, match="does not exist"):
        one.handle(5.0).rows("select * from spending")
    one.close()
    three = template.open()
    assert 2 == three.handle(5.0).value("select count(*) from orders")
    two.close()
    three.close()


def test_temporary_tables_are_the_trials_own(template: Template) -> None:
    """Even a temporary table is not shared."""
    one, two = template.open(), template.open()
    one.handle(5.0).run("create temp table mine as select 1 as x")
    with pytest.raises(StatementError, match="does not exist"):
        two.handle(5.0).rows("select * from mine")
    one.close()
    two.close()


_STEPS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["add", "drop", "reopen"])), max_size=12)


@settings(max_examples=20)
@given(steps=_STEPS)
def test_interleaved_trials_stay_apart(shared: Template, steps: list[tuple[int, str]]) -> None:
    """However the statements of four trials interleave, each sees the template and its own changes alone."""
    template = shared
    trials = [template.open() for _ in range(4)]
    expected = [["C1", "C2"] for _ in range(4)]
    for at, (who, what) in enumerate(steps):
        if what == "reopen":
            trials[who].close()
            trials[who], expected[who] = template.open(), ["C1", "C2"]
        elif what == "add":
            trials[who].handle(5.0).run("insert into customers values ($id, 'x', null)", id=f"N{at}")
            expected[who].append(f"N{at}")
        else:
            trials[who].handle(5.0).run("delete from orders; delete from customers")
            expected[who].clear()
    found = [[row["id"] for row in trial.handle(5.0).rows("select id from customers")] for trial in trials]
    for trial in trials:
        trial.close()
    template.verify()
    assert [sorted(ids) for ids in expected] == [sorted(ids) for ids in found]


@pytest.mark.parametrize(
    "sql",
    [
        "delete from orders where id = 'A-2'",
        "update orders set day = '2026-10-04' where id = 'A-1'",
        "create table extra (x int)",
        "drop view spending",
        "select nextval('ticket')",
        "drop index by_customer",
    ],
)
def test_a_touched_template_is_found(sql: str) -> None:
    """Rows, definitions and sequences of the template are compared after the run."""
    template = Template(WORLD, SystemClock())
    template.verify()
    template._root.execute(sql)
    with pytest.raises(SuiteBug, match="changed the template"):
        template.verify()
    template.close()


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("create table t (x int); insert into nope values (1)", "nope"),
        ("attach ':memory:' as other", "ATTACH"),
        ("create table t (x int", "syntax error"),
        ("insert into t values ($x)", "no value"),
    ],
)
def test_a_broken_world_is_bad_input(sql: str, message: str) -> None:
    """SQL that builds no template is refused before any trial, with the file's name."""
    with pytest.raises(InputError, match=r"shop\.sql") as caught:
        Template(sql, SystemClock(), source="shop.sql")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("sql", "line"),
    [
        ("create table t (x int primary key);\ninsert into t values (1);\ninsert into t values (1);\n", 3),
        ("create table t (x int);\n\n-- why\ninsert into t\n  values (zz);\n", 4),
        ("create table t (x int);\ncreat table u (x int);\n", 2),
        ("/* what\n   for */ insert into nope values (1);\n", 2),
    ],
)
def test_a_broken_world_names_the_line(sql: str, line: int) -> None:
    """The statement that does not run, or does not parse, is named with its line, as `bad-sql`."""
    with pytest.raises(InputError) as caught:
        Template(sql, SystemClock(), source="shop.sql")
    (problem,) = caught.value.problems
    assert ("bad-sql", "shop.sql", line) == (problem.code, problem.file, problem.line)
    assert problem.value


def test_a_world_may_be_empty() -> None:
    """A template without tables is one: tools may create what they need."""
    template = Template("", SystemClock())
    trial = template.open()
    trial.handle(5.0).run("create table t (x int)")
    trial.close()
    template.verify()
    template.close()


def test_a_closed_trial_is_gone(template: Template) -> None:
    """A handle that outlives its trial says so; closing twice is harmless."""
    trial = template.open()
    db = trial.handle(5.0)
    trial.close()
    trial.close()
    with pytest.raises(StatementError, match="the trial is over"):
        db.rows("select 1")


def test_fifty_trials_are_open_at_once(template: Template) -> None:
    """Fifty open trials each hold their own state."""
    trials = [template.open() for _ in range(50)]
    for at, trial in enumerate(trials):
        trial.handle(5.0).run("update orders set total = $n", n=at)
    found = [trial.handle(5.0).value("select total from orders where id = 'A-1'") for trial in trials]
    for trial in trials:
        trial.close()
    assert [float(at) for at in range(50)] == found


def test_the_watchdog_ends_with_the_template() -> None:
    """No thread outlives the instance."""
    before = set(threading.enumerate())
    template = Template(WORLD, SystemClock())
    trial = template.open()
    trial.handle(5.0).run("select 1")
    trial.close()
    assert 1 == len(set(threading.enumerate()) - before)
    template.close()
    assert set() == set(threading.enumerate()) - before


def _memory() -> int:
    """Return the resident memory of this process in KiB, or 0 where that cannot be told."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def _run_trials(template: Template, numbers: range) -> None:
    """Run trials that differ, so that none is answered from memory."""
    for number in numbers:
        trial = template.open()
        trial.handle(5.0).run("update orders set total = total + $n", n=number)
        trial.close()


def test_memory_stays_flat(template: Template) -> None:
    """Trials leave nothing: 200 more grow the process by less than 20 %."""
    _run_trials(template, range(50))
    before = _memory()
    _run_trials(template, range(50, 250))
    assert _memory() <= before * 1.2


@pytest.mark.nightly
def test_memory_stays_flat_over_ten_thousand(template: Template) -> None:
    """Ten thousand trials in a row grow the process by less than 20 %."""
    _run_trials(template, range(500))
    before = _memory()
    _run_trials(template, range(500, 10_500))
    assert _memory() <= before * 1.2


def test_a_template_that_does_not_end_is_refused() -> None:
    """A statement of `world.sql` that runs for ever is bad input, with its line; nobody waits for it."""
    forever = "select count(*) from range(10000000000) x, range(10000000000) y"
    endless = f"create table a (x int);\ncreate table b as {forever};"
    with pytest.raises(InputError, match=r"world\.sql:2:1: ran longer than 0\.2 s"):
        Template(endless, SystemClock(), seconds=0.2)
