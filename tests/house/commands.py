"""The commands of evalkit as three witnesses tell them: the command line, its help, and the docs.

Comes in: the click group, or the text of `docs/commands.md`. Goes out: options by command (`champion set`).

The page holds one table. The first cell of a row is the command as it is typed: `run SUITE --arm A [-j N]`.
The options that every command takes stand in the one line that begins with "Every command takes".
"""

import re
import shlex
from collections.abc import Mapping

import click

Commands = Mapping[str, frozenset[str]]

# What click adds to every command, and no table needs to repeat.
UNIVERSAL = frozenset({"--help"})

_OPTION = re.compile(r"(?<![\w-])(--[a-z][a-z-]*|-[a-zA-Z])(?![\w-])")


def of_group(group: click.Group, prefix: str = "") -> Commands:
    """Return the options of every command below a group, subgroups walked.

    Args:
        group: The group of the command line.
        prefix: The words that lead to it, with a trailing space.

    Returns:
        Options by command; of an option with several spellings each is named.
    """
    found: dict[str, frozenset[str]] = {}
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            found |= of_group(command, f"{prefix}{name} ")
        elif command is not None and not command.hidden:
            options = [
                param for param in command.params if isinstance(param, click.Option) and not param.hidden
            ]
            spelled = {word for option in options for word in (*option.opts, *option.secondary_opts)}
            found[f"{prefix}{name}"] = frozenset(spelled) - UNIVERSAL
    return found


def of_page(text: str) -> Commands:
    """Return the options of every command in the table of a page, those that every command takes included."""
    common = re.search(r"^Every command takes .*$", text, flags=re.MULTILINE)
    shared = frozenset(_OPTION.findall(common.group())) if common else frozenset[str]()
    rows = re.findall(r"^\| *`([^`]+)`", text.replace("\\|", "/"), flags=re.MULTILINE)
    return {_verb(row): frozenset(_OPTION.findall(row)) | shared for row in rows}


def _verb(typed: str) -> str:
    """Return the words of a command before its arguments: `champion set` of `champion set RUN`."""
    return " ".join(re.findall(r"^[a-z]+(?: [a-z]+)*(?![\w|/])", typed.removeprefix("evalkit "))[:1])


def unknown(line: str, known: Commands) -> str:
    """Return what a typed line names that does not exist, or ``""``.

    Args:
        line: A line that begins with `evalkit`, as it stands in a page.
        known: Options by command.
    """
    words = shlex.split(line.replace("...", ""), comments=True)[1:]
    given = [word for word in words if word.startswith("-")]
    plain = [word for word in words if not word.startswith("-")]
    verb = next((" ".join(plain[:n]) for n in (2, 1) if " ".join(plain[:n]) in known), "")
    if not verb:
        return "" if not plain else f"no command {plain[0]}"
    options = known[verb] | UNIVERSAL
    wrong = [
        word for word in given if word.split("=")[0] not in options and not re.fullmatch(r"-\w\d+", word)
    ]
    return f"{verb} takes no {wrong[0]}" if wrong else ""
