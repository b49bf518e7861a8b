"""Takes the pictures of `docs/images` anew, in light and dark, on a screen and on a phone.

    python benchmarks/screenshots.py [--runs FOLDER] [--to docs/images]

The demo's challenger is run for most of them. The large board is that of 20,000 trials, whose run
`benchmarks/report.py --runs FOLDER` made; without it, that picture stays as it is. The Chinese page and the
hostile one are those of the browser tests. Look at every picture before you commit it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page

from tests.browser.chromium import browsing, chromium
from tests.browser.planting import CHINESE, hostile
from tests.report.html.making import document
from tests.report.html.reading import page

HERE = Path(__file__).resolve().parent
_EVALKIT = str(Path(sys.executable).with_name("evalkit"))
_LARGEST = 400_000  # bytes of a picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One picture.

    Attributes:
        name: Of its file.
        of: Page.
        at: What stands at its upper edge; "" for the top of the page.
        width: Of the window, pixels.
        height: Of the window, pixels.
        scheme: light or dark.
    """

    name: str
    of: str
    at: str = ""
    width: int = 1280
    height: int = 900
    scheme: Literal["light", "dark"] = "light"


PICTURES = (
    Picture(name="report-light", of="demo", height=840),
    Picture(name="report-dark", of="demo", height=840, scheme="dark"),
    Picture(name="board", of="demo", at="#board", height=1000),
    Picture(name="trial", of="demo", at="#trials", height=1240),
    Picture(name="trace", of="demo", at="#t1 .ev > h3:last-of-type", height=900),
    Picture(name="phone", of="demo", width=390, height=844),
    Picture(name="large-board", of="large", at="#board", height=900),
    Picture(name="chinese", of="chinese", at="#board", height=900),
    Picture(name="hostile", of="hostile", height=900),
)


def main() -> int:
    """Take all pictures; 1 where one is larger than it may be, or no browser is there."""
    asked = _asked()
    program = chromium()
    if program is None:
        print("no Chromium here: set EVALKIT_CHROMIUM, or install the package chromium", file=sys.stderr)
        return 1
    asked.to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pictures-") as place, browsing(program) as browser:
        pages = _pages(Path(place), asked.runs)
        sizes = [_taken(browser, pages[one.of], one, asked.to) for one in PICTURES if one.of in pages]
    return int(max(sizes) > _LARGEST)


def _pages(place: Path, runs: Path | None) -> dict[str, Path]:
    """Return the pages by name."""
    made = {"chinese": document(20, 5, word=CHINESE), "hostile": hostile()}
    for name, one in made.items():
        (place / f"{name}.html").write_text(page(one), encoding="utf-8")
    gate = ("gate", str(HERE.parent / "suites" / "refund"), "--arm", "challenger", "--trials", "5")
    _evalkit(*gate, "-o", str(place / "demo.html"), "--json", place=place)
    large = sorted((runs / "4000x5" / "reports").glob("*-desk")) if runs is not None else []
    for run in large[:1]:
        _evalkit("report", str(run), "-o", str(place / "large.html"), "--json", place=place)
    return {path.stem: path for path in place.glob("*.html")}


def _evalkit(*words: str, place: Path) -> None:
    """Run evalkit; a gate may say no."""
    environment = {"PATH": "", "EVALKIT_REPORTS": str(place / "reports")}
    done = subprocess.run([_EVALKIT, *words], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 3), done.stderr


def _taken(browser: Browser, file: Path, one: Picture, to: Path) -> int:
    """Take a picture and return its size in bytes."""
    tab = browser.new_page(
        viewport={"width": one.width, "height": one.height},
        color_scheme=one.scheme,
        reduced_motion="reduce",
        device_scale_factor=1 if one.width > 600 else 2,
    )
    tab.goto(file.as_uri())
    if one.at:
        _scroll(tab, one.at)
    size = len(tab.screenshot(path=to / f"{one.name}.png", animations="disabled"))
    tab.close()
    print(f"{one.name}.png {size / 1e3:.0f} kB")
    return size


def _scroll(tab: Page, at: str) -> None:
    tab.evaluate("(at) => document.querySelector(at).scrollIntoView()", at)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Take the pictures of the docs anew.")
    parser.add_argument("--runs", type=Path, help="folder of runs that benchmarks/report.py made")
    parser.add_argument("--to", type=Path, default=HERE.parent / "docs" / "images", help="where they go")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
