"""Tests of what a trace shows."""
