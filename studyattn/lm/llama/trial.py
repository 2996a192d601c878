"""Trying the parts of a real model alone, in its shapes, which are larger than those of a drill."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

from studyattn.lm.calls import chosen_by, used
from studyattn.lm.llama.forward import Llama
from studyattn.lm.parts import CAUSAL, GROUPED, RMS_NORM, ROPE, SAMPLE, SWIGLU
from studyattn.lm.trial import Case, tried

TOKENS: Final = 48


def try_one(name: str, model: Llama) -> None:
    """Use the part `name` of a model. Raises PartError if it cannot be used or differs."""
    given, wanted = _GIVEN[name](model, torch.Generator().manual_seed(1))
    call: Callable[..., Any] = chosen_by if name == SAMPLE else partial(used, name)
    tried(name, Case(lambda: call(model.parts[name], *given), wanted))


Given = tuple[tuple[object, ...], Tensor | int]
"""What a part is given, and what is wanted of it."""


def _causal(model: Llama, generator: torch.Generator) -> Given:
    q, k, v = (
        torch.randn(1, model.config.heads, TOKENS, model.config.head_width, generator=generator)
        for _ in range(3)
    )
    return (q, k, v), functional.scaled_dot_product_attention(q, k, v, is_causal=True)


def _grouped(model: Llama, generator: torch.Generator) -> Given:
    config = model.config
    q = torch.randn(1, config.heads, 1, config.head_width, generator=generator)
    k, v = (
        torch.randn(1, config.key_heads, TOKENS, config.head_width, generator=generator)
        for _ in range(2)
    )
    return (q, k, v), functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)


def _rope(model: Llama, generator: torch.Generator) -> Given:
    width, base = model.config.head_width, model.config.base
    x = torch.randn(1, model.config.heads, TOKENS, width, generator=generator)
    positions = torch.arange(7, 7 + TOKENS)
    speeds = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)  # (d/2,)
    angles = positions[:, None] * speeds  # (n, d/2)
    turns = torch.polar(torch.ones_like(angles), angles)
    pairs = torch.view_as_complex(x.double().view(*x.shape[:-1], -1, 2))
    return (x, positions, base), torch.view_as_real(pairs * turns).flatten(-2).float()


def _norm(model: Llama, generator: torch.Generator) -> Given:
    width, epsilon = model.config.width, model.config.epsilon
    x = torch.randn(TOKENS, width, generator=generator)
    gain = torch.rand(width, generator=generator)
    return (x, gain, epsilon), functional.rms_norm(x, (width,), gain, epsilon)


def _mlp(model: Llama, generator: torch.Generator) -> Given:
    width, hidden = model.config.width, model.config.hidden
    x = torch.randn(TOKENS, width, generator=generator)
    w_gate, w_up = (torch.randn(hidden, width, generator=generator) / width**0.5 for _ in range(2))
    w_down = torch.randn(width, hidden, generator=generator) / hidden**0.5
    inner = functional.silu(functional.linear(x, w_gate)) * functional.linear(x, w_up)
    return (x, w_gate.T, w_up.T, w_down.T), functional.linear(inner, w_down)


def _sample(model: Llama, generator: torch.Generator) -> Given:
    logits = torch.randn(model.config.tokens, generator=generator)
    logits[model.config.tokens // 2] += 60.0  # has all of the probability
    return (logits, 0.5, 1.0), model.config.tokens // 2


_GIVEN: Final[dict[str, Callable[[Llama, torch.Generator], Given]]] = {
    CAUSAL: _causal,
    GROUPED: _grouped,
    ROPE: _rope,
    RMS_NORM: _norm,
    SWIGLU: _mlp,
    SAMPLE: _sample,
}
