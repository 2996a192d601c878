"""The part that screens share which ask a real model: whether there is one, and its worker."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from studyattn.errors import StudyattnError
from studyattn.lm.llama.kept import Models, check_installed, model_cache
from studyattn.study.practice.real_model import Wanted
from studyattn.tui.model_worker import ModelWorker
from studyattn.tui.screens.base import StudyScreen


def sentence_of(error: StudyattnError) -> str:
    """Return what an error says as a sentence."""
    told = str(error).rstrip(".")
    return f"{told[:1].upper()}{told[1:]}."


class AskingModelScreen(StudyScreen):
    """A screen with a worker that ends when the screen is left."""

    def __init__(self) -> None:
        super().__init__()
        self._worker: ModelWorker | None = None
        self._lacking = ""  # why there is no model

    async def _start_worker(self, wanted: Callable[[], Awaitable[Wanted]]) -> ModelWorker | None:
        """Return a worker for the model in use, made of the parts that `wanted` reads.

        None where there is no model; `_lacking` says why.
        """
        try:
            check_installed()
            models = Models(model_cache())
            kept = models.in_use()
        except StudyattnError as error:
            self._lacking = sentence_of(error)
            return None
        self._worker = ModelWorker(models, kept, self.services.home, await wanted())
        return self._worker

    async def on_unmount(self) -> None:
        if self._worker is not None:
            await self._worker.close()
