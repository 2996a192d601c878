"""Training a model on a text: its characters, batches, steps, and what it writes on the way.

The text is cut once: the first nine tenths are trained on, the rest is for the validation loss.
With one seed, the weights, the batches and the samples are the same whatever the attention is.
"""

from __future__ import annotations

import base64
import dataclasses
import io
import math
import time
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

import torch
from torch import Tensor

from studyattn.lm import model as gpt
from studyattn.lm.calls import Part, PartError
from studyattn.lm.model import PLAIN_PARTS, Fed, Model
from studyattn.lm.records import CacheCheck, Piece, Sample, Sizes, TrainingProgress
from studyattn.lm.trial import SAME, of_gpt, try_part

FORMAT: Final = 1
"""Version of what a checkpoint holds."""

RATE: Final = 3e-3
BETAS: Final = (0.9, 0.99)
WARM_UP: Final = 50
"""Steps in which the rate of learning grows to its full size."""

TRAINED_SHARE: Final = 0.9
SAMPLED: Final = (0, 100, 400)
"""Steps at which a sample is written, beside the last one."""

VALIDATED: Final = 20
"""Steps from one validation loss to the next."""

VALIDATION_BATCHES: Final = 4
SAMPLE_LENGTH: Final = 120
SAMPLE_TEMPERATURE: Final = 0.8
SAMPLE_PROMPT: Final = "The "


class Writer:
    """A model that writes: it and the characters that it knows."""

    def __init__(self, model: Model, characters: str) -> None:
        self.model = model
        self.characters = characters
        self._places = {character: place for place, character in enumerate(characters)}

    def encode(self, text: str) -> Tensor:
        """Return the places of the characters, `(n,)`; one that is not known is left out."""
        known = [self._places[each] for each in text if each in self._places]
        return torch.tensor(known, dtype=torch.int64)

    def write(self, prompt: str, temperature: float, seed: int) -> Iterator[str]:
        """Yield characters after `prompt` without end, each made with the caches."""
        tokens = torch.tensor([self._read(prompt)])
        for chosen, _ in gpt.written(self.model, tokens, temperature, seed):
            yield self.characters[chosen]

    def _read(self, prompt: str) -> list[int]:
        """Return the characters of a prompt that the context has room for, at least one."""
        return self.encode(prompt)[-self.model.sizes.context :].tolist() or [0]

    @torch.no_grad()
    def generate(self, prompt: str, count: int, temperature: float, seed: int) -> Iterator[str]:
        """Yield `count` characters, the same as `write` does, made by the part `generate`.

        It is asked once for all that the context has room for. A further time, its prompt is the
        later half of the context.
        """
        generator = torch.Generator().manual_seed(seed)
        context = self.model.sizes.context
        seen = self._read(prompt)
        while count > 0:
            room = min(count, context - len(seen) + 1)  # the last one is not fed
            numbers = [torch.rand((), generator=generator) for _ in range(room)]
            uniforms = torch.stack(numbers) if temperature else None
            model = Fed(self.model, temperature)
            part, given = self.model.parts["generate"], torch.tensor(seen)
            made = gpt.generated_by(part, model, given, room, uniforms)
            if model.silent:
                return  # weights that are no numbers say nothing
            yield from (self.characters[each] for each in made)
            count -= len(made)
            seen = [*seen, *made][-context // 2 :]


def writer_of(saved: bytes, parts: Mapping[str, Part]) -> Writer:
    """Return the model of a checkpoint. Raises PartError for what is none."""
    try:
        held: Mapping[str, Any] = torch.load(io.BytesIO(saved), weights_only=True)
        if held["format"] == FORMAT:
            return Writer(Model(Sizes(**held["sizes"]), parts, held["weights"]), held["characters"])
    except Exception as error:  # torch raises many kinds
        raise PartError("the GPT", "its weights are damaged: train it again") from error
    raise PartError("the GPT", f"its weights have the format {held['format']}, not {FORMAT}")


class Training:
    """A training on its way: a step at a time, and what is known of it."""

    def __init__(self, text: str, sizes: Sizes, parts: Mapping[str, Part], seed: int) -> None:
        """Draw the weights of a new model for the characters of `text`."""
        characters = "".join(sorted(set(text)))
        self._generator = torch.Generator().manual_seed(seed)
        self._seed = seed
        shapes = gpt.shapes(sizes, len(characters))
        self._flat = torch.empty(sum(map(math.prod, shapes.values())))
        self._gradient = torch.zeros_like(self._flat)
        self._moments = torch.zeros_like(self._flat), torch.zeros_like(self._flat)
        weights = {
            name: view.detach()  # a leaf: its gradient is kept
            for name, view in gpt.views(self._flat, shapes).items()
        }
        gpt.initialise(weights, sizes, self._generator)
        gradients = gpt.views(self._gradient, shapes)
        for name, weight in weights.items():
            weight.requires_grad_()
            weight.grad = gradients[name]  # adding to it fills the one flat gradient
        self.model = Model(sizes, parts, weights)
        self.writer = Writer(self.model, characters)
        self.steps = 0
        tokens = self.writer.encode(text)
        cut = int(len(tokens) * TRAINED_SHARE)
        self._trained, self._held_out = tokens[:cut], tokens[cut:]
        fixed = torch.Generator().manual_seed(seed)
        self._validation = [self._batch(self._held_out, fixed) for _ in range(VALIDATION_BATCHES)]
        self._loss = float("nan")

    @property
    def parameters(self) -> int:
        return len(self._flat)

    def advance(self, seconds: float, most: int | None) -> TrainingProgress:
        """Train for about `seconds`, at most up to the step `most`, or up to the next milestone.

        Milestones are the steps before which the validation loss is measured or a sample written.
        """
        curve = (self._validated(),) if self.steps % VALIDATED == 0 else ()
        samples = (Sample(self.steps, self.sample()),) if self.steps in SAMPLED else ()
        began, first = time.perf_counter(), self.steps
        while most is None or self.steps < most:
            self._loss = self.step()
            if self.steps % VALIDATED == 0 or self.steps in SAMPLED:
                break
            if time.perf_counter() - began >= seconds:
                break
        trained = (self.steps - first) * self.model.sizes.batch * self.model.sizes.context
        speed = trained / (time.perf_counter() - began)
        return TrainingProgress(self.steps, self._loss, speed, curve, samples)

    def finish(self) -> TrainingProgress:
        """Measure the validation loss and write a sample, where the training ends."""
        sample = Sample(self.steps, self.sample())
        return TrainingProgress(self.steps, self._loss, 0.0, (self._validated(),), (sample,))

    def step(self) -> float:
        """Make one training step and return its loss."""
        self._gradient.zero_()
        loss = self._mean_loss(self._batch(self._trained, self._generator))
        loss.backward()  # type: ignore[no-untyped-call]  # torch has no types here
        self.steps += 1
        with torch.no_grad():
            moved = gpt.stepped(
                self.model.parts["adamw_step"],
                self._flat,
                self._gradient,
                *self._moments,
                self.steps,
                RATE * min(1.0, self.steps / WARM_UP),
                *BETAS,
            )
            for kept, new in zip((self._flat, *self._moments), moved, strict=True):
                kept.copy_(new)
        return float(loss.detach())

    @torch.no_grad()
    def _validated(self) -> tuple[int, float]:
        """Return the step, and the loss on text that is not trained on."""
        losses = [float(self._mean_loss(batch)) for batch in self._validation]
        return self.steps, sum(losses) / len(losses)

    def sample(self) -> str:
        """Return text that the model writes now."""
        known = all(each in self.writer.characters for each in SAMPLE_PROMPT)
        prompt = SAMPLE_PROMPT if known else self.writer.characters[:1]
        written = self.writer.write(prompt, SAMPLE_TEMPERATURE, self._seed)
        return prompt + "".join(islice(written, SAMPLE_LENGTH))

    @torch.no_grad()
    def check_cache(self) -> CacheCheck:
        """Compare the logits of a text fed a character at a time with those of the whole."""
        tokens = self._validation[0][:1]  # (1, n)
        plain = self.model(tokens)
        kept, pieces = self.model.new(), torch.split(tokens, 1, dim=-1)
        cached = torch.cat([self.model(token, kept) for token in pieces], dim=1)
        difference = float((plain - cached).abs().max())
        return CacheCheck(difference <= SAME, difference)

    def _batch(self, tokens: Tensor, generator: torch.Generator) -> Tensor:
        """Return pieces of the text, `(b, n)`."""
        sizes = self.model.sizes
        starts_at_most = len(tokens) - sizes.context
        starts = torch.randint(starts_at_most + 1, (sizes.batch, 1), generator=generator)
        return tokens[starts + torch.arange(sizes.context)]

    def _mean_loss(self, batch: Tensor) -> Tensor:
        return self.model.used("next_token_loss", self.model(batch), batch)


class OwnGpt:
    """A GPT as its worker holds it: what `process` can ask of it, and of its `training`."""

    def __init__(
        self, sizes: Sizes, seed: int, own: Mapping[str, Part], broken: Mapping[str, Part]
    ) -> None:
        """Nothing is drawn yet. The parts `broken` make a mistake, in the place of others."""
        self._sizes = sizes
        self._seed = seed
        self._parts: dict[str, Part] = {**PLAIN_PARTS, **own, **broken}
        if broken:
            self._parts.pop("block", None)  # the learner's is right: the program makes the mistake

    def try_part(self, name: str) -> None:
        """Use a part and compare it with the reference's."""
        try_part(name, self._parts[name], of_gpt(name, self._sizes))

    def begin(self, text: str) -> int:
        """Draw a new model for a text; return the number of its parameters."""
        self.training = Training(text, self._sizes, self._parts, self._seed)
        self._writer = self.training.writer
        return self.training.parameters

    def checkpoint(self) -> bytes:
        """Return the model as bytes that `torch.load` reads with `weights_only=True`."""
        buffer = io.BytesIO()
        weights = self.training.model.weights
        torch.save(
            {
                "format": FORMAT,
                "sizes": dataclasses.asdict(self._sizes),
                "characters": self._writer.characters,
                "steps": self.training.steps,
                "weights": {name: weight.detach().clone() for name, weight in weights.items()},
            },
            buffer,
        )
        return buffer.getvalue()

    def load(self, saved: str) -> None:
        """Take the model of a checkpoint, in base64. Raises PartError for what is none."""
        self._writer = writer_of(base64.b64decode(saved), self._parts)

    def prompt(self, text: str, count: int, temperature: float, seed: int, cached: bool) -> None:
        """Begin to write `count` characters after a text, always with the caches."""
        del cached
        if "generate" in self._parts:
            self._written = self._writer.generate(text, count, temperature, seed)
        else:
            self._written = islice(self._writer.write(text, temperature, seed), count)

    def write(self, count: int) -> Piece:
        """Return the next `count` characters, fewer if the model says nothing more."""
        began = time.perf_counter()
        text = "".join(islice(self._written, count))
        seconds = time.perf_counter() - began
        return Piece(text, len(text), seconds, len(text) < count, surprise=0.0, measured={})
