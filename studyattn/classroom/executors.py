"""The executors that a class is graded with: processes of this machine, or a Dask cluster."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing.queues import SimpleQueue
from pathlib import Path

from studyattn.errors import InputError, NotFoundError
from studyattn.extras import how_to_install
from studyattn.grading.batch import end_with_parent

WAIT = 30
"""Seconds within which a cluster has to answer and to have a worker."""


@dataclass(frozen=True, slots=True)
class Workers:
    """An executor or what makes one, and how many submissions it grades at the same time."""

    executor: Executor | Callable[[], Executor] | None
    count: int


def processes(jobs: int | None = None) -> Workers:
    """Return a pool of so many processes, or of one for each core that this program may use.

    With one, everything happens in this process. With one for each core, each keeps to its own, and
    so do the workers that it starts: what they share stays in one core's cache.
    """
    may = getattr(os, "sched_getaffinity", None)  # Linux has it, macOS has not
    cores: list[int] = sorted(may(0)) if may is not None else []
    count = jobs or len(cores) or os.cpu_count() or 1
    if count == 1:
        return Workers(None, 1)

    def make() -> Executor:
        # Spawned, since a fork of a process that has threads is not whole.
        context = multiprocessing.get_context("spawn")
        own: SimpleQueue[int] = context.SimpleQueue()
        for core in cores if len(cores) == count else ():
            own.put(core)
        return ProcessPoolExecutor(count, context, _begin, (own,))

    return Workers(make, count)


def _begin(own: SimpleQueue[int]) -> None:
    """Begin a process of the pool, on the core that is left in `own` if there is one."""
    end_with_parent()
    # Ctrl-C, which every process of a terminal gets, is answered by the first one alone.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not own.empty():
        with contextlib.suppress(OSError):  # a container may forbid it
            os.sched_setaffinity(0, {own.get()})


@contextlib.contextmanager
def dask(address: str) -> Iterator[Workers]:
    """Connect to the scheduler at `address`, or to the one that a scheduler file names.

    InputError when Dask is not installed or this names no scheduler, NotFoundError when no
    scheduler or no worker answers.
    """
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port
    except ImportError as error:
        raise InputError(
            "a cluster needs Dask, which is not installed",
            where="--dask",
            advice=how_to_install("class"),
        ) from error
    scheduler = _scheduler(address) if address.endswith(".json") else address
    try:
        # A client that is given no address never ends.
        if not scheduler.startswith("inproc://"):
            get_address_host_port(scheduler)
    except ValueError as error:
        raise InputError(
            "this is not the address of a scheduler",
            where=address,
            advice="Write one such as tcp://host:8786.",
        ) from error
    try:
        client = Client(scheduler, timeout=WAIT, set_as_default=False)
    except (OSError, ValueError) as error:  # TimeoutError is an OSError
        raise NotFoundError(
            "no Dask scheduler responded",
            where=address,
            advice="Start one with `dask scheduler`, and workers with `dask worker ADDRESS`.",
        ) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=WAIT)
        except TimeoutError as error:
            raise NotFoundError(
                "this cluster has no workers",
                where=address,
                advice="Start some with `dask worker ADDRESS`.",
            ) from error
        count = sum(client.nthreads().values())
        # Equal calls are no equal results: a task is graded again when it was lost.
        yield Workers(client.get_executor(pure=False), count)


def _scheduler(file: str) -> str:
    """Return the address in a scheduler file. InputError if it has none."""
    try:
        return str(json.loads(Path(file).read_text("utf-8"))["address"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise InputError(
            "this is not a scheduler file",
            where=file,
            advice="`dask scheduler --scheduler-file FILE` writes one.",
        ) from error
