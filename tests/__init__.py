"""Tests of evalkit: they mirror the package, plus journeys, contracts and the house."""
