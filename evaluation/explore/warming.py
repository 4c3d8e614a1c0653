"""Loading the models ahead of the first task."""

from evaluation.checksums import ModelMissing
from evaluation.embedding import limit_threads, load_encoder
from evaluation.nouns import installed_parsers, load_nouns


def warm_up(threads: int) -> None:
    """Load the encoder and the best parser, if they are installed, once per process.

    A worker calls it before it forks, so that its children share the memory, and in
    each child with the child's share of the cores.
    """
    try:
        load_encoder()
        load_nouns()
        limit_threads(threads)
    except ModelMissing:
        return  # this worker scores other suites


def best_parser() -> str:
    """The parser that scores here unless a phase names one; "" without any."""
    return next(iter(installed_parsers()), "")
