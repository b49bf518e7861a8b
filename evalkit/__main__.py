"""`python -m evalkit`: the same command line as the installed script."""

import sys

from evalkit.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
