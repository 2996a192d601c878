"""Counting what is in a scratch folder, where the system cannot give it a size of its own."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

from studyattn.grading.limits import ResourceLimits

INTERVAL = 0.1
"""Seconds between two counts. In it a worker makes at most about a thousand files."""


def is_full(folder: str, worker: int, limits: ResourceLimits) -> bool:
    """Return whether `folder`, with files that `worker` deleted but has open, exceeds `limits`.

    A folder that cannot be listed may hold anything, so it counts as full.
    """
    try:
        sizes = list(_sizes(folder, most=limits.scratch_files + 1))
    except PermissionError:
        return True
    return (
        len(sizes) > limits.scratch_files
        or sum(sizes) + sum(_deleted(worker)) > limits.scratch_size
    )


def taken(folder: str) -> int:
    """Return the bytes of what is in `folder`, and of files without a name that are open here."""
    bytes_taken = 0
    with contextlib.suppress(PermissionError):
        bytes_taken = sum(_sizes(folder, sys.maxsize))
    for descriptor in range(os.sysconf("SC_OPEN_MAX")):
        with contextlib.suppress(OSError):
            status = os.fstat(descriptor)
            bytes_taken += _size(status) if status.st_nlink == 0 else 0
    return bytes_taken


def _sizes(folder: str, most: int) -> Iterator[int]:
    """The bytes of each file and folder in `folder`, at least of the first `most`."""
    waiting = [folder]
    found = 0
    while waiting and found < most:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    found += 1
                    yield _size(entry.stat(follow_symlinks=False))
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except FileNotFoundError:
            continue  # removed meanwhile


def _deleted(worker: int) -> Iterator[int]:
    """The bytes of each file that `worker` holds open without a name. Nothing outside Linux."""
    try:
        with os.scandir(f"/proc/{worker}/fd") as descriptors:
            for descriptor in descriptors:
                status = descriptor.stat()
                if status.st_nlink == 0:
                    yield _size(status)
    except OSError:
        return  # no such folder, or the worker has ended


def _size(status: os.stat_result) -> int:
    return max(status.st_size, status.st_blocks * 512)
