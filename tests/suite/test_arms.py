"""Arms and gates on their own, against a loaded suite."""

from pathlib import Path

import pytest

from evalkit.errors import InputError
from evalkit.suite.arms import find_arm, load_arm
from evalkit.suite.load import load_suite
from evalkit.suite.policy import load_policy
from tests.suite.building import ARM, GATE, SOUND, describe, laid_out, loaded, problems_of


def test_the_prompt_of_an_arm_is_read(tmp_path: Path) -> None:
    """`system_file` becomes the text of the system prompt."""
    suite = loaded(tmp_path)
    arm = load_arm(tmp_path / ARM, suite)
    assert ("champion", "Be kind.\n", ("find", "decide", "lend")) == (arm.arm, arm.system, arm.tools)
    assert {"input": 1.0, "output": 2.0} == arm.prices


def test_an_arm_is_found_by_its_name(tmp_path: Path) -> None:
    """A misspelt name is answered with the nearest one; a path is no name."""
    desk = laid_out(tmp_path)
    assert tmp_path / ARM == find_arm(desk, "champion")
    for name, advice in [
        ("champoin", "did you mean `champion`?"),
        ("../arms/champion", "did you mean `champion`?"),
    ]:
        with pytest.raises(InputError) as refused:
            find_arm(desk, name)
        assert [("no-file", advice)] == [
            (problem.code, problem.suggestion) for problem in refused.value.problems
        ]


@pytest.mark.parametrize(
    ("old", "new", "code", "key"),
    [
        ("arm: champion", "arm: other", "wrong-value", "arm"),
        ('policy: "policies.py:champion"', "replies: [{reply: x}], solution: true", "exactly-one", "model"),
        (
            '{provider: scripted, policy: "policies.py:champion"}',
            "{provider: scripted}",
            "exactly-one",
            "model",
        ),
        ('"policies.py:champion"', '"policies.py:champoin"', "bad-function", "model.policy"),
        ('"policies.py:champion"', '"../../evil.py:champion"', "outside", "model.policy"),
        ("prompts/system.md", "prompts/none.md", "no-file", "system_file"),
        ("prompts/system.md", "../../golden/desk/lend-1.yaml", "outside", "system_file"),
        ("system_file", "system: hello\nsystem_file", "exactly-one", "system_file"),
        ("[find, decide, lend]", "[find, decde]", "unknown-tool", "tools[1]"),
        ("{input: 1.0,", "{inputs: 1.0,", "unknown-key", "prices.inputs"),
        (
            'policy: "policies.py:champion"',
            "replies: [{reply: x, call: {tool: find}}]",
            "exactly-one",
            "model.replies[0]",
        ),
        ('policy: "policies.py:champion"', 'replies: {"*": []}', "wrong-value", "model.replies.*"),
    ],
)
def test_what_is_wrong_with_an_arm(tmp_path: Path, old: str, new: str, code: str, key: str) -> None:
    """Each mistake is placed; the suite is refused with it, and so is the arm on its own."""
    suite = loaded(tmp_path / "sound")
    found = [(problem.code, problem.key) for problem in problems_of(tmp_path, {ARM: (old, new)})]
    assert (code, key) in found
    with pytest.raises(InputError) as refused:
        load_arm(tmp_path / ARM, suite)
    assert (code, key) in [(problem.code, problem.key) for problem in refused.value.problems]


def test_a_gate_of_another_suite_is_refused(tmp_path: Path) -> None:
    """A policy is held against the suite that it is about."""
    suite = loaded(tmp_path)
    other = tmp_path / "other.yaml"
    other.write_text(SOUND[GATE].replace("metric: lent", "metric: lnt"), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        load_policy(other, suite)
    assert [("unknown-metric", "did you mean `lent`?")] == [
        (p.code, p.suggestion) for p in refused.value.problems
    ]


@pytest.mark.parametrize(
    ("require", "code"),
    [
        ("{metric: lent}", "exactly-one"),
        ("{metric: lent, at_least: 0.5, at_most: 0.6}", "exactly-one"),
        ("{metric: lent, at_least: 50}", "wrong-value"),
        ("{metric: lent, at_least: 0.5, statistic: rte}", "wrong-value"),
        ("{metric: lent, at_least: 0.5, statistic: pass^0}", "wrong-value"),
        ("{metric: lent, at_least: 0.5, statistic: pass^2, estimand: suite}", "wrong-value"),
        ("{metric: lent, at_least: 0.5, per: capabilty}", "wrong-value"),
        ("{metric: lent, at_least: 0.5, where: 'capability='}", "bad-expression"),
    ],
)
def test_what_is_wrong_with_a_gate(tmp_path: Path, require: str, code: str) -> None:
    """Entries of a gate are held against their form and the suite, each with value and suggestion."""
    (problem,) = problems_of(tmp_path, {GATE: f"require:\n  - {require}\n"})
    assert (code, 2, True, True) == (
        problem.code,
        problem.line,
        bool(problem.value),
        bool(problem.suggestion),
    )


def test_more_than_five_entries_are_refused(tmp_path: Path) -> None:
    """A gate is a conjunction of at most five."""
    entries = "".join(f"  - {{metric: lent, at_least: 0.0{n}}}\n" for n in range(1, 7))
    (problem,) = problems_of(tmp_path, {GATE: "require:\n" + entries})
    assert ("wrong-value", "require", "the greatest length is 5") == (
        problem.code,
        problem.key,
        problem.suggestion,
    )


def test_the_suite_of_an_arm_needs_no_tools_file(tmp_path: Path) -> None:
    """Where the world's tools are not described, their names are not checked."""
    suite = load_suite(laid_out(tmp_path, {ARM: ("[find, decide, lend]", "[find, other]")}))
    assert () == suite.tools
    with pytest.raises(InputError):
        load_suite(tmp_path / "suites" / "desk", describe=describe)
