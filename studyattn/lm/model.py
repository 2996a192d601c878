"""A model of blocks, whatever its parts are; and a GPT of characters.

Pre-norm blocks (Radford et al. 2019): `x + attention(norm(x))`, then `x + mlp(norm(x))`, of parts
that are looked up by name. Weights are `(d_in, d_out)`, used as `x @ w`.

Shapes: `b` sequences, `n` characters of each, `width` features; `…` is `b`, or nothing in a model
that reads one sequence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import torch
from torch import Tensor

from studyattn.attention import STEPS
from studyattn.attention.block_steps import add_part, in_turn
from studyattn.lm.calls import Part, PartError, Parts, calling, checked, chosen_by, used
from studyattn.lm.parts import (
    OF_BLOCK,
    OF_MLP,
    PROJECTIONS,
)
from studyattn.lm.records import Sizes

SPREAD: Final = 0.02
"""Standard deviation of new weights (Radford et al. 2019)."""


PLAIN_PARTS: Final[Parts] = {
    "causal_mask": STEPS.causal,
    "shared": STEPS.group,  # a key head, by the query heads that share it
    "together": partial(in_turn, add_part=add_part),
}
"""The parts that no drill asks for, as steps of the reference."""


# ── a model of blocks ────────────────────────────────────────────────────────────────────────────


class Kept:
    """The keys and values of a sequence to which tokens are added, and how many have come."""

    one_by_one = False
    """True if tokens have to come one at a time."""

    length = 0

    def cut(self, length: int) -> None:
        """Forget the tokens from this place on."""
        self.length = length


class Model:
    """A model: its sizes, its weights by name, and the parts that use them.

    As it stands, a GPT: with learned positions, a final norm, and the transposed embedding as the
    unembedding (Press and Wolf 2017); no dropout and no biases in attention. A whole sequence goes
    through the part `block` where there is one.
    """

    def __init__(self, sizes: Any, parts: Parts, weights: Mapping[str, Any]) -> None:
        """The `sizes` are a GPT's, or those of a real model."""
        self.sizes = sizes
        self.parts = parts
        self.weights = weights

    def __call__(self, tokens: Tensor, kept: Any = None, *, only_last: bool = False) -> Tensor:
        """Return the logits `(…, n, characters)` after each of the tokens `(…, n)`, or the last.

        They come after those that are `kept`. One by one, only what follows the last is returned.
        """
        one_by_one = kept is not None and kept.one_by_one
        pieces = torch.split(tokens, 1, dim=-1) if one_by_one else (tokens,)
        x = [self.streams(piece, kept)[-1] for piece in pieces][-1]
        return self.scored(x[..., -1:, :] if only_last else x)

    def streams(self, tokens: Tensor, kept: Any = None) -> list[Tensor]:
        """Return the stream before each layer and at the end, `(…, n, width)`.

        The first is the embedding.
        """
        found = [self.embedded(tokens, 0 if kept is None else kept.length)]
        for layer in range(self.sizes.layers):
            found.append(self.after(layer, found[-1], kept))
        if kept is not None:
            kept.length += tokens.shape[-1]
        return found

    def after(self, layer: int, x: Tensor, kept: Any = None) -> Tensor:
        """Return the stream after a layer."""
        if kept is None and "block" in self.parts:
            return self.used("block", x, *self.of(layer, *OF_BLOCK), *self._around(x))
        return self.parts["together"](  # type: ignore[no-any-return]  # a part is any function
            x,
            (partial(self.normed, layer, 1), partial(self.attended, layer, kept)),
            (partial(self.normed, layer, 2), partial(self.mlp, layer)),
        )

    def new(self) -> Kept:
        """Return what a new sequence keeps."""
        return Caches(self)

    def embedded(self, tokens: Tensor, begin: int) -> Tensor:
        """Return the embeddings of tokens, the first at the position `begin`."""
        w = self.weights
        return self.used("embed", tokens, w["tokens"], w["positions"], begin)

    def normed(self, layer: int, number: int, rows: Tensor) -> Tensor:
        """Return rows as attention (1) or the MLP (2) of a layer reads them."""
        weights = self.of(layer, f"gain_{number}", f"bias_{number}")
        return self.used("layer_norm", rows, *weights)

    def attended(self, layer: int, kept: Any, rows: Tensor) -> Tensor:
        """Return what attention adds to the stream."""
        if kept is not None:
            return used("CachedAttention", kept.caches[layer], rows)
        weights = self.of(layer, *PROJECTIONS)
        return self.used("multi_head_attention", rows, *weights, *self._around(rows))

    def mlp(self, layer: int, rows: Tensor) -> Tensor:
        """Return what the MLP adds to the stream."""
        return self.used("gelu_mlp", rows, *self.of(layer, *OF_MLP))

    def scored(self, x: Tensor) -> Tensor:
        """Return the score of each token of the vocabulary after the stream of all blocks."""
        w = self.weights
        x = self.used("layer_norm", x, w["gain"], w["bias"])
        return x @ w["tokens"].T  # type: ignore[no-any-return]

    def of(self, layer: int, *names: str) -> Iterator[Any]:
        """Yield weights of a layer by their names."""
        return (self.weights[f"{layer}.{name}"] for name in names)

    def used(self, name: str, *given: Any) -> Tensor:
        """Call a part that returns a tensor. Raises PartError."""
        return used(name, self.parts[name], *given)

    def _around(self, x: Tensor) -> tuple[int, Any]:
        """Return the number of heads, and the mask."""
        n = x.shape[-2]
        return self.sizes.heads, self.parts["causal_mask"](n, n, x)


class Caches(Kept):
    """The learner's caches, one for each layer. They forget all or nothing."""

    def __init__(self, model: Model) -> None:
        cache, heads = model.parts["CachedAttention"], model.sizes.heads
        self.caches = [
            calling("CachedAttention", cache, *model.of(layer, *PROJECTIONS), heads)
            for layer in range(model.sizes.layers)
        ]

    def cut(self, length: int) -> None:
        super().cut(length)
        for cache in self.caches:
            calling("CachedAttention", cache.reset)


@torch.no_grad()
def written(
    model: Model,
    tokens: Tensor,
    temperature: float,
    seed: int,
    *,
    cached: bool = True,
    allowed: Callable[[Tensor], Tensor] = lambda logits: logits,
) -> Iterator[tuple[int, Tensor]]:
    """Yield tokens after those given `(…, n)`, each with its logits, while these are numbers.

    When the context is full, its later half is read again. Without the cache, the whole sequence is
    recomputed for each token.
    """
    generator = torch.Generator().manual_seed(seed)
    kept, new, context = model.new(), tokens, model.sizes.context
    while True:
        if kept.length + new.shape[-1] > context:
            kept.cut(0)
            new = tokens[..., -context // 2 :]
        given = (new, kept) if cached else (tokens, None)
        logits = model(*given, only_last=True).flatten()
        if not bool(logits.isfinite().all()):
            return  # weights that are no numbers say nothing, and a mistake can make logits so
        uniform = float(torch.rand((), generator=generator))
        token = chosen_by(model.parts["sample"], allowed(logits), uniform, temperature)
        yield token, logits
        new = tokens.new_full((*tokens.shape[:-1], 1), token)
        tokens = torch.cat((tokens, new), dim=-1)[..., -context:]


class Fed:
    """A GPT with empty caches, as the part `generate` feeds it.

    Attributes:
        characters: how many different ones it knows.
        silent: True once its logits were no numbers.
    """

    def __init__(self, model: Model, temperature: float) -> None:
        """Nothing is fed yet. Logits are divided by `temperature`, unless it is 0."""
        self._model, self._kept = model, model.new()
        self._last = model.sizes.context - 1
        self._temperature = temperature or 1.0
        self.characters = len(model.weights["tokens"])
        self.silent = False

    def __call__(self, tokens: Tensor, start: int) -> Tensor:
        """Return the logits after each of the tokens `(t,)`, the first one at `start`.

        `(t, characters)`. A position after the last one is the last, which only mistakes ask for.
        """
        given = torch.as_tensor(tokens).as_subclass(Tensor)
        self._kept.length = min(int(start), self._last + 1 - len(given))
        logits = self._model(given[None], self._kept)[0] / self._temperature
        self.silent = self.silent or not bool(logits.isfinite().all())
        return logits.nan_to_num()


def generated_by(
    part: Part, model: Fed, prompt: Tensor, count: int, uniforms: Tensor | None
) -> list[int]:
    """Have a part write up to `count` characters after a prompt `(n,)`. Raises PartError."""
    made = calling("generate", part, model, prompt, count, uniforms, None)
    if not isinstance(made, Tensor):
        raise PartError("generate", f"it returned {type(made).__name__}, not a tensor")
    if made.ndim != 1 or made.is_floating_point() or not 1 <= len(made) <= count:
        raise PartError(
            "generate",
            f"it returned {made.dtype} of shape {tuple(made.shape)}, not 1 to {count} integers",
        )
    found: Sequence[int] = made.tolist()
    for each in found:
        if not 0 <= each < model.characters:
            raise PartError(
                "generate", f"it returned {each}, but there are {model.characters} characters"
            )
    return list(found)


def stepped(part: Part, *given: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Have a part make a step of the optimiser, from what `adamw_step` takes. Raises PartError."""
    result = calling("adamw_step", part, *given)
    if not isinstance(result, tuple) or len(result) != 3:
        raise PartError(
            "adamw_step", f"it returned {type(result).__name__}, not a tuple of three tensors"
        )
    weights, mean, square = (checked("adamw_step", each, given[0]) for each in result)
    return weights, mean, square


# ── weights ──────────────────────────────────────────────────────────────────────────────────────


def shapes(sizes: Sizes, characters: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each weight by its name, in the order in which they are kept."""
    width = sizes.width
    found: dict[str, tuple[int, ...]] = {
        "tokens": (characters, width),
        "positions": (sizes.context, width),
    }
    for layer in range(sizes.layers):
        of_layer: dict[str, tuple[int, ...]] = {
            "gain_1": (width,), "bias_1": (width,),
            "w_q": (width, width), "w_k": (width, width),
            "w_v": (width, width), "w_o": (width, width),
            "gain_2": (width,), "bias_2": (width,),
            "w_1": (width, 4 * width), "b_1": (4 * width,),
            "w_2": (4 * width, width), "b_2": (width,),
        }  # fmt: skip
        found |= {f"{layer}.{name}": shape for name, shape in of_layer.items()}
    return {**found, "gain": (width,), "bias": (width,)}


def views(flat: Tensor, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Tensor]:
    """Return the weights of these shapes as views of `flat`, which holds them one after another."""
    pieces = torch.split(flat, [math.prod(shape) for shape in shapes.values()])
    named = zip(shapes.items(), pieces, strict=True)
    return {name: piece.view(shape) for (name, shape), piece in named}


def initialise(weights: Mapping[str, Tensor], sizes: Sizes, generator: torch.Generator) -> None:
    """Draw new weights in place; what ends a branch of a block begins smaller, by its depth."""
    for name, weight in weights.items():
        kind = name.rpartition(".")[2]
        if kind.startswith("gain"):
            weight.fill_(1.0)
        elif weight.ndim == 1:
            weight.zero_()
        else:
            ends_branch = kind in {"w_o", "w_2"}
            spread = SPREAD / math.sqrt(2 * sizes.layers) if ends_branch else SPREAD
            weight.normal_(0.0, spread, generator=generator)
