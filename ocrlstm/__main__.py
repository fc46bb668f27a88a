"""Run the command line as ``python -m ocrlstm``."""

from ocrlstm.cli import main

if __name__ == "__main__":
    main()
