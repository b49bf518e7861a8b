"""Secrets in a text: known by the form of a token, or guessed by their name and how random they look.

What comes in: a text. What goes out: what was found and where. Every pattern begins at a fixed word or at the
beginning of a run of its own characters, so that work grows with the text, whatever stands in it. Forms:
those that GitHub, OpenAI, Anthropic, AWS, Google, Slack and Stripe document for their tokens, RFC 7519 (JSON
Web Token) and RFC 7468 (PEM).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

LEAST_ENTROPY = 3.5
"""Bits per character (Shannon, over the characters of the value) from which on a value looks random."""

LEAST_LENGTH = 16
"""Characters of a value that may look random."""

_FORMS = {
    "sk": ("an API key", r"sk-[\w-]{20,}"),
    "stripe": ("a Stripe key", r"[sr]k_live_[A-Za-z0-9]{16,}"),
    "github": ("a GitHub token", r"gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,}"),
    "aws": ("an AWS access key", r"A[KS]IA[A-Z0-9]{16}(?![\w-])"),
    "slack": ("a Slack token", r"xox[abeprs]-[A-Za-z0-9-]{10,}"),
    "google": ("a Google API key", r"AIza[\w-]{35}(?![\w-])"),
    "jwt": ("a JSON Web Token", r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}"),
    "pem": ("a private key", r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY-----"),
}
_KNOWN = re.compile(
    r"(?<![\w-])(?:" + "|".join(f"(?P<{name}>{form})" for name, (_, form) in _FORMS.items()) + ")", re.ASCII
)
_CUT = re.compile(r"((?:sk-|[sr]k_l|gh[pousr]_|gith|A[KS]IA|xox[a-z]|AIza|eyJ))[\w.-]*…", re.ASCII)
_NAMED = re.compile(
    r"(?:passw(?:or)?d|passphrase|secret|token|(?:api|access|private)[_-]?key|credentials?)"
    r"[\"']?\s{0,4}[:=]>?\s{0,4}[\"']?(?P<value>[^\s\"'`,;()\[\]{}<>]{16,400})",
    re.IGNORECASE,
)
_IN_URL = re.compile(r"\w://[^\s/:@\"']{1,100}:(?P<value>[^\s/@\"']{4,200})@")
_NONE = re.compile(
    r"example|sample|dummy|placeholder|change.?me|redacted|fake|your|xxx|\*\*\*|\.\.\.|…|<|\{\{|^\$|\$[{(]",
    re.IGNORECASE,
)
_LEAST_KINDS = 6  # different characters; fewer of them, and nobody drew them at random
_LONG_RUN = re.compile(r"[A-Za-z0-9]{24}")
_TOLD_BY_ALL = frozenset(
    {"password", "passwd", "secret", "postgres", "admin", "root", "guest", "test", "user"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A secret that stands in a text.

    Attributes:
        what: What it is, in words.
        value: The value itself, so that it can be taken out of other messages; it is never shown.
        start: Where it stands, in characters from 0.
    """

    what: str
    value: str
    start: int

    @property
    def masked(self) -> str:
        """The first four characters and the length: what may be shown."""
        return f"{self.value[:4]}… ({len(self.value)} characters)"


def known(text: str) -> Iterator[Secret]:
    """Yield what is a secret by its form.

    Args:
        text: The whole text of a file.
    """
    for match in _KNOWN.finditer(text):
        form = match.lastgroup or ""
        if form == "pem" or not (_is_none(match[0]) or (form == "sk" and not _is_drawn(match[0]))):
            yield Secret(what=_FORMS[form][0], value=match[0], start=match.start())


def without(text: str) -> str:
    """Return a message with every secret of a known form in it masked, also one that is cut off by `…`.

    Args:
        text: A message, or a part of one.
    """
    for secret in {secret.value: secret for secret in known(text)}.values():
        text = text.replace(secret.value, secret.masked)
    return _CUT.sub(r"\1…", text)


def guessed(text: str) -> Iterator[Secret]:
    """Yield what may be a secret: passwords in addresses, and random values under a name such as `api_key`.

    Args:
        text: The whole text of a file.
    """
    for match in _IN_URL.finditer(text):
        if not _NONE.search(match["value"]) and match["value"].lower() not in _TOLD_BY_ALL:
            yield Secret(what="a password in an address", value=match["value"], start=match.start("value"))
    for match in _NAMED.finditer(text):
        if looks_random(match["value"]):
            yield Secret(what="a secret", value=match["value"], start=match.start("value"))


def looks_random(value: str) -> bool:
    """Whether letters and digits stand mixed in a value as in one that was drawn by chance.

    >>> looks_random("9f8Zk2LqP0vXw7Tb"), looks_random("the-second-of-16-words")
    (True, False)
    """
    if len(value) < LEAST_LENGTH or _is_none(value) or value.count("/") > 2 or value.count(".") > 1:
        return False
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return mixed and _is_drawn(value) and entropy(value) >= LEAST_ENTROPY


def entropy(value: str) -> float:
    """Return the Shannon entropy of a text's characters, in bits per character.

    >>> entropy("aaaa"), entropy("abcd")
    (0.0, 2.0)
    """
    counts = Counter(value).values()
    return sum(count / len(value) * math.log2(len(value) / count) for count in counts)


def _is_none(value: str) -> bool:
    """Whether a value says of itself that it is no secret."""
    return bool(_NONE.search(value)) or len(set(value)) < _LEAST_KINDS


def _is_drawn(value: str) -> bool:
    """Whether a value is no chain of words: a digit, and capitals among small letters or a long run."""
    digit = any(map(str.isdigit, value))
    cases = any(map(str.islower, value)) and any(map(str.isupper, value))
    return digit and (cases or bool(_LONG_RUN.search(value)))
