"""Arms: one version of the agent under test, with its version manifest.

What comes in: `suites/<suite>/arms/*.yaml`. What goes out: `Arm`.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from evalkit.records.case import Step
from evalkit.records.written import Items, Json, Written


class Versions(Written):
    """The versions that every figure of the arm carries."""

    model: str | None = None
    """Model version."""
    prompt: str | None = None
    """Prompt version."""
    memory: str | None = None
    """Memory version."""
    tools: str | None = None
    """Tools version."""
    skills: str | None = None
    """Skills version."""


class ModelSpec(Written):
    """The model of an arm. `scripted` takes exactly one of policy and replies."""

    provider: Literal["scripted"] = "scripted"
    """Who answers; live providers come with their feature."""
    name: str = "scripted"
    """Model name, for the manifest."""
    policy: str | None = None
    """``file.py:function`` relative to the suite's folder; see `records.ports.Policy`."""
    replies: dict[str, Items[Step]] | Items[Step] | None = None
    """Scripted steps for every case, or per case id (`*` for all others). One model reply takes the calls
    up to
    and including the next reply, or one run of calls."""
    solution: bool = False
    """Answer with each case's reference solution."""


class Arm(Written):
    """One version of the agent under test."""

    arm: str
    """The arm's name."""
    agent: Literal["loop"] = "loop"
    """What runs it; foreign agents come with their feature."""
    model: ModelSpec
    """What answers."""
    system: str = ""
    """The system prompt's text; `system_file` is resolved into it at load."""
    tools: Items[str] | None = None
    """The tools that the arm may see; None: all."""
    sampling: dict[str, Json] = Field(default_factory=dict)
    """Temperature and the like, passed through."""
    prices: dict[str, float] | None = None
    """US dollars per million tokens by bucket: input, cache_read, cache_write, output. None: unknown."""
    on_truncated: Literal["refuse", "execute"] = "refuse"
    """What happens to the calls of a reply that stopped for length."""
    versions: Versions = Field(default_factory=Versions)
    """Version manifest."""
