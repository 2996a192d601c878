"""The files in an archive that somebody handed in: one after another, as far as there is room.

A small archive can unpack to more than any disk or memory holds, also in what nobody asked for.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO, Final, cast

MAX_FILE: Final = 16 << 20
"""Bytes of a file that is read. Notebooks hold pictures; their code is far smaller."""

MAX_UNPACKED: Final = 512 << 20
"""Bytes that the archive of a student may unpack to."""

MAX_MEMBERS: Final = 200_000
"""Files in one archive."""

_COMPRESSED: Final = ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ", lzma.open))
"""The first bytes of each compressed archive, and what reads it."""


class TooLargeError(Exception):
    """An archive unpacks to more than there is room for."""


@dataclass(slots=True)
class Room:
    """The bytes that may still be unpacked."""

    left: float

    def take(self, size: int) -> None:
        """Take up so many of them. Raises TooLargeError when there are no more."""
        self.left -= size
        if self.left < 0:
            raise TooLargeError


@dataclass(frozen=True, slots=True)
class Member:
    """A regular file in an archive; `time` is in seconds, 0 where the archive has none.

    `read` returns its first `MAX_FILE + 1` bytes at most, or raises what a broken archive does.
    """

    name: str
    time: float
    read: Callable[[], bytes]


def members(archive: Path, room: Room) -> Iterator[Member]:
    """Yield the files of a ZIP or tar archive, and read no more of it than there is room for.

    Raises TooLargeError, OSError, and what `archives.BROKEN` lists.
    """
    found = _of_zip(archive, room) if zipfile.is_zipfile(archive) else _of_tar(archive, room)
    for number, member in enumerate(found):
        if number >= MAX_MEMBERS:
            raise TooLargeError
        yield member


def _of_zip(archive: Path, room: Room) -> Iterator[Member]:
    with zipfile.ZipFile(archive) as zipped:
        for entry in zipped.infolist():

            def read(entry: zipfile.ZipInfo = entry) -> bytes:
                with zipped.open(entry) as file:
                    content = file.read(MAX_FILE + 1)
                room.take(len(content))
                return content

            if not entry.is_dir():
                yield Member(entry.filename, _time_of(entry), read)


def _time_of(entry: zipfile.ZipInfo) -> float:
    """Return when a file was changed; programs that do not tell write month 0."""
    try:
        return datetime(*entry.date_time).timestamp()  # noqa: DTZ001 - a ZIP has no time zone
    except (ValueError, OverflowError):
        return 0.0


def _of_tar(archive: Path, room: Room) -> Iterator[Member]:
    with (
        _decompressed(archive) as file,
        tarfile.open(fileobj=_Metered(file, room), mode="r:") as tar,
    ):
        for member in tar:
            inside = tar.extractfile(member) if member.isfile() else None
            if inside is not None:
                yield Member(member.name, float(member.mtime), partial(inside.read, MAX_FILE + 1))


def _decompressed(archive: Path) -> IO[bytes]:
    """Open what is compressed by the way that its first bytes tell."""
    with archive.open("rb") as file:
        begins = file.read(8)
    for start, opened in _COMPRESSED:
        if begins.startswith(start):
            return cast("IO[bytes]", opened(archive, "rb"))
    return archive.open("rb")


class _Metered(io.BufferedIOBase):
    """A file of which no more is read or passed over than there is room for."""

    def __init__(self, file: IO[bytes], room: Room) -> None:
        self._file = file
        self._room = room
        self._furthest = 0

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or size < 0:
            size = int(min(self._room.left, 1 << 62)) + 1
        self._reach(self._file.tell() + size)
        return self._file.read(size)

    def seek(self, position: int, whence: int = io.SEEK_SET, /) -> int:
        if whence == io.SEEK_SET:
            self._reach(position)
        return self._file.seek(position, whence)

    def tell(self) -> int:
        return self._file.tell()

    def _reach(self, position: int) -> None:
        if position > self._furthest:
            self._room.take(position - self._furthest)
            self._furthest = position
