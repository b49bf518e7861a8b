"""A trial is scored when it closes, and the journal alone gives the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.walking import Walker, case, greet

SECRET = "geheim-token-123456"
POLICY = f"""
def bot(request, rng):
    return [{{"reply": "half \\ud83d, \\ufdd0, {SECRET}"}}]
"""
ARM = 'arm: champion\nmodel: {provider: scripted, policy: "policies.py:bot"}\n'


@pytest.fixture
def walk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Walker:
    """Stand in a folder whose agent says a secret and half a character, and whose cases look for both."""
    monkeypatch.setenv("SERVICE_TOKEN", SECRET)
    wanted = [SECRET, "[redacted]", "half", "nothing"]
    place = greet(tmp_path, [case(number, text) for number, text in enumerate(wanted)])
    (place / "policies.py").write_text(POLICY)
    (place / "arms" / "champion.yaml").write_text(ARM)
    return Walker(tmp_path, capsys, monkeypatch)


def test_score_gives_the_bytes_of_the_run(walk: Walker) -> None:
    """What was decided while the run went on is what its journal says, redaction and all."""
    run = walk("run", "suites/greet", "--trials", 3, "--json").run
    folder = walk.run_folder(run)
    written = {name: (folder / name).read_bytes() for name in ("verdicts.jsonl", "blame.jsonl")}
    assert SECRET.encode() not in b"".join(path.read_bytes() for path in folder.glob("*.json*"))
    assert 9 == walk("score", run, "--json").object["pass"]
    assert written == {name: (folder / name).read_bytes() for name in written}


def test_a_resumed_run_gives_the_bytes_of_a_whole_one(walk: Walker) -> None:
    """Trials that closed in another process and trials that close now stand in one file, in plan order."""
    whole = walk.run_folder(walk("run", "suites/greet", "--trials", 3, "--json").run)
    cut = walk.run_folder(walk("run", "suites/greet", "--trials", 3, "--json").run)
    lines = (cut / "events-0000.jsonl").read_bytes().splitlines(keepends=True)
    (cut / "events-0000.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    (cut / "verdicts.jsonl").unlink()
    assert 0 == walk("resume", cut.name, "--json").code
    for name in ("verdicts.jsonl", "blame.jsonl"):
        assert (whole / name).read_bytes() == (cut / name).read_bytes()
