"""A disk that is full: how it is recognised, and in which words a learner is told."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

from studyattn.errors import FullDiskError

_MANY = 64 * 1024 * 1024  # bytes
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def free_bytes(place: Path) -> int | None:
    """Return how many bytes can still be written on the disk of `place`; None if nobody knows."""
    for folder in (place, *place.parents):
        try:
            return shutil.disk_usage(folder).free
        except OSError:
            continue
    return None


def full_disk(place: Path) -> FullDiskError:
    """Return the error for a disk that has no room left for what is at `place`."""
    free = free_bytes(place)
    left = "" if free is None else f": {free:,} bytes free on {place}"
    return FullDiskError(f"the disk is full{left}", advice="Free some and try again.")


def is_full(error: BaseException, place: Path) -> bool:
    """Return whether a file at `place` could not be written for want of bytes.

    With many bytes free it is something else that ran out, such as a quota or the files a disk has.
    """
    if not isinstance(error, OSError) or error.errno not in _FULL:
        return False
    free = free_bytes(place)
    return free is None or free < _MANY


def reason(error: OSError, place: Path) -> str:
    """Return why a file at `place` could not be written or read, as part of a sentence."""
    if is_full(error, place):
        return f"{full_disk(place).message}; free some and try again"
    return error.strerror or str(error)
