"""Tests of evalkit.records."""
