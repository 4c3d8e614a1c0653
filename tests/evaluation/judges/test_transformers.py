"""The in-process judge, with a tiny model that knows nothing."""

import warnings
from importlib.util import find_spec
from pathlib import Path

import pytest

from evaluation.judges import Question
from evaluation.judges.transformers import TransformersJudge, load_judge

if find_spec("torch") is None or find_spec("transformers") is None:
    pytest.skip(
        "needs the `explore` extra (torch, transformers)", allow_module_level=True
    )

TEMPLATE = (
    "{% for message in messages %}<s>{{ message['role'] }}: {{ message['content'] }}"
    "</s>{% endfor %}{% if add_generation_prompt %}<s>assistant:"
    "{% if enable_thinking %} <think>{% endif %}{% endif %}"
)
QUESTIONS = [
    Question("attribute", "a red cup " * n, f"red cup {n}") for n in (1, 9, 3, 5, 2)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model folder as a host would have it: random weights, a byte tokenizer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers
        from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

        torch.manual_seed(7)
        torch.set_num_threads(1)
        alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
        vocabulary = {c: n for n, c in enumerate(["<s>", "</s>", *alphabet])}
        plain = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
        plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        plain.decoder = decoders.ByteLevel()
        tokenizer = PreTrainedTokenizerFast(
            tokenizer_object=plain, bos_token="<s>", eos_token="</s>"
        )
        tokenizer.chat_template = TEMPLATE
        config = LlamaConfig(
            vocab_size=len(vocabulary),
            hidden_size=16,
            intermediate_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=2,
            max_position_embeddings=2048,
            bos_token_id=0,
            eos_token_id=1,
        )
        path = tmp_path_factory.mktemp("models") / "tiny-random"
        LlamaForCausalLM(config).save_pretrained(path)
        tokenizer.save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def judge(folder: Path) -> TransformersJudge:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load_judge(str(folder), batch=2)


def test_every_question_gets_its_own_answer_in_order(judge: TransformersJudge) -> None:
    answers = judge.ask(QUESTIONS)

    assert len(answers) == len(QUESTIONS)
    assert all(answer.text for answer in answers)
    assert answers == judge.ask(QUESTIONS)  # greedy: no chance is involved


def test_the_order_of_questions_does_not_mix_up_answers(
    judge: TransformersJudge,
) -> None:
    straight = dict(zip(QUESTIONS, judge.ask(QUESTIONS), strict=True))
    turned = list(reversed(QUESTIONS))

    assert judge.ask(turned) == [straight[question] for question in turned]


def test_the_prompt_ends_where_the_answer_begins_and_does_not_think(
    judge: TransformersJudge,
) -> None:
    prompt = judge._prompt(QUESTIONS[0])

    assert prompt.endswith("<s>assistant:")
    assert 'Phrase: "red cup 1"' in prompt


def test_the_judge_is_named_after_the_model_folder(judge: TransformersJudge) -> None:
    assert judge.judge_id.startswith("transformers tiny-random prompts:")


def test_no_question_is_no_work(judge: TransformersJudge) -> None:
    assert judge.ask([]) == []


def test_nothing_is_downloaded() -> None:
    with pytest.raises(OSError, match=r"(?i)local|offline|cache"):
        load_judge("nobody/no-such-model-here")
