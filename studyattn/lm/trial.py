"""Trying the parts of a model alone, with its sizes, beside the reference's.

What has passed its drill is right on the drill's shapes. Here a difference is told with the name of
the part, and so is a gradient that does not arrive. Each part is used twice: one that keeps
something from a call to the next fails at the second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import torch
from torch import Tensor

from studyattn import attention
from studyattn.lm import model as gpt
from studyattn.lm.calls import Part, PartError, calling, chosen_by, used
from studyattn.lm.parts import (
    OF_BLOCK,
    PROJECTIONS,
)
from studyattn.lm.records import Config, Sizes

TOKENS: Final = 48
"""Tokens on which the parts of a real model are tried."""

SAME: Final = 1e-3
"""The largest difference of two answers that are the same but for rounding."""

Given = tuple[Any, ...]
"""What a part is given."""


def try_part(name: str, part: Part, given: Given) -> None:
    """Use a part twice. Raises PartError if it cannot be used or differs from the reference's.

    A gradient must reach each tensor that asks for one, unless none are computed at all.
    """
    use = _USES.get(name, partial(used, name))
    wanted = use(getattr(attention, name), *given)
    inputs = [each for each in given if isinstance(each, Tensor) and each.requires_grad]
    for _time in range(2):
        for each in inputs:
            each.grad = None  # that of the first use says nothing of the second
        result = use(part, *given)
        if isinstance(result, Tensor) and inputs and wanted.requires_grad:
            _differentiate(name, result, inputs)
        _compare(name, result, wanted)


def _compare(name: str, result: Any, wanted: Any) -> None:
    if isinstance(result, Tensor):
        difference = float((result.detach() - wanted.detach()).abs().max())
        if not difference <= SAME:
            raise PartError(
                name,
                "with the sizes of the model, its result differs from the reference's by"
                f" {difference:.3g}",
            )
    elif result != wanted:
        raise PartError(name, f"it returned {result}; the reference gives {wanted}")


def _differentiate(name: str, result: Tensor, inputs: list[Tensor]) -> None:
    if not result.requires_grad:
        raise PartError(name, "no gradient goes through it")
    calling(name, result.sum().backward)
    if any(each.grad is None for each in inputs):
        raise PartError(name, "no gradient reaches one of its inputs: it is copied or detached")


@torch.no_grad()
def _grown(part: Part, x: Tensor, *given: Any) -> Tensor:
    """Return what a cache says of several rows, then of one, then of one after a reset."""
    cache = calling("CachedAttention", part, *given)
    made = [used("CachedAttention", cache, rows) for rows in (x[:, :3], x[:, 3:])]
    calling("CachedAttention", cache.reset)
    return torch.cat([*made, used("CachedAttention", cache, x[:, :1])], dim=1)


_USES: Final[Mapping[str, Callable[..., Any]]] = {
    "CachedAttention": _grown,
    "sample": chosen_by,
    "adamw_step": lambda part, *given: torch.stack(gpt.stepped(part, *given)),
}
"""The uses of parts that do not return the shape of their first argument."""


def of_gpt(name: str, sizes: Sizes) -> Given:
    """Return what a part of a GPT is given: numbers of a size as in training."""
    n, width, shapes = sizes.context, sizes.width, gpt.shapes(sizes, 3)
    wanted = {
        "x": (sizes.batch, n, width),
        **{each: shapes[f"0.{each}"] for each in OF_BLOCK},
        "tokens": shapes["tokens"],
        "positions": shapes["positions"],
        "logits": (2, 4, 3),
    }
    drawn = (each.requires_grad_() for each in _drawn(*wanted.values()))
    named = dict(zip(wanted, drawn, strict=True))
    x = named["x"]
    projections = [named[each] for each in PROJECTIONS]
    around = (sizes.heads, attention.STEPS.causal(n, n, x))
    cases: dict[str, Given] = {
        "layer_norm": (x, named["gain_1"], named["bias_1"]),
        "gelu_mlp": (x, *(named[each] for each in ("w_1", "b_1", "w_2", "b_2"))),
        "multi_head_attention": (x, *projections, *around),
        "block": (x, *(named[each] for each in OF_BLOCK), *around),
        "CachedAttention": (x[:1, :4].detach(), *projections, sizes.heads),
        "embed": (torch.tensor([[2, 0]]), named["tokens"], named["positions"], n - 2),  # the last
        "next_token_loss": (named["logits"], torch.tensor([[0, 2, 1, 2], [1, 1, 0, 2]])),
        "sample": (torch.tensor([0.0, 2.0, 1.0]), 0.5, 0.8),
        "adamw_step": (
            *(torch.full((3,), number) for number in (1.0, 2.0, 0.1, 0.2)), 2, 0.1, 0.9, 0.99,
        ),
    }  # fmt: skip
    return cases[name]


def of_llama(name: str, config: Config) -> Given:
    """Return what a part of a real model is given, in its shapes: larger than those of a drill."""
    h, d, width, hidden = config.heads, config.head_width, config.width, config.hidden
    shapes = (*[(1, h, TOKENS, d)] * 3, (TOKENS, width), (width,), (config.tokens,))
    q, k, v, x, gain, logits = (each * each.shape[-1] ** 0.5 for each in _drawn(*shapes))
    logits[config.tokens // 2] += 60.0  # has all of the probability
    w_gate, w_up, w_down = _drawn((hidden, width), (hidden, width), (width, hidden))
    cases: dict[str, Given] = {
        "causal_attention": (q, k, v),
        "grouped_query_attention": (
            q[..., -1:, :],
            k[:, : config.key_heads],
            v[:, : config.key_heads],
        ),
        "rope": (q, torch.arange(7, 7 + TOKENS), config.base),
        "rms_norm": (x, gain, config.epsilon),
        "swiglu": (x, w_gate.T, w_up.T, w_down.T),
        "sample": (logits, 0.5, 1.0),
    }
    return cases[name]


def _drawn(*shapes: tuple[int, ...]) -> list[Tensor]:
    """Return tensors whose rows have a length of about 1."""
    generator = torch.Generator().manual_seed(0)
    return [torch.randn(shape, generator=generator) / shape[-1] ** 0.5 for shape in shapes]
