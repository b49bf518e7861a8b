"""Tests of the statistics: worked values with their source, laws as properties, and outside oracles."""
