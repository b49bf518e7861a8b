"""The run folder on disk: append-only journal, plan, verdicts, decision, manifest.

What comes in: records. What goes out: files that survive `kill -9`, and the same records read back.
Only `pipeline` sees this room.
"""
