"""The check catalogue: one function for each kind, from facts to a finding.

What comes in: an expectation and a `CheckView`. What goes out: a `Finding`; `not_` is applied by the scorer.
"""

from evalkit.score.checks.catalogue import examine

__all__ = ["examine"]
