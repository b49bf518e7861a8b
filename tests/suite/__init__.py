"""Tests of the room that turns files into records."""
