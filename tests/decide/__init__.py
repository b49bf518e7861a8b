"""Tests of the counts, figures and decisions."""
