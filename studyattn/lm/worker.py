"""What the worker of a model does when it is asked: assemble, try parts, train, write.

These are the entries that `process` calls. The learner's package `mine` lies beside this code, in
the same worker, behind the same walls as a submission.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

import msgspec
import torch
from torch import Tensor

from studyattn.lm import model as gpt
from studyattn.lm.answers import answering, as_bytes, own_part, read
from studyattn.lm.model import GPT, PLAIN_PARTS, Part
from studyattn.lm.parts import BLOCK, GENERATE, TRIED_PARTS
from studyattn.lm.records import Assembled, ModelOrder, Sizes, Written
from studyattn.lm.training import Training, Writer
from studyattn.lm.trial import try_one

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
        parts.pop(BLOCK, None)  # the learner's is right: the blocks are put together with a mistake
    _State.parts = parts


@answering
def begin(text: Tensor) -> Assembled:
    """Draw a new model for a text in UTF-8."""
    order = _State.order
    _State.training = Training(read(text).decode("utf-8"), order.sizes, _State.parts, order.seed)
    _State.writer = _State.training.writer
    return Assembled(_State.training.parameters, len(_State.writer.characters))


@answering
def try_part(number: int) -> None:
    """Use a part and compare it with PyTorch's own, if there is such a part."""
    order = _State.order
    mistaken = order.mistake is not None
    try_one(TRIED_PARTS[number], _State.parts, order.sizes, is_mistaken=mistaken)


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


@answering
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
def prompt(text: Tensor, count: int, temperature: float, seed: int) -> None:
    """Begin to write `count` characters after a text."""
    writer, begun = _State.writer, read(text).decode("utf-8")
    if GENERATE in _State.parts:
        _Writing.characters = writer.generate(begun, count, temperature, seed)
    else:
        _Writing.characters = islice(writer.write(begun, temperature, seed), count)


@answering
def write(count: int) -> Written:
    """Return the next `count` characters, fewer if the model says nothing more."""
    made = zip(range(count), _Writing.characters, strict=False)
    return Written("".join(character for _, character in made))
