"""Have the learner's own GPT write after a prompt, also with a mistake in the writing.

It writes character by character through the cached attention, with the learner's `generate` once
that has passed. What computes is a worker (`lm.process`); nothing here imports torch.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from studyattn.errors import GradingError, InputError, ModelPartError, NotFoundError
from studyattn.lm.asking import StoppedError
from studyattn.lm.process import ALL_DRILLS
from studyattn.lm.records import Sizes
from studyattn.study.practice.gpt import OwnParts, TrainedModel, started, weights_file
from studyattn.study.practice.model_mistakes import ModelMistake, find_mistake
from studyattn.study.practice.part_grading import PartGrader

if TYPE_CHECKING:
    from studyattn.grading.run.runner import Runner
    from studyattn.home import Home

_AT_ONCE: Final = 4
"""Characters from one piece of written text to the next."""


def mistake_of(
    home: Home, model: TrainedModel, writing: ModelMistake | None = None
) -> ModelMistake | None:
    """Return the mistake that a model makes when it writes: of its training, or one in `writing`.

    Raises InputError where it would make both.
    """
    if model.mistake is None:
        return writing
    if writing is not None:
        raise InputError(
            f"the model {model.name!r} was already trained with a mistake: {model.mistake}",
            advice="Name a model without one with --name.",
        )
    return find_mistake(home, model.mistake)


class Writing:
    """A model that writes on. `stop` may be called from any thread."""

    def __init__(
        self,
        server: Runner,
        home: Home,
        own: OwnParts,
        model: TrainedModel,
        mistake: ModelMistake | None = None,
    ) -> None:
        """Nothing is started yet. With a `mistake` (`OF_WRITING`), the writing makes it.

        Raises InputError for a second mistake.
        """
        self._server = server
        self._home = home
        self._own = own
        self._model = model
        self._mistake = mistake_of(home, model, mistake)
        self._grader = PartGrader(home, own.package, ALL_DRILLS)
        self._stopped = threading.Event()

    def stop(self) -> None:
        """End the worker and its server; what is written on then raises StoppedError."""
        self._stopped.set()
        self._grader.stop()
        self._server.close()

    def pieces(self, prompt: str, *, tokens: int, temperature: float, seed: int) -> Iterator[str]:
        """Yield pieces of the `tokens` characters after a prompt.

        Raises ModelPartError for a part that cannot be used, NotFoundError if the weights are not
        there, GradingError without a worker, and StoppedError after `stop`.
        """
        try:
            with self._grader.diagnosing():
                yield from self._written(prompt, tokens, temperature, seed)
        except (GradingError, ModelPartError) as error:
            if self._stopped.is_set():
                raise StoppedError from error
            raise

    def _written(self, prompt: str, tokens: int, temperature: float, seed: int) -> Iterator[str]:
        saved = self._weights()
        if self._stopped.is_set():
            raise StoppedError
        with started(self._server, self._own, self._mistake, Sizes(), seed) as process:
            try:
                process.load(saved)
            except GradingError as error:
                if self._stopped.is_set():
                    raise
                raise self._unreadable("they are damaged") from error
            process.prompt(prompt, tokens, temperature, seed)
            left = tokens
            while left > 0:
                piece = process.write(min(_AT_ONCE, left))
                if not piece:
                    return
                left -= len(piece)
                yield piece

    def _weights(self) -> bytes:
        try:
            return weights_file(self._home, self._model.name).read_bytes()
        except OSError as error:
            raise self._unreadable(str(error.strerror)) from error

    def _unreadable(self, why: str) -> NotFoundError:
        return NotFoundError(
            f"the weights of the model {self._model.name!r} cannot be read ({why})",
            where=str(weights_file(self._home, self._model.name)),
            advice="Train it again with `studyattn gpt train`.",
        )
