"""`called`, `only_called`: which calls were made, and which were not."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.event import CallStatus
from evalkit.records.written import Json
from tests.score.checks.views import END, ask, held, made, unexamined, unread, view_of, without

PAY = {"tool": "pay", "args": {"order": "A-17"}}


def test_called_passes_with_a_call_of_its_own_for_each_expectation() -> None:
    """Two expectations need two calls, and the finding cites what shows them."""
    view = view_of(made("get"), made("pay", {"order": "A-17", "amount": 5}))
    found = ask("called", view, calls=[PAY, {"tool": "get"}])
    assert (True, (3, 5)) == (found.held, found.cites)


def test_called_passes_where_only_one_way_of_matching_works() -> None:
    """The demanding expectation gets the only call that fits it, in whatever order they are written."""
    view = view_of(made("pay", {"order": "A-17"}), made("pay", {"order": "B"}))
    for calls in itertools.permutations([{"tool": "pay"}, PAY]):
        assert held("called", view, calls=list(calls))


def test_called_fails_where_one_call_would_have_to_serve_two_expectations() -> None:
    """One call is no two calls; the reason says what is missing and what there was."""
    found = ask("called", view_of(made("pay", {"order": "A-17"})), calls=[PAY, PAY])
    assert (False, (3,)) == (found.held, found.cites)
    assert 'not called: pay({"order": "A-17"}); there was pay: ok' == found.reason


def test_called_fails_on_a_call_that_never_happened_and_cites_the_end() -> None:
    """Where nothing was called, the end of the trial shows it."""
    found = ask("called", view_of(), calls=[PAY])
    assert (False, (END,)) == (found.held, found.cites)


@pytest.mark.parametrize("status", ["refused", "blocked", "invalid", "unanswered", "fault"])
def test_called_fails_on_a_call_in_vain_unless_attempts_count(status: CallStatus) -> None:
    """Only what ran was called; with `attempted` the agent's intent is enough."""
    view = view_of(made("pay", {"order": "A-17"}, status=status))
    assert [False, True] == [held("called", view, calls=[PAY], attempted=tried) for tried in (False, True)]


def test_called_cannot_be_examined_where_outcomes_are_not_shown() -> None:
    """A call whose outcome is not observed may have run."""
    view = view_of(made("pay", {"order": "A-17"}, status="unanswered"), observes=without("results"))
    assert "not_observed" == unexamined(ask("called", view, calls=[PAY]))
    assert held("called", view, calls=[PAY], attempted=True)


def test_called_fails_where_the_calls_alone_show_that_nothing_fits() -> None:
    """Calls are observed and none of them fits: no outcome could change that."""
    view = view_of(made("pay", {"order": "B"}, status="unanswered"), observes=without("results"))
    assert False is held("called", view, calls=[PAY])
    assert False is held("called", view, calls=[PAY], attempted=True)


def test_called_cannot_be_examined_where_calls_are_not_shown_but_what_was_seen_counts() -> None:
    """A result that was seen shows its call; one that was not seen shows nothing."""
    view = view_of(unread("pay", value=1), observes=without("calls"))
    assert held("called", view, calls=[{"tool": "pay"}])
    for attempted in (False, True):
        found = ask("called", view, calls=[{"tool": "get"}], attempted=attempted)
        assert "not_observed" == unexamined(found)


@pytest.mark.parametrize(
    ("mode", "args", "fits"),
    [
        ("exact", {"a": 1, "b": "x"}, True),
        ("exact", {"a": 1}, False),
        ("exact", {"a": 1, "b": "x", "c": 0}, False),
        ("subset", {"a": 1.0, "b": "x", "c": 0}, True),
        ("subset", {"a": 1}, False),
        ("subset", {"a": True, "b": "x"}, False),
        ("subset", {"a": "1", "b": "x"}, False),
        ("superset", {"a": 1}, True),
        ("superset", {}, True),
        ("superset", {"a": 2}, False),
        ("superset", {"c": 0}, False),
        ("ignore", {"z": 0}, True),
        ("tolerance", {"a": 1.25, "b": "x", "c": 0}, True),
        ("tolerance", {"a": 0.75, "b": "x"}, True),
        ("tolerance", {"a": 1.26, "b": "x"}, False),
        ("tolerance", {"a": True, "b": "x"}, False),
        ("tolerance", {"b": "x"}, False),
    ],
)
def test_every_mode_of_arguments(mode: str, args: dict[str, Json], fits: bool) -> None:  # noqa: FBT001
    """Each mode holds {a: 1, b: x} against what was given, by its own rule."""
    expected = {"tool": "t", "args": {"a": 1, "b": "x"}, "mode": mode, "tolerance": 0.25}
    assert fits is held("called", view_of(made("t", args)), calls=[expected])


@pytest.mark.parametrize(
    ("mode", "fits"), [("ignore", True), ("subset", False), ("exact", False), ("superset", False)]
)
def test_arguments_that_nobody_could_read_fit_nothing_that_asks_for_some(mode: str, fits: bool) -> None:  # noqa: FBT001
    """Unreadable arguments are not empty ones."""
    view = view_of(unread("t"))
    assert fits is held("called", view, calls=[{"tool": "t", "args": {"a": 1}, "mode": mode}])
    bare = held("called", view, calls=[{"tool": "t", "mode": mode}])
    assert (mode in ("ignore", "subset")) is bare


@pytest.mark.parametrize(("times", "expected"), [(0, False), (1, False), (2, True), (3, False)])
def test_times_counts_exactly(times: int, expected: bool) -> None:  # noqa: FBT001
    """Neither more nor fewer calls match than are asked for; calls that do not match do not count."""
    view = view_of(
        made("pay", {"order": "A-17"}), made("pay", {"order": "A-17"}), made("pay", {"order": "B"})
    )
    found = ask("called", view, calls=[PAY], times=times)
    assert expected is found.held
    assert found.measure is not None
    assert (2.0, float(times)) == (found.measure.value, found.measure.threshold)


@pytest.mark.parametrize(
    ("ran", "open_ones", "times", "expected"),
    [(2, 0, 1, False), (0, 0, 1, False), (0, 1, 1, None), (1, 0, 1, True), (0, 0, 0, True), (0, 1, 0, None)],
)
def test_times_with_outcomes_that_are_not_shown(
    ran: int,
    open_ones: int,
    times: int,
    expected: bool | None,  # noqa: FBT001
) -> None:
    """Calls of unknown outcome keep the count open only where they could make it right or wrong."""
    acts = [made("pay")] * ran + [made("pay", status="unanswered")] * open_ones
    view = view_of(*acts, observes=without("results"))
    assert expected is held("called", view, calls=[{"tool": "pay"}], times=times)


def test_times_zero_is_not_examined_where_calls_are_not_shown() -> None:
    """Never called is a claim about all calls."""
    view = view_of(observes=without("calls"))
    assert "not_observed" == unexamined(ask("called", view, calls=[{"tool": "pay"}], times=0))
    assert False is held(
        "called", view_of(made("pay"), observes=without("calls")), calls=[PAY | {"args": {}}], times=0
    )


def test_a_finding_cites_twenty_events_and_no_more() -> None:
    """So many show the reader what happened; the first of them are cited."""
    found = ask("called", view_of(*[made("pay")] * 30), calls=[{"tool": "pay"}], times=1)
    assert (False, tuple(range(3, 43, 2))) == (found.held, found.cites)


def test_a_turn_sees_its_own_calls_alone() -> None:
    """What was called in another turn was not called in this one."""
    acts = (made("pay", turn=0), made("get", turn=1))
    assert [True, False] == [
        held("called", view_of(*acts, turn=turn, turns=2), calls=[{"tool": "pay"}]) for turn in (0, 1)
    ]


CALLS = st.lists(
    st.builds(
        made,
        st.sampled_from(["a", "b"]),
        st.dictionaries(st.sampled_from("xy"), st.integers(0, 1), max_size=2),
        status=st.sampled_from(["ok", "ok", "refused"]),
    ),
    max_size=5,
)
EXPECTED = st.lists(
    st.fixed_dictionaries(
        {
            "tool": st.sampled_from(["a", "b"]),
            "args": st.dictionaries(st.sampled_from("xy"), st.integers(0, 1), max_size=2),
            "mode": st.sampled_from(["exact", "subset", "superset", "ignore"]),
        }
    ),
    min_size=1,
    max_size=4,
)


@given(CALLS, EXPECTED, st.randoms(use_true_random=False))
def test_neither_the_order_of_calls_nor_that_of_expectations_changes_anything(
    calls: list[object], expected: list[Json], chance: object
) -> None:
    """`called` asks for a matching, and a matching has no order."""
    shuffled_calls, shuffled = list(calls), list(expected)
    chance.shuffle(shuffled_calls)  # type: ignore[attr-defined]
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    plain = held("called", view_of(*calls), calls=expected)  # type: ignore[arg-type]
    assert plain is held("called", view_of(*shuffled_calls), calls=shuffled)  # type: ignore[arg-type]


def test_only_called_passes_where_no_other_tool_was_called() -> None:
    """The listed tools may be called or not, and no call at all is within any list."""
    assert held("only_called", view_of(made("get"), made("get")), tools=["get", "pay"])
    assert held("only_called", view_of(), tools=[])


@pytest.mark.parametrize("status", ["ok", "refused", "unknown", "unanswered", "blocked"])
def test_only_called_fails_on_another_tool_even_in_vain(status: CallStatus) -> None:
    """An attempt is a call; an empty list means no tool at all."""
    view = view_of(made("get"), made("pay", status=status))
    found = ask("only_called", view, tools=["get"])
    assert (False, (4 if status == "unanswered" else 5,)) == (found.held, found.cites)
    assert f"also called: pay: {status}" == found.reason
    assert False is held("only_called", view, tools=[])


def test_only_called_cannot_be_examined_where_calls_are_not_shown() -> None:
    """What was seen counts, what was not seen shows nothing; outcomes are not needed."""
    assert "not_observed" == unexamined(
        ask("only_called", view_of(made("get"), observes=without("calls")), tools=["get"])
    )
    assert False is held("only_called", view_of(made("pay"), observes=without("calls")), tools=["get"])
    assert held("only_called", view_of(made("get"), observes=without("results")), tools=["get"])
