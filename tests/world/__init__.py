"""The seam to everything outside the harness."""
