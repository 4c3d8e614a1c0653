"""The entry point of `python -m evaluation`."""

from evaluation.cli import main

if __name__ == "__main__":
    main()
