"""Cutting a plan into parts that run apart: whole clusters of cases, about as many cases in each.

What comes in: the cases of a plan, which part is wanted of how many. What goes out: the cases of that part.
A case goes with all its trials and arms, so that pairs stay together; a cluster goes as a whole, since its
cases stand or fall together and are best run under the same conditions. The cut depends on the selected cases
alone: every machine of a matrix finds the same one without asking the others.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from evalkit.errors import InputError
from evalkit.records.case import Case


def shard_of(cases: Sequence[Case], number: int, of: int) -> tuple[Case, ...]:
    """Return the cases of one part of a plan.

    Args:
        cases: The cases of the whole plan, in the suite's order.
        number: Which part, from 1.
        of: How many parts, at least `number`.

    Returns:
        Cases in the suite's order, at least one where there are any; every case is in exactly one part.

    Raises:
        InputError: There are fewer clusters of cases than parts, so that a part would measure nothing.
    """
    clusters = [case.cluster_name for case in cases]
    most = len(set(clusters))
    if cases and of > most:
        raise InputError.of(
            f"{of} shards of {most} clusters of cases: a shard would have nothing to run",
            value=f"{number}/{of}",
            suggestion=f"at most --shard 1/{most} to {most}/{most}",
        )
    parts = assigned(clusters, of if cases else 1)
    return tuple(case for case, part in zip(cases, parts, strict=True) if part == number)


def assigned(clusters: Sequence[str], of: int) -> tuple[int, ...]:
    """Return the part of every case: the largest cluster first, each to the part that has fewest cases.

    Args:
        clusters: The cluster of every case, in the suite's order.
        of: How many parts, at least 1.

    Returns:
        One number from 1 to `of` for each case. Two parts differ by at most the size of the largest cluster.

    Source: longest processing time first (Graham 1969, Bounds on multiprocessing timing anomalies).

    >>> assigned(["a", "b", "b", "c"], 2)
    (2, 1, 1, 2)
    """
    sizes: dict[str, int] = {}
    for cluster in clusters:
        sizes[cluster] = sizes.get(cluster, 0) + 1
    loads = [(0, part) for part in range(1, of + 1)]
    found: dict[str, int] = {}
    for cluster in sorted(sizes, key=lambda name: -sizes[name]):  # stable: the suite's order breaks ties
        load, part = loads[0]
        found[cluster] = part
        heapq.heapreplace(loads, (load + sizes[cluster], part))
    return tuple(found[cluster] for cluster in clusters)
