"""What `make setup` says while nothing moves: what is done, how much of it, and what to type then."""

import re

from tests.house.source import REPOSITORY

MAKEFILE = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
RECIPE = MAKEFILE.partition("\n.venv/.stamp:")[2].partition("\n\n")[0]


def test_the_silence_is_announced_and_ended() -> None:
    """What is done stands before the first silent command, the word that it is ready after the last."""
    before, _, rest = RECIPE.partition("uv pip install")
    assert 3 == before.count('@echo "--- ')
    assert ["ready: . .venv/bin/activate"] == re.findall(r'@echo "--- (.*)"', rest)


def test_the_number_of_packages_is_that_of_the_lock() -> None:
    """About as many as are locked for this kind of machine."""
    lock = (REPOSITORY / "requirements.lock").read_text(encoding="utf-8")
    locked = [line for line in re.findall(r"^[a-z].*==.*", lock, flags=re.MULTILINE) if "win32" not in line]
    (said,) = re.findall(r"about (\d+) packages", RECIPE)
    assert abs(int(said) - len(locked)) <= 5
