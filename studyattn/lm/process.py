"""The worker of a GPT: what it can be asked. See `asking` for the worker itself."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from studyattn.grading.limits import MEBIBYTE, ResourceLimits
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Backend
from studyattn.lm import sources
from studyattn.lm.asking import ANSWERED, READY, TRIED, WorkerProcess, as_input
from studyattn.lm.parts import ATTENTION, CACHE, DRILLS, EMBED, LOSS, MLP, NORM, SAMPLE, STEP
from studyattn.lm.records import Assembled, CacheCheck, ModelOrder, Progress, Written

LIMITS: Final = ResourceLimits(
    seconds=7 * 24 * 3600.0,  # of CPU time; each answer has a limit of its own
    memory=3072 * MEBIBYTE,
    file_size=0,
)


def model_server() -> Runner:
    """Return what workers of models are started from; a context manager that ends them all."""
    return Runner(Backend.TORCH, limits=LIMITS)


_TRIED: Final = {
    "try_embedding": EMBED,
    "try_norm": NORM,
    "try_mlp": MLP,
    "try_attention": ATTENTION,
    "try_cache": CACHE,
    "try_loss": LOSS,
    "try_sample": SAMPLE,
    "try_step": STEP,
}
"""The entries of a worker that use a part once, and the part."""


class ModelProcess(WorkerProcess):
    """One worker with one model."""

    WORKER = "studyattn.lm.worker"
    ENTRIES = (
        "assemble", "try_attention", "try_cache", "try_loss", "try_sample", "try_step",
        "try_embedding", "try_norm", "try_mlp", "begin", "advance", "finish", "check_cache",
        "checkpoint", "load", "prompt", "write",
    )  # fmt: skip
    DRILLS = DRILLS

    def __init__(
        self, server: Runner, order: ModelOrder, own: Iterable[tuple[str, str]], pack: Path
    ) -> None:
        """Start a worker and assemble the parts of `order` in it.

        `own` are the names and texts of the files of the learner's package, `pack` the folder of
        the pack of a mistake. Raises what `WorkerProcess` does.
        """
        super().__init__(server, sources.beside(own, order.mistake, pack), order)

    # ── what it can be asked ─────────────────────────────────────────────────────────────────────

    def try_parts(self) -> None:
        """Use each part that has a drill once. Raises ModelPartError for one that fails."""
        for name, part in _TRIED.items():
            self._asked(name, seconds=TRIED, part=part)

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

    def prompt(self, text: str, temperature: float, seed: int) -> None:
        """Begin to write after a text."""
        given = as_input(text.encode("utf-8", "replace"))
        self._value(type(None), "prompt", given, temperature, seed, seconds=ANSWERED)

    def write(self, count: int) -> str:
        """Return the next characters; nothing if the model says nothing more."""
        return self._value(Written, "write", count, seconds=ANSWERED, part=CACHE).text
