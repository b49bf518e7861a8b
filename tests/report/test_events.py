"""Events in words: what a trace says of one event."""

import pytest

from evalkit.records.event import Event, Probed
from evalkit.report.events import in_words


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (Probed(id="end:select 1", rows=[[1]]), "end:select 1 -> [[1]]"),
        (Probed(id="end:select 1", rows=[[1]], waited=2.5), "end:select 1 -> after 2.5 s [[1]]"),
        (
            Probed(id="end:the SQL of reply.sql", cause="refused", message="no such table"),
            "end:the SQL of reply.sql -> no answer (refused): no such table",
        ),
    ],
)
def test_an_answer_that_was_waited_for_says_how_long(body: Probed, words: str) -> None:
    """Question, seconds and answer; without waiting, no seconds."""
    assert ("probe", words) == in_words(Event(execution="e", seq=0, body=body))
