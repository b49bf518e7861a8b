"""Tests of the room `exchange`."""
