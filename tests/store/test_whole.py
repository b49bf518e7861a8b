"""A file is there whole or not at all, and what was there before stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalkit.errors import OutputError
from evalkit.store.whole import append, whole


def names(folder: Path) -> list[str]:
    """Return what lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_a_file_takes_its_place_when_it_is_whole(tmp_path: Path) -> None:
    """Until the block ends the old file is there; then the new one, and nothing else."""
    target = tmp_path / "r.md"
    target.write_text("old")
    with whole(target, "1") as beside:
        beside.write_text("new")
        assert "old" == target.read_text()
    assert (["r.md"], "new") == (names(tmp_path), target.read_text())


@pytest.mark.parametrize(("error", "seen"), [(OSError(28, "full"), OutputError), (KeyError("x"), KeyError)])
def test_what_was_begun_is_removed(tmp_path: Path, error: Exception, seen: type[Exception]) -> None:
    """Whatever ends the block: no half file, the old one stays; a fault of the disk says which file."""
    target = tmp_path / "r.md"
    target.write_text("old")

    def broken() -> None:
        with whole(target, "1") as beside:
            beside.write_text("half")
            raise error

    with pytest.raises(seen):
        broken()
    assert (["r.md"], "old") == (names(tmp_path), target.read_text())


def test_a_block_that_wrote_nothing_is_no_file(tmp_path: Path) -> None:
    """Where nothing was written there is nothing to rename, and that is said."""
    with pytest.raises(OutputError, match=r"cannot write .*r\.md"), whole(tmp_path / "r.md", "1"):
        pass
    assert [] == names(tmp_path)


def test_a_link_is_followed(tmp_path: Path) -> None:
    """What a link leads to is replaced; the link stays."""
    (tmp_path / "there").mkdir()
    link = tmp_path / "r.md"
    link.symlink_to(tmp_path / "there" / "real.md")
    with whole(link, "1") as beside:
        beside.write_text("new")
    assert link.is_symlink()
    assert "new" == (tmp_path / "there" / "real.md").read_text()


def test_appending_adds_to_what_is_there(tmp_path: Path) -> None:
    """A file that others write to keeps what they wrote; a missing one is made."""
    path = tmp_path / "summary"
    append(path, b"one\n", 100)
    append(path, b"two\n", 100)
    assert b"one\ntwo\n" == path.read_bytes()


def test_appending_stops_before_the_limit(tmp_path: Path) -> None:
    """What would make the file too long is not appended at all."""
    path = tmp_path / "summary"
    path.write_bytes(b"x" * 90)
    with pytest.raises(OutputError, match="longer than 100 bytes"):
        append(path, b"y" * 11, 100)
    assert b"x" * 90 == path.read_bytes()
    append(path, b"y" * 10, 100)


@pytest.mark.parametrize("place", ["/dev/full", "missing/summary", "."])
def test_what_cannot_be_appended_to_is_said(tmp_path: Path, place: str) -> None:
    """A full device, a folder that is not there, a folder: an error with the path."""
    with pytest.raises(OutputError, match="cannot write"):
        append(tmp_path / place, b"x", 100)
