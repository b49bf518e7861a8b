"""Tests of the reference loop, through the ports."""
