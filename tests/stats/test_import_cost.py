"""The statistics cost nothing to import: a gate needs them on every run."""

import subprocess
import sys
from pathlib import Path

import evalkit.stats


def test_no_module_loads_numpy_or_scipy() -> None:
    """All modules of the room together load neither: scipy.special alone costs a second of CPU."""
    names = sorted(
        path.stem for path in Path(evalkit.stats.__path__[0]).glob("*.py") if path.stem != "__init__"
    )
    program = "import sys; " + "".join(f"import evalkit.stats.{name}; " for name in names)
    program += "print(sorted({'numpy', 'scipy', 'pandas'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert len(names) >= 10
    assert "[]" == done.stdout.strip()
