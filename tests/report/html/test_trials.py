"""A shown trial: its graph with its root, verdicts that link to events, facts, probes, the trace."""

from __future__ import annotations

import re

from msgspec.structs import replace

from evalkit.records.document import Document, StageNode
from evalkit.report.html.graph import StageLooks, graph
from evalkit.report.html.signs import EXPLAINED, PASSED, ROOT
from evalkit.report.html.trial import trial_part
from tests.report.html.making import columns, document, nodes, trial
from tests.report.html.reading import page


def _one(word: str = "case", more: int = 0) -> Document:
    return replace(document(2, 1, shown=0), trials=(trial(word, more=more),))


def test_cited_events_are_links_to_the_event() -> None:
    """A verdict links to the event that shows it, and the event is marked."""
    text = page(_one())
    assert '<a href="#t1e3">3</a> 99' in text
    assert re.search(r'<li id="t1e3" class="toolcalled cited">.*?<em>cited</em>', text)
    assert '<li id="t1e1" class="userturn">' in text


def test_the_graph_marks_the_root() -> None:
    """The graph shows every stage with its verdict, and the root once."""
    text = page(_one())
    drawn = text[text.index('<svg class="graph"') : text.index("</svg>", text.index('<svg class="graph"'))]
    assert 1 == drawn.count(">root</text>")
    assert '<g class="r root">' in drawn
    assert "lookup: fail, a root; decide: not reached" in drawn


def test_the_graph_has_a_line_for_every_need() -> None:
    """Every need is drawn; what needs nothing stands on top, what needs more stands lower."""
    made = graph(nodes(), StageLooks(signs={"lookup": ROOT}, failed={}, roots=frozenset({"lookup"})))
    assert 5 == len(made.lines) == len(made.heads)
    heights = {box.whole: box.y for box in made.boxes}
    assert heights["identify"] < heights["lookup"] < heights["decide"] < heights["act"] == heights["reply"]


def test_no_box_lies_on_another_or_outside() -> None:
    """Boxes stand apart and inside the drawing."""
    made = graph(nodes(), StageLooks(signs={}, failed={"act": ["refunded"]}, roots=frozenset()))
    for one in made.boxes:
        assert 0 <= one.x
        assert one.x + one.width <= made.width
        assert one.y + one.height <= made.height
        assert not any(
            one.x < two.x + two.width
            and two.x < one.x + one.width
            and one.y < two.y + two.height
            and two.y < one.y + one.height
            for two in made.boxes
            if two is not one
        )


def test_a_graph_with_a_circle_is_still_drawn() -> None:
    """What no suite may declare does not keep a page from being made."""
    round_ = (StageNode(name="a", needs=("b",)), StageNode(name="b", needs=("a", "missing")))
    made = graph(round_, StageLooks(signs={"a": PASSED, "b": EXPLAINED}, failed={}, roots=frozenset()))
    assert ["a", "b"] == sorted(box.whole for box in made.boxes)


def test_a_metric_that_fails_by_itself_is_named_at_its_stage() -> None:
    """A stage that ran well and at which a metric failed shows that metric."""
    shown = trial("case")
    fail = replace(shown.view.verdicts[5], roots=("act",), outcome="fail")
    view = replace(shown.view, verdicts=(*shown.view.verdicts[:1], fail))
    part = trial_part(replace(shown, view=view), "t1", (nodes(), columns()), 10_000)
    assert part.graph is not None
    assert {"act": "✕ refunded"} == {box.whole: box.note for box in part.graph.boxes if box.note}


def test_a_long_event_is_cut_and_counted() -> None:
    """The beginning of a long text stands there, more on demand, and the rest is counted."""
    text = page(_one("x" * 20_000))
    assert "<summary>more</summary>" in text
    assert "12000 more characters left out" in text


def test_cited_events_are_kept_when_there_is_no_room_for_all() -> None:
    """Of a trace that is too long, what a fail cites stays, and the others are counted."""
    part = trial_part(trial("x" * 300, more=900), "t1", (nodes(), columns()), 20_000)
    assert {3, 4} <= {line.seq for line in part.events}
    assert 908 == len(part.events) + part.events_left
    assert len(part.events) < 100


def test_a_trial_that_was_never_closed_says_so() -> None:
    """A trial without facts and trace is shown with what is known of it."""
    shown = trial("case")
    bare = replace(shown, view=replace(shown.view, sheet=None, trace=None))
    text = page(replace(document(2, 1, shown=0), trials=(bare,)))
    assert "it was never closed" in text
    assert '<a href="#t1e' not in text


def test_facts_and_probes_stand_beside_the_trace() -> None:
    """Facts are sentences, probes say what was asked, what was answered and by which event."""
    text = page(_one())
    assert "1 user turn, 0 model replies" in text
    assert re.search(
        r'<dt><span dir="auto" class="t">case</span>\s*<span class="by">event <a href="#t1e6">6', text
    )


def test_an_unmeasured_verdict_says_what_to_do() -> None:
    """An error that nobody examined shows its cause, its sub-cause and the action."""
    text = page(_one())
    assert "error environment/no_reply" in text
    assert "<strong>what to do:</strong> fix the environment" in text
