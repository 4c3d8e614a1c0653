"""Judges by name."""

from pathlib import Path

import pytest

from evaluation.judges.lexical import LexicalJudge
from evaluation.judges.openai import OpenAIJudge
from evaluation.judges.recorded import RecordedJudge
from evaluation.judges.spec import InvalidSpec, from_spec, is_comparable


def test_each_form_names_a_judge(tmp_path: Path) -> None:
    recording = tmp_path / "calls.jsonl"
    recording.write_text(
        '{"kind": "attribute", "sentence": "s", "phrase": "p", "score": 1}'
    )

    assert isinstance(from_spec("lexical"), LexicalJudge)
    assert isinstance(from_spec(f"recorded:{recording}"), RecordedJudge)
    assert isinstance(
        from_spec("openai:Qwen/Qwen3-8B@http://judge:8000/v1"), OpenAIJudge
    )


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "names no judge"),
        ("human", "names no judge"),
        ("lexical:5", "names no judge"),
        ("recorded", "names no judge"),
        ("recorded:missing.jsonl", "is not a file"),
        ("openai:Qwen3-8B", "lacks a model or a URL"),
        ("openai:@http://judge/v1", "lacks a model or a URL"),
        ("openai:Qwen3-8B@ftp://judge/v1", "lacks a model or a URL"),
        ("openai:Qwen3-8B@http://judge:port/v1", "is no URL"),
    ],
)
def test_anything_else_is_refused_with_what_would_be_right(
    spec: str, message: str
) -> None:
    with pytest.raises(InvalidSpec, match=message):
        from_spec(spec)


def test_a_broken_recording_is_refused(tmp_path: Path) -> None:
    recording = tmp_path / "calls.jsonl"
    recording.write_text("nothing")

    with pytest.raises(InvalidSpec, match="line 1 of the recording"):
        from_spec(f"recorded:{recording}")


def test_only_the_lexical_judge_is_not_comparable() -> None:
    assert not is_comparable(LexicalJudge().judge_id)
    assert is_comparable(from_spec("openai:m@http://judge/v1").judge_id)
