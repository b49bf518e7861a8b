"""Nothing on the page needs a script: all can be read, and nothing pretends to work."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.visiting import Visits


def test_all_can_be_read_without_script(visit: Visits, name: str) -> None:
    """Decision, reasons, board, root causes and the evidence of a trial can be read at once."""
    tab = visit(name, script=False)
    expect(tab.one("#decision h1")).to_contain_text("no-go")
    expect(tab.one("#decision .says.why li")).to_contain_text("no-go: ")
    expect(tab.one("#board table.board tbody tr")).to_be_visible()
    expect(tab.one("#clusters .cluster h3")).to_contain_text("missing")
    expect(tab.one("#t1 .why dd")).to_be_visible()
    expect(tab.one("#t1 table tbody tr")).to_be_visible()
    expect(tab.one("#t1 .trace li.cited")).to_be_visible()


def test_every_section_says_something_without_script(visit: Visits, name: str) -> None:
    """No section is empty, and none waits for anything."""
    tab = visit(name, script=False)
    sections = tab.page.locator("main > section")
    assert 9 == sections.count()
    assert [] == [text for text in sections.all_inner_texts() if len(text.split()) < 4 or "loading" in text]


def test_closed_trials_open_without_script(visit: Visits) -> None:
    """A trial opens by a click on its summary, and shows its trace."""
    tab = visit("plain", script=False)
    expect(tab.one("#t2 .trace")).to_be_hidden()
    tab.one("#t2 > summary").click()
    expect(tab.one("#t2 .trace")).to_be_visible()


def test_no_control_is_dead(visit: Visits, name: str) -> None:
    """What only a script can do is not offered where none runs; with script it is."""
    controls = "button, input, select, textarea, fieldset, [role=button], [onclick]"
    assert 0 == visit(name, script=False).page.locator(controls).count()
    assert 10 < visit(name).page.locator(controls).count()


def test_the_page_says_the_same_without_script(visit: Visits) -> None:
    """A script adds tools and takes nothing away: the rows and sentences are the same."""
    parts = "main tbody, .says, .trace, .told, h1, h2, h3"
    assert visit("plain", script=False).texts(parts) == visit("plain").texts(parts)
