"""Secrets are found in every file that is loaded, and shown nowhere."""

import json
import string
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import InputError
from evalkit.suite.leaks import MOST_TOLD, possible_leaks
from evalkit.suite.load import load_suite, read_suite
from evalkit.suite.secrets import entropy, guessed, known, without
from tests.suite.building import (
    ARM,
    CASE,
    CHECKS,
    GATE,
    POLICIES,
    PROMPT,
    SOLUTION,
    SOUND,
    SUITE,
    TOOLS,
    WORLD,
    Change,
    describe,
    laid_out,
)

LETTERS = string.ascii_letters + string.digits


def _drawn(length: int, alphabet: str = LETTERS) -> str:
    """Return characters drawn by chance, always the same, a digit and both cases among them."""
    return "".join(Random(length).choices(alphabet, k=length - 3)) + "a7Z"[: min(3, length)]


# Put together here, so that nobody takes this file for a leak.
TOKENS = {
    "openai": "sk-" + _drawn(48),
    "openai project": "sk-" + "proj-" + _drawn(60),
    "anthropic": "sk-" + "ant-api03-" + _drawn(40),
    "router": "sk-" + "or-v1-" + _drawn(61, "0123456789abcdef")[:-3] + "0a1",
    "stripe": "sk" + "_live_" + _drawn(24),
    "github": "gh" + "p_" + _drawn(36),
    "github app": "gh" + "s_" + _drawn(36),
    "github fine": "github" + "_pat_" + _drawn(22) + "_" + _drawn(59),
    "aws": "AK" + "IA" + _drawn(19, string.ascii_uppercase + string.digits)[:16],
    "slack": "xox" + "b-" + "123456789012-" + _drawn(24),
    "google": "AI" + "za" + _drawn(35),
    "jwt": "ey" + "J" + _drawn(20) + ".ey" + "J" + _drawn(40) + "." + _drawn(43),
    "key": "-----BEGIN" + " RSA PRIVATE KEY-----",
}


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
@pytest.mark.parametrize("around", ["{}", "key: {}\n", 'x="{}",', "({})", "说 {}。"])
def test_a_token_is_known_by_its_form(token: str, around: str) -> None:
    """A token is found wherever it stands, whole, and shown by its first four characters and its length."""
    (found,) = known(around.format(token))
    assert (token, around.index("{")) == (found.value, found.start)
    assert f"{token[:4]}… ({len(token)} characters)" == found.masked


@pytest.mark.parametrize(
    "text",
    [
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-your-key-goes-here-1234567890ABCD",
        "sk-...",
        "sk-learn-based-classifier-of-2024-reports",
        "AKIA" + "IOSFODNN7EXAMPLE",
        "AKIA" + "0000000000000000",
        "gh" + "p_" + "x" * 36,
        "task-" + _drawn(40),
        "eyJ.eyJ.eyJ",
        "-----BEGIN CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----",
        "A-1001",
        "",
    ],
)
def test_what_is_no_secret(text: str) -> None:
    """Placeholders, words joined by dashes, public keys and ids are none."""
    assert [] == [found.value for found in known(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("password: hU7kq93LmZp0Qw2x", "hU7kq93LmZp0Qw2x"),
        ('API_KEY = "9f8Zk2LqP0vXw7Tb"', "9f8Zk2LqP0vXw7Tb"),
        ('{"access-key": "9f8Zk2LqP0vXw7Tb"}', "9f8Zk2LqP0vXw7Tb"),
        ("postgres://ann:hunter2@db.local/x", "hunter2"),
    ],
)
def test_a_secret_is_guessed(text: str, value: str) -> None:
    """A random value under a name that says secret, and a password in an address."""
    assert [value] == [found.value for found in guessed(text)]


@pytest.mark.parametrize(
    "text",
    [
        "password: correct horse battery staple",
        "password = $password",
        "password: ${DATABASE_PASSWORD_1234}",
        "api_key: <your key of 32 characters>",
        'api_key = os.environ["OPENAI_API_KEY"]',
        "token: the-second-of-16-words",
        "token: 2026-10-02T10:00:00",
        "tokens: 20000",
        "secret: EXAMPLE9f8Zk2LqP0vXw7Tb",
        "id: hU7kq93LmZp0Qw2x",
        "postgres://postgres:postgres@localhost/x",
        "postgres://ann:${PASSWORD}@localhost/x",
        "see https://example.com:8080/ann@home",
    ],
)
def test_what_is_not_guessed(text: str) -> None:
    """Words, references, placeholders, times and ids look like no secret."""
    assert [] == [found.value for found in guessed(text)]


@given(
    st.text(alphabet="ab7Z-._ \n你", max_size=30),
    st.sampled_from(sorted(TOKENS.values())),
    st.integers(0, 40),
)
def test_a_message_keeps_no_secret(before: str, token: str, cut: int) -> None:
    """No part of a secret but its first characters is left in a message, whole or cut off."""
    whole = without(f"{before} {token} is wrong")
    assert token not in whole
    shortened = without(f"{before} {token}"[: len(before) + 1 + cut] + "…")
    if not token.startswith("-----"):
        assert token[:12] not in shortened


@given(st.text(min_size=1))
def test_entropy_is_bounded(text: str) -> None:
    """No text has less than no bits, or more than its length allows."""
    assert -1e-9 <= entropy(text) <= len(text).bit_length()


HOSTILE = {
    "dashes": "sk-" * 700_000,
    "headers": "eyJ" * 700_000,
    "segments": "eyJaaaaaaaaaaaa." * 130_000,
    "addresses": "a://b:c" * 300_000,
    "names": "password=" * 230_000,
    "spaces": "password:    " * 160_000,
    "armour": "-----BEGIN A " * 160_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_line_takes_no_longer(text: str) -> None:
    """Two megabytes that begin like secrets and go on for ever are read through, and hold none."""
    assert [] == list(known(text))
    assert [] == list(guessed(text))


TOKEN = TOKENS["github"]
PLACES: dict[str, Change] = {
    SUITE: f"# {TOKEN}\n{SOUND[SUITE]}",
    CASE: ("May I borrow B-1?", f'"My key is {TOKEN}"'),
    SOLUTION: f"# {TOKEN}\n{SOUND[SOLUTION]}",
    ARM: f"# {TOKEN}\n{SOUND[ARM]}",
    GATE: f"# {TOKEN}\n{SOUND[GATE]}",
    WORLD: f"{SOUND[WORLD]}insert into declines values ('{TOKEN}');\n",
    POLICIES: f"KEY = '{TOKEN}'\n{SOUND[POLICIES]}",
    TOOLS: f"KEY = '{TOKEN}'\n{SOUND[TOOLS]}",
    PROMPT: f"Use {TOKEN}.\n",
}


@pytest.mark.parametrize("path", PLACES)
def test_every_file_that_is_loaded_is_looked_at(tmp_path: Path, path: str) -> None:
    """Wherever a token stands, the suite is refused, and no word of the error shows it."""
    with pytest.raises(InputError) as refused:
        load_suite(laid_out(tmp_path, {path: PLACES[path]}), describe=describe)
    ((file, code, warning),) = {(p.file, p.code, p.warning) for p in refused.value.problems}
    assert (str(tmp_path / path), "secret", False) == (file, code, warning)
    assert TOKEN[4:] not in str(refused.value)


def test_own_checks_are_looked_at(tmp_path: Path) -> None:
    """A file of the suite's own checks is copied into runs like any other."""
    changes: dict[str, Change] = {
        CASE: ("reply: {contains: enjoy}", 'python: {function: "checks.py:polite", for: polite}'),
        CHECKS: f"KEY = '{TOKEN}'\n{SOUND[CHECKS]}",
    }
    with pytest.raises(InputError, match=r"checks\.py:1:8: .*\[secret\]"):
        load_suite(laid_out(tmp_path, changes), describe=describe)


def test_a_table_of_cases_is_looked_at(tmp_path: Path) -> None:
    """A row of a table is placed by line and column; of many secrets the first are told."""
    rows = [{"id": f"c-{n}", "input": TOKEN, "expect": [{"reply": {"contains": "x"}}]} for n in range(30)]
    changes: dict[str, Change] = {
        SUITE: "suite: desk\ncases: c.jsonl\n",
        "suites/desk/c.jsonl": "".join(json.dumps(row) + "\n" for row in rows),
        ARM: "arm: champion\nmodel: {replies: [{reply: x}]}\n",
        GATE: "require: [{metric: outcome, at_least: 0.01}]\n",
    }
    with pytest.raises(InputError) as refused:
        load_suite(laid_out(tmp_path, changes), describe=describe)
    problems = refused.value.problems
    assert MOST_TOLD == len(problems)
    assert (2, 25) == (problems[1].line, problems[1].column)
    assert problems[-1].message.endswith("; and 10 more in this file")


def test_another_problem_quotes_no_secret(tmp_path: Path) -> None:
    """A value that is wrong and a secret is told of twice, and shown by neither."""
    changes: dict[str, Change] = {CASE: ("requires: [lend]", f"requires: {TOKEN}")}
    with pytest.raises(InputError) as refused:
        load_suite(laid_out(tmp_path, changes), describe=describe)
    assert {"secret", "wrong-type"} <= {problem.code for problem in refused.value.problems}
    assert TOKEN[4:] not in repr(refused.value.problems)


def test_a_guess_refuses_nothing(tmp_path: Path) -> None:
    """What only looks like a secret is a warning, placed and masked."""
    written = "# password: hU7kq93LmZp0Qw2x\n"
    suite = laid_out(tmp_path, {PROMPT: f"Be kind.\n{written}"})
    _, reading = read_suite(suite, describe=describe)
    (found,) = possible_leaks(reading.files, reading.read)
    assert ("possible-secret", True, 2, 13) == (found.code, found.warning, found.line, found.column)
    assert "hU7k… (16 characters)" == found.value
    assert "hU7kq" not in str(found)
