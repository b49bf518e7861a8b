"""The command line, its help and `docs/commands.md` say the same."""

import click
import pytest
from click.testing import CliRunner

from evalkit.cli.main import cli
from tests.house.commands import of_group, of_page, unknown
from tests.house.markdown import commands, pages
from tests.house.source import REPOSITORY
from tests.house.vocabulary import PAGE, avoided_words, found_in

# `option: word` -> why the word is right there.
WORDS: dict[str, str] = {
    "--jobs: job": "how many trials run at once, as make and others call it; not another word for a run",
}

DOCUMENTED = of_page((REPOSITORY / "docs" / "commands.md").read_text(encoding="utf-8"))
BUILT = of_group(cli)


def test_the_page_names_every_command() -> None:
    """A command that exists stands in the table, and the table names no other."""
    assert set(DOCUMENTED) == set(BUILT)


@pytest.mark.parametrize("verb", sorted(BUILT))
def test_the_page_names_every_option(verb: str) -> None:
    """The options in a command's row are those that it takes."""
    assert DOCUMENTED.get(verb) == BUILT[verb]


@pytest.mark.parametrize("verb", sorted(BUILT))
def test_help_tells_every_option(verb: str) -> None:
    """`evalkit VERB --help` says what the command does and names all its options."""
    done = CliRunner().invoke(cli, [*verb.split(), "--help"])
    assert done.exit_code == 0
    assert [] == [option for option in sorted(BUILT[verb]) if option not in done.output]
    assert done.output.split("\n\n")[1].rstrip().endswith("."), f"no sentence in the help of {verb}"


def test_options_speak_the_vocabulary() -> None:
    """No command and no option holds an avoided word, but for those listed, and each of these is needed."""
    names = {*BUILT, *(option for options in BUILT.values() for option in options)}
    avoided = avoided_words(PAGE.read_text(encoding="utf-8")) - {
        "score"
    }  # `score RUN`: the verb, not the noun
    assert set(WORDS) == found_in(names, avoided)


def test_code_in_the_docs_can_be_typed() -> None:
    """Every line of code in the docs that calls evalkit names a command and options that exist."""
    wrong = {line: unknown(line, BUILT) for page in pages() for line in commands(page.text)}
    assert {} == {line: problem for line, problem in wrong.items() if problem}


def test_commands_are_read_from_a_group() -> None:
    """Self-test: subgroups are walked, both spellings of an option are read, hidden commands are not."""

    @click.group()
    def root() -> None: ...

    @root.group()
    def champion() -> None: ...

    @champion.command("set")
    @click.option("-j", "--jobs")
    def _set(jobs: str) -> None: ...

    @root.command("secret", hidden=True)
    def _secret() -> None: ...

    assert {"champion set": {"-j", "--jobs"}} == of_group(root)


def test_commands_are_read_from_a_page() -> None:
    """Self-test: verb, subverb, options and the options of every command are read from the table."""
    text = (
        "Every command takes `--json`.\n\n| verb | does |\n|---|---|\n"
        "| `run SUITE --arm A [-j N]` | runs |\n| `champion set RUN` | sets |\n"
        "| `schema suite\\|case` | prints |\n"
    )
    expected = {"run": {"--arm", "-j", "--json"}, "champion set": {"--json"}, "schema": {"--json"}}
    assert expected == of_page(text)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("evalkit run suites/refund --arm A -j4", ""),
        ("evalkit --help", ""),
        ("evalkit champion set RUN", ""),
        ("evalkit ran suites/refund", "no command ran"),
        ("evalkit run suites/refund --arms A", "run takes no --arms"),
        ("evalkit champion RUN", "no command champion"),
    ],
)
def test_a_line_that_cannot_be_typed_is_found(line: str, problem: str) -> None:
    """Self-test: an unknown command or option in a line of code is found."""
    known = {"run": frozenset({"--arm", "-j"}), "champion set": frozenset({"--json"})}
    assert problem == unknown(line, known)
