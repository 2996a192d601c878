"""Trying the parts of a GPT once, in the shapes in which it uses them, beside PyTorch's own.

What has passed its drill is right on the drill's shapes. Here a difference is told with the name of
the part, and so is a gradient that does not arrive. Each part is used twice: one that keeps
something from a call to the next fails at the second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from studyattn.lm import model as gpt
from studyattn.lm.model import PLAIN_PARTS, Part, PartError, Parts
from studyattn.lm.parts import ATTENTION, BLOCK, CACHE, EMBED, LOSS, MLP, NORM, SAMPLE, STEP
from studyattn.lm.records import Sizes

SAME: Final = 1e-3
"""The largest difference of two answers that are the same but for rounding."""

_TIMES: Final = 2


@dataclass(frozen=True, slots=True)
class Trial:
    """The parts and sizes that a part is tried with.

    Attributes:
        is_mistaken: True if the attention makes a mistake: it may differ, and stop gradients.
    """

    parts: Parts
    sizes: Sizes
    is_mistaken: bool


def try_one(name: str, parts: Parts, sizes: Sizes, *, is_mistaken: bool) -> None:
    """Use the part `name`, if there is one. Raises PartError if it cannot be used or differs."""
    if name in parts:
        _TRIALS[name](parts[name], Trial(parts, sizes, is_mistaken))


def _embed(part: Part, trial: Trial) -> None:
    """Two tokens at the end of the context."""
    sizes = trial.sizes
    table, positions = _drawn((3, sizes.width), (sizes.context, sizes.width))
    tokens, start = torch.tensor([[2, 0]]), sizes.context - 2
    _differentiated(
        EMBED,
        lambda: gpt.embedded(part, tokens, table, positions, start),
        PLAIN_PARTS[EMBED](tokens, table, positions, start),
        (table, positions),
    )


def _norm(part: Part, trial: Trial) -> None:
    width = trial.sizes.width
    x, gain, bias = _drawn((1, 2, width), (width,), (width,))
    wanted = PLAIN_PARTS[NORM](x, gain, bias)
    _differentiated(NORM, lambda: gpt.used(NORM, part, x, gain, bias), wanted, (x, gain, bias))


def _mlp(part: Part, trial: Trial) -> None:
    width = trial.sizes.width
    x, *weights = _drawn(
        (1, 2, width), (width, 4 * width), (4 * width,), (4 * width, width), (width,)
    )
    wanted = PLAIN_PARTS[MLP](x, *weights)
    _differentiated(MLP, lambda: gpt.used(MLP, part, x, *weights), wanted, (x, *weights))


def _attention(part: Part, trial: Trial) -> None:
    sizes = trial.sizes
    n, width = sizes.context, sizes.width
    x, *weights = _drawn((sizes.batch, n, width), *[(width, width)] * 4)
    mask = trial.parts["causal_mask"](n, n, x)
    mistaken = trial.is_mistaken
    _differentiated(
        ATTENTION,
        lambda: gpt.used(ATTENTION, part, x, *weights, sizes.heads, mask),
        None if mistaken else attention(x, weights, sizes.heads, mask),
        () if mistaken else (x, *weights),  # a hard choice, for one, has no gradient
    )


def _block(part: Part, trial: Trial) -> None:
    sizes = trial.sizes
    n = sizes.context
    shapes = [gpt.shapes(sizes, 1)[f"0.{name}"] for name in gpt.OF_BLOCK]
    x, *weights = _drawn((1, n, sizes.width), *shapes)
    mask = trial.parts["causal_mask"](n, n, x)
    gain_1, bias_1, *projections, gain_2, bias_2, w_1, b_1, w_2, b_2 = weights
    rows = PLAIN_PARTS[NORM](x, gain_1, bias_1)
    wanted = x + attention(rows, projections, sizes.heads, mask)
    wanted = wanted + PLAIN_PARTS[MLP](
        PLAIN_PARTS[NORM](wanted, gain_2, bias_2), w_1, b_1, w_2, b_2
    )
    _differentiated(
        BLOCK, lambda: gpt.used(BLOCK, part, x, *weights, sizes.heads, mask), wanted, (x, *weights)
    )


@torch.no_grad()
def _cache(part: Part, trial: Trial) -> None:
    """Several rows, then one, then one after a reset."""
    sizes = trial.sizes
    x, *weights = _drawn((1, 4, sizes.width), *[(sizes.width, sizes.width)] * 4)
    cache = gpt.calling(CACHE, part, *weights, sizes.heads)
    made = [gpt.used(CACHE, cache, rows) for rows in (x[:, :3], x[:, 3:])]
    gpt.calling(CACHE, cache.reset)
    made.append(gpt.used(CACHE, cache, x[:, :1]))
    if not trial.is_mistaken:
        wanted = attention(x, weights, sizes.heads, gpt.causal_mask(4, 4, x))
        _compare(CACHE, torch.cat(made, dim=1), torch.cat((wanted, wanted[:, :1]), dim=1))


def _loss(part: Part, _: Trial) -> None:
    tokens = torch.tensor([[0, 2, 1, 2]])
    (logits,) = _drawn((*tokens.shape, 3))
    wanted = PLAIN_PARTS[LOSS](logits, tokens)
    _differentiated(LOSS, lambda: gpt.loss_of(part, logits, tokens), wanted, (logits,))


@torch.no_grad()
def _sample(part: Part, _: Trial) -> None:
    given = torch.tensor([0.0, 2.0, 1.0]), 0.5, 0.8
    wanted = PLAIN_PARTS[SAMPLE](*given)
    for _time in range(_TIMES):
        chosen = gpt.chosen_by(part, *given)
        if chosen != wanted:
            raise PartError(SAMPLE, f"it returned {chosen}; PyTorch's own gives {wanted}")


@torch.no_grad()
def _step(part: Part, _: Trial) -> None:
    given = (*(torch.full((3,), number) for number in (1.0, 2.0, 0.1, 0.2)), 2, 0.1, 0.9, 0.99)
    wanted = torch.stack(PLAIN_PARTS[STEP](*given))
    for _time in range(_TIMES):
        _compare(STEP, torch.stack(gpt.stepped(part, *given)), wanted)


_TRIALS: Final[dict[str, Callable[[Part, Trial], None]]] = {
    EMBED: _embed,
    NORM: _norm,
    MLP: _mlp,
    ATTENTION: _attention,
    BLOCK: _block,
    CACHE: _cache,
    LOSS: _loss,
    SAMPLE: _sample,
    STEP: _step,
}


def attention(x: Tensor, projections: Sequence[Tensor], heads: int, mask: Tensor) -> Tensor:
    """Return multi-head attention as PyTorch computes it, `(b, n, width)`."""
    w_q, w_k, w_v, w_o = projections
    split = (*x.shape[:-1], heads, x.shape[-1] // heads)
    q, k, v = ((x @ w).view(split).transpose(-3, -2) for w in (w_q, w_k, w_v))
    found = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return found.transpose(-3, -2).reshape(x.shape) @ w_o


def _drawn(*shapes: tuple[int, ...]) -> tuple[Tensor, ...]:
    """Return tensors of a size as in training, which gradients come to."""
    generator = torch.Generator().manual_seed(0)
    return tuple(
        torch.randn(shape, generator=generator).div(shape[-1] ** 0.5).requires_grad_()
        for shape in shapes
    )


def _differentiated(
    name: str,
    use: Callable[[], Tensor],
    wanted: Tensor | None,
    weights: Sequence[Tensor],
) -> None:
    """Raise PartError unless a gradient comes to each of the weights, and nothing differs."""
    for _time in range(_TIMES):
        for weight in weights:
            weight.grad = None  # that of the first use says nothing of the second
        result = use()
        if not result.requires_grad:
            raise PartError(name, "no gradient goes through it")
        gpt.calling(name, result.sum().backward)
        if any(weight.grad is None for weight in weights):
            raise PartError(name, "no gradient reaches one of its inputs: it is copied or detached")
        if wanted is not None:
            _compare(name, result.detach(), wanted.detach())


def _compare(name: str, result: Tensor, wanted: Tensor) -> None:
    difference = float((result - wanted).abs().max())
    if not difference <= SAME:
        raise PartError(
            name,
            "with the sizes of the model, its result differs from PyTorch's own by"
            f" {difference:.3g}",
        )
