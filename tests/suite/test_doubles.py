"""Cases that are one situation written twice."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.records.case import Case, Start, Turn
from evalkit.records.checks import Expectation
from evalkit.records.suite import Suite
from evalkit.suite.doubles import LIKE, Double, doubles
from evalkit.suite.likeness import likeness, masked, shingles
from evalkit.suite.repeats import MOST_TOLD, near_duplicates

REQUEST = "Please refund order A-1001, it does not work and I have no use for it any more at all."


def _case(number: int, text: str, **changes: Any) -> Case:
    given = {"id": f"c-{number}", "turns": (Turn(user=text),), "demand": {}, "expect": _asked("y"), **changes}
    return Case.model_validate(given)


def _asked(word: str) -> tuple[Expectation, ...]:
    return (Expectation(kind="reply", args={"contains": word}, metric="outcome"),)


def _found(*cases: Case) -> list[tuple[str, str, bool]]:
    return [(one.case.id, one.first.id, one.same) for one in doubles(cases)]


def test_the_same_case_twice() -> None:
    """The same input, start and pinned answers are one situation, whatever is expected."""
    found = _found(_case(1, REQUEST), _case(2, REQUEST, expect=_asked("z")))
    assert [("c-2", "c-1", True)] == found


def test_a_template_filled_in_twice() -> None:
    """Another order in the same words is nearly the same case."""
    assert [("c-2", "c-1", False)] == _found(_case(1, REQUEST), _case(2, REQUEST.replace("1001", "1002")))


@pytest.mark.parametrize(
    "changes",
    [
        {"cluster": "c-1"},
        {"tags": {"cluster": "c-1"}},
        {"tags": {"capability": "other"}},
        {"expect": _asked("z")},
        {"demand": {"reply": "forbidden"}},
        {"start": Start(sql="update orders set status = 'lost'")},
    ],
)
def test_another_situation_in_the_same_words(changes: dict[str, Any]) -> None:
    """A shared cluster, another capability, answer, demand or start: nothing is to be warned of."""
    assert [] == _found(_case(1, REQUEST), _case(2, REQUEST.replace("1001", "1002"), **changes))


def test_figures_alone_are_no_words() -> None:
    """Texts without a word are compared to the letter only."""
    assert [] == _found(_case(1, "17 + 4"), _case(2, "3 + 5"))


def test_a_yes_is_no_no() -> None:
    """A single digit that is expected is an answer and not an id."""
    yes, no = ((Expectation(kind="state", args={"sql": "s", "equals": n}, metric="m"),) for n in (1, 0))
    assert [] == _found(_case(1, REQUEST, expect=yes), _case(2, REQUEST.replace("1001", "1002"), expect=no))


TEXTS = st.lists(
    st.sampled_from(["red", "blue", "green", "round", "square", "big", "small", "heavy"]),
    min_size=1,
    max_size=9,
)


@given(st.lists(st.tuples(TEXTS, st.sampled_from("pqr")), max_size=12))
def test_the_index_overlooks_nothing(drawn: list[tuple[list[str], str]]) -> None:
    """What the index finds is what comparing every case with all that are kept would find."""
    cases = [_case(n, " ".join(words) + f" A-1{n}", cluster=name) for n, (words, name) in enumerate(drawn)]
    assert _by_hand(cases) == [(one.case.id, one.first.id, one.likeness) for one in doubles(cases)]


def _by_hand(cases: list[Case]) -> list[tuple[str, str, float]]:
    kept: list[tuple[Case, frozenset[str]]] = []
    found = []
    for case in cases:
        text = shingles(masked(case.turns[0].user))
        like = [(one.id, one.cluster_name, likeness(text, other)) for one, other in kept]
        like = [one for one in like if one[2] >= LIKE]
        found += [(case.id, id_, index) for id_, name, index in like if name != case.cluster_name][:1]
        if not like:
            kept.append((case, text))
    return found


def test_the_first_are_told_and_the_rest_counted() -> None:
    """Of thirty copies twenty are told, and the last of them says how many more there are."""
    cases = [_case(n, REQUEST) for n in range(30)]
    told = list(near_duplicates(_suite(cases)))
    assert MOST_TOLD == len(told)
    assert told[-1].message.endswith("; and 9 cases more are like an earlier one")
    assert {"near-duplicate"} == {one.code for one in told}


def test_the_words_are_stronger_for_the_same_case() -> None:
    """A copy is told as such, a template with its likeness."""
    copies = [_case(1, REQUEST), _case(2, REQUEST), _case(3, REQUEST.replace("1001", "1003"))]
    first, second = (one.message for one in near_duplicates(_suite(copies)))
    assert "the same case twice counts one situation as two" in first
    assert "likeness 1.00" in second


def _suite(cases: list[Case]) -> Suite:
    return Suite.model_construct(suite="x", stages=(), metrics=(), cases=tuple(cases))


def test_work_grows_with_the_cases() -> None:
    """Two thousand copies of one template are held against one text each."""
    cases = [_case(n, REQUEST.replace("1001", str(10_000 + n))) for n in range(2_000)]
    found: tuple[Double, ...] = doubles(cases)
    assert [("c-0", 1.0)] == sorted({(one.first.id, one.likeness) for one in found})
    assert 1_999 == len(found)
