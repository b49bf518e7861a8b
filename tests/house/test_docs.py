"""Docs can be followed: links resolve, decisions are numbered, no file knows the machine it was made on."""

import re
import tomllib

from tests.house.markdown import Page, anchors, commands, headings, links, pages, tracked_files
from tests.house.source import REPOSITORY

# Places of one machine, and addresses of package indexes; written so that the pattern does not match itself.
_LOCAL = re.compile(
    r"(?:^|[^\w.])/(?:work|farm|root|tmp/brief)/|index-[u]rl|\"resolved\": *\"http|source = \{ registry"
)


def _dead_links(page: Page, known: dict[str, frozenset[str]]) -> list[str]:
    """Return the links of a page that lead to no file or no heading; web addresses are not asked."""
    dead = []
    for link in links(page.text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        folder = page.path.rpartition("/")[0]
        target = _joined(folder, path) if path else page.path
        missing = not (REPOSITORY / target).exists() and target not in known
        if missing or (anchor and anchor not in known.get(target, frozenset({anchor}))):
            dead.append(f"{page.path}: {link}")
    return dead


def _joined(folder: str, path: str) -> str:
    parts = folder.split("/") if folder else []
    for part in path.split("/"):
        parts = parts[:-1] if part == ".." else [*parts, *([part] if part not in {"", "."} else [])]
    return "/".join(parts)


def _local_places(path: str, text: str) -> list[str]:
    """Return the lines of a file that name a place on one machine or an index."""
    return [f"{path}:{n}" for n, line in enumerate(text.splitlines(), start=1) if _LOCAL.search(line)]


def _misnumbered(names: list[str], titles: dict[str, str]) -> list[str]:
    """Return the decision records that break the row 001, 002, ... or whose title has another number."""
    wrong = [
        name for n, name in enumerate(names, start=1) if not re.fullmatch(rf"{n:03d}-[a-z0-9-]+\.md", name)
    ]
    return wrong + [name for name in names if not titles.get(name, "").startswith(f"{name[:3]}. ")]


def test_links_lead_somewhere() -> None:
    """Every relative link leads to a file of the repository, and its anchor to a heading there."""
    everything = pages()
    known = {page.path: anchors(page.text) for page in everything}
    assert [] == [link for page in everything for link in _dead_links(page, known)]


def test_decisions_are_numbered() -> None:
    """Decision records are numbered from 001 without a gap, and their titles say the same number."""
    records = [page for page in pages() if page.path.startswith("docs/adr/")]
    titles = {page.path.rpartition("/")[2]: next(iter(headings(page.text)), "") for page in records}
    assert [] == _misnumbered(sorted(titles), titles)
    assert len(titles) >= 2


def test_no_file_knows_its_machine() -> None:
    """No tracked file names a path of one machine or the address of a package index."""
    found = []
    for path in tracked_files():
        content = (REPOSITORY / path).read_bytes()
        if b"\0" not in content[:8000]:
            found += _local_places(path, content.decode("utf-8", errors="replace"))
    assert [] == found


def test_every_dependency_has_its_reason() -> None:
    """docs/dependencies.md has a line for each package that pyproject.toml asks for."""
    project = tomllib.loads(_read("pyproject.toml"))
    wanted = project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    asked = [re.split("[<>=~!]", name)[0] for name in wanted]
    reasons = re.findall(r"^\| ([\w.-]+) \|", _read("docs/dependencies.md"), flags=re.MULTILINE)
    assert set(asked) == set(reasons) - {"package"}


def _read(path: str) -> str:
    return (REPOSITORY / path).read_text(encoding="utf-8")


def test_a_dead_link_is_found() -> None:
    """Self-test: a missing file and a missing heading are found; web addresses and good links are not."""
    text = "# Here\n[a](gone.md) [b](#here) [c](#gone) [d](../README.md) [e](https://a.org) [f](a.md#b)\n"
    known = {"docs/p.md": frozenset({"here"}), "docs/a.md": frozenset({"a"})}
    dead = ["docs/p.md: gone.md", "docs/p.md: #gone", "docs/p.md: a.md#b"]
    assert dead == _dead_links(Page(path="docs/p.md", text=text), known)


def test_a_local_place_is_found() -> None:
    """Self-test: a path below a machine's own folders is found, one within the repository is not."""
    text = "see /" + "root/x\nor ./work/x\nor a/root/b\npip --index-" + "url x\n"
    assert ["f:1", "f:4"] == _local_places("f", text)


def test_a_gap_in_the_decisions_is_found() -> None:
    """Self-test: a skipped number and a title with another number are found."""
    titles = {"001-a.md": "001. A", "003-b.md": "003. B"}
    assert ["003-b.md"] == _misnumbered(sorted(titles), titles)
    assert ["001-a.md"] == _misnumbered(["001-a.md"], {"001-a.md": "002. A"})


def test_markdown_is_read_as_it_is_meant() -> None:
    """Self-test: code is no heading and no link, and the commands in it are found in either kind of block."""
    fenced = "```sh\n# no heading [x](y)\n$ evalkit run s > out  # why\n```\n"
    text = f"# A b!\n{fenced}\n    evalkit show \\\n      R\n"
    assert ("A b!",) == headings(text)
    assert frozenset({"a-b"}) == anchors(text)
    assert () == links(text)
    assert ("evalkit run s", "evalkit show R") == commands(text)
