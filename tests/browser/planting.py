"""Documents that are full of foreign texts: plain ones, Chinese ones, and hostile ones in every place."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from evalkit.records.document import Document
from tests.report.html.making import ARM, METRICS, STAGES, document, trial

CHINESE = "退款订单：客户要求退回"

PLANTED = "planted"
"""The id of every element that a hostile text would make; a script of it would set `window.planted`."""

_FAR = "https://evil.invalid"
HOSTILE = "".join(
    (
        "]]></script></style></title></textarea></template></svg></details></table></noscript>--></iframe>",
        f"<script id={PLANTED}>window.{PLANTED}=1;alert(1)</script>",
        f"<img id={PLANTED} src={_FAR}/x.png onerror='window.{PLANTED}=1'>",
        f"<svg id={PLANTED} onload='window.{PLANTED}=1'><script>window.{PLANTED}=1</script></svg>",
        f"<a id={PLANTED} href='javascript:window.{PLANTED}=1'>here</a>",
        f"<iframe id={PLANTED} srcdoc='<script>top.{PLANTED}=1</script>'></iframe>",
        f"<style id={PLANTED}>body{{display:none}}@import '{_FAR}/x.css'</style>",
        f"<link id={PLANTED} rel=stylesheet href={_FAR}/x.css>",
        f"<meta id={PLANTED} http-equiv=refresh content='0;url={_FAR}/'><base id={PLANTED} href={_FAR}/>",
        f"<form id={PLANTED} action={_FAR}><input name=cookie autofocus></form>",
        f"\" id={PLANTED} autofocus onfocus=window.{PLANTED}=1 onmouseover='window.{PLANTED}=1' x=\"",
        f"' id={PLANTED} style='position:fixed;inset:0' onclick=window.{PLANTED}=1 `${{window.{PLANTED}=1}}`",
        f"javascript:window.{PLANTED}=1//{{{{7*7}}}}{{% for x in y %}}",
        "\x00\x01\x08\x1b[31m\x7f\x85\x9b2J\u2028\u202e\u2066\u200f\ufeff\ud800\udfff",
        "&lt;b&gt;&#60;&#x202e;",
    )
)

_NAMES = frozenset((*STAGES, *METRICS, ARM))


def plain() -> Document:
    """Return a document of twenty cases; a trial of one that failed is shown, so that its row links to it."""
    made = document(20, 5, shown=6)
    return replace(made, trials=(*made.trials, trial("case-00003", 6)))


def hostile() -> Document:
    """Return a document in which every name and every text is hostile, one of them a million characters."""
    text = HOSTILE * (1_000_000 // len(HOSTILE))
    made = document(6, 5, word=HOSTILE)
    return renamed(replace(made, trials=(*made.trials, trial(text, 3))), HOSTILE)


def renamed(made: Document, text: str) -> Document:
    """Return a document with a text behind the name of each stage, metric and arm.

    Args:
        made: The document.
        text: What is put behind.
    """
    return msgspec.convert(_renamed(msgspec.to_builtins(made), text), Document)


def _renamed(value: Any, text: str) -> Any:
    if isinstance(value, str):
        return value + text if value in _NAMES else value
    if isinstance(value, dict):
        return {_renamed(key, text): _renamed(one, text) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(one, text) for one in value]
    return value
