"""Cases that are one situation written twice: to the letter, or the same but for figures, ids and names.

What comes in: cases. What goes out: pairs of them, each case with the first of those that it is like. Cases
of one declared `cluster` are known to be like each other, and are no pair.

Near pairs are looked for among cases of one shape: the same capability, demands, checks, start and pinned
answers, once figures and ids are left out. Inside a shape an inverted index over the rarest shingles of each
text finds every text that can be alike (prefix filtering: Bayardo, Ma and Srikant, "Scaling up all pairs
similarity search", 2007), so that the work grows with the cases and not with their pairs.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from evalkit.records.case import Case
from evalkit.suite.likeness import likeness, masked, shingles
from evalkit.suite.situations import said, shape, situation

LIKE = 0.8
"""Jaccard index from which on two inputs are near-duplicates: one word of twenty may differ."""

MOST_LISTED = 200
"""Texts that the index keeps under one shingle: of more that share it and are not alike, later ones may be
overlooked."""

MOST_HELD = 64
"""Texts that one text is held against in full: those with which it shares most of its rarest shingles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Double:
    """A case and the first one that it is like.

    Attributes:
        case: The later case.
        first: The earlier one.
        likeness: Jaccard index of their masked shingles, between `LIKE` and 1.
        same: Input, start and pinned answers are the same to the letter.
    """

    case: Case
    first: Case
    likeness: float
    same: bool = False


def doubles(cases: Sequence[Case]) -> tuple[Double, ...]:
    """Return every case that is like an earlier one of another cluster, in their order.

    Args:
        cases: All cases of a suite.
    """
    found: dict[str, Double] = {}
    first: dict[str, dict[str, Case]] = {}
    shapes: dict[str, list[Case]] = {}
    for case in cases:
        seen = first.setdefault(situation(case), {})
        other = next((one for cluster, one in seen.items() if cluster != case.cluster_name), None)
        if other is not None:
            found[case.id] = Double(case=case, first=other, likeness=1.0, same=True)
        elif not seen:
            shapes.setdefault(shape(case), []).append(case)
        seen.setdefault(case.cluster_name, case)
    for group in shapes.values():
        found |= {one.case.id: one for one in _near(group)}
    return tuple(found[case.id] for case in cases if case.id in found)


def _near(cases: list[Case]) -> Iterator[Double]:
    """Yield the cases of one shape that are like an earlier one of it."""
    if len(cases) == 1:
        return
    words = [masked(said(case)) for case in cases]
    texts = [shingles(one) for one in words]
    index = _Index(Counter(shingle for text in texts for shingle in text))
    for case, tokens, text in zip(cases, words, texts, strict=True):
        if any(word.isalpha() for word in tokens):
            like = index.met(case, text)
            other = next((one for one in like if one[0].cluster_name != case.cluster_name), None)
            if other is not None:
                yield Double(case=case, first=other[0], likeness=other[1])


@dataclass(slots=True)
class _Index:
    """Texts by their rarest shingles.

    Attributes:
        counted: Shingle -> in how many texts it stands.
        texts: The texts that are held against later ones.
        by_text: Text -> its number.
        under: Shingle -> numbers of texts.
    """

    counted: Counter[str]
    texts: list[tuple[Case, frozenset[str]]] = field(default_factory=list)
    by_text: dict[frozenset[str], int] = field(default_factory=dict)
    under: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def met(self, case: Case, text: frozenset[str]) -> list[tuple[Case, float]]:
        """Return the texts that are like this one, earliest first; where none is, keep it for later ones."""
        same = self.by_text.get(text)
        if same is not None:
            return [(self.texts[same][0], 1.0)]
        prefix = self._prefix(text)
        shared = Counter(chain.from_iterable(self.under.get(shingle, ()) for shingle in prefix))
        near = sorted(number for number, _ in shared.most_common(MOST_HELD))
        found = ((self.texts[number][0], likeness(self.texts[number][1], text)) for number in near)
        like = [(case, index) for case, index in found if index >= LIKE]
        if not like:
            self._keep(case, text, prefix)
        return like

    def _keep(self, case: Case, text: frozenset[str], prefix: list[str]) -> None:
        self.by_text[text] = len(self.texts)
        for shingle in prefix:
            if len(self.under[shingle]) < MOST_LISTED:
                self.under[shingle].append(len(self.texts))
        self.texts.append((case, text))

    def _prefix(self, text: frozenset[str]) -> list[str]:
        """Return so many of the rarest shingles that two texts without one in common cannot be alike."""
        counted = self.counted
        ordered = sorted((counted[shingle], shingle) for shingle in text)
        return [shingle for _, shingle in ordered[: len(ordered) - math.ceil(LIKE * len(ordered)) + 1]]
