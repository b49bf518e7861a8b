"""Plan -> events: every assignment is run once, so many at a time, and recorded as it happens.

What comes in: assignments, a world, an agent, a model, a sink, clock and ids. What goes out: events
through the sink, a `Closed` per trial, and what the run came to. The sync door is `engine.execute_all`.
"""
