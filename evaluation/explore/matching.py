"""Objects against nouns: mutual maxima of a similarity matrix.

As in the released evaluator, a cell matches when it is the maximum of its row and
of its column; there is no threshold. Similarities are taken between distinct WordPiece
inputs and copied, so that texts with equal ids tie exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.embedding import Encoder, Tokens, Vectors
from evaluation.explore.scenes import Compiled


@dataclass(frozen=True, kw_only=True)
class Match:
    """For each category: its score (0 when unmatched) and its nouns' indexes."""

    scores: tuple[float, ...]
    nouns: tuple[tuple[int, ...], ...]

    @property
    def coverage(self) -> float:
        """Soft coverage in 0..1 (rounding may exceed it; it may be negative)."""
        return sum(self.scores) / len(self.scores)


def unmatched(categories: int) -> Match:
    """The match of a description without nouns."""
    return Match(scores=(0.0,) * categories, nouns=((),) * categories)


@dataclass(frozen=True, kw_only=True)
class Pool:
    """Vectors of all categories and nouns in play, and each noun's row."""

    vectors: Vectors
    rows: dict[str, int]


def pool_nouns(compiled: Compiled, nouns: Sequence[str], encoder: Encoder) -> Pool:
    """Encode what the test set does not hold yet, each distinct input once."""
    distinct = list(dict.fromkeys(nouns))
    tokens = encoder.tokens(distinct)
    rows: dict[Tokens, int] = {ids: row for row, ids in enumerate(compiled.tokens)}
    missing = [ids for ids in dict.fromkeys(tokens) if ids not in rows]
    for ids in missing:
        rows[ids] = len(rows)
    vectors = np.concatenate([compiled.vectors, encoder.encode(missing)])
    return Pool(
        vectors=vectors,
        rows={noun: rows[ids] for noun, ids in zip(distinct, tokens, strict=True)},
    )


def match(
    categories: npt.NDArray[np.int64], nouns: npt.NDArray[np.int64], vectors: Vectors
) -> Match:
    """Match categories with nouns, both given as rows of `vectors`."""
    distinct, rows = np.unique(categories, return_inverse=True)
    said, columns = np.unique(nouns, return_inverse=True)
    similarity = similarities(vectors[distinct], vectors[said])
    best = similarity.max(axis=1)
    cells = (similarity == best[:, None]) & (similarity == similarity.max(axis=0))
    mentions: list[list[int]] = [[] for _ in distinct]
    for noun, column in enumerate(columns.tolist()):
        for row in np.flatnonzero(cells[:, column]).tolist():
            mentions[row].append(noun)
    return Match(
        scores=tuple(float(best[r]) if mentions[r] else 0.0 for r in rows.tolist()),
        nouns=tuple(tuple(mentions[row]) for row in rows.tolist()),
    )


def similarities(first: Vectors, second: Vectors) -> Vectors:
    """Cosines of unit vectors, of shape (first, second), in single precision.

    Each is one sum of its own, in double precision and then rounded: a matrix product
    may differ in its last bit with the shape, and so from shard to shard.
    """
    wide: npt.NDArray[np.float64] = np.einsum(
        "ik,jk->ij", first.astype(np.float64), second.astype(np.float64), optimize=False
    )
    return wide.astype(np.float32)
