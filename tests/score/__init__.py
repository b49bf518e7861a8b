"""Tests of the verdicts: against the oracle, by hand-worked trials, and by laws."""
