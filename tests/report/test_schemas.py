"""JSON Schemas: what evalkit really writes and prints is what they say, and a drift is noticed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import duckdb
import jsonschema_rs
import pytest

from evalkit.cli.schema import command
from evalkit.report.schemas import LOADED_SUITE, RECORDS, machine_schema
from evalkit.suite.schemas import Kind
from tests.journeys.walking import Walker, case, greet


@cache
def validator(kind: str) -> jsonschema_rs.Draft202012Validator:
    """Return what holds values against a schema."""
    return jsonschema_rs.Draft202012Validator(machine_schema(kind))


def problems(kind: str, value: object) -> list[str]:
    """Return what a schema says against a value."""
    return [f"{kind}{error.instance_path}: {error.message}" for error in validator(kind).iter_errors(value)]


def gated(walk: Walker) -> Path:
    """Gate a suite in which trials pass, fail and are not measured, and return the run's folder."""
    cases = [case(0), case(1, expected="bye"), case(2, tags={"capability": "x", "difficulty": 3})]
    suite = greet(walk.folder, cases)
    text = (suite / "suite.yaml").read_text()
    waiver = "known: [{case: case-1, reason: later, owner: us, until: 2099-01-31}]\n"
    (suite / "suite.yaml").write_text(text + waiver)
    return walk.run_folder(walk("gate", suite, "--trials", 2, "--json").run)


def lines(path: Path) -> Iterator[Any]:
    """Yield the values of a file of JSON lines."""
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def test_files_of_a_run_are_what_their_schemas_say(walk: Walker) -> None:
    """Every file and every line of a run folder holds against its schema."""
    folder = gated(walk)
    whole = {"manifest": "manifest.json", LOADED_SUITE: "suite.json", "decision": "decision.json"}
    rows = {"plan": "plan.jsonl", "event": "events-0000.jsonl", "verdict": "verdicts.jsonl"}
    rows["attribution"] = "blame.jsonl"
    found = [problems(kind, json.loads((folder / name).read_text())) for kind, name in whole.items()]
    found += [problems(kind, line) for kind, name in rows.items() for line in lines(folder / name)]
    assert [] == [problem for one in found for problem in one]
    assert len(found) > 20


def test_reports_are_what_their_schemas_say(walk: Walker) -> None:
    """The machine report and every row of the table, with and without a decision."""
    folder = gated(walk)
    words = ["-o", "r.json", "-o", "r.parquet", "-o", "r.csv"]
    assert 0 == walk("report", folder.name, *words).code
    assert [] == problems("report", json.loads((walk.folder / "r.json").read_text()))
    with duckdb.connect() as connection:
        done = connection.execute("from read_parquet($path)", {"path": str(walk.folder / "r.parquet")})
        names = [column[0] for column in done.description or ()]
        rows = [dict(zip(names, row, strict=True)) for row in done.fetchall()]
    assert [] == [problem for row in rows for problem in problems("table", row)]
    keys = list(machine_schema("table")["$defs"]["VerdictRow"]["properties"])
    assert keys == names == (walk.folder / "r.csv").read_text().splitlines()[0].split(",")
    (folder / "decision.json").unlink()
    walk("report", folder.name, "-o", "r.json")
    assert [] == problems("report", json.loads((walk.folder / "r.json").read_text()))


def test_what_verbs_print_is_what_their_schemas_say(walk: Walker) -> None:
    """`--json` of every verb holds against the schema of its object."""
    run = gated(walk).name
    said = {
        ("run-json", "run suites/greet --trials 1"),
        ("run-json", f"resume {run}"),
        ("run-json", f"retry {run} --errors"),
        ("run-json", f"score {run}"),
        ("gate-json", f"gate {run}"),
        ("show-json", f"show {run}"),
        ("trials-json", f"show {run} case-1"),
        ("trials-json", f"show {run} case-1 0"),
        ("blame-json", f"blame {run}"),
        ("list-json", "list"),
        ("check-json", "check suites/greet"),
        ("check-json", "check suites/greet suites/nowhere"),
        ("error-json", "check suites/nowhere suites/nobody"),
        ("report-json", f"report {run} -o r.md -o /proc/self/r.csv"),
        ("init-json", "init fresh"),
        ("error-json", "show nothing"),
        ("error-json", "run suites/greet --only id=none"),
        ("error-json", f"report {run} -o r.xyz"),
    }
    found = {line: problems(kind, walk(*line.split(), "--json").object) for kind, line in said}
    assert {} == {line: told for line, told in found.items() if told}
    assert {kind for kind, _ in said} == {name for name in RECORDS if name.endswith("-json")}


def test_an_imported_run_is_what_the_schemas_say(walk: Walker, shared_data: Path) -> None:
    """A run of somebody else's results holds against the same schemas."""
    recording = shared_data / "tau-bench" / "airline-10x4.json"
    imported = walk("import", "tau-bench", recording, "--json").object
    assert [] == problems("run-json", imported)
    folder = walk.run_folder(imported["run"])
    for kind, name in {"manifest": "manifest.json", LOADED_SUITE: "suite.json"}.items():
        assert [] == problems(kind, json.loads((folder / name).read_text()))
    for kind, name in {"event": "events-0000.jsonl", "verdict": "verdicts.jsonl"}.items():
        assert [] == [told for line in lines(folder / name) for told in problems(kind, line)][:5]
    assert 0 == walk("report", folder, "-o", "r.json").code
    assert [] == problems("report", json.loads((walk.folder / "r.json").read_text()))


@pytest.mark.parametrize("kind", [*RECORDS, LOADED_SUITE])
def test_schemas_are_schemas(kind: str) -> None:
    """Every schema is one, and its command prints it."""
    jsonschema_rs.meta.validate(machine_schema(kind))


@pytest.mark.parametrize("kind", [name for name in RECORDS if name != "event"])
def test_every_key_is_described(kind: str) -> None:
    """Under every key stands what it means."""
    definitions = machine_schema(kind)["$defs"]
    top = RECORDS[kind].__name__
    assert [] == [name for name, one in definitions[top]["properties"].items() if not one.get("description")]


@pytest.mark.parametrize("kind", RECORDS)
def test_a_drift_is_noticed(kind: str) -> None:
    """An unknown key and a missing one are problems."""
    schema = machine_schema(kind)
    assert schema["$defs"][RECORDS[kind].__name__]["additionalProperties"] is False
    assert [] != problems(kind, {"nobody_knows": 1})


def test_the_command_knows_every_schema(walk: Walker) -> None:
    """`evalkit schema` takes each kind, prints it as JSON, and takes no other."""
    (argument,) = [one for one in command.params if one.name == "kind"]
    known = {*RECORDS, LOADED_SUITE, *get_args(Kind)}
    assert known == set(argument.type.choices)  # type: ignore[attr-defined]  # click.Choice
    assert machine_schema("run-json") == walk("schema", "run-json").object
    assert 2 == walk("schema", "nothing").code
