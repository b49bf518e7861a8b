"""`python -m evalkit`: the same command line as the installed script."""

from evalkit.cli.main import main

if __name__ == "__main__":
    main()
