"""Tests of the suites that come with the product."""
