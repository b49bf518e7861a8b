"""The recipes for continuous integration, read and played on a machine that has none of the services.

Comes in: the files below `docs/guides/ci`. Goes out: their jobs and shell, and what the shell did.

Played is what is ours: the shell of every step, in order, in a copy of the project, with the variables of the
service. Emulated is what is theirs: check-out is a copy, an artefact is a folder, installing asks whether the
lock file is there. An expression that the player does not know is a KeyError, never a guess.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from tests.house.source import REPOSITORY

FOLDER = REPOSITORY / "docs" / "guides" / "ci"

Tree = dict[str, Any]

_EXPRESSION = re.compile(r"\$\{\{ (.*?) \}\}")
_WHEN_A_RUN_IS_THERE = "${{ always() && hashFiles('reports/*/manifest.json') != '' }}"

_EVALKIT = f'#!/bin/sh\nexec "{sys.executable}" -m evalkit "$@"\n'
_PYTHON = f"""\
#!/bin/sh
if [ "$1 $2 $3 $4" = "-m pip install -r" ]; then test -f "$5"; else exec "{sys.executable}" "$@"; fi
"""
_CURL = '#!/bin/sh\nprintf "%s\\n" "$@" > curl.txt\n'


def read(name: str) -> Tree:
    """Return a recipe as a tree."""
    tree: Tree = YAML(typ="safe", pure=True).load(FOLDER / name)
    return tree


def lines(script: object) -> list[str]:
    """Return the entries of a script of GitLab, lists within lists laid out."""
    return [script] if isinstance(script, str) else [line for one in list(script) for line in lines(one)]  # type: ignore[call-overload]


def shells(tree: Tree) -> Iterator[str]:
    """Yield every piece of shell of a recipe."""
    for job in tree.get("jobs", {}).values():
        yield from (step["run"] for step in job["steps"] if "run" in step)
    for name, job in tree.items():
        if isinstance(job, dict) and name != "jobs":
            yield from (line for key in ("before_script", "script") for line in lines(job.get(key, [])))


@dataclass(frozen=True)
class Done:
    """What a piece of shell came to."""

    code: int
    out: str


@dataclass
class Bench:
    """A machine with a shell, and our commands on its path.

    Attributes:
        root: A folder of its own.
        project: What a check-out gives.
        fake: Shell that stands in place of evalkit; "" for evalkit itself.
    """

    root: Path
    project: Path
    fake: str = ""

    def shell(self, script: str, folder: Path, variables: Mapping[str, str], *, flags: str = "-e") -> Done:
        """Run a script in a folder and return its exit code and what it printed."""
        bin_ = self.root / "bin"
        bin_.mkdir(parents=True, exist_ok=True)
        ours = {"evalkit": self.fake or _EVALKIT, "python": _PYTHON, "curl": _CURL}
        for name, text in ours.items():
            (bin_ / name).write_text(text, encoding="utf-8")
            (bin_ / name).chmod(0o755)
        known = {"PATH": f"{bin_}:{os.environ['PATH']}", "HOME": str(self.root), "CI": "true"}
        done = subprocess.run(
            ["/bin/bash", *flags.split(), "-c", script],
            cwd=folder,
            env={**known, **variables},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        return Done(done.returncode, done.stdout + done.stderr)

    def check_out(self, name: str) -> Path:
        """Return a new copy of the project."""
        folder = self.root / name
        shutil.copytree(self.project, folder)
        return folder


@dataclass
class GitHub:
    """Plays jobs of a workflow.

    Attributes:
        bench: The machine.
        tree: The workflow.
        context: What an expression is worth.
        artefacts: Folder of what was uploaded.
    """

    bench: Bench
    tree: Tree
    context: dict[str, str]
    artefacts: Path
    done: dict[str, Done] = field(default_factory=dict)

    def play(self, job: str, name: str, **context: str) -> int:
        """Play a job and return 0, or the code of the first step that failed.

        Args:
            job: The job's name.
            name: Name of the machine it runs on; `done` has its steps as `name/step`.
            context: What more an expression is worth here.
        """
        known = {**self.context, **context}
        folder = self.bench.check_out(name)
        common = {**self.tree["env"], **self.tree["jobs"][job].get("env", {})}
        common |= {key: str(folder / f".{key.lower()}") for key in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
        common |= {"GITHUB_ACTOR": "octocat"}
        failed = 0
        for step in self.tree["jobs"][job]["steps"]:
            if not _due(step.get("if", ""), folder, failed=failed):
                continue
            if "uses" in step:
                self._use(step, folder, known)
                continue
            said = {**common, **step.get("env", {})}
            variables = {key: filled(str(value), known) for key, value in said.items()}
            done = self.bench.shell(filled(step["run"], known), folder, variables)
            self.done[f"{name}/{step['name']}"] = done
            failed = failed or done.code
        return failed

    def _use(self, step: Tree, folder: Path, known: Mapping[str, str]) -> None:
        action = step["uses"].partition("@")[0]
        given = {key: filled(str(value), known) for key, value in step.get("with", {}).items()}
        if action == "actions/upload-artifact":
            place = self.artefacts / given["name"]
            shutil.rmtree(place, ignore_errors=True)
            _keep(given["path"].split(), folder, place, lone=len(given["path"].split()) == 1)
        elif action == "actions/download-artifact":
            for place in sorted(self.artefacts.glob(given["pattern"])):
                shutil.copytree(place, folder / given["path"] / place.name)
        else:
            assert action in {"actions/checkout", "actions/setup-python"}


@dataclass
class GitLab:
    """Plays jobs of a pipeline.

    Attributes:
        bench: The machine.
        tree: The pipeline.
        variables: What the service and the person set.
        artefacts: Folder of what was kept, one folder for each job that ran.
    """

    bench: Bench
    tree: Tree
    variables: dict[str, str]
    artefacts: Path

    def play(self, job: str, name: str, **variables: str) -> Done:
        """Play a job; arguments as with `GitHub.play`."""
        folder = self.bench.check_out(name)
        body = {**self.tree.get(self.tree[job].get("extends", ""), {}), **self.tree[job]}
        for needed in body.get("needs", []):
            for place in sorted(self.artefacts.glob(f"{needed}*")):
                shutil.copytree(place, folder, dirs_exist_ok=True)
        given = {"CI_PROJECT_DIR": str(folder), **self.tree["variables"], **self.variables, **variables}
        given = {key: value.replace("$CI_PROJECT_DIR", str(folder)) for key, value in given.items()}
        script = "\n".join([*lines(self.tree["default"]["before_script"]), *lines(body["script"])])
        done = self.bench.shell(script, folder, given, flags="-e -o pipefail")
        _keep(body["artifacts"]["paths"], folder, self.artefacts / name, lone=False)
        return done


def filled(text: str, known: Mapping[str, str]) -> str:
    """Return a text with its expressions put in."""
    return _EXPRESSION.sub(lambda match: known[match[1]], text)


def _due(condition: str, folder: Path, *, failed: int) -> bool:
    """Return whether a step is due: the conditions that the recipes know, and no other."""
    answers = {
        "": not failed,
        "${{ always() }}": True,
        _WHEN_A_RUN_IS_THERE: any(folder.glob("reports/*/manifest.json")),
    }
    return answers[condition]


def _keep(patterns: list[str], folder: Path, place: Path, *, lone: bool) -> None:
    """Copy what patterns name, hidden files left out; the content of a lone folder lies at the top."""
    place.mkdir(parents=True, exist_ok=True)
    for pattern in patterns:
        for found in sorted(folder.glob(pattern.rstrip("/"))):
            target = place if lone else place / found.relative_to(folder)
            if found.is_dir():
                shutil.copytree(found, target, dirs_exist_ok=True, ignore=_hidden)
            else:
                shutil.copy(found, target)


def _hidden(_folder: str, names: list[str]) -> set[str]:
    return {name for name in names if fnmatch(name, ".*")}
