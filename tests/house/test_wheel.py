"""What is installed is what is developed: the wheel holds every file of the package and nothing beside it."""

import subprocess
import sys
import zipfile
from pathlib import Path

from tests.house.markdown import tracked_files
from tests.house.source import REPOSITORY


def test_the_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    """Templates, style, script and the files of `init` are in the wheel; docs, tests and suites are not."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    tracked = {path for path in tracked_files() if path.startswith("evalkit/")}
    assert set() == tracked - names
    assert {"evalkit"} == {name.split("/")[0] for name in names}
    assert {"evalkit/report/html/page.css", "evalkit/report/html/page.html.j2"} <= tracked
