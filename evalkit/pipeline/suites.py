"""Files -> records, with everything that can be said about them before a run.

What comes in: paths that a person typed. What goes out: a loaded suite with its arms, policy and problems.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from evalkit.errors import InputError, Problem
from evalkit.records.arm import Arm
from evalkit.records.policy import GatePolicy
from evalkit.records.suite import Suite
from evalkit.suite.arms import arm_files, find_arm, load_arm
from evalkit.suite.leaks import possible_leaks
from evalkit.suite.lint import lint
from evalkit.suite.load import load_suite
from evalkit.suite.places import led_back
from evalkit.suite.policy import load_policy
from evalkit.suite.reading import Reading
from evalkit.world.tools import describe


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedSuite:
    """A suite as it stands on disk.

    Attributes:
        suite: The loaded suite.
        folder: Its folder.
    """

    suite: Suite
    folder: Path


def load(path: Path) -> LoadedSuite:
    """Load a suite.

    Args:
        path: Its folder or its `suite.yaml`.

    Raises:
        InputError: All problems of all its files.
    """
    folder = path if path.is_dir() else path.parent
    return LoadedSuite(suite=load_suite(path, describe=describe), folder=folder)


def warnings_of(
    suite: Suite, folder: Path, today: dt.date, reading: Reading | None = None
) -> tuple[Problem, ...]:
    """Return what lint says about a suite that can be loaded.

    Args:
        suite: The loaded suite.
        folder: Its folder; arms and gate are looked at with it.
        today: For waivers that have ended.
        reading: What was read for it; its files are looked at for secrets.
    """
    arms = tuple(load_arm(path, suite) for path in arm_files(folder))
    gate = folder / "gate.yaml"
    policy = load_policy(gate, suite) if gate.is_file() else None
    guesses = possible_leaks(reading.files, reading.read) if reading is not None else ()
    return (*guesses, *led_back(lint(suite, policy, arms, today=today), folder))


def check_sources(loaded: LoadedSuite) -> Iterator[tuple[str, bytes]]:
    """Yield the files that hold a suite's own check functions, so that `score` needs no suite at hand.

    Args:
        loaded: The suite.
    """
    for name in dict.fromkeys(ref.partition(":")[0] for ref in loaded.suite.own_checks):
        yield name, (loaded.folder / name).read_bytes()


def arms_of(loaded: LoadedSuite, names: tuple[str, ...]) -> dict[str, Arm]:
    """Load the named arms.

    Args:
        loaded: The suite.
        names: Arm names; () means the only arm there is.

    Returns:
        Name -> arm, in the order asked for.

    Raises:
        InputError: An arm is unknown or wrong, or none was named and there are several.
    """
    wanted = names or _only_arm(loaded.folder)
    return {name: load_arm(find_arm(loaded.folder, name), loaded.suite) for name in dict.fromkeys(wanted)}


def reworded(error: InputError, words: Mapping[str, str]) -> InputError:
    """Return an error that names what the caller can type, where rooms below name the command line's options.

    Args:
        error: What is wrong, as the command line says it.
        words: Option without its dashes -> what takes its place, such as ``arm`` -> ``arm=``.
    """

    def said(text: str) -> str:
        return re.sub(r"(?<![\w-])--([a-z]+)(?![\w-])", lambda one: words.get(one[1], one[0]), text)

    told = (
        replace(one, message=said(one.message), suggestion=said(one.suggestion)) for one in error.problems
    )
    return InputError(tuple(told))


def arm_code(folder: Path, arm: Arm) -> str:
    """Return the sha256 of the file that holds an arm's policy, "" for an arm without one.

    Args:
        folder: The suite's folder.
        arm: The arm.
    """
    if arm.model.policy is None:
        return ""
    return hashlib.sha256((folder / arm.model.policy.partition(":")[0]).read_bytes()).hexdigest()


def _only_arm(folder: Path) -> tuple[str, ...]:
    found = [path.stem for path in arm_files(folder)]
    if len(found) != 1:
        raise InputError.of(
            "name the arm with --arm",
            file=str(folder / "arms"),
            suggestion=f"there are: {', '.join(found) or 'none'}",
        )
    return tuple(found)


def policy_of(folder: Path, file: Path | None, suite: Suite) -> GatePolicy:
    """Load the gate policy.

    Args:
        folder: The suite's folder.
        file: A policy named on the command line, or None for `gate.yaml` beside `suite.yaml`.
        suite: The loaded suite.

    Raises:
        InputError: There is none, or it is wrong.
    """
    path = file or folder / "gate.yaml"
    if not path.is_file():
        raise InputError.of(
            "there is no gate policy",
            file=str(path),
            suggestion="write a gate.yaml, or name one with --policy",
        )
    return load_policy(path, suite)
