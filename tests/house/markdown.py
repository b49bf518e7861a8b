"""Pages of the repository as the checks of the docs read them.

Comes in: the tracked Markdown files. Goes out: headings, links, anchors, and the commands in code.
"""

import re
import subprocess
from dataclasses import dataclass

from tests.house.source import REPOSITORY

_FENCE = re.compile(r"^( *)(```+|~~~+)[^\n]*\n(.*?)^\1\2[ \t]*$", flags=re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!\!)\[[^\]\n]*\]\(([^)\s]+)\)|!\[[^\]\n]*\]\(([^)\s]+)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One Markdown page.

    Attributes:
        path: Where it lies, in POSIX form and relative to the repository.
        text: Its content.
    """

    path: str
    text: str


def tracked_files() -> tuple[str, ...]:
    """Return the paths of all files that git tracks or would track."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)
    return tuple(sorted(path for path in done.stdout.splitlines() if (REPOSITORY / path).is_file()))


def pages() -> tuple[Page, ...]:
    """Read the Markdown pages of the repository, those of tests and suites left out."""
    paths = [
        path for path in tracked_files() if path.endswith(".md") and path.split("/")[0] in {"docs", path}
    ]
    return tuple(Page(path=path, text=(REPOSITORY / path).read_text(encoding="utf-8")) for path in paths)


def prose(text: str) -> str:
    """Return a page without its fenced code."""
    return _FENCE.sub("", text)


def headings(text: str) -> tuple[str, ...]:
    """Return the headings of a page, without their marks."""
    return tuple(re.findall(r"^#+ +(.+?)[ #]*$", prose(text), flags=re.MULTILINE))


def anchors(text: str) -> frozenset[str]:
    """Return the anchors that the headings of a page make: lower case, hyphens for spaces, marks dropped."""
    slugs = (re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings(text))
    return frozenset(slugs)


def links(text: str) -> tuple[str, ...]:
    """Return the targets of the links and pictures of a page."""
    return tuple(link or picture for link, picture in _LINK.findall(prose(text)))


def commands(text: str) -> tuple[str, ...]:
    """Return the lines of code that call evalkit, in fenced and indented blocks, prompts and comments cut.

    A line that ends with a backslash goes on in the next one.
    """
    fenced = "\n".join(body for _, _, body in _FENCE.findall(text))
    indented = "\n".join(re.findall(r"^(?: {4}|\t)(.*)$", prose(text), flags=re.MULTILINE))
    whole = re.sub(r"\\\n\s*", "", f"{fenced}\n{indented}")
    lines = (line.strip().removeprefix("$ ") for line in whole.splitlines())
    return tuple(re.split(r"\s#|\s[|>&;]", line)[0].strip() for line in lines if line.startswith("evalkit "))
