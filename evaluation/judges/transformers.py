"""A judge in this process, for a host with a GPU: transformers, batched and greedy.

Batches are padded, so answers may differ from one-by-one generation by rounding.
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Protocol

from evaluation.judges import Answer, Question
from evaluation.judges.answers import answer_of
from evaluation.judges.prompts import (
    DEFAULT_PROFILE,
    MAX_NEW_TOKENS,
    JudgeProfile,
    fingerprint,
    messages,
)

BATCH = 32


class Batch(Protocol):
    """Padded inputs, on a device."""

    def to(self, device: str) -> "Batch": ...
    def keys(self) -> Iterable[str]: ...
    def __getitem__(self, key: str) -> "_Matrix": ...


class _Matrix(Protocol):
    @property
    def shape(self) -> tuple[int, ...]: ...
    def __getitem__(self, place: tuple[slice, slice]) -> Sequence[Sequence[int]]: ...


class Tokenizer(Protocol):
    """What we use of a transformers tokenizer."""

    padding_side: str
    pad_token: str | None
    eos_token: str | None

    def apply_chat_template(
        self,
        conversation: Sequence[Mapping[str, str]],
        *,
        tokenize: bool,
        add_generation_prompt: bool,
        enable_thinking: bool,
    ) -> str: ...
    def __call__(
        self,
        text: Sequence[str],
        *,
        return_tensors: str,
        padding: bool,
        add_special_tokens: bool,
    ) -> Batch: ...
    def batch_decode(
        self, sequences: Sequence[Sequence[int]], *, skip_special_tokens: bool
    ) -> list[str]: ...


class Model(Protocol):
    """What we use of a transformers causal language model."""

    @property
    def device(self) -> str: ...
    def generate(
        self,
        *,
        input_ids: _Matrix,
        attention_mask: _Matrix,
        do_sample: bool,
        max_new_tokens: int,
        temperature: None,
        top_p: None,
        top_k: None,
    ) -> _Matrix: ...


class TransformersJudge:
    """Asks a causal language model, longest prompts first, many at a time."""

    def __init__(
        self,
        name: str,
        tokenizer: Tokenizer,
        model: Model,
        *,
        profile: JudgeProfile = DEFAULT_PROFILE,
        batch: int = BATCH,
    ) -> None:
        self._name = name
        self._tokenizer = tokenizer
        self._model = model
        self._profile = profile
        self._batch = batch
        tokenizer.padding_side = "left"
        tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token

    @property
    def judge_id(self) -> str:
        return f"transformers {self._name} prompts:{fingerprint(self._profile)}"

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        """Answer all questions, in order."""
        prompts = [self._prompt(question) for question in questions]
        # Alike lengths pad little; the longest first, so that memory fails early.
        order = sorted(range(len(prompts)), key=lambda i: (-len(prompts[i]), i))
        answers: dict[int, Answer] = {}
        for start in range(0, len(order), self._batch):
            chosen = order[start : start + self._batch]
            replies = self._generate([prompts[index] for index in chosen])
            answers.update(zip(chosen, map(answer_of, replies), strict=True))
        return [answers[index] for index in range(len(questions))]

    def _prompt(self, question: Question) -> str:
        return self._tokenizer.apply_chat_template(
            messages(self._profile, question),
            tokenize=False,
            add_generation_prompt=True,
            enable_thinking=False,
        )

    def _generate(self, prompts: Sequence[str]) -> list[str]:
        inputs = self._tokenizer(
            prompts, return_tensors="pt", padding=True, add_special_tokens=False
        ).to(self._model.device)
        output = self._model.generate(
            input_ids=inputs["input_ids"],
            attention_mask=inputs["attention_mask"],
            do_sample=False,
            max_new_tokens=MAX_NEW_TOKENS,
            temperature=None,
            top_p=None,
            top_k=None,
        )
        fresh = output[:, inputs["input_ids"].shape[1] :]
        return self._tokenizer.batch_decode(fresh, skip_special_tokens=True)


def load_judge(
    path: str, *, profile: JudgeProfile = DEFAULT_PROFILE, batch: int = BATCH
) -> TransformersJudge:
    """The judge of a model folder, in bfloat16 on a GPU where there is one.

    Nothing is downloaded; a name that is no folder must be in the local cache.
    """
    torch = import_module("torch")
    library = import_module("transformers")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = library.AutoTokenizer.from_pretrained(path, local_files_only=True)
    model = library.AutoModelForCausalLM.from_pretrained(
        path, dtype=torch.bfloat16, local_files_only=True
    )
    name = path.rstrip("/").rpartition("/")[2]
    ready = model.to(device).eval()
    return TransformersJudge(name, tokenizer, ready, profile=profile, batch=batch)
