"""Trace -> facts: typed statements, each citing the events that show it. Absent is not false.

What comes in: a suite, a case and the events of one trial. What goes out: one `FactSheet`, through
`derive.derive`.
"""
