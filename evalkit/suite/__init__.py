"""Suites: from files that people write to records that the harness runs, every problem reported at once.

What comes in: YAML files, tables, Python files of a suite's folder. What goes out: `Suite`, `Arm`,
`GatePolicy`, or one `InputError` that holds all problems of all files with line and column.
"""
