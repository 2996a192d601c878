"""What goes to the worker of a model and comes back from it: plain values, written as JSON."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of a model, and the sequences of a training step.

    Attributes:
        width: features of the stream.
        context: the most characters that are looked back at.
        batch: sequences of a training step.
    """

    width: int = 96
    heads: int = 4
    layers: int = 3
    context: int = 64
    batch: int = 24


@dataclass(frozen=True, slots=True)
class Mistake:
    """A misconception of a pack: the module that declares it, its id, and which of its ways."""

    module: str
    id: str
    way: int


@dataclass(frozen=True, slots=True)
class ModelOrder:
    """A model to assemble.

    Attributes:
        own: the parts to import from the learner's package `mine`.
        mistake: what is wrong with its attention, which is then the reference's.
        threads: of torch.
    """

    sizes: Sizes
    own: tuple[str, ...]
    mistake: Mistake | None
    seed: int
    threads: int


@dataclass(frozen=True, slots=True)
class Assembled:
    """What was assembled. `characters`: how many different ones it knows."""

    parameters: int
    characters: int


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a training is.

    Losses are means in nats per character; None where they are no finite number.

    Attributes:
        loss: of the last training step.
        validation: of text that it is not trained on, as last measured at `validated_at`.
        tokens_per_second: of the steps since the last progress.
        sample: text that it wrote at the step `sampled_at`, if it was its turn.
    """

    step: int
    loss: float | None
    validation: float | None
    validated_at: int
    tokens_per_second: float
    sample: str | None = None
    sampled_at: int = -1


@dataclass(frozen=True, slots=True)
class CacheCheck:
    """Whether the cached attention says what the plain one does.

    `difference` is the largest one of a logit; None where it is no finite number.
    """

    same: bool
    difference: float | None


@dataclass(frozen=True, slots=True)
class Failure:
    """A part that cannot be used: what is wrong, and where that is known, its file and line."""

    part: str
    message: str
    line: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """Text that a model wrote."""

    text: str
