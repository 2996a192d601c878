"""The worker of a real model: what it can be asked. See `lm.asking` for the worker itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from studyattn.errors import InputError
from studyattn.grading.limits import MEBIBYTE
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Backend
from studyattn.lm import sources
from studyattn.lm.asking import ANSWERED, READY, TRIED, WorkerProcess, text_input
from studyattn.lm.llama.parts import CAUSAL, DRILLS, GROUPED, PARTS
from studyattn.lm.llama.records import (
    Cosines,
    Guesses,
    Heads,
    HeadTables,
    LlamaOrder,
    Patterns,
    Piece,
    Score,
    Switched,
)
from studyattn.lm.process import LIMITS

MODULES: Final = tuple(
    f"lm.llama.{name}" for name in ("records", "forward", "trial", "heads", "one_head", "worker")
)
"""The modules that a worker is given besides those of a GPT."""

LONGEST: Final = 300.0
"""Seconds in which a long text is scored or a prompt is read, on a slow machine."""

MOST_SHOWN: Final = 32
"""Tokens of a text whose patterns are looked at."""


def llama_server(folder: Path, parameters: int) -> Runner:
    """Return what workers of a model are started from; a context manager that ends them all.

    `folder` is where the model is kept, which is what its workers may read.
    """
    memory = LIMITS.memory + parameters * 4 + 512 * MEBIBYTE
    limits = dataclasses.replace(LIMITS, memory=memory)
    return Runner(Backend.TORCH, limits=limits, readable=[str(folder)])


class LlamaProcess(WorkerProcess):
    """One worker with a real model."""

    WORKER = "studyattn.lm.llama.worker"
    ENTRIES = (
        "assemble", "try_part", "prompt", "write", "score", "look_at_heads", "all_patterns",
        "look_at_head", "guess", "compare",
    )  # fmt: skip
    DRILLS = DRILLS

    def __init__(
        self, server: Runner, order: LlamaOrder, own: Iterable[tuple[str, str]], pack: Path
    ) -> None:
        """Start a worker and assemble the parts of `order` in it.

        `own` are the names and texts of the files of the learner's package, `pack` the folder of
        the pack of a mistake. Raises what `WorkerProcess` does.
        """
        super().__init__(server, sources.beside(own, order.mistake, pack, *MODULES), order)
        self._cached = True

    def try_parts(self, names: Iterable[str]) -> None:
        """Use parts once each. Raises ModelPartError for one that fails, is slow or differs."""
        for name in names:
            self._asked("try_part", PARTS.index(name), seconds=TRIED, part=name)

    def prompt(self, text: str, *, cached: bool, temperature: float, seed: int) -> None:
        """Begin to write after a text."""
        given = text_input(text)
        self._cached = cached
        self._asked("prompt", given, cached, temperature, seed, seconds=READY)

    def write(self, count: int) -> Piece:
        """Return the next tokens as text."""
        part = GROUPED if self._cached else CAUSAL
        return self._value(Piece, "write", count, seconds=LONGEST, part=part)

    def score(self, text: str) -> Score:
        """Return how well the model expects a text."""
        given = text_input(text)
        return self._value(Score, "score", given, seconds=LONGEST + ANSWERED, part=CAUSAL)

    def heads(self, text: str) -> Heads:
        """Return what every head attends to in a text."""
        given = text_input(text)
        return self._value(Heads, "look_at_heads", given, seconds=LONGEST, part=CAUSAL)

    def patterns(self, text: str) -> Patterns:
        """Return the weights of all heads on the first `MOST_SHOWN` tokens of a text."""
        given = text_input(text)
        return self._value(
            Patterns, "all_patterns", given, MOST_SHOWN, seconds=LONGEST, part=CAUSAL
        )

    def head(self, text: str, head: tuple[int, int], switched: Switched, count: int) -> HeadTables:
        """Return what a head (layer, head) computes for these tokens, and what comes next."""
        given = text_input(text)
        switches = (switched.masked, switched.scaled, switched.adds)
        asked = (given, MOST_SHOWN, *head, *switches, count)
        return self._value(HeadTables, "look_at_head", *asked, seconds=LONGEST, part=CAUSAL)

    def guesses(self, text: str, count: int, off: tuple[int, int] | None) -> Guesses:
        """Return the likeliest next tokens by layer; the head `off` (layer, head) adds nothing."""
        given = text_input(text)
        head = off or (-1, -1)
        return self._value(Guesses, "guess", given, count, *head, seconds=LONGEST, part=CAUSAL)

    def cosines(self, one: str, other: str, word: str = "") -> Cosines:
        """Return how alike the last tokens of two texts are, by layer.

        With a word, those of its last occurrence in each. Raises InputError where one lacks it.
        """
        texts = map(text_input, (one, other, word))
        found = self._value(Cosines, "compare", *texts, seconds=LONGEST, part=CAUSAL)
        if not found.layers:
            raise InputError(
                f"one of the texts does not have {word!r}",
                advice="Name a word in both texts, or leave it out to compare their last tokens.",
            )
        return found
