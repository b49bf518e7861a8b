"""The gates: what each limit counts, and that what it allows is allowed."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.agent.gates import Gates
from evalkit.records.event import Limited, Usage
from evalkit.records.suite import Limits


def gates(calls: Sequence[str] = (), limits: Limits | None = None) -> Gates:
    """Gates after some calls."""
    made = Gates(limits or Limits(tool_calls=10_000, same_call=10_000, oscillation=10_000))
    for call in calls:
        made.called(call)
    return made


def limit(calls: Sequence[str], **limits: int) -> Limited | None:
    """The limit that some calls passed."""
    wide = Limits(tool_calls=10_000, same_call=10_000, oscillation=10_000)
    return gates(calls, wide.model_copy(update=limits)).passed()


def test_identical_calls_count_over_the_whole_trial() -> None:
    """`same_call: 3` allows three identical calls, however far apart."""
    assert limit("AxAyA", same_call=3) is None
    assert Limited(limit="same_call", reached=4.0, allowed=3.0) == limit("AxAyAzA", same_call=3)


def test_alternations_are_the_changes_between_two_calls() -> None:
    """`oscillation: 4` allows A B A B A, and the sixth call of the row is one too many."""
    assert limit("ABABA", oscillation=4) is None
    assert Limited(limit="oscillation", reached=5.0, allowed=4.0) == limit("ABABAB", oscillation=4)


@pytest.mark.parametrize("calls", ["ABCABCABC", "AABBAABB", "ABAACABAC", "AAAAAAAA"])
def test_what_is_no_alternation_does_not_count_as_one(calls: str) -> None:
    """A third call, or the same one twice, breaks the row."""
    assert limit(calls, oscillation=4) is None


def test_a_row_of_alternations_is_remembered_within_a_batch() -> None:
    """Gates are asked after a batch, so a row that ended inside it still counts."""
    assert limit("ABABABCD", oscillation=4) is not None


def test_tokens_and_money_sum_what_is_known() -> None:
    """Unknown buckets count nothing, and the sum of the known ones is held against the limit."""
    made = Gates(Limits(tokens=10))
    made.replied(Usage(input=6, output=4))
    made.replied(None)
    made.replied(Usage(cost_usd=0.5))
    assert made.passed() is None
    made.replied(Usage(cache_read=1))
    assert Limited(limit="tokens", reached=11.0, allowed=10.0) == made.passed()


def test_seconds_are_named_before_what_they_cut() -> None:
    """Where time ran out, it is the time that stopped the trial."""
    made = Gates(Limits(turns=1, seconds=5.0))
    made.replied(None)
    made.out_of_time()
    assert Limited(limit="seconds", reached=5.0, allowed=5.0) == made.passed()
    assert 0.0 == made.seconds_left


@given(st.lists(st.sampled_from("ABC"), max_size=40), st.integers(1, 9), st.integers(2, 9))
def test_a_limit_that_is_passed_stays_passed(calls: list[str], same: int, alternations: int) -> None:
    """No later call makes good what was beyond a limit."""
    made = gates((), Limits(tool_calls=25, same_call=same, oscillation=alternations))
    stopped = False
    for call in calls:
        made.called(call)
        assert not (stopped and made.passed() is None)
        stopped = made.passed() is not None
