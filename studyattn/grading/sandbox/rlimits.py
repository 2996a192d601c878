"""Limits that the kernel keeps for one process: CPU time, address space, files, tasks."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

from studyattn.grading.limits import MEBIBYTE, ResourceLimits

# Room to report the end of memory in: the worker raises its own soft limit by this much.
MEMORY_RESERVE = 64 * MEBIBYTE


def restrict(limits: ResourceLimits, *, own_count: bool, address_space: bool) -> None:
    """Apply `limits` to this process and all that it starts.

    The kernel counts tasks by user, so they are limited only with an `own_count`, which a user
    namespace gives. CUDA reserves more address space than there is memory: no such limit there.
    """
    _lower(resource.RLIMIT_CORE, 0, 0)
    _lower(resource.RLIMIT_FSIZE, limits.file_size, limits.file_size)
    _lower(resource.RLIMIT_NOFILE, limits.open_files, limits.open_files)
    if own_count:
        _lower(resource.RLIMIT_NPROC, limits.tasks, limits.tasks)
    if address_space and sys.platform == "linux":
        ceiling = address_space_used() + limits.memory
        _lower(resource.RLIMIT_AS, ceiling, ceiling + MEMORY_RESERVE)


def restrict_cpu(limits: ResourceLimits) -> None:
    """Start the CPU clock: the kernel ends this process `limits.cpu_seconds` from now on."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + limits.cpu_seconds
    _lower(resource.RLIMIT_CPU, seconds, seconds + 1)


def release_reserve() -> None:
    """Take the memory that was kept back for the report."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def address_space_used() -> int:
    """Bytes of address space of this process. Linux only."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _lower(which: int, soft: int, hard: int) -> None:
    """Never above what is set already: raising a hard limit is a right that is not ours."""
    present = resource.getrlimit(which)[1]
    if present != resource.RLIM_INFINITY:
        soft, hard = min(soft, present), min(hard, present)
    resource.setrlimit(which, (soft, hard))
