"""The work of the benchmark as pydantic-evals does it: a task function, an evaluator, nothing on disk.

    python pydantic_work.py KIND CASES REPEATS FOLDER

What comes in: `trivial` or `turns`. It has no agent and no trace: the three turns are a loop in the task.
What goes out: one JSON object: how many trials passed.

Run by `overhead.py` with the Python of the peers; imports nothing of evalkit.
"""

import json
import sys
from collections.abc import Callable

from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EqualsExpected

GREETING = "hello"
ANSWER = "The total is 42."


async def greet(_asked: str) -> str:
    """Say hello."""
    return GREETING


def add(one: int, other: int) -> int:
    """Add two numbers."""
    return one + other


def double(number: int) -> int:
    """Double a number."""
    return 2 * number


async def total(asked: str) -> str:
    """Call one tool, then the other, then answer, and keep the messages as an agent would."""
    tools: dict[str, Callable[..., int]] = {"add": add, "double": double}
    steps = (("add", {"one": 19, "other": 2}), ("double", {"number": 21}))
    messages: list[dict[str, object]] = [{"role": "user", "content": asked}]
    for name, arguments in steps:
        messages.append({"role": "assistant", "calls": [{"tool": name, "arguments": arguments}]})
        messages.append({"role": "tool", "content": tools[name](**arguments)})
    messages.append({"role": "assistant", "content": ANSWER})
    return ANSWER


def main() -> None:
    """Run the trials and print how many passed."""
    kind, cases, repeats = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    task, expected = (greet, GREETING) if kind == "trivial" else (total, ANSWER)
    dataset: Dataset[str, str, None] = Dataset(
        name="overhead",
        cases=[Case(name=f"case-{at}", inputs="hi", expected_output=expected) for at in range(cases)],
        evaluators=[EqualsExpected()],
    )
    report = dataset.evaluate_sync(task, progress=False, repeat=repeats, max_concurrency=8)
    held = [all(result.value for result in case.assertions.values()) for case in report.cases]
    print(json.dumps({"passed": sum(held)}))


if __name__ == "__main__":
    main()
