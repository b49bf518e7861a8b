"""Data that no production has."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.case import Case, Turn
from evalkit.records.checks import Expectation
from evalkit.records.suite import Suite
from evalkit.suite.tidiness import LEAST, SPREAD, too_tidy

LONGER = [" and so on" * n for n in range(40)]


def _case(number: int, said: str, *, capability: str = "", amount: float | None = None) -> Case:
    entry = Expectation(kind="reply", args={"numbers": [] if amount is None else [amount]}, metric="m")
    tags = {"capability": capability} if capability else {}
    return Case(id=f"c-{number}", tags=tags, turns=(Turn(user=said),), demand={}, expect=(entry,))


def _told(cases: Sequence[Case]) -> list[tuple[str, str]]:
    suite = Suite.model_construct(suite="x", stages=(), metrics=(), cases=tuple(cases))
    return [(found.key, found.message) for found in too_tidy(suite)]


def test_texts_of_one_length() -> None:
    """Ten requests of nearly one length are told of once, with their lengths."""
    ((key, message),) = _told([_case(n, f"Refund order A-{n * n * 37}") for n in range(10)])
    assert "cases" == key
    assert "10 of 10 cases: 16 to 19 characters, coefficient of variation 0.0" in message


def test_texts_as_users_write_them() -> None:
    """Requests from three words to a page are not told of, nor are nine of one length."""
    assert [] == _told([_case(n, "Refund it" + LONGER[n]) for n in range(10)])
    assert [] == _told([_case(n, "Refund it") for n in range(9)])


@pytest.mark.parametrize(
    ("amounts", "told"),
    [
        ([float(10 * n) for n in range(1, 11)], True),
        ([100] * 10, True),
        ([-250.0] * 10, True),
        ([10.0 * n for n in range(1, 10)], False),
        ([*(10.0 * n for n in range(1, 10)), 87.5], False),
        ([*(10.0 * n for n in range(1, 10)), 42], False),
        ([float(n) for n in range(10)], False),
    ],
)
def test_round_amounts(amounts: list[float], *, told: bool) -> None:
    """Ten multiples of ten and nothing else are told of; counts below ten are no amounts."""
    found = _told([_case(n, "Pay" + LONGER[n], amount=amount) for n, amount in enumerate(amounts)])
    expected = [("cases", "10 of 10 expected amounts are multiples of 10")] if told else []
    assert expected == found


@pytest.mark.parametrize(
    ("ids", "told"),
    [
        ([f"A-{n}" for n in range(1000, 1012)], True),
        ([f"订单{n}号" for n in range(1000, 1012)], False),
        ([f"A-{n}" for n in range(1000, 1024, 2)], False),
        ([f"A-{n}" for n in range(1000, 1009)], False),
        ([f"A-{n}" for n in range(1000, 1008)] + [f"A-{n}" for n in range(1100, 1108)], False),
    ],
)
def test_ids_without_a_gap(ids: list[str], *, told: bool) -> None:
    """Twelve ids in a row are told of; ids with gaps, too few, or of several rows are not."""
    found = _told([_case(n, f"Refund {id_}." + LONGER[n]) for n, id_ in enumerate(ids)])
    expected = [("cases", "12 of 12 ids are consecutive: A-1000 to A-1011")] if told else []
    assert expected == found


def test_a_capability_is_a_group() -> None:
    """Where the whole is mixed, the capability of one length is named; each sign is told of once."""
    mixed = [_case(n, "Lend" + LONGER[n], capability="lend") for n in range(12)]
    tidy = [_case(20 + n, "Decline that", capability="decline") for n in range(12)]
    tidier = [_case(40 + n, "Take this back", capability="back") for n in range(12)]
    assert ["cases of decline"] == [key for key, _ in _told([*mixed, *tidy, *tidier])]


@given(st.lists(st.integers(min_value=1, max_value=400), min_size=LEAST, max_size=30))
def test_the_spread_decides(lengths: list[int]) -> None:
    """Texts are told of exactly where their lengths vary less than the bound, whatever the order."""
    cases = [_case(n, "x" * length) for n, length in enumerate(lengths)]
    mean = sum(lengths) / len(lengths)
    spread = (sum((length - mean) ** 2 for length in lengths) / len(lengths)) ** 0.5 / mean
    assert bool(_told(cases)) == (spread < SPREAD)
    assert _told(cases) == _told(cases[::-1])
