"""The work of the benchmark as Inspect AI does it: its mock model, its log on disk, its own scorer.

    python inspect_work.py KIND CASES REPEATS LOGS

What comes in: `trivial`, `turns` (its own tool loop) or `loop` (the same by hand, with the least that its
public interface asks for), each with `+live` behind it for its realtime log, which is its default. What goes
out: one JSON object with the number of trials that passed.

Run by `overhead.py` with the Python of the peers; imports nothing of evalkit.
"""

import json
import sys
from collections.abc import Sequence

from inspect_ai import Epochs, Task, eval  # noqa: A004 - the peer's own name
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
    execute_tools,
    get_model,
)
from inspect_ai.scorer import match
from inspect_ai.solver import Generate, Solver, TaskState, chain, generate, solver, use_tools
from inspect_ai.tool import Tool, ToolCall, ToolChoice, ToolInfo, tool

GREETING = "hello"
ANSWER = "The total is 42."


@tool
def add() -> Tool:
    """Make the first tool."""

    async def execute(one: int, other: int) -> int:
        """Add two numbers.

        Args:
            one: The first.
            other: The second.
        """
        return one + other

    return execute


@tool
def double() -> Tool:
    """Make the second tool."""

    async def execute(number: int) -> int:
        """Double a number.

        Args:
            number: The number.
        """
        return 2 * number

    return execute


def greets(
    _input: Sequence[ChatMessage], _tools: Sequence[ToolInfo], _choice: ToolChoice, _config: GenerateConfig
) -> ModelOutput:
    """Say hello."""
    return _said(ChatMessageAssistant(content=GREETING), "stop")


def adds(
    messages: Sequence[ChatMessage], _tools: Sequence[ToolInfo], _choice: ToolChoice, _config: GenerateConfig
) -> ModelOutput:
    """Call one tool, then the other, then answer."""
    results = sum(message.role == "tool" for message in messages)
    if results == 2:
        return _said(ChatMessageAssistant(content=ANSWER), "stop")
    name, arguments = (("add", {"one": 19, "other": 2}), ("double", {"number": 21}))[results]
    call = ToolCall(id=f"call_{results}", function=name, arguments=arguments)
    return _said(ChatMessageAssistant(content="", tool_calls=[call]), "tool_calls")


def _said(message: ChatMessageAssistant, reason: str) -> ModelOutput:
    """Return a reply with its usage, which spares the peer a count of tokens."""
    choice = {"message": message, "stop_reason": reason}
    usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return ModelOutput.model_validate({"model": "mockllm", "choices": [choice], "usage": usage})


@solver
def by_hand() -> Solver:
    """Make the loop itself: ask, run the calls, write the results back, until no call is left."""

    async def solve(state: TaskState, _generate: Generate) -> TaskState:
        model, tools = get_model(), [add(), double()]
        while True:
            state.output = await model.generate(state.messages, tools)
            state.messages.append(state.output.message)
            if not state.output.message.tool_calls:
                return state
            results, _ = await execute_tools(state.messages, tools)
            state.messages.extend(results)

    return solve


def main() -> None:
    """Run the trials and print how many passed."""
    words, cases, repeats, logs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    kind, _, live = words.partition("+")
    solvers = {
        "trivial": generate,
        "turns": lambda: chain(use_tools(add(), double()), generate()),
        "loop": by_hand,
    }
    target = GREETING if kind == "trivial" else "42."
    asked = "hi" if kind == "trivial" else "Add 19 and 2, and double it."
    log = eval(
        Task(
            dataset=MemoryDataset(
                [Sample(id=f"case-{at}", input=asked, target=target) for at in range(cases)]
            ),
            solver=solvers[kind](),
            scorer=match(),
        ),
        model=get_model("mockllm/model", custom_outputs=greets if kind == "trivial" else adds),
        epochs=Epochs(repeats) if repeats > 1 else None,
        display="none",
        log_dir=logs,
        log_realtime=bool(live),
        score_display=False,
        ctl_server=False,
        max_samples=8,
    )[0]
    assert log.results is not None, log.error
    mean = log.results.scores[0].metrics["accuracy"].value
    print(json.dumps({"passed": round(mean * cases * repeats)}))


if __name__ == "__main__":
    main()
