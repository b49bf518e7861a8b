"""The recipes for continuous integration do what the guide says: structure, shell, exit codes, artefacts."""

import re
import shutil
import xml.etree.ElementTree as ET
from itertools import product
from pathlib import Path

import pytest

from evalkit.cli.main import cli
from evalkit.suite.scaffold import scaffold
from tests.house.commands import of_group, unknown
from tests.house.guides import blocks
from tests.house.source import REPOSITORY
from tests.journeys.recipes import FOLDER, Bench, GitHub, GitLab, Tree, lines, read, shells

GATE, SHARDED, LAB = "github-gate.yml", "github-sharded.yml", "gitlab-ci.yml"
FILES = (GATE, SHARDED, LAB)
BUILT = of_group(cli)
ACTIONS = {f"actions/{name}" for name in ("checkout", "setup-python", "upload-artifact", "download-artifact")}

LABEL = "contains(github.event.pull_request.labels.*.name, 'undecided-ok')"
INPUT = "inputs.let_undecided_through"
CONTEXT = {
    LABEL: "false",
    INPUT: "false",
    "inputs.mode || 'mock'": "mock",
    "inputs.policy || 'suites/library/gate.yaml'": "suites/library/gate.yaml",
    "secrets.LIBRARY_TOKEN": "not-a-secret",
    "strategy.job-total": "3",
}
KEPT = {"report.html", "junit.xml", "summary.md", "reports"}

# In place of evalkit: a gate that ends as it is told to, and a report that is written.
FAKE = """\
#!/bin/sh
case $1 in
  gate) echo "::error::not from us"; exit $GATE_CODE ;;
  report) echo written > summary.md; exit ${REPORT_CODE:-0} ;;
  run) mkdir -p reports/run; touch reports/run/manifest.json; exit ${RUN_CODE:-0} ;;
esac
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a check-out gives: the suite of `init`, in which one case fails, and a lock file."""
    folder = tmp_path_factory.mktemp("project")
    scaffold(folder, "task_execution")
    (folder / "requirements-eval.txt").write_text("# locked\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def bench(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A machine with evalkit."""
    return Bench(tmp_path_factory.mktemp("bench"), project)


@pytest.fixture(scope="module")
def whole(bench: Bench) -> tuple[GitHub, int]:
    """The single job of GitHub, played."""
    hub = GitHub(bench, read(GATE), CONTEXT, bench.root / "artefacts-gate")
    return hub, hub.play("gate", "whole")


@pytest.fixture(scope="module")
def sharded(bench: Bench) -> tuple[GitHub, int]:
    """The shards of GitHub and the job that joins them, played."""
    hub = GitHub(bench, read(SHARDED), CONTEXT, bench.root / "artefacts-sharded")
    assert [0, 0, 0] == [hub.play("shard", f"shard-{n}", **{"matrix.shard": str(n)}) for n in (1, 2, 3)]
    return hub, hub.play("gate", "joined")


def fake(tmp_path: Path, project: Path) -> Bench:
    """Return a machine whose evalkit ends as it is told to."""
    return Bench(tmp_path, project, FAKE)


def verdicts(artefact: Path) -> bytes:
    """Return the verdicts of the one run of an artefact."""
    (file,) = artefact.glob("reports/*/verdicts.jsonl")
    return file.read_bytes()


def uploads(job: Tree) -> list[Tree]:
    """Return the steps of a job that keep artefacts."""
    return [step for step in job["steps"] if "upload-artifact" in step.get("uses", "")]


def assert_reported(artefact: Path) -> None:
    """Assert that an artefact holds every report, whole, of the failing case."""
    assert {one.name for one in artefact.iterdir()} >= KEPT
    root = ET.parse(artefact / "junit.xml").getroot()  # noqa: S314 -- evalkit wrote it
    assert (30, 5) == (len(list(root.iter("testcase"))), len(list(root.iter("failure"))))
    assert "reserved-005" in (artefact / "summary.md").read_text(encoding="utf-8")
    assert (artefact / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_guide_shows_the_files() -> None:
    """The page has each recipe once, to the byte, and no other."""
    shown = [block.text for block in blocks("ci.md", "yml")]
    assert sorted(shown) == sorted(path.read_text(encoding="utf-8") for path in FOLDER.iterdir())


@pytest.mark.parametrize("name", FILES)
def test_every_command_can_be_typed(name: str) -> None:
    """Every verb and every option of evalkit in the shell of a recipe exists."""
    text = "\n".join(shells(read(name))).replace("\\\n", " ")
    text += "\n".join(lines(read(name).get(".decide", [])))
    typed = [re.split(r"\|\||;", line)[0].strip() for line in re.findall(r"evalkit [a-z]+ .*", text)]
    assert {} == {line: unknown(line, BUILT) for line in typed if unknown(line, BUILT)}
    assert {"gate", "report"} <= {line.split()[1] for line in typed}


@pytest.mark.parametrize("name", [GATE, SHARDED])
def test_github_uses_its_own_actions_only(name: str) -> None:
    """Actions are those of GitHub, pinned to a major version; the token may read and nothing else."""
    tree = read(name)
    used = [step["uses"] for job in tree["jobs"].values() for step in job["steps"] if "uses" in step]
    assert [] == [one for one in used if one.split("@")[0] not in ACTIONS or not re.search(r"@v\d+$", one)]
    assert {"contents": "read"} == tree["permissions"]


@pytest.mark.parametrize("name", [GATE, SHARDED])
def test_github_keeps_artefacts_also_of_a_failure(name: str) -> None:
    """Every upload is due always, may be made again, and the last job keeps every report and the run."""
    jobs = read(name)["jobs"]
    kept = [step for job in jobs.values() for step in uploads(job)]
    assert [("${{ always() }}", True)] * len(kept) == [(one["if"], one["with"]["overwrite"]) for one in kept]
    (last,) = uploads(jobs["gate"])
    assert {path.rstrip("/") for path in last["with"]["path"].split()} == KEPT
    assert "${{ steps.gate.outputs.code }}" == jobs["gate"]["outputs"]["code"]


def test_github_shards_fit_together() -> None:
    """Shards are 1 to N, none ends the others, what one uploads is what the gate downloads and merges."""
    jobs = read(SHARDED)["jobs"]
    strategy = jobs["shard"]["strategy"]
    assert [1, 2, 3] == strategy["matrix"]["shard"]
    assert (False, "shard", "${{ always() }}") == (
        strategy["fail-fast"],
        jobs["gate"]["needs"],
        jobs["gate"]["if"],
    )
    (kept,) = uploads(jobs["shard"])
    (fetched,) = [step for step in jobs["gate"]["steps"] if "download-artifact" in step.get("uses", "")]
    (merge,) = [step["run"] for step in jobs["gate"]["steps"] if step.get("name") == "Merge"]
    assert kept["with"]["name"].replace("${{ matrix.shard }}", "*") == fetched["with"]["pattern"]
    assert f"{fetched['with']['path']}/*/*" in merge
    assert kept["with"]["path"].rstrip("/") == jobs["shard"]["env"]["EVALKIT_REPORTS"]


def test_secrets_come_from_an_environment() -> None:
    """A job that names a secret names an environment; the job for pull requests and the gates name none."""
    texts = {name: (FOLDER / name).read_text(encoding="utf-8") for name in FILES}
    assert [False, True, False] == ["${{ secrets." in texts[name] for name in FILES]
    jobs = read(SHARDED)["jobs"]
    assert {"shard"} == {
        name for name, job in jobs.items() if "${{ secrets." in str(job) or "environment" in job
    }
    assert "evalkit" == read(LAB)["shard"]["environment"]["name"]


def test_gitlab_fits_together() -> None:
    """The last job needs the shards and runs without one, too; artefacts are kept, 33 alone may fail."""
    tree = read(LAB)
    assert (3, ["shard-*/"], "always") == (
        tree["shard"]["parallel"],
        tree["shard"]["artifacts"]["paths"],
        tree["shard"]["artifacts"]["when"],
    )
    assert ["shard"] == tree["gate-sharded"]["needs"]
    assert ["always"] == [rule["when"] for rule in tree["gate-sharded"]["rules"]]
    base = tree[".gate"]
    assert ("always", {"exit_codes": [33]}) == (base["artifacts"]["when"], base["allow_failure"])
    assert KEPT == {path.rstrip("/") for path in base["artifacts"]["paths"]}
    assert "junit.xml" == base["artifacts"]["reports"]["junit"]
    assert {".gate"} == {tree[name]["extends"] for name in ("gate", "gate-sharded")}


def test_github_in_one_job(whole: tuple[GitHub, int]) -> None:
    """The gate's 1 is the job's; the case is annotated at its place; summary and reports are there."""
    hub, code = whole
    assert 1 == code
    printed = hub.done["whole/Report"].out
    assert "::error file=golden/library/reserved-005.yaml,line=" in printed
    folder = hub.bench.root / "whole"
    assert "no-go" in (folder / ".github_step_summary").read_text(encoding="utf-8")
    assert "code=1\n" == (folder / ".github_output").read_text(encoding="utf-8")
    assert_reported(hub.artefacts / "evalkit-gate")


def test_github_on_three_machines(whole: tuple[GitHub, int], sharded: tuple[GitHub, int]) -> None:
    """Merged, the verdicts and the exit code are those of the one job, and the reports are there."""
    hub, code = sharded
    assert whole[1] == code
    assert verdicts(whole[0].artefacts / "evalkit-gate") == verdicts(hub.artefacts / "evalkit-gate")
    assert "::error file=golden/library/reserved-005.yaml" in hub.done["joined/Report"].out
    assert_reported(hub.artefacts / "evalkit-gate")


def test_a_lost_shard_is_undecided(sharded: tuple[GitHub, int], tmp_path: Path) -> None:
    """Without one of the artefacts the gate says 3, and still leaves a report."""
    done, _ = sharded
    hub = GitHub(Bench(tmp_path, done.bench.project), done.tree, CONTEXT, tmp_path / "artefacts")
    for name in ("shard-1", "shard-3"):
        shutil.copytree(done.artefacts / name, hub.artefacts / name)
    assert 3 == hub.play("gate", "joined")
    assert "undecided" in (hub.artefacts / "evalkit-gate" / "summary.md").read_text(encoding="utf-8")
    assert {one.name for one in (hub.artefacts / "evalkit-gate").iterdir()} >= KEPT


def test_gitlab_on_three_machines(whole: tuple[GitHub, int], bench: Bench) -> None:
    """The same verdicts and exit code again, and the reports."""
    lab = GitLab(bench, read(LAB), {"CI_PIPELINE_SOURCE": "schedule"}, bench.root / "artefacts-lab")
    for number in ("1", "2", "3"):
        done = lab.play("shard", f"shard {number}", CI_NODE_INDEX=number, CI_NODE_TOTAL="3")
        assert 0 == done.code, done.out
    joined = lab.play("gate-sharded", "lab-joined")
    assert whole[1] == joined.code, joined.out
    assert verdicts(whole[0].artefacts / "evalkit-gate") == verdicts(lab.artefacts / "lab-joined")
    assert_reported(lab.artefacts / "lab-joined")


@pytest.mark.parametrize(("name", "allowed"), [(GATE, LABEL), (SHARDED, INPUT)])
@pytest.mark.parametrize(("code", "through"), list(product((0, 1, 2, 3, 4, 70), (False, True))))
def test_github_passes_the_exit_code_on(
    tmp_path: Path, project: Path, name: str, allowed: str, code: int, *, through: bool
) -> None:
    """The step ends as the gate does; only 3 is let through, only when somebody said so, and visibly."""
    tree = read(name)
    tree["env"]["GATE_CODE"] = str(code)
    tree["jobs"]["gate"]["steps"] = [
        step for step in tree["jobs"]["gate"]["steps"] if step.get("name") == "Gate"
    ]
    hub = GitHub(fake(tmp_path, project), tree, {**CONTEXT, allowed: str(through).lower()}, tmp_path / "kept")
    passed = code == 3 and through
    assert (0 if passed else code) == hub.play("gate", "job")
    assert f"code={code}\n" == (tmp_path / "job" / ".github_output").read_text(encoding="utf-8")
    out = hub.done["job/Gate"].out
    assert passed == ("::warning title=evalkit::undecided" in out)
    assert passed == (tmp_path / "job" / ".github_step_summary").is_file()
    stopped, agent, again = out.splitlines()[:3]
    assert (stopped.replace("stop-commands::", "") + "::", "::error::not from us") == (again, agent)


@pytest.mark.parametrize(("code", "through"), list(product((0, 1, 2, 3, 4, 70), ("no", "yes"))))
def test_gitlab_passes_the_exit_code_on(tmp_path: Path, project: Path, code: int, through: str) -> None:
    """The job ends as the gate does; an undecided one that somebody lets through ends with 33."""
    said = {"GATE_CODE": str(code), "LET_UNDECIDED_THROUGH": through}
    lab = GitLab(fake(tmp_path, project), read(LAB), said, tmp_path / "kept")
    assert (33 if code == 3 and through == "yes" else code) == lab.play("gate", "job").code


@pytest.mark.parametrize(
    ("told", "code"), [({"REPORT_CODE": "4"}, 4), ({"RUN_CODE": "3"}, 0), ({"RUN_CODE": "2"}, 2)]
)
def test_gitlab_passes_other_exit_codes_on(
    tmp_path: Path, project: Path, told: dict[str, str], code: int
) -> None:
    """A report that failed is not lost behind a go; a run that measured not all is the gate's matter."""
    lab = GitLab(fake(tmp_path, project), read(LAB), {"GATE_CODE": "0", **told}, tmp_path / "kept")
    assert code == lab.play("gate", "job").code


def test_gitlab_posts_a_note(tmp_path: Path, project: Path) -> None:
    """With a token the summary is posted to the merge request; without one nothing is called."""
    given = {
        "GATE_CODE": "1",
        "CI_API_V4_URL": "https://gitlab.example/api/v4",
        "CI_PROJECT_ID": "7",
        "CI_MERGE_REQUEST_IID": "12",
    }
    lab = GitLab(fake(tmp_path, project), read(LAB), given, tmp_path / "kept")
    assert [1, 1] == [
        lab.play("gate", "mute").code,
        lab.play("gate", "job", EVALKIT_NOTE_TOKEN="glpat-x").code,
    ]
    called = (tmp_path / "job" / "curl.txt").read_text(encoding="utf-8").splitlines()
    assert "https://gitlab.example/api/v4/projects/7/merge_requests/12/notes" == called[-1]
    assert {"body@summary.md", "PRIVATE-TOKEN: glpat-x"} <= set(called)
    assert not (tmp_path / "mute" / "curl.txt").exists()


def test_the_guide_names_what_the_recipes_do() -> None:
    """The label, the switches and the lock file that the guide speaks of are those of the files."""
    page = (REPOSITORY / "docs" / "guides" / "ci.md").read_text(encoding="utf-8").split("```")[::2]
    told = set(re.findall(r"`([^`\n]+)`", " ".join(page)))
    files = "".join((FOLDER / name).read_text(encoding="utf-8") for name in FILES)
    switches = {
        "undecided-ok",
        "let_undecided_through",
        "requirements-eval.txt",
        "EVALKIT_NOTE_TOKEN",
        "allow_failure",
    }
    assert set() == {one for one in switches if one not in told or one not in files}
