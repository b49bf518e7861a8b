"""Tests of evalkit.pipeline."""
