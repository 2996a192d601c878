"""The processes that grade a class, and the cores that they keep to."""

from __future__ import annotations

import os
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
