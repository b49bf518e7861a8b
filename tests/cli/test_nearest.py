"""What is typed wrongly is answered with what could have been meant."""

import pytest

from tests.journeys.walking import Walker, case, greet


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("runn", "No such command 'runn'; did you mean `run`?"),
        ("chekc", "did you mean `check`?"),
        ("zzz", "known: blame, check, gate"),
    ],
)
def test_a_misspelt_verb(walk: Walker, typed: str, told: str) -> None:
    """A verb that there is not is refused with the nearest one, else with those that there are."""
    said = walk(typed, "suites/greet")
    assert 2 == said.code
    assert told in said.err


def test_a_misspelt_value_of_a_tag(walk: Walker) -> None:
    """A selection that leaves no case says which value no case has, and the nearest; exit 3."""
    place = greet(walk.folder, [case(0, tags={"risk": "high"}), case(1, tags={"risk": "low"})])
    said = walk("run", place, "--only", "risk=hihg")
    assert 3 == said.code
    assert "no case has risk=hihg: did you mean `high`?" in said.err


def test_a_trial_that_there_is_not(walk: Walker) -> None:
    """The trials that a case has are named, and the suites that have runs."""
    walk("run", greet(walk.folder, [case(0)]), "--trials", "3")
    shown = walk("show", "latest", "case-0", "7")
    assert (2, True) == (shown.code, "it has 0, 1, 2" in shown.err)
    assert "did you mean latest:greet?" in walk("show", "latest:gret").err
    assert "there are runs of greet" in walk("show", "latest:nope").err
    assert "the latest are " in walk("show", "20260101-x").err


def test_a_folder_is_no_recording(walk: Walker) -> None:
    """Where one file is wanted, a folder is refused with the files in it."""
    (walk.folder / "results").mkdir()
    assert "a file is wanted, and this is a folder" in walk("import", "tau-bench", "results").err
    (walk.folder / "results" / "gpt.json").write_text("[]")
    said = walk("import", "tau-bench", "results")
    assert (2, True) == (said.code, "name one of its files: gpt.json" in said.err)
