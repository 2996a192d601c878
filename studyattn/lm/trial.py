"""Trying the parts of a model alone, with its sizes, beside PyTorch's own.

What has passed its drill is right on the drill's shapes. Here a difference is told with the name of
the part, and so is a gradient that does not arrive. Each part is used twice: one that keeps
something from a call to the next fails at the second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

from studyattn.lm import model as gpt
from studyattn.lm.calls import Part, PartError, calling, chosen_by, used
from studyattn.lm.llama.records import Config
from studyattn.lm.parts import (
    ATTENTION,
    BLOCK,
    CACHE,
    CAUSAL,
    EMBED,
    GROUPED,
    LOSS,
    MLP,
    NORM,
    RMS_NORM,
    ROPE,
    SAMPLE,
    STEP,
    SWIGLU,
)
from studyattn.lm.records import Sizes

TOKENS: Final = 48
"""Tokens on which the parts of a real model are tried."""

SAME: Final = 1e-3
"""The largest difference of two answers that are the same but for rounding."""


@dataclass(frozen=True, slots=True)
class Case:
    """A use of a part.

    Attributes:
        use: calls the part and checks the shape of what it returns.
        wanted: what PyTorch's own returns.
        inputs: those that a gradient must reach.
    """

    use: Callable[[], Tensor | int]
    wanted: Tensor | int
    inputs: Sequence[Tensor] = ()


def tried(name: str, case: Case) -> None:
    """Use a part twice. Raises PartError if it cannot be used or differs."""
    for _time in range(2):
        for each in case.inputs:
            each.grad = None  # that of the first use says nothing of the second
        result = case.use()
        if isinstance(result, Tensor) and isinstance(case.wanted, Tensor):
            if case.inputs:
                _differentiate(name, result, case.inputs)
            difference = float((result.detach() - case.wanted.detach()).abs().max())
            if not difference <= SAME:
                raise PartError(
                    name,
                    "with the sizes of the model, its result differs from PyTorch's own by"
                    f" {difference:.3g}",
                )
        elif result != case.wanted:
            raise PartError(name, f"it returned {result}; PyTorch's own gives {case.wanted}")


def _differentiate(name: str, result: Tensor, inputs: Sequence[Tensor]) -> None:
    if not result.requires_grad:
        raise PartError(name, "no gradient goes through it")
    calling(name, result.sum().backward)
    if any(each.grad is None for each in inputs):
        raise PartError(name, "no gradient reaches one of its inputs: it is copied or detached")


# ── the parts of a GPT ───────────────────────────────────────────────────────────────────────────


def try_one(name: str, part: Part, sizes: Sizes) -> None:
    """Use a part of a GPT. Raises PartError if it cannot be used or differs."""
    of_rows = _OF_ROWS.get(name)
    case = _CASES[name](part, sizes) if of_rows is None else _rows(name, part, sizes, *of_rows)
    tried(name, case)


def attention(x: Tensor, *given: Any) -> Tensor:
    """Return multi-head attention as PyTorch computes it, `(b, n, width)`."""
    *projections, heads, mask = given
    w_q, w_k, w_v, w_o = projections
    split = (*x.shape[:-1], heads, x.shape[-1] // heads)
    q, k, v = ((x @ w).view(split).transpose(-3, -2) for w in (w_q, w_k, w_v))
    found = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    joined: Tensor = found.transpose(-3, -2).reshape(x.shape) @ w_o
    return joined


def _block(x: Tensor, *given: Tensor) -> Tensor:
    gain_1, bias_1, w_q, w_k, w_v, w_o, gain_2, bias_2, w_1, b_1, w_2, b_2, heads, mask = given
    x = x + attention(gpt.layer_norm(x, gain_1, bias_1), w_q, w_k, w_v, w_o, heads, mask)
    return x + gpt.gelu_mlp(gpt.layer_norm(x, gain_2, bias_2), w_1, b_1, w_2, b_2)


_OF_ROWS: Final[dict[str, tuple[Part, Sequence[str]]]] = {
    NORM: (gpt.layer_norm, ("gain_1", "bias_1")),
    MLP: (gpt.gelu_mlp, ("w_1", "b_1", "w_2", "b_2")),
    ATTENTION: (attention, gpt.PROJECTIONS),
    BLOCK: (_block, gpt.OF_BLOCK),
}
"""The parts from rows to rows: PyTorch's own, and the weights that they take."""


def _rows(name: str, part: Part, sizes: Sizes, right: Part, weights: Sequence[str]) -> Case:
    n, shapes = sizes.context, gpt.shapes(sizes, 1)
    given = _drawn((sizes.batch, n, sizes.width), *(shapes[f"0.{each}"] for each in weights))
    rest = (sizes.heads, gpt.causal_mask(n, n, given[0])) if "w_q" in weights else ()
    return Case(partial(used, name, part, *given, *rest), right(*given, *rest), given)


def _embed(part: Part, sizes: Sizes) -> Case:
    """Two tokens at the end of the context."""
    weights = _drawn((3, sizes.width), (sizes.context, sizes.width))
    given: Any = (torch.tensor([[2, 0]]), *weights, sizes.context - 2)
    return Case(partial(gpt.embedded, part, *given), gpt.embed(*given), weights)


def _cache(part: Part, sizes: Sizes) -> Case:
    """Several rows, then one, then one after a reset."""
    x, *weights = _drawn((1, 4, sizes.width), *[(sizes.width, sizes.width)] * 4)

    @torch.no_grad()
    def use() -> Tensor:
        cache = calling(CACHE, part, *weights, sizes.heads)
        made = [used(CACHE, cache, rows) for rows in (x[:, :3], x[:, 3:])]
        calling(CACHE, cache.reset)
        return torch.cat([*made, used(CACHE, cache, x[:, :1])], dim=1)

    wanted = attention(x, *weights, sizes.heads, gpt.causal_mask(4, 4, x))
    return Case(use, torch.cat((wanted, wanted[:, :1]), dim=1))


def _loss(part: Part, _: Sizes) -> Case:
    tokens = torch.tensor([[0, 2, 1, 2]])
    (logits,) = _drawn((*tokens.shape, 3))
    wanted = gpt.next_token_loss(logits, tokens)
    return Case(lambda: gpt.loss_of(part, logits, tokens), wanted, (logits,))


def _sample(part: Part, _: Sizes) -> Case:
    given = torch.tensor([0.0, 2.0, 1.0]), 0.5, 0.8
    return Case(lambda: chosen_by(part, *given), gpt.sample(*given))


def _step(part: Part, _: Sizes) -> Case:
    given = (*(torch.full((3,), number) for number in (1.0, 2.0, 0.1, 0.2)), 2, 0.1, 0.9, 0.99)
    wanted = torch.stack(gpt.PLAIN_PARTS[STEP](*given))
    return Case(lambda: torch.stack(gpt.stepped(part, *given)), wanted)


_CASES: Final[dict[str, Callable[[Part, Sizes], Case]]] = {
    EMBED: _embed,
    CACHE: _cache,
    LOSS: _loss,
    SAMPLE: _sample,
    STEP: _step,
}


def _drawn(*shapes: tuple[int, ...]) -> tuple[Tensor, ...]:
    """Return tensors of a size as in training, which gradients come to."""
    generator = torch.Generator().manual_seed(0)
    return tuple(
        torch.randn(shape, generator=generator).div(shape[-1] ** 0.5).requires_grad_()
        for shape in shapes
    )


# ── the parts of a real model, in its shapes, which are larger than those of a drill ─────────────


def try_real(name: str, part: Part, config: Config) -> None:
    """Use a part of a real model. Raises PartError if it cannot be used or differs."""
    given, wanted = _GIVEN[name](config, torch.Generator().manual_seed(1))
    call: Callable[..., Any] = chosen_by if name == SAMPLE else partial(used, name)
    tried(name, Case(lambda: call(part, *given), wanted))


Given = tuple[tuple[object, ...], Tensor | int]
"""What a part is given, and what is wanted of it."""


def _causal(config: Config, generator: torch.Generator) -> Given:
    q, k, v = (
        torch.randn(1, config.heads, TOKENS, config.head_width, generator=generator)
        for _ in range(3)
    )
    return (q, k, v), functional.scaled_dot_product_attention(q, k, v, is_causal=True)


def _grouped(config: Config, generator: torch.Generator) -> Given:
    q = torch.randn(1, config.heads, 1, config.head_width, generator=generator)
    k, v = (
        torch.randn(1, config.key_heads, TOKENS, config.head_width, generator=generator)
        for _ in range(2)
    )
    return (q, k, v), functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)


def _rope(config: Config, generator: torch.Generator) -> Given:
    width, base = config.head_width, config.base
    x = torch.randn(1, config.heads, TOKENS, width, generator=generator)
    positions = torch.arange(7, 7 + TOKENS)
    speeds = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)  # (d/2,)
    angles = positions[:, None] * speeds  # (n, d/2)
    turns = torch.polar(torch.ones_like(angles), angles)
    pairs = torch.view_as_complex(x.double().view(*x.shape[:-1], -1, 2))
    return (x, positions, base), torch.view_as_real(pairs * turns).flatten(-2).float()


def _norm(config: Config, generator: torch.Generator) -> Given:
    width, epsilon = config.width, config.epsilon
    x = torch.randn(TOKENS, width, generator=generator)
    gain = torch.rand(width, generator=generator)
    return (x, gain, epsilon), functional.rms_norm(x, (width,), gain, epsilon)


def _mlp(config: Config, generator: torch.Generator) -> Given:
    width, hidden = config.width, config.hidden
    x = torch.randn(TOKENS, width, generator=generator)
    w_gate, w_up = (torch.randn(hidden, width, generator=generator) / width**0.5 for _ in range(2))
    w_down = torch.randn(width, hidden, generator=generator) / hidden**0.5
    inner = functional.silu(functional.linear(x, w_gate)) * functional.linear(x, w_up)
    return (x, w_gate.T, w_up.T, w_down.T), functional.linear(inner, w_down)


def _sample_many(config: Config, generator: torch.Generator) -> Given:
    logits = torch.randn(config.tokens, generator=generator)
    logits[config.tokens // 2] += 60.0  # has all of the probability
    return (logits, 0.5, 1.0), config.tokens // 2


_GIVEN: Final[dict[str, Callable[[Config, torch.Generator], Given]]] = {
    CAUSAL: _causal,
    GROUPED: _grouped,
    ROPE: _rope,
    RMS_NORM: _norm,
    SWIGLU: _mlp,
    SAMPLE: _sample_many,
}
