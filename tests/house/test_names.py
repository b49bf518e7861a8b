"""Rooms are named after what they do, and things by the words of the vocabulary."""

from tests.house.markdown import headings, pages
from tests.house.source import REPOSITORY, Source, planted, sources
from tests.house.vocabulary import PAGE, avoided_words, found_in, public_names, words_of

# A room with such a name has no reason of its own to exist, and collects what nobody found a place for.
NO_ROOMS = frozenset(
    {"utils", "util", "common", "core", "base", "helpers", "helper", "manager", "managers", "misc"}
)

# `Name: word` as found in evalkit/records -> why the word is right there.
RECORDS: dict[str, str] = {
    "Arm.system: system": "the system prompt, as models call it; not another word for the arm",
    "Case.signal: signal": "what a case signals (capability or knowledge); not another word for a fact",
    "Estimate.threshold: threshold": "the bound that was asked for; the gate is the policy that asks",
    "Goal.baseline: baseline": "the figure before the agent came; not another word for an arm",
    "Goal.sample: sample": "the sample that the goal is measured on; not another word for a case",
    "Items: item": "the elements of a written list; not another word for a case",
    "Measure.threshold: threshold": "what a measure is held against; the gate is the policy",
    "Usage.level: level": "the level of work that spent the tokens; not another word for a metric's scope",
    "VerdictRow.threshold: threshold": "the same as a column of the table: what a measure is held against",
}

# Heading of a page -> why the word is right there.
HEADINGS: dict[str, str] = {}


def _misnamed_rooms(files: tuple[Source, ...]) -> list[str]:
    return [file.path for file in files if set(file.path.removesuffix(".py").split("/")) & NO_ROOMS]


def _avoided() -> frozenset[str]:
    return avoided_words(PAGE.read_text(encoding="utf-8"))


def test_no_room_is_a_store_for_leftovers() -> None:
    """No folder or module is called utils, common, core, base, helpers or manager."""
    assert [] == _misnamed_rooms(sources("evalkit", "tests", "suites", "benchmarks"))


def test_records_speak_the_vocabulary() -> None:
    """No public name of the records holds an avoided word but those listed, and each of these is needed."""
    names = [name for source in sources("evalkit/records") for name in public_names(source)]
    assert set(RECORDS) == found_in(names, _avoided())


def test_headings_speak_the_vocabulary() -> None:
    """No heading of the docs holds an avoided word, but for those listed, and each of these is needed."""
    found = {heading for page in pages() for heading in headings(page.text)}
    assert set(HEADINGS) == found_in(found, _avoided())


def test_the_page_names_the_avoided_words() -> None:
    """The table of the vocabulary is read: words of its first and last row are among the avoided."""
    assert {"benchmark", "dataset", "epoch", "reward", "train", "test"} <= _avoided()
    assert {"suite", "case", "trial"}.isdisjoint(_avoided())


def test_a_misnamed_room_is_found() -> None:
    """Self-test: a folder or a module with an empty name is found, a word within a longer name is not."""
    named = ("evalkit/utils/x.py", "evalkit/score/helpers.py", "evalkit/score/coreference.py")
    files = tuple(planted("", name) for name in named)
    assert ["evalkit/utils/x.py", "evalkit/score/helpers.py"] == _misnamed_rooms(files)


def test_an_avoided_word_is_found() -> None:
    """Self-test: classes, fields, functions and constants are read, plurals and camel case split."""
    text = (
        "class EpochPlan:\n    rewards: int\n    _items: int\ndef sample_one(): ...\nSCORE = 1\ntrial = 2\n"
    )
    names = list(public_names(planted(text)))
    expected = {
        "EpochPlan: epoch",
        "EpochPlan.rewards: reward",
        "sample_one: sample",
        "SCORE: score",
    }
    assert expected == found_in(names, frozenset({"epoch", "reward", "item", "sample", "score"}))


def test_words_are_split() -> None:
    """Self-test: underscores, hyphens and capitals part words."""
    assert {"fail", "on"} <= words_of("--fail-on-fail")
    assert {"case", "cases", "floor"} == words_of("CasesFloor") | {"case"}


def test_the_repository_is_where_it_is_looked_for() -> None:
    """Self-test: the checks read something."""
    assert (REPOSITORY / "evalkit" / "__init__.py").is_file()
    assert len(sources("evalkit")) > 1
