"""The command line: one short function per verb; parse, call the pipeline, exit code."""
