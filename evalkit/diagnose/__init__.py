"""Verdicts + facts -> why: attribution records, clusters by root, and the board that people look at."""
