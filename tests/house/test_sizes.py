"""Sizes of the product's code, with one list of exceptions."""

from tests.house.sizes import LONG_SHARE, MEDIAN_LIMIT, Measured, measure, over_limits, table
from tests.house.source import planted, sources

# path or path::function -> why this one may be larger than the limits of tests/house/sizes.py allow.
EXCEPTIONS: dict[str, str] = {
    "suites/refund/tools.py": "the tools of a suite are one file by its format",
    "suites/refund/policies.py": "two arms share all but three steps, and a policy file imports no other",
}


def _measured() -> Measured:
    return measure(sources("evalkit", "suites", "benchmarks"))


def test_nothing_is_larger_than_the_limits() -> None:
    """No module, function, argument list or folder depth is over its limit without a reason in EXCEPTIONS."""
    found = {place: problem for place, problem in over_limits(_measured()).items() if place not in EXCEPTIONS}
    assert {} == found


def test_every_exception_is_still_needed() -> None:
    """An exception whose code has shrunk is struck off the list."""
    assert set() == set(EXCEPTIONS) - set(over_limits(_measured()))


def test_functions_are_short_as_a_rule() -> None:
    """The median function is about ten lines, and at most one in ten is over thirty."""
    measured = measure(sources("evalkit"))
    assert measured.median <= MEDIAN_LIMIT
    assert measured.long_share <= LONG_SHARE, table(measured)


def test_a_long_module_is_found() -> None:
    """Self-test: 401 lines are too many, 400 are not."""
    assert {} == over_limits(measure([planted("x = 1\n" * 400)]))
    assert ["evalkit/score/planted.py"] == list(over_limits(measure([planted("x = 1\n" * 401)])))


def test_a_long_function_is_found() -> None:
    """Self-test: a function of 61 lines is too long, its decorator and docstring counted."""
    body = "        x = 1\n" * 58
    text = f'class A:\n    @property\n    def f(self):\n        """D."""\n{body}'
    assert ["evalkit/score/planted.py::A.f"] == list(over_limits(measure([planted(text)])))
    assert {} == over_limits(measure([planted(text.removesuffix("        x = 1\n"))]))


def test_a_seventh_argument_is_found() -> None:
    """Self-test: six arguments beside self pass, keyword-only ones counted; seven do not."""
    six = planted("class A:\n    def f(self, a, b, c, *, d, e, f): ...\n")
    seven = planted("class A:\n    def f(self, a, b, c, *, d, e, f, g): ...\n")
    assert {} == over_limits(measure([six]))
    assert ["evalkit/score/planted.py::A.f"] == list(over_limits(measure([seven])))


def test_a_deep_folder_is_found() -> None:
    """Self-test: the third folder below the package is one too many."""
    assert {} == over_limits(measure([planted("", "evalkit/a/b/m.py")]))
    assert ["evalkit/a/b/c/m.py"] == list(over_limits(measure([planted("", "evalkit/a/b/c/m.py")])))


def test_many_long_functions_are_found() -> None:
    """Self-test: one long function of two is a share of one half, and the median lies between them."""
    measured = measure([planted("def f():\n" + "    x = 1\n" * 40 + "def g(): ...\n")])
    assert 0.5 == measured.long_share
    assert 21 == measured.median
