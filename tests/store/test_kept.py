"""Lines of closed trials wait for their place, and come back as they were."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.errors import OutputError
from evalkit.store.kept import KeptLines

BLOCKS = st.lists(
    st.tuples(st.integers(0, 40), st.binary(max_size=9_000), st.binary(max_size=50)), max_size=60
)


@given(blocks=BLOCKS)
def test_what_was_kept_last_of_a_trial_comes_back(
    blocks: list[tuple[int, bytes, bytes]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """In whatever order trials close, an index gives the lines that were kept last."""
    kept = KeptLines(tmp_path_factory.getbasetemp())
    for index, verdicts, blame in blocks:
        kept.keep(index, verdicts, blame)
        assert (verdicts, blame) == kept.take(index)
    expected = {index: (verdicts, blame) for index, verdicts, blame in blocks}
    assert [expected.get(index) for index in range(45)] == [kept.take(index) for index in range(45)]
    kept.close()


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """The file has no name while it is used, and nothing is known after closing."""
    kept = KeptLines(tmp_path)
    kept.keep(3, b"x" * 100_000, b"")
    assert [] == list(tmp_path.iterdir())
    kept.close()
    assert kept.take(3) is None


def test_a_folder_that_is_gone_is_an_output_error(tmp_path: Path) -> None:
    """Where lines cannot be kept the run stops with a message."""
    kept = KeptLines(tmp_path / "gone")
    with pytest.raises(OutputError, match="cannot write"):
        kept.keep(0, b"x" * 100_000, b"")
