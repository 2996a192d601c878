"""Parts of a GPT tried once: what differs, keeps something or takes too long is named."""

from __future__ import annotations

import time
from typing import Any

import pytest
import torch

from studyattn.attention import CachedAttention, block, multi_head_attention
from studyattn.lm.calls import Part, PartError, TooSlowError, at_most, calling
from studyattn.lm.parts import (
    GPT,
)
from studyattn.lm.records import Sizes
from studyattn.lm.trial import of_gpt, try_part
from tests.torch_parts import PLAIN_PARTS

SMALL = Sizes(width=8, heads=2, layers=1, context=6, batch=2)
PARTS: dict[str, Part] = {
    **PLAIN_PARTS,
    **{each.__name__: each for each in (multi_head_attention, CachedAttention, block)},
}


def tried(name: str, part: Part) -> None:
    try_part(name, part, of_gpt(name, SMALL))


@pytest.mark.parametrize("name", GPT.tried)
def test_the_references_pass_the_trial(name: str) -> None:
    tried(name, PARTS[name])


class Shifted(CachedAttention):
    def __call__(self, x: Any) -> Any:
        return super().__call__(x) + 0.01


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        *((name, lambda *given, of=name: PARTS[of](*given) + 0.01)
          for name in ("embed", "layer_norm", "gelu_mlp", "multi_head_attention", "block",
                       "next_token_loss")),
        ("CachedAttention", Shifted),
        ("sample", lambda *_: 0),
        ("adamw_step", lambda *given: tuple(each + 0.01 for each in PARTS["adamw_step"](*given))),
    ],
)  # fmt: skip
def test_a_part_whose_result_differs_is_named(name: str, wrong: Part) -> None:
    with pytest.raises(PartError, match="the reference") as caught:
        tried(name, wrong)
    assert caught.value.part == name


def test_a_part_that_keeps_a_graph_fails_at_its_second_use() -> None:
    kept: list[torch.Tensor] = []

    def norm(x: torch.Tensor, gain: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        kept.append((x * gain + bias).sum())
        whole: torch.Tensor = PLAIN_PARTS["layer_norm"](x, gain, bias)
        return whole + 0 * kept[0]

    with pytest.raises(PartError, match="backward through the graph a second time"):
        tried("layer_norm", norm)


def test_a_part_that_detaches_what_it_kept_fails_at_its_second_use() -> None:
    kept: dict[str, torch.Tensor] = {}

    def norm(x: torch.Tensor, gain: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        whole: torch.Tensor = PLAIN_PARTS["layer_norm"](x, kept.get("gain", gain), bias)
        kept["gain"] = gain.detach()
        return whole

    with pytest.raises(PartError, match="no gradient reaches one of its inputs"):
        tried("layer_norm", norm)


def test_a_part_that_passes_no_gradient_on_is_named() -> None:
    with pytest.raises(PartError, match="no gradient reaches one of its inputs"):
        tried("gelu_mlp", lambda x, *weights: PLAIN_PARTS["gelu_mlp"](x.detach(), *weights))


def test_what_takes_too_long_is_named_by_the_part_that_had_most_of_it() -> None:
    def outer() -> None:
        for _ in range(100):
            calling("quick", int)
            calling("slow", time.sleep, 0.01)

    with pytest.raises(TooSlowError) as caught, at_most(0.1):
        calling("outer", outer)
    assert caught.value.part == "slow"
    assert caught.value.message == "it is too slow: no answer within 0.1 s"
    with at_most(0.02):
        time.sleep(0.05)  # no part is at work, so none is blamed


def test_a_part_that_another_one_calls_is_named_by_its_file() -> None:
    file = "mine/drill_multi_head_attention.py"
    names: dict[str, Part] = {}
    exec(compile("def attend():\n    while True:\n        pass\n", file, "exec"), names)
    with pytest.raises(TooSlowError) as caught, at_most(0.05):
        calling("block", names["attend"])
    assert caught.value.part == "multi_head_attention"
    assert caught.value.line.endswith(f" of {file}")
    exec(compile("def attend():\n    return 1 / 0\n", file, "exec"), names)
    with pytest.raises(PartError) as failed:
        calling("block", names["attend"])
    assert (failed.value.part, failed.value.line) == ("block", f"line 2 of {file}")
