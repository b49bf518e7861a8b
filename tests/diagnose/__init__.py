"""Tests of attribution records, clusters and boards."""
