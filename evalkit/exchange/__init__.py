"""Traces and results that others recorded: read strictly, turned into a suite and events, losses told.

What comes in: a file in somebody else's format. What goes out: an `Imported`, which `pipeline` writes as a
run.
"""
