"""Tests of running trials, through the ports."""
