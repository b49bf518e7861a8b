"""Measures sizes: lines of modules and functions, arguments, depth of folders.

Comes in: sources. Goes out: what is over a limit, and the table that `python -m tests.house.sizes` prints.
"""

import statistics
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.house.source import Function, Source, functions, sources

MODULE_AIM = 150  # lines; a page that one sitting can hold
MODULE_LIMIT = 400  # lines
FUNCTION_LONG = 30  # lines, signature and docstring included
FUNCTION_LIMIT = 60  # lines, signature and docstring included
LONG_SHARE = 0.1  # at most one function in ten is long
MEDIAN_LIMIT = 12  # lines; the aim is about ten
ARGUMENT_LIMIT = 6  # self and cls not counted
DEPTH_LIMIT = 2  # folders below the package


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The sizes of one body of code.

    Attributes:
        modules: Lines by path.
        functions: Lines by `path::name`.
        arguments: Number of arguments by `path::name`, self and cls not counted.
        depths: Number of folders below the first one, by path.
    """

    modules: dict[str, int]
    functions: dict[str, int]
    arguments: dict[str, int]
    depths: dict[str, int]

    @property
    def median(self) -> float:
        """The median length of a function in lines; 0.0 where there is none."""
        return statistics.median(self.functions.values()) if self.functions else 0.0

    @property
    def long_share(self) -> float:
        """The share of functions that are long, 0 to 1."""
        long = sum(lines > FUNCTION_LONG for lines in self.functions.values())
        return long / len(self.functions) if self.functions else 0.0


def measure(files: Iterable[Source]) -> Measured:
    """Measure some files."""
    measured = Measured(modules={}, functions={}, arguments={}, depths={})
    for source in files:
        measured.modules[source.path] = source.lines
        measured.depths[source.path] = source.path.count("/") - 1
        for name, function in functions(source):
            measured.functions[f"{source.path}::{name}"] = _length(function)
            measured.arguments[f"{source.path}::{name}"] = _argument_count(function)
    return measured


def over_limits(measured: Measured) -> dict[str, str]:
    """Return what is over a limit of its own: place -> what is wrong with it."""
    return dict(_over_limits(measured))


def table(measured: Measured) -> str:
    """Return the sizes as a small table for people."""
    above = sum(lines > MODULE_AIM for lines in measured.modules.values())
    share = f"{measured.long_share:.1%} over {FUNCTION_LONG}"
    rows = [
        f"modules    {len(measured.modules):5d}, {above} over the aim of {MODULE_AIM} lines",
        f"functions  {len(measured.functions):5d}, median {measured.median:.0f} lines, {share}",
    ]
    longest = sorted(measured.modules.items(), key=lambda item: -item[1])[:5]
    return "\n".join(rows + [f"  {lines:5d}  {path}" for path, lines in longest])


def _over_limits(measured: Measured) -> Iterator[tuple[str, str]]:
    for path, lines in measured.modules.items():
        if lines > MODULE_LIMIT:
            yield path, f"{lines} lines, limit {MODULE_LIMIT}"
    for place, lines in measured.functions.items():
        if lines > FUNCTION_LIMIT:
            yield place, f"{lines} lines, limit {FUNCTION_LIMIT}"
    for place, count in measured.arguments.items():
        if count > ARGUMENT_LIMIT:
            yield place, f"{count} arguments, limit {ARGUMENT_LIMIT}"
    for path, depth in measured.depths.items():
        if depth > DEPTH_LIMIT:
            yield path, f"{depth} folders below the package, limit {DEPTH_LIMIT}"


def _length(function: Function) -> int:
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    return (function.end_lineno or function.lineno) - first + 1


def _argument_count(function: Function) -> int:
    positional = function.args.posonlyargs + function.args.args
    bound = bool(positional) and positional[0].arg in {"self", "cls"}
    return len(positional) - bound + len(function.args.kwonlyargs)


if __name__ == "__main__":
    sys.stdout.write(table(measure(sources("evalkit"))) + "\n")
