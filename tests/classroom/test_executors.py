"""The processes that grade a class, and the cores that they keep to."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import Executor

import pytest

from studyattn.classroom import executors


def _cores(_number: int) -> frozenset[int]:
    time.sleep(0.3)  # so that another process takes the next task
    return frozenset(os.sched_getaffinity(0))


def _seen(jobs: int) -> set[frozenset[int]]:
    make = executors.processes(jobs).executor
    assert callable(make)
    pool = make()
    assert isinstance(pool, Executor)
    with pool:
        return set(pool.map(_cores, range(3 * jobs)))


@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2,
    reason="there are no cores to keep to",
)
def test_as_many_processes_as_cores_have_one_core_each() -> None:
    cores = os.sched_getaffinity(0)
    assert _seen(len(cores)) == {frozenset({core}) for core in cores}
    assert _seen(len(cores) + 1) == {frozenset(cores)}


def test_no_process_outlives_one_that_is_killed() -> None:
    program = (
        "import time; from studyattn.classroom import executors\n"
        "pool = executors.processes(2).executor()\n"
        "list(pool.map(time.sleep, [0.1] * 4))\n"
        "pool.submit(time.sleep, 60), pool.submit(time.sleep, 60)\n"
        "print(*pool._processes, flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as started:
        assert started.stdout is not None
        workers = [int(number) for number in started.stdout.readline().split()]
        assert len(workers) == 2
        assert all(map(_lives, workers))
        started.kill()
    ends = time.monotonic() + 20
    while any(map(_lives, workers)) and time.monotonic() < ends:
        time.sleep(0.05)
    assert not any(map(_lives, workers))


def _lives(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True
