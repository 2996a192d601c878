"""A GPT of characters, assembled from parts that are looked up by name.

Pre-norm blocks (Radford et al. 2019): `x + attention(norm(x))`, then `x + mlp(norm(x))`; learned
positions, a final norm, and the unembedding is the transposed embedding (Press and Wolf 2017).
No dropout and no biases in attention. Weights are `(d_in, d_out)`, used as `x @ w`.

Shapes: `b` sequences, `n` characters of each, `width` features.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import torch
from torch import Tensor

from studyattn.lm.calls import Part, PartError, Parts, calling, checked, used
from studyattn.lm.parts import (
    OF_BLOCK,
    OF_MLP,
    PROJECTIONS,
)
from studyattn.lm.plain import Moments, Rows
from studyattn.lm.records import Sizes

SPREAD: Final = 0.02
"""Standard deviation of new weights (Radford et al. 2019)."""


# ── the model ────────────────────────────────────────────────────────────────────────────────────


class GPT:
    """A model: its weights by name, and the parts that use them.

    A whole sequence goes through the part `block` where there is one. Where there is none, and
    where characters are added to a sequence, the blocks are put together here from other parts.
    """

    def __init__(self, sizes: Sizes, parts: Parts, weights: Mapping[str, Tensor]) -> None:
        self.sizes = sizes
        self.parts = parts
        self.weights = weights

    def __call__(self, tokens: Tensor) -> Tensor:
        """Return the logits after each character: `(b, n)` to `(b, n, characters)`."""
        n = tokens.shape[-1]
        w = self.weights
        x = embedded(self.parts["embed"], tokens, w["tokens"], w["positions"], 0)  # (b, n, width)
        mask = self.parts["causal_mask"](n, n, x)
        if "block" in self.parts:
            for layer in range(self.sizes.layers):
                weights = self.weights_of(layer, *OF_BLOCK)
                x = self._used("block", x, *weights, self.sizes.heads, mask)
            return self._scored(x)

        def attend(layer: int, rows: Tensor) -> Tensor:
            weights = self.weights_of(layer, *PROJECTIONS)
            return self._used("multi_head_attention", rows, *weights, self.sizes.heads, mask)

        return self.after_blocks(x, attend)

    def stream(self) -> Stream:
        """Return a new sequence that grows, with a cache in each layer."""
        return Stream(self)

    def weights_of(self, layer: int, *names: str) -> Iterator[Tensor]:
        """Yield weights of a layer by their names."""
        return (self.weights[f"{layer}.{name}"] for name in names)

    def after_blocks(self, x: Tensor, attend: Callable[[int, Tensor], Tensor]) -> Tensor:
        """Run all blocks, with `attend(layer, rows)` as their attention, and score characters."""
        for layer in range(self.sizes.layers):
            x = self.parts["together"](
                x,
                (self._part("layer_norm", layer, "gain_1", "bias_1"), partial(attend, layer)),
                (
                    self._part("layer_norm", layer, "gain_2", "bias_2"),
                    self._part("gelu_mlp", layer, *OF_MLP),
                ),
            )
        return self._scored(x)

    def _part(self, name: str, layer: int, *weights: str) -> Rows:
        """Return a part of a block with its weights, as a function of rows."""

        def with_weights(rows: Tensor) -> Tensor:
            return self._used(name, rows, *self.weights_of(layer, *weights))

        return with_weights

    def _scored(self, x: Tensor) -> Tensor:
        """Return the score of each character after the stream `(b, n, width)` of all blocks."""
        w = self.weights
        x = self._used("layer_norm", x, w["gain"], w["bias"])
        return self.parts["unembed"](x, w["tokens"])  # type: ignore[no-any-return]  # a part is any function

    def _used(self, name: str, rows: Tensor, *rest: object) -> Tensor:
        return used(name, self.parts[name], rows, *rest)


class Stream:
    """A sequence to which characters are added, whose keys and values are kept."""

    def __init__(self, model: GPT) -> None:
        self._model = model
        heads = model.sizes.heads
        self._caches = [
            calling(
                "CachedAttention",
                model.parts["CachedAttention"],
                *model.weights_of(layer, *PROJECTIONS),
                heads,
            )
            for layer in range(model.sizes.layers)
        ]
        self.length = 0

    def __call__(self, tokens: Tensor, start: int | None = None) -> Tensor:
        """Add `tokens` `(b, t)`; return the logits after each: `(b, t, characters)`.

        The first one is at the position `start`, which is the next one unless it is given.
        """
        model, begin = self._model, self.length if start is None else start
        self.length += tokens.shape[-1]
        w = model.weights
        x = embedded(model.parts["embed"], tokens, w["tokens"], w["positions"], begin)
        return model.after_blocks(
            x, lambda layer, rows: used("CachedAttention", self._caches[layer], rows)
        )

    def reset(self) -> None:
        """Begin a new sequence."""
        self.length = 0
        for cache in self._caches:
            calling("CachedAttention", cache.reset)


class Fed:
    """A model with empty caches, as the part `generate` feeds it.

    Attributes:
        characters: how many different ones it knows.
        silent: True once its logits were no numbers.
    """

    def __init__(self, model: GPT, temperature: float) -> None:
        """Nothing is fed yet. Logits are divided by `temperature`, unless it is 0."""
        self._stream = model.stream()
        self._last = model.sizes.context - 1
        self._temperature = temperature or 1.0
        self.characters = len(model.weights["tokens"])
        self.silent = False

    def __call__(self, tokens: Tensor, start: int) -> Tensor:
        """Return the logits after each of the tokens `(t,)`, the first one at `start`.

        `(t, characters)`. A position after the last one is the last, which only mistakes ask for.
        """
        given = torch.as_tensor(tokens).as_subclass(Tensor)
        begin = min(int(start), self._last + 1 - len(given))
        logits = self._stream(given[None], begin)[0] / self._temperature
        self.silent = self.silent or not bool(logits.isfinite().all())
        return logits.nan_to_num()


def embedded(part: Part, tokens: Tensor, table: Tensor, positions: Tensor, start: int) -> Tensor:
    """Call the embedding of `tokens` `(b, n)`, the first at `start`. Raises PartError."""
    rows = calling("embed", part, tokens, table, positions, start)
    return checked("embed", rows, table.new_empty((*tokens.shape, table.shape[-1])))


def loss_of(part: Part, logits: Tensor, tokens: Tensor) -> Tensor:
    """Call the loss, which returns one number. Raises PartError."""
    return checked(
        "next_token_loss", calling("next_token_loss", part, logits, tokens), logits.new_empty(())
    )


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


def stepped(part: Part, *given: Any) -> Moments:
    """Have a part make a step of the optimiser, from what `adamw_step` takes. Raises PartError."""
    result = calling("adamw_step", part, *given)
    if not isinstance(result, tuple) or len(result) != 3:  # see Moments
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


def views(flat: Tensor, sizes: Sizes, characters: int) -> dict[str, Tensor]:
    """Return the weights as views of `flat`, which holds them one after another."""
    named = shapes(sizes, characters)
    lengths = [math.prod(shape) for shape in named.values()]
    pieces = torch.split(flat, lengths)
    return {
        name: piece.view(shape) for (name, shape), piece in zip(named.items(), pieces, strict=True)
    }


def count(sizes: Sizes, characters: int) -> int:
    """Return the number of parameters."""
    return sum(math.prod(shape) for shape in shapes(sizes, characters).values())


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
