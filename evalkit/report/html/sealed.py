"""The style and the script of a page, and the policy that lets a browser run nothing else.

What comes in: files of this package. What goes out: their text, and a content security policy.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from evalkit.report.html.text import shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """What a page carries beside its text.

    Attributes:
        style: Style sheet.
        script: Script.
        policy: Content security policy that allows these two, by their hashes, and images in the page.
    """

    style: Markup
    script: Markup
    policy: str


@cache
def seal() -> Seal:
    """Return style, script and the policy that names them."""
    style, script = source("page.css"), source("page.js")
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_hash(style)}'",
            f"script-src '{_hash(script)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    return Seal(style=Markup(style), script=Markup(script), policy=policy)  # noqa: S704 - our own files


def source(name: str) -> str:
    """Return a file of this package.

    Args:
        name: Its name.
    """
    return (resources.files(__package__) / name).read_text(encoding="utf-8")


def environment() -> Environment:
    """Return an environment that escapes everything, makes everything harmless and forgives no gap."""
    return Environment(
        loader=FunctionLoader(source),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
