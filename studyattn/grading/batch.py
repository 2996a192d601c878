"""Carry out many tasks in an executor of `concurrent.futures`, whatever becomes of its workers.

A worker process may be killed, by the kernel for want of memory for example. A process pool is
broken then, and does not tell which task it was. So a new one is made, and each of the tasks that
it had is tried alone: the one that breaks it again is given up.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from typing import Any, TypeVar

from studyattn.errors import GradingError, StudyattnError

Result = TypeVar("Result")

IN_FLIGHT = 32
"""Tasks that an executor is given at a time: enough for its workers never to wait."""


class LostError(GradingError):
    """A submission that ended its worker process, or failed there in a way of its own, twice."""


def end_with_parent() -> None:
    """Have this process end when the one that started it does, even if that one was killed.

    A worker of a process pool would otherwise finish its task, and wait for the next for ever.
    """
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def carry_out(
    function: Callable[..., Result | StudyattnError],
    tasks: Iterable[tuple[Any, ...]],
    executor: Executor | Callable[[], Executor],
    in_flight: int = IN_FLIGHT,
) -> Generator[tuple[int, Result | StudyattnError]]:
    """Yield the number of each task with what `function` returns for it, as soon as it does.

    A task that ends its worker process has a LostError. An executor that is given, and not made
    here, is used while it works; GradingError when it breaks.
    """
    workers = _Workers(executor)
    waiting = enumerate(tasks)
    running: dict[Future[Any], tuple[int, tuple[Any, ...]]] = {}
    suspects: list[tuple[int, tuple[Any, ...]]] = []

    def hand_out() -> None:
        for number, task in itertools.islice(waiting, in_flight - len(running)):
            try:
                running[workers.submit(function, task)] = number, task
            except BrokenExecutor:
                suspects.append((number, task))
                return

    try:
        hand_out()
        while running or suspects:
            for future in wait(running, return_when=FIRST_COMPLETED).done if running else ():
                number, task = running.pop(future)
                try:
                    yield number, future.result()
                except Exception:  # noqa: BLE001 - of the executor; a bug shows again below
                    suspects.append((number, task))
            if workers.are_broken:
                suspects += running.values()
                running.clear()
                workers.renew()
            for number, task in sorted(suspects, key=lambda each: each[0]):
                yield number, _alone(workers, function, task)
            suspects.clear()
            hand_out()
    finally:
        for future in running:
            future.cancel()
        workers.close()


def _alone(
    workers: _Workers, function: Callable[..., Result], task: tuple[Any, ...]
) -> Result | StudyattnError:
    """Return what a task comes to that was lost among others."""
    try:
        return workers.submit(function, task).result()
    except Exception as error:  # noqa: BLE001 - it costs this submission alone, and is told
        if workers.are_broken:
            workers.renew()
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        lost = LostError(f"it was tried twice, and its worker process ended both times ({reason})")
        lost.__cause__ = error
        return lost


class _Workers:
    """An executor, made anew when it breaks if that is known how."""

    def __init__(self, executor: Executor | Callable[[], Executor]) -> None:
        self._make = None if isinstance(executor, Executor) else executor
        self._executor = executor if isinstance(executor, Executor) else executor()
        self.are_broken = False

    def submit(self, function: Callable[..., Result], task: tuple[Any, ...]) -> Future[Result]:
        try:
            future = self._executor.submit(function, *task)
        except BrokenExecutor:
            self.are_broken = True
            raise
        except OSError as error:
            raise GradingError(f"no worker process can be started ({error.strerror})") from error
        future.add_done_callback(self._look)
        return future

    def _look(self, future: Future[Any]) -> None:
        if not future.cancelled() and isinstance(future.exception(), BrokenExecutor):
            self.are_broken = True

    def renew(self) -> None:
        if self._make is None:
            raise GradingError(
                "the executor is broken: one of its processes ended",
                advice="Give a function that creates one, so that it can be recreated.",
            )
        with contextlib.suppress(Exception):
            self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._make()
        self.are_broken = False

    def close(self) -> None:
        if self._make is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
