"""A real model that a screen asks, in a thread of its own; what computes is a worker process.

The worker is started by the first question and ends with `close`, which a screen calls when it is
left. Nothing here imports torch.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from studyattn.errors import GradingError, ModelPartError
from studyattn.lm.asking import StoppedError
from studyattn.lm.llama.kept import Models
from studyattn.lm.llama.records import KeptModel
from studyattn.study.practice.real_model import RunningModel, Wanted, server_of

if TYPE_CHECKING:
    from studyattn.home import Home

T = TypeVar("T")


class ModelWorker:
    """Asks one running model, one question after another."""

    def __init__(self, models: Models, kept: KeptModel, home: Home, wanted: Wanted) -> None:
        """Nothing is started yet. `wanted` are the parts that the model is made of."""
        self._models = models
        self._kept = kept
        self._home = home
        self._wanted = wanted
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="real model")
        self._open = contextlib.ExitStack()
        self._running: RunningModel | None = None
        self._is_started = False
        self._ended = threading.Event()

    async def ask(self, question: Callable[[RunningModel], T]) -> T:
        """Return what `question` returns for the running model; raise what it raises.

        Raises ModelPartError for a part that cannot be used, GradingError without a worker, and
        StoppedError after `close`.
        """
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, self._answer, question
        )

    async def close(self) -> None:
        """End the worker at once, and wait until it has ended."""
        self._ended.set()
        if self._running is not None:
            await asyncio.to_thread(self._running.stop)
        await asyncio.get_running_loop().run_in_executor(self._thread, self._end)
        self._thread.shutdown(wait=False)

    def _answer(self, question: Callable[[RunningModel], T]) -> T:
        if self._ended.is_set():
            raise StoppedError
        try:
            if not self._is_started:
                self._start()
            assert self._running is not None  # noqa: S101 - it has just been started
            return question(self._running)
        except (GradingError, ModelPartError):
            self._end()  # its worker may be gone; the next question starts another
            raise

    def _start(self) -> None:
        with contextlib.ExitStack() as open_:
            server = open_.enter_context(server_of(self._models, self._kept))
            folder = self._models.place(self._kept)
            self._running = RunningModel(server, self._home, folder, self._wanted)
            if self._ended.is_set():
                raise StoppedError
            open_.enter_context(self._running)
            self._open = open_.pop_all()
        self._is_started = True

    def _end(self) -> None:
        self._running, self._is_started = None, False
        self._open.close()
