"""Everything outside the harness behind one seam; real or mock is which object is passed in.

What comes in: a suite's files (template SQL, tools), a case and its planned trial. What goes out: objects
that implement `ports.Session`, `ports.Model` and `ports.Clock`, fresh for each trial.
"""
