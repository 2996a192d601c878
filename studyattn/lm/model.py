"""A GPT of characters, assembled from parts that are looked up by name.

Pre-norm blocks (Radford et al. 2019): `x + attention(norm(x))`, then `x + mlp(norm(x))`; learned
positions, a final norm, and the unembedding is the transposed embedding (Press and Wolf 2017).
No dropout and no biases in attention. Weights are `(d_in, d_out)`, used as `x @ w`.

Shapes: `b` sequences, `n` characters of each, `width` features.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

from studyattn.lm.parts import ATTENTION, CACHE, EMBED, LOSS, MLP, NORM, SAMPLE, STEP
from studyattn.lm.records import Sizes

Part = Callable[..., Any]
Parts = Mapping[str, Part]
Moments = tuple[Tensor, Tensor, Tensor]
"""Weights, and the running mean and square of their gradient."""

SPREAD: Final = 0.02
"""Standard deviation of new weights (Radford et al. 2019)."""


class PartError(Exception):
    """A part that raises, or returns what cannot be used."""

    def __init__(self, part: str, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.part = part
        self.message = message
        self.line = line


# ── the parts as plain functions ─────────────────────────────────────────────────────────────────


def embed(tokens: Tensor, table: Tensor, positions: Tensor, start: int = 0) -> Tensor:
    """Return rows of `table` for `tokens` `(b, n)`, plus those of `positions` from `start` on."""
    return table[tokens] + positions[start : start + tokens.shape[-1]]  # (b, n, width)


def layer_norm(x: Tensor, gain: Tensor, bias: Tensor) -> Tensor:
    """Normalise each row of `x` `(..., width)` to mean 0 and variance 1 (Ba et al. 2016)."""
    return functional.layer_norm(x, (x.shape[-1],), gain, bias)


def gelu_mlp(x: Tensor, w_1: Tensor, b_1: Tensor, w_2: Tensor, b_2: Tensor) -> Tensor:
    """Widen, bend and narrow each row: `(..., width)` to `(..., width)`."""
    return functional.gelu(x @ w_1 + b_1, approximate="tanh") @ w_2 + b_2


def unembed(x: Tensor, table: Tensor) -> Tensor:
    """Return a score for each character: `(..., width)`, `(characters, width)`."""
    return x @ table.T


def causal_mask(m: int, n: int, like: Tensor) -> Tensor:
    """`(m, n)`, True where the key is not after the query; the m queries are the last of n."""
    return torch.ones(m, n, dtype=torch.bool, device=like.device).tril(n - m)


def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    """Return the mean loss of predicting `tokens` `(b, n)` from `logits` `(b, n, characters)`.

    The logits at a position predict the next token.
    """
    return functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def adamw_step(  # noqa: PLR0917  # the symbols of the algorithm
    weights: Tensor,
    gradient: Tensor,
    mean: Tensor,
    square: Tensor,
    step: int,
    rate: float,
    beta_1: float = 0.9,
    beta_2: float = 0.999,
    epsilon: float = 1e-8,
    decay: float = 0.01,
) -> Moments:
    """Return the new weights, and the new running mean and square of their gradient.

    `step` counts from 1 (Loshchilov and Hutter 2019, algorithm 2).
    """
    mean = mean.lerp(gradient, 1 - beta_1)
    square = (square * beta_2).addcmul_(gradient, gradient, value=1 - beta_2)
    root = (square / (1 - beta_2**step)).sqrt_().add_(epsilon)
    moved = (weights * (1 - rate * decay)).addcdiv_(mean, root, value=-rate / (1 - beta_1**step))
    return moved, mean, square


def sample(logits: Tensor, uniform: float, temperature: float) -> int:
    """Return a character for `logits` `(characters,)`, chosen by a `uniform` number in [0, 1)."""
    shares = (logits / temperature).softmax(-1).cumsum(-1)  # (characters,)
    return int((shares < uniform * shares[-1]).sum().clamp(max=len(logits) - 1))


PLAIN_PARTS: Final[Parts] = {
    EMBED: embed,
    NORM: layer_norm,
    MLP: gelu_mlp,
    "unembed": unembed,
    "causal_mask": causal_mask,
    LOSS: next_token_loss,
    STEP: adamw_step,
    SAMPLE: sample,
}


# ── the model ────────────────────────────────────────────────────────────────────────────────────


class GPT:
    """A model: its weights by name, and the parts that use them."""

    def __init__(self, sizes: Sizes, parts: Parts, weights: Mapping[str, Tensor]) -> None:
        self.sizes = sizes
        self.parts = parts
        self.weights = weights

    def __call__(self, tokens: Tensor) -> Tensor:
        """Return the logits after each character: `(b, n)` to `(b, n, characters)`."""
        n = tokens.shape[-1]
        w = self.weights
        x = embedded(self.parts[EMBED], tokens, w["tokens"], w["positions"], 0)  # (b, n, width)
        mask = self.parts["causal_mask"](n, n, x)

        def attend(layer: int, rows: Tensor) -> Tensor:
            projections = self.projections(layer)
            return self._used(ATTENTION, rows, *projections, self.sizes.heads, mask)

        return self._after_blocks(x, attend)

    def stream(self) -> Stream:
        """Return a new sequence that grows, with a cache in each layer."""
        return Stream(self)

    def projections(self, layer: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return w_q, w_k, w_v and w_o of a layer, `(width, width)` each."""
        return (
            self.weights[f"{layer}.w_q"],
            self.weights[f"{layer}.w_k"],
            self.weights[f"{layer}.w_v"],
            self.weights[f"{layer}.w_o"],
        )

    def _after_blocks(self, x: Tensor, attend: Callable[[int, Tensor], Tensor]) -> Tensor:
        """Run all blocks, with `attend(layer, rows)` as their attention, and score characters."""
        w, parts = self.weights, self.parts
        for layer in range(self.sizes.layers):
            normed = self._used(NORM, x, w[f"{layer}.gain_1"], w[f"{layer}.bias_1"])
            x = x + attend(layer, normed)
            normed = self._used(NORM, x, w[f"{layer}.gain_2"], w[f"{layer}.bias_2"])
            widened = (w[f"{layer}.{name}"] for name in ("w_1", "b_1", "w_2", "b_2"))
            x = x + self._used(MLP, normed, *widened)
        x = self._used(NORM, x, w["gain"], w["bias"])
        return parts["unembed"](x, w["tokens"])  # type: ignore[no-any-return]  # a part is any function

    def _used(self, name: str, rows: Tensor, *rest: object) -> Tensor:
        return used(name, self.parts[name], rows, *rest)


class Stream:
    """A sequence to which characters are added, whose keys and values are kept."""

    def __init__(self, model: GPT) -> None:
        self._model = model
        self._caches = [
            calling(CACHE, model.parts[CACHE], *model.projections(layer), model.sizes.heads)
            for layer in range(model.sizes.layers)
        ]
        self.length = 0

    def __call__(self, tokens: Tensor) -> Tensor:
        """Add `tokens` `(b, t)`; return the logits after each: `(b, t, characters)`."""
        model, begin = self._model, self.length
        self.length += tokens.shape[-1]
        w = model.weights
        x = embedded(model.parts[EMBED], tokens, w["tokens"], w["positions"], begin)
        return model._after_blocks(  # noqa: SLF001  # both are the model
            x, lambda layer, rows: used(CACHE, self._caches[layer], rows)
        )

    def reset(self) -> None:
        """Begin a new sequence."""
        self.length = 0
        for cache in self._caches:
            calling(CACHE, cache.reset)


def used(name: str, part: Part, rows: Tensor, *rest: object) -> Tensor:
    """Call a part that returns as many rows as it is given: `(b, n, width)`. Raises PartError."""
    result = calling(name, part, rows, *rest)
    if not isinstance(result, Tensor):
        raise PartError(name, f"it returned {type(result).__name__}, not a tensor")
    if result.shape != rows.shape or result.dtype != rows.dtype:
        raise PartError(
            name,
            f"it returned {result.dtype} of shape {tuple(result.shape)}"
            f" for {rows.dtype} of shape {tuple(rows.shape)}",
        )
    return result


def embedded(part: Part, tokens: Tensor, table: Tensor, positions: Tensor, start: int) -> Tensor:
    """Call the embedding of `tokens` `(b, n)`, the first at `start`. Raises PartError."""
    rows = calling(EMBED, part, tokens, table, positions, start)
    wanted = (*tokens.shape, table.shape[-1])
    if not isinstance(rows, Tensor) or rows.shape != wanted or rows.dtype != table.dtype:
        got = f"{rows.dtype} of shape {tuple(rows.shape)}" if isinstance(rows, Tensor) else ""
        raise PartError(
            EMBED,
            f"it returned {got or type(rows).__name__}, not {table.dtype} of shape {wanted}",
        )
    return rows


def loss_of(part: Part, logits: Tensor, tokens: Tensor) -> Tensor:
    """Call the loss, which returns one number. Raises PartError."""
    loss = calling(LOSS, part, logits, tokens)
    if not isinstance(loss, Tensor):
        raise PartError(LOSS, f"it returned {type(loss).__name__}, not a tensor")
    if loss.shape != () or not loss.is_floating_point():
        raise PartError(LOSS, f"it returned {loss.dtype} of shape {tuple(loss.shape)}, not a loss")
    return loss


def chosen_by(part: Part, logits: Tensor, uniform: float, temperature: float) -> int:
    """Have a part choose one of the `logits`, by its number. Raises PartError."""
    chosen = calling(SAMPLE, part, logits, uniform, temperature)
    if isinstance(chosen, bool) or not isinstance(chosen, int):
        raise PartError(SAMPLE, f"it returned {type(chosen).__name__}, not an int")
    if not 0 <= chosen < len(logits):
        raise PartError(SAMPLE, f"it returned {chosen}, and there are {len(logits)} logits")
    return chosen


def stepped(part: Part, *given: Any) -> Moments:
    """Have a part make a step of the optimiser, from what `adamw_step` takes. Raises PartError."""
    result = calling(STEP, part, *given)
    if not isinstance(result, tuple) or len(result) != 3:  # see Moments
        raise PartError(STEP, f"it returned {type(result).__name__}, not a tuple of three tensors")
    weights: Tensor = given[0]
    for each in result:
        if not isinstance(each, Tensor):
            raise PartError(STEP, f"it returned {type(each).__name__} in the place of a tensor")
        if each.shape != weights.shape or each.dtype != weights.dtype:
            raise PartError(
                STEP,
                f"it returned {each.dtype} of shape {tuple(each.shape)}"
                f" for {weights.dtype} of shape {tuple(weights.shape)}",
            )
    return result


def calling(name: str, part: Part, *given: object) -> Any:
    """Call a part. Raises PartError in the place of what it raises, with the learner's line."""
    try:
        return part(*given)
    except (PartError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        passed = traceback.extract_tb(error.__traceback__)
        lines = [at.lineno for at in passed if at.filename.startswith("mine/")]
        message = f"{type(error).__name__}: {error}"[:500]
        raise PartError(name, message, lines[-1] if lines else None) from error


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


def trainable(weights: Mapping[str, Tensor]) -> Iterator[Tensor]:
    """Yield every weight, ready to have a gradient."""
    for weight in weights.values():
        yield weight.requires_grad_()
