"""What heads attend to, on patterns that are known and in SmolLM2; guesses and cosines by layer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer
from torch import Tensor

from studyattn.lm.llama import heads
from studyattn.lm.llama.forward import Llama
from studyattn.lm.llama.kept import Models
from studyattn.lm.records import TOKENIZER, KeptModel, Switched

from .test_forward import loaded


@pytest.fixture(autouse=True)
def one_thread_without_gradients() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with torch.no_grad():
        yield
    torch.set_num_threads(threads)


def test_a_head_has_the_first_kind_that_weighs_enough() -> None:
    assert heads.kind_of({"first": 0.9, "induction": 0.5}) == "induction"
    assert heads.kind_of({"first": 0.9, "induction": 0.3}) == "first"
    assert heads.kind_of({"previous": 0.39}) == heads.kind_of({}) == "none"


def test_the_last_open_bracket_or_quote_is_found_and_an_apostrophe_is_none() -> None:
    pieces = ["a", " (", "b", " [", "c", "])", " it", "'s", ' "', "d", '"', "e"]
    assert heads.open_brackets(pieces) == [-1, -1, 1, 1, 3, 3, -1, -1, -1, 8, 8, -1]


def test_patterns_of_a_known_head_are_measured(
    models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, _ = loaded(models.in_use(), models.place(models.in_use()))
    h = model.sizes.heads

    def known(_model: Llama, tokens: Tensor) -> list[Tensor]:
        n = len(tokens)
        previous = torch.eye(n).roll(-1, 1)
        first = torch.zeros(n, n)
        first[:, 0] = 1.0
        induction = torch.zeros(n, n)
        for place in range(n):
            before = (tokens[:place] == tokens[place]).nonzero()[:, 0]
            induction[place, int(before[-1]) + 1 if len(before) else 0] = 1.0
        kinds = torch.stack([previous, first, induction, torch.full((n, n), 1 / n)])
        return [kinds] * 2

    monkeypatch.setattr(heads, "patterns", known)
    assert h == 4
    found = heads.measured(model, known(model, torch.arange(12)), ["x"] * 12)
    assert [each.kind for each in found[:4]] == ["previous", "first", "induction", "none"]
    assert "bracket" not in found[0].weights


def test_a_pattern_is_causal_and_its_rows_sum_to_one(models: Models) -> None:
    model, _ = loaded(models.in_use(), models.place(models.in_use()))
    for pattern in heads.patterns(model, torch.arange(9)):
        assert pattern.shape == (4, 9, 9)
        assert torch.allclose(pattern.sum(-1), torch.ones(4, 9))
        assert float(pattern.triu(1).abs().max()) == 0.0


def test_a_head_that_is_off_moves_the_last_guess_and_no_earlier_one(models: Models) -> None:
    model, _ = loaded(models.in_use(), models.place(models.in_use()))
    tokens = torch.arange(9)
    whole = heads.guesses(model, tokens, 3, None)
    off = heads.guesses(model, tokens, 3, (1, 2))
    assert len(whole) == 3
    assert off[:2] == whole[:2]
    assert off[2] != whole[2]
    last = model(tokens)[-1].softmax(-1)
    assert whole[-1][0][1] == pytest.approx(float(last.max()), rel=1e-4)


def test_one_head_is_that_of_all_patterns_and_what_is_switched_off_shows(models: Models) -> None:
    model, _ = loaded(models.in_use(), models.place(models.in_use()))
    tokens = torch.arange(9)
    (scores, _, weights, values), right = heads.one_head(model, tokens, 1, 2, heads.RIGHT)
    assert torch.allclose(weights, heads.patterns(model, tokens)[1][2], atol=1e-6)
    assert values.shape == (9, 8)
    assert torch.allclose(right, model(tokens)[-1].softmax(-1), atol=1e-6)

    unmasked, _ = heads.one_head(model, tokens, 1, 2, Switched(masked=False))
    assert bool((unmasked[2] > 0).all())
    assert torch.equal(unmasked[0], scores)
    (_, met, *_), unscaled = heads.one_head(model, tokens, 1, 2, Switched(scaled=False))
    assert torch.allclose(met.tril(), scores.tril())
    assert not torch.allclose(unscaled, right, atol=1e-4)

    _, off = heads.one_head(model, tokens, 1, 2, Switched(adds=False))
    token, share = heads.guesses(model, tokens, 1, (1, 2))[-1][0]
    assert float(off[token]) == pytest.approx(share, rel=1e-4)
    both = heads.likeliest(right, off, 2)
    assert both[0] == int(right.argmax())
    assert int(off.argmax()) in both


def test_weights_are_a_byte_each() -> None:
    assert heads.as_bytes(torch.tensor([[1.0, 0.0], [0.5, 0.5]])) == bytes([255, 0, 128, 128])


def test_smollm2_has_the_heads_and_moves_the_apple(smollm2: tuple[KeptModel, Path]) -> None:
    model, _ = loaded(*smollm2)
    tokenizer = Tokenizer.from_file(str(smollm2[1] / TOKENIZER))

    def encoded(text: str) -> Tensor:
        return torch.tensor(tokenizer.encode(text).ids)

    tokens = encoded("The quick brown fox jumps over the lazy dog and runs away.")
    found = heads.measured(model, heads.patterns(model, tokens), ["x"] * len(tokens))
    kinds = {(each.layer, each.head): each.kind for each in found}
    assert len(kinds) == 270
    assert kinds[16, 0] == kinds[11, 1] == "previous"
    assert kinds[18, 6] == "induction"
    fruit, firm = encoded("I ate a sweet red apple"), encoded("I bought a new phone from apple")
    by_layer = heads.cosines(model, fruit, firm)
    assert by_layer[0] == pytest.approx(1.0)
    assert by_layer[-1] == pytest.approx(0.656, abs=0.005)
