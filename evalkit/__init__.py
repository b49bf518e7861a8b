"""evalkit: the evaluation and verification harness for LLM agents.

Importing the package loads nothing else: the rooms are imported by whoever needs them, so that the command
line answers at once.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
