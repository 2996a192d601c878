"""The worker of a GPT: what it can be asked. See `asking` for the worker itself."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from studyattn.grading.limits import MEBIBYTE, ResourceLimits
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Backend
from studyattn.lm import sources
from studyattn.lm.asking import ANSWERED, READY, TRIED, WorkerProcess, as_input, text_input
from studyattn.lm.parts import ATTENTION, CACHE, COMPOSED, DRILLS, GENERATE, TRIED_PARTS
from studyattn.lm.records import Assembled, CacheCheck, ModelOrder, Progress, Written

LIMITS: Final = ResourceLimits(
    seconds=7 * 24 * 3600.0,  # of CPU time; each answer has a limit of its own
    memory=3072 * MEBIBYTE,
    file_size=0,
    output=1 << 50,  # what parts print while they train for hours is dropped
)

ALL_DRILLS: Final = {**DRILLS, **COMPOSED}
"""The drill of each part, of those that are made of others too."""


def model_server() -> Runner:
    """Return what workers of models are started from; a context manager that ends them all."""
    return Runner(Backend.TORCH, limits=LIMITS)


class ModelProcess(WorkerProcess):
    """One worker with one model."""

    WORKER = "studyattn.lm.worker"
    ENTRIES = (
        "assemble", "try_part", "begin", "advance", "finish", "check_cache", "checkpoint", "load",
        "prompt", "write",
    )  # fmt: skip
    DRILLS = ALL_DRILLS

    def __init__(
        self, server: Runner, order: ModelOrder, own: Iterable[tuple[str, str]], pack: Path
    ) -> None:
        """Start a worker and assemble the parts of `order` in it.

        `own` are the names and texts of the files of the learner's package, `pack` the folder of
        the pack of a mistake. Raises what `WorkerProcess` does.
        """
        super().__init__(server, sources.beside(own, order.mistake, pack), order)
        self._writes = GENERATE if GENERATE in order.own else CACHE

    # ── what it can be asked ─────────────────────────────────────────────────────────────────────

    def try_parts(self) -> None:
        """Use the parts. Raises ModelPartError for one that fails, is slow or differs."""
        for number, part in enumerate(TRIED_PARTS):
            self._asked("try_part", number, seconds=TRIED, part=part)

    def begin(self, text: bytes) -> Assembled:
        """Draw a new model for a text in UTF-8."""
        return self._value(Assembled, "begin", as_input(text), seconds=READY)

    def advance(self, seconds: float, most: int | None) -> Progress:
        """Train for so many seconds, at most up to a step."""
        answered = ANSWERED + seconds
        return self._value(Progress, "advance", seconds, most, seconds=answered, part=ATTENTION)

    def finish(self) -> Progress:
        """Measure the validation loss and write a sample."""
        return self._value(Progress, "finish", seconds=ANSWERED, part=CACHE)

    def check_cache(self) -> CacheCheck:
        """Compare the cached attention with the plain one."""
        return self._value(CacheCheck, "check_cache", seconds=ANSWERED, part=CACHE)

    def checkpoint(self) -> bytes:
        """Return the model as `torch.save` writes it."""
        return self._asked("checkpoint", seconds=ANSWERED)

    def load(self, saved: bytes) -> Assembled:
        """Take the model of a checkpoint."""
        return self._value(Assembled, "load", as_input(saved), seconds=READY)

    def prompt(self, text: str, count: int, temperature: float, seed: int) -> None:
        """Begin to write `count` characters after a text."""
        self._asked("prompt", text_input(text), count, temperature, seed, seconds=ANSWERED)

    def write(self, count: int) -> str:
        """Return the next characters; nothing if the model says nothing more."""
        return self._value(Written, "write", count, seconds=ANSWERED, part=self._writes).text
