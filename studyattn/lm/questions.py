"""The questions that a model in a worker answers: of any model, of a GPT, of a real one.

The method that answers is that of the model which the worker holds: `training.OwnGpt`,
`llama.running.RealModel` or `first.First`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from studyattn.lm.records import (
    CacheCheck,
    Guess,
    HeadTables,
    HeadWeights,
    Patched,
    Patterns,
    TextScore,
    TrainingProgress,
    WrittenText,
)

T = TypeVar("T")

READY: Final = 60.0
"""Seconds in which a model is ready, on a slow machine and with a large text."""

TRIED: Final = 20.0
"""Seconds in which a part answers once."""

ANSWERED: Final = 60.0
"""Seconds in which a GPT answers, beside those that it is asked to train for."""

LONGEST: Final = 300.0
"""Seconds in which a real model scores a text or reads a prompt, on a slow machine."""


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """A question to a model.

    Attributes:
        of: the method that answers, of the model or of what it holds.
        answer: the type of what it returns.
        seconds: in which it answers, beside those that are asked for.
        part: the one that is blamed if there is no answer at all.
    """

    of: str
    answer: type[T]
    seconds: float
    part: str = ""


ASSEMBLE: Final = Question("assemble", type(None), READY)
PROMPT: Final = Question("model.prompt", type(None), READY)
TELL: Final = Question("model.tell", WrittenText, TRIED)

BEGIN: Final = Question("model.begin", int, READY)
ADVANCE: Final = Question(
    "model.training.advance", TrainingProgress, ANSWERED, "multi_head_attention"
)
FINISH: Final = Question("model.training.finish", TrainingProgress, ANSWERED, "CachedAttention")
CHECK_CACHE: Final = Question("model.training.check_cache", CacheCheck, ANSWERED, "CachedAttention")
CHECKPOINT: Final = Question("model.checkpoint", bytes, ANSWERED)
LOAD: Final = Question("model.load", type(None), READY)

SCORE: Final = Question("model.score", TextScore, LONGEST, "causal_attention")
PATCH: Final = Question("model.patch", Patched, LONGEST, "patched")
HEADS: Final = Question("model.heads", list[HeadWeights], LONGEST, "causal_attention")
PATTERNS: Final = Question("model.patterns", Patterns, LONGEST, "causal_attention")
HEAD: Final = Question("model.head", HeadTables, LONGEST, "causal_attention")
GUESSES: Final = Question("model.guesses", list[list[Guess]], LONGEST, "causal_attention")
COSINES: Final = Question("model.cosines", list[float], LONGEST, "causal_attention")
