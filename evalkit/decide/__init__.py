"""Verdicts -> counts, estimates and a decision: go, no-go or undecided, never green by default."""
