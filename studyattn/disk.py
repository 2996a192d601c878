"""Files that are replaced as a whole, and a disk that is full: in which words a learner is told."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from studyattn.errors import FullDiskError, InputError

_MANY = 64 * 1024 * 1024  # bytes
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def free_bytes(place: Path) -> int | None:
    """Return how many bytes can still be written on the disk of `place`; None if nobody knows."""
    for folder in (place, *place.parents):
        try:
            found = os.statvfs(folder)
        except OSError:
            continue
        return found.f_bavail * found.f_frsize
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


def unwritable(what: str, error: OSError, folder: Path, advice: str) -> InputError:
    """Return the error for something that could not be saved in a folder."""
    if is_full(error, folder):
        full = full_disk(folder)
        return InputError(f"cannot save {what}: {full.message}", advice=full.advice)
    return InputError(
        f"cannot save {what} ({reason(error, folder)})", where=str(folder), advice=advice
    )


def replace_file(path: Path, content: bytes, *, mode: int | None = None) -> None:
    """Give a file this content, all of it or nothing; its folder is made. OSError passes.

    `mode` are its permissions; without them it keeps those that it has. What a link points to is
    replaced, not the link.
    """
    import tempfile  # late, as in all of what opens a home: a start waits

    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(
        "wb", dir=target.parent, prefix=f".{target.stem}-", delete=False
    ) as new:
        written = Path(new.name)
        try:
            new.write(content)
            new.flush()
            os.fsync(new.fileno())
            written.chmod(_mode(target) if mode is None else mode)
            written.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                written.unlink()
            raise


def _mode(path: Path) -> int:
    """Return the permissions that the file has, or that a new one gets."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        return 0o644
