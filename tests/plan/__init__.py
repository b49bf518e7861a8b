"""Tests of evalkit.plan."""
