"""The agent under test: the reference loop, a model with tools and nothing else in the way.

What comes in: an `AgentTask` (case, arm, world, model, limits, and where to record). What goes out:
events, through the task's `emit`, and a `Closed` that says how it ended. `loop` lists the rules and where
each is kept.
"""
