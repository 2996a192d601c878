"""What the worker of a model does when it is asked: assemble, try parts, train, write.

These are the entries that `process` calls. The learner's package `mine` lies beside this code, in
the same worker, behind the same walls as a submission.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Mapping
from typing import Any, Final

import msgspec
import torch
from torch import Tensor

from studyattn.lm import model as gpt
from studyattn.lm.answers import answering, as_bytes, own_part, read
from studyattn.lm.model import GPT, PLAIN_PARTS, Part, PartError
from studyattn.lm.parts import ATTENTION, CACHE, EMBED, LOSS, MLP, NORM, SAMPLE, STEP
from studyattn.lm.records import Assembled, ModelOrder, Sizes, Written
from studyattn.lm.training import Training, Writer

FORMAT: Final = 1
"""Version of what a checkpoint holds."""


class _State:
    """What one worker has: the order, and what was made for it."""

    order: ModelOrder
    parts: dict[str, Part]
    training: Training
    writer: Writer


@answering
def assemble(order: Tensor) -> None:
    """Import the parts of a model."""
    _State.order = wanted = msgspec.json.decode(read(order), type=ModelOrder)
    torch.set_num_threads(wanted.threads)
    parts: dict[str, Part] = dict(PLAIN_PARTS)
    for name in wanted.own:
        parts[name] = own_part(name)
    if wanted.mistake is not None:
        from studyattn.lm.broken import broken_parts  # late: only here is the reference at hand

        parts |= broken_parts(wanted.mistake)
    _State.parts = parts


@answering
def begin(text: Tensor) -> Assembled:
    """Draw a new model for a text in UTF-8."""
    order = _State.order
    _State.training = Training(read(text).decode("utf-8"), order.sizes, _State.parts, order.seed)
    _State.writer = _State.training.writer
    return Assembled(_State.training.parameters, len(_State.writer.characters))


@answering
def try_attention() -> None:
    """Use multi-head attention once, forwards and backwards."""
    sizes = _State.order.sizes
    x, *weights = _drawn(sizes)
    n = sizes.context
    mask = _State.parts["causal_mask"](n, n, x)
    out = gpt.used(ATTENTION, _State.parts[ATTENTION], x, *weights, sizes.heads, mask)
    if not out.requires_grad:
        raise PartError(ATTENTION, "no gradient goes through it")
    gpt.calling(ATTENTION, out.sum().backward)
    if _State.order.mistake is not None:
        return  # a hard choice, for one, has no gradient, and is shown for that
    for name, weight in zip(("w_q", "w_k", "w_v", "w_o"), weights, strict=True):
        if weight.grad is None:
            raise PartError(ATTENTION, f"no gradient comes to {name}: it is copied or detached")


@answering
@torch.no_grad()
def try_cache() -> None:
    """Use a cache with several characters, then one, then after a reset."""
    sizes = _State.order.sizes
    x, *weights = _drawn(sizes)
    cache = gpt.calling(CACHE, _State.parts[CACHE], *weights, sizes.heads)
    for rows in (x[:1, :3], x[:1, 3:4]):
        gpt.used(CACHE, cache, rows)
    gpt.calling(CACHE, cache.reset)
    gpt.used(CACHE, cache, x[:1, :1])


@answering
def try_embedding() -> None:
    """Use the embedding once, with two tokens at the end of the context."""
    sizes = _State.order.sizes
    table = torch.ones(3, sizes.width, requires_grad=True)
    positions = torch.ones(sizes.context, sizes.width, requires_grad=True)
    tokens, start = torch.tensor([[2, 0]]), sizes.context - 2
    _differentiated(
        EMBED, gpt.embedded(_State.parts[EMBED], tokens, table, positions, start), table, positions
    )


@answering
def try_norm() -> None:
    """Use the normalisation once, forwards and backwards."""
    width = _State.order.sizes.width
    x, gain, bias = (
        torch.ones(shape, requires_grad=True) for shape in ((1, 2, width), width, width)
    )
    _differentiated(NORM, gpt.used(NORM, _State.parts[NORM], x, gain, bias), gain, bias)


@answering
def try_mlp() -> None:
    """Use the MLP once, forwards and backwards."""
    width = _State.order.sizes.width
    shapes = ((1, 2, width), (width, 4 * width), (4 * width,), (4 * width, width), (width,))
    x, *weights = (torch.full(shape, 0.1, requires_grad=True) for shape in shapes)
    _differentiated(MLP, gpt.used(MLP, _State.parts[MLP], x, *weights), *weights)


def _differentiated(name: str, result: Tensor, *weights: Tensor) -> None:
    """Raise PartError unless a gradient comes to each of the weights that were given."""
    if not result.requires_grad:
        raise PartError(name, "no gradient goes through it")
    gpt.calling(name, result.sum().backward)
    if any(weight.grad is None for weight in weights):
        raise PartError(name, "no gradient comes to a weight: it is copied or detached")


@answering
def try_loss() -> None:
    """Use the loss once, forwards and backwards."""
    tokens = torch.tensor([[0, 2, 1, 2]])
    logits = torch.zeros(*tokens.shape, 3, requires_grad=True)
    loss = gpt.loss_of(_State.parts[LOSS], logits, tokens)
    if not loss.requires_grad:
        raise PartError(LOSS, "no gradient goes through it")
    gpt.calling(LOSS, loss.backward)


@answering
@torch.no_grad()
def try_sample() -> None:
    """Choose a character once."""
    gpt.chosen_by(_State.parts[SAMPLE], torch.tensor([0.0, 2.0, 1.0]), 0.5, 0.8)


@answering
@torch.no_grad()
def try_step() -> None:
    """Make one step of the optimiser."""
    weights, gradient, mean, square = (torch.full((3,), number) for number in (1.0, 2.0, 0.0, 0.0))
    gpt.stepped(_State.parts[STEP], weights, gradient, mean, square, 1, 0.1)


@answering
def advance(seconds: float, most: int | None) -> Any:
    """Train on, as `Training.advance`."""
    return _State.training.advance(seconds, most)


@answering
def finish() -> Any:
    """Measure and write a sample at the end."""
    return _State.training.finish()


@answering
def check_cache() -> Any:
    """Compare cached logits with plain ones."""
    return _State.training.check_cache()


def checkpoint() -> Tensor:
    """Return the model as bytes that `torch.load` reads with `weights_only=True`."""
    buffer = io.BytesIO()
    weights = _State.training.model.weights
    torch.save(
        {
            "format": FORMAT,
            "sizes": dataclasses.asdict(_State.order.sizes),
            "characters": _State.writer.characters,
            "steps": _State.training.steps,
            "weights": {name: weight.detach().clone() for name, weight in weights.items()},
        },
        buffer,
    )
    return as_bytes(buffer.getvalue())


@answering
def load(saved: Tensor) -> Assembled:
    """Take the model of a checkpoint. Raises ValueError for what is none."""
    held: Mapping[str, Any] = torch.load(io.BytesIO(read(saved)), weights_only=True)
    if held["format"] != FORMAT:
        raise ValueError(f"a checkpoint of format {held['format']}")
    sizes = Sizes(**held["sizes"])
    model = GPT(sizes, _State.parts, held["weights"])
    _State.writer = Writer(model, held["characters"])
    return Assembled(gpt.count(sizes, len(held["characters"])), len(held["characters"]))


class _Writing:
    """The text that is being written, from one call to the next."""

    characters: Any = iter(())


@answering
def prompt(text: Tensor, temperature: float, seed: int) -> None:
    """Begin to write after a text."""
    written = _State.writer.write(read(text).decode("utf-8"), temperature, seed)
    _Writing.characters = written


@answering
def write(count: int) -> Written:
    """Return the next `count` characters, fewer if the model says nothing more."""
    made = zip(range(count), _Writing.characters, strict=False)
    return Written("".join(character for _, character in made))


def _drawn(sizes: Sizes) -> tuple[Tensor, ...]:
    """Return rows `(b, n, width)` and the four projections, as a training step has them."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(sizes.batch, sizes.context, sizes.width, generator=generator)
    spread = sizes.width**-0.5
    weights = (
        torch.randn(sizes.width, sizes.width, generator=generator).mul(spread).requires_grad_()
        for _ in range(4)
    )
    return x, *weights
