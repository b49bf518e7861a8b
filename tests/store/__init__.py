"""Tests of evalkit.store."""
