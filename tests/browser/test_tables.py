"""Tables can be sorted and filtered, and links lead into what is closed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.visiting import Visit, Visits
from tests.report.html.making import kind_of

_CASES = 20


def _head(tab: Visit, table: str, name: str) -> Locator:
    return tab.page.locator(f"{table} thead th", has_text=name).first


def _column(tab: Visit, table: str, at: int) -> list[str]:
    """Return the texts of a column of the rows that can be seen."""
    return tab.seen(f"{table} tbody tr > :nth-child({at})")


def _sort(tab: Visit, table: str, name: str, at: int) -> tuple[list[str], list[str]]:
    """Return a column sorted by one press of its button, and by two; `aria-sort` must say which."""
    head = _head(tab, table, name)
    head.locator("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    up = _column(tab, table, at)
    head.locator("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    return up, _column(tab, table, at)


def test_numbers_are_sorted_as_numbers(visit: Visits) -> None:
    """.722 stands before 1.000 and the other way round, and what is undefined is no number."""
    up, down = _sort(visit("plain"), "#figures table.sort", "value", 2)
    known = [float(text) for text in up if text != "-"]
    assert len(known) > 0
    assert sorted(known) == known
    assert sorted(known, reverse=True) == [float(text) for text in down if text != "-"]
    assert "-" in up[-1:] + down[:1]


def test_bounds_are_sorted_by_their_number(visit: Visits) -> None:
    """What stands behind >= and <= is what counts."""
    tab = visit("plain")
    texts = [">= .9", "<= 1.000", ">= .35", ">= 1,200.5", "<= .4"]
    tab.ask(
        """(texts) => {
        const body = document.querySelector('#decision table.sort tbody');
        body.replaceChildren(...texts.map((text) => {
          const row = body.rows[0].cloneNode(true);
          row.cells[5].textContent = text;
          return row;
        }));
        }""",
        texts,
    )
    up, down = _sort(tab, "#decision table.sort", "proven", 6)
    assert [">= .35", "<= .4", ">= .9", "<= 1.000", ">= 1,200.5"] == up
    assert up == down[::-1]


def test_texts_are_sorted_as_texts(visit: Visits) -> None:
    """Case ids stand in the order of the alphabet, then in the other."""
    up, down = _sort(visit("plain"), "table.board", "case", 1)
    assert _CASES == len(up)
    assert sorted(up) == up
    assert up == down[::-1]


def test_outcomes_are_sorted_the_worst_first(visit: Visits) -> None:
    """A column of outcomes begins with fails, then what was not measured, and ends with passes."""
    tab = visit("plain")
    _head(tab, "table.board", "refunded").locator("button").click()
    codes = tab.ask(
        "() => [...document.querySelectorAll('.board tbody td:nth-child(8)')].map((e) => e.className)"
    )
    order = ["rubedpo".index(code) for code in codes]
    assert sorted(order) == order
    assert len(set(order)) > 2


def test_what_is_equal_keeps_its_order(visit: Visits) -> None:
    """Sorting is stable: by the second column, then the first, is by both."""
    tab = visit("plain")
    _head(tab, "table.board", "case").locator("button").click()
    _head(tab, "table.board", "passed").locator("button").click()
    expect(_head(tab, "table.board", "case")).not_to_have_attribute("aria-sort", "ascending")
    pairs = list(zip(_column(tab, "table.board", 2), _column(tab, "table.board", 1), strict=True))
    assert sorted(pairs) == pairs
    assert len(pairs) > len({passed for passed, _ in pairs}) > 1


def test_groups_stay_below_the_cases(visit: Visits) -> None:
    """On a large board, cases that stand by themselves never mix with groups."""
    tab = visit("large")
    for _ in range(2):
        _head(tab, "table.board", "passed").locator("button").click()
        kinds = tab.ask(
            "() => [...document.querySelector('.board').rows].map((e) => e.querySelector('details') !== null)"
        )
        assert sorted(kinds) == kinds
        assert {False, True} == set(kinds)


def test_a_part_of_a_name_filters(visit: Visits) -> None:
    """Only cases whose id holds the text are shown, in any case of letters, and the count says how many."""
    tab = visit("plain")
    tab.one("input[type=search]").fill(" CASE-0001 ")
    assert 10 == len(_column(tab, "table.board", 1))
    assert [f"10 of {_CASES} rows"] == tab.seen("fieldset.tools output")
    tab.one("input[type=search]").fill("nowhere")
    assert [] == _column(tab, "table.board", 1)
    tab.one("input[type=search]").fill("")
    assert _CASES == len(_column(tab, "table.board", 1))


@pytest.mark.parametrize(("box", "kind"), [("f", "root"), ("u", "unmeasured"), ("d", "degraded")])
def test_an_outcome_filters(visit: Visits, box: str, kind: str) -> None:
    """A box alone shows exactly the cases that came out like that."""
    tab = visit("plain")
    for other in "fudp".replace(box, ""):
        tab.one(f"fieldset.tools input[value={other}]").uncheck()
    expected = sorted(f"case-{at:05d}" for at in range(_CASES) if kind_of(at) == kind)
    assert len(expected) > 0
    assert expected == sorted(text.removesuffix(" waived") for text in _column(tab, "table.board", 1))
    assert [f"{len(expected)} of {_CASES} rows"] == tab.seen("fieldset.tools output")


def test_boxes_count_their_cases(visit: Visits) -> None:
    """A box says how many cases it stands for; together they are all there are."""
    tab = visit("plain")
    labels = tab.seen("fieldset.tools label:has([type=checkbox])")
    passed = sum(kind_of(at) in {"passed", "not_asked"} for at in range(_CASES))
    assert ["failed (1)", "not measured (1)", "degraded (1)", f"wholly passed ({passed})"] == labels


@pytest.mark.parametrize("text", ["<b>", "\\", "(", "[x", "退款", "' or 1=1"])
def test_a_filter_takes_any_text(visit: Visits, text: str) -> None:
    """What is typed is looked for as it is; it is no pattern and no markup."""
    tab = visit("plain")
    tab.one("input[type=search]").fill(text)
    assert [] == _column(tab, "table.board", 1)
    assert [] == tab.said


def test_a_link_opens_its_trial(visit: Visits) -> None:
    """A link of the board opens the trial that it leads to, and brings it into view."""
    tab = visit("plain")
    tab.one("p.tools button:has-text('close all')").click()
    expect(tab.one("#t1 .trace")).to_be_hidden()
    tab.one("#clusters a[href='#t2']").click()
    expect(tab.one("#t2 .trace")).to_be_visible()
    expect(tab.one("#t2 > summary")).to_be_in_viewport()


def test_a_case_of_the_board_links_to_its_trial(visit: Visits) -> None:
    """A case of which a trial is shown leads to it from the board."""
    tab = visit("plain")
    tab.one("#board a").click()
    expect(tab.one("#t7 > summary")).to_contain_text("case-00003")
    expect(tab.one("#t7 .trace")).to_be_visible()
    expect(tab.one("#t7 > summary")).to_be_in_viewport()


def test_an_event_can_be_pointed_to(visit: Visits) -> None:
    """An address that ends in an event opens its trial and shows the event."""
    tab = visit("plain", anchor="#t4e3")
    expect(tab.one("#t4e3")).to_be_in_viewport()
    expect(tab.one("#t5 .trace")).to_be_hidden()


def test_a_verdict_leads_to_its_event(visit: Visits) -> None:
    """The events that a verdict cites are links; each leads to its own event."""
    tab = visit("plain")
    link = tab.one("#t1 table a[href='#t1e3']")
    assert "3" == link.text_content()
    link.click()
    expect(tab.one("#t1e3")).to_be_in_viewport()
    assert tab.page.url.endswith("#t1e3")


def test_an_address_that_leads_nowhere_harms_nothing(visit: Visits) -> None:
    """A fragment that no element has, or that cannot be decoded, changes nothing."""
    for anchor in ("#gone", "#%E0%A4%A", "#<img src=x onerror=alert(1)>"):
        tab = visit("plain", anchor=anchor)
        assert [] == tab.said
        assert 1 == tab.page.locator("fieldset.tools").count()
