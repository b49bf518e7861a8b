"""What `check` says about a suite before anything is run.

What comes in: a loaded suite, through `suite` and `pipeline`. What goes out: `SuiteCheck`, which `report`
lays out.
"""

from __future__ import annotations

from msgspec import Struct

from evalkit.errors import Problem


class Proof(Struct, frozen=True, kw_only=True):
    """What the size of a suite can prove for one require of its gate policy.

    Attributes:
        metric: The metric.
        slice: suite, ``capability=x`` or ``case=x``.
        asked: The require in words, e.g. ``rate >= 0.9``.
        units: Independent units: clusters, or trials for estimand suite.
        provable: The highest at_least (or lowest at_most) that a faultless run would prove.
        fails: How many units may fail; None where even a faultless run proves too little.
        asks: Whether anything is asked at all.
    """

    metric: str
    slice: str
    asked: str
    units: int
    provable: float
    fails: int | None
    asks: bool = True


class SuiteCheck(Struct, frozen=True, kw_only=True):
    """One suite, looked at.

    Attributes:
        path: As typed.
        suite: Name, "" where it could not be loaded.
        cases: Number of cases.
        problems: Problems and warnings, in the order of files and lines.
        proofs: What the sample size can prove.
    """

    path: str
    suite: str = ""
    cases: int = 0
    problems: tuple[Problem, ...] = ()
    proofs: tuple[Proof, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether something refuses the suite."""
        return any(not problem.warning for problem in self.problems)
