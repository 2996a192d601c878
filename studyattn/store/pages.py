"""Reading a database's pages and the rows on them without SQLite, for a file that it refuses.

Two formats are read here, both documented by SQLite: the log beside a database (`-wal`), whose
frames are whole pages with a checksum each; and leaf pages of tables, which hold the rows. Nothing
is assumed of pages that lead to others, so a broken schema or index costs no row. To which table a
row belongs is for `salvage` to say.
"""

from __future__ import annotations

import io
import os
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from studyattn.store.sqlite_file import FRAME_HEADER, LOG_HEADER, PAGE_SIZES

PAGE_SIZE = 4096  # bytes; what SQLite takes unless told otherwise, for a file that no longer says
_FILE_HEADER = 100
_TABLE_LEAF = 0x0D
_LITTLE_ENDIAN_SUMS, _BIG_ENDIAN_SUMS = 0x377F0682, 0x377F0683
_MOST_GENERATIONS = 1 << 16  # of a log; a salt further away is of another file or damage
_INTEGER_SIZES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes by serial type

PageOf = Callable[[int], bytes]
"""Returns the page with a number. Raises KeyError when there is none."""

Value = int | float | bytes | None
"""A value as it is stored; text is bytes here, because it may not be UTF-8."""


@dataclass(frozen=True, slots=True)
class StoredRow:
    """One row of some table."""

    rowid: int
    values: tuple[Value, ...]


class Image:
    """The pages of a database, those in its log in place of older ones in its file.

    They are read when they are asked for, so that no file is held whole.
    """

    def __init__(self, database: Path, log: Path) -> None:
        """Look for the pages of the two files; either may be missing."""
        self._file, self._log = _opened(database), _opened(log)
        self.page_size = _page_size(self._log, self._file)
        self._in_file = -(-_length(self._file) // self.page_size)  # the last may be cut short
        frames, header_is_sound = _frames(self._log, self.page_size)
        commits = (at for at, each in enumerate(frames, 1) if each.commits and each.sound)
        committed = frames[: max(commits, default=0)]
        self._in_log = {each.page: each.start for each in committed if each.sound}
        self._doubtful = [each.start for each in committed if not each.sound]
        self.is_torn = bool(self._doubtful or (committed and not header_is_sound))
        """Whether the log has commits that SQLite does not read, because of damage before them."""

    def __len__(self) -> int:
        """Count the pages that have a number."""
        return self._in_file + sum(number > self._in_file for number in self._in_log)

    def page(self, number: int) -> bytes:
        """Return the page with this number. Raises KeyError when there is none."""
        if number in self._in_log:
            return _bytes_at(self._log, self._in_log[number], self.page_size)
        if not 0 < number <= self._in_file:
            raise KeyError(number)
        return _bytes_at(self._file, (number - 1) * self.page_size, self.page_size)

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of all pages."""
        yield from range(1, self._in_file + 1)
        yield from (number for number in self._in_log if number > self._in_file)

    def doubtful(self) -> Iterator[bytes]:
        """Yield the pages of the log whose checksum is wrong, which may have any number."""
        return (_bytes_at(self._log, start, self.page_size) for start in self._doubtful)

    def earlier(self) -> Mapping[int, int]:
        """Return where in the log pages are from before it was last begun anew, by number.

        Of each the newest. All of them were in the file then, so a row that the file or the log
        still has is at least as new there.
        """
        newest: dict[int, int] = {}
        for frame in _earlier_frames(self._log, self.page_size):
            newest.setdefault(frame.page, frame.start)
        return newest

    def page_in_log(self, start: int) -> bytes:
        """Return the page that begins there in the log."""
        return _bytes_at(self._log, start, self.page_size)

    def write(self, path: Path) -> None:
        """Write the pages into a file of their own, which needs no log."""
        with path.open("wb") as file:
            for number in self.numbers():
                file.seek((number - 1) * self.page_size)
                file.write(self.page(number))

    def close(self) -> None:
        """Close the files."""
        self._file.close()
        self._log.close()


@dataclass(frozen=True, slots=True)
class _Frame:
    page: int
    commits: bool
    sound: bool  # its checksum follows from that of the frame before it
    start: int  # of the page, in the log


def _opened(path: Path) -> BinaryIO:
    return path.open("rb") if path.is_file() else io.BytesIO()


def _length(file: BinaryIO) -> int:
    return file.seek(0, os.SEEK_END)


def _bytes_at(file: BinaryIO, start: int, length: int) -> bytes:
    file.seek(start)
    return file.read(length)


def is_torn(log: Path) -> bool:
    """Return whether a log holds commits that SQLite does not read, behind damage.

    What a crash leaves behind the last commit is no damage. It can hold one more commit at most,
    because a commit is on the disk before the next one begins: two are needed to call it damage.
    Another process may begin the log anew while it is read, so damage is looked at twice.
    """
    return _is_torn(log) and _is_torn(log)


def _is_torn(log: Path) -> bool:
    with _opened(log) as logged:
        frames, header_is_sound = _frames(logged, _page_size(logged))
    torn = next((place for place, each in enumerate(frames) if not each.sound), len(frames))
    if not header_is_sound:
        torn = 0
    return sum(each.commits and each.sound for each in frames[torn:]) >= 2


def table_rows(image: Image) -> Iterator[StoredRow]:
    """Yield what is in the cells of the leaf pages of tables, as far as it can be read."""
    for number in image.numbers():
        if number > 1:  # the first holds the schema
            yield from _rows_of(image.page(number), image.page)
    for page in image.doubtful():
        yield from _rows_of(page, image.page)


def earlier_rows(image: Image) -> Iterator[StoredRow]:
    """Yield the rows on pages of the log from before it was last begun anew."""
    earlier = image.earlier()

    def page_of(number: int) -> bytes:
        start = earlier.get(number)
        return image.page(number) if start is None else image.page_in_log(start)

    for number in earlier:
        if number > 1:
            yield from _rows_of(page_of(number), page_of)


def _page_size(log: BinaryIO, database: BinaryIO | None = None) -> int:
    sizes = [int.from_bytes(_bytes_at(log, 8, 4), "big")]
    if database is not None:
        sizes.append(int.from_bytes(_bytes_at(database, 16, 2), "big"))
    return next((size for size in sizes if size in PAGE_SIZES), PAGE_SIZE)


# -- the log ---------------------------------------------------------------------------------------


def _frames(log: BinaryIO, page_size: int) -> tuple[list[_Frame], bool]:
    """Return the frames of the log's present generation, and whether the log's header is sound.

    A log is written from its start again once all of it is in the file; what is left of an earlier
    generation has another salt.
    """
    length = _length(log)
    if length < LOG_HEADER + FRAME_HEADER:
        return [], False
    is_sound, salt, order = _log_header(log)
    before = struct.unpack(">II", _bytes_at(log, 24, 8))
    frames = []
    step = FRAME_HEADER + page_size
    log.seek(LOG_HEADER)
    for start in range(LOG_HEADER, length - step + 1, step):
        header, data = log.read(FRAME_HEADER), log.read(page_size)
        page, size_after = struct.unpack(">II", header[:8])
        stored = struct.unpack(">II", header[16:24])
        is_sound_frame = False
        if header[8:16] == salt and page:
            is_sound_frame = _checksum(data, _checksum(header[:8], before, order), order) == stored
        else:  # of an earlier generation, or so damaged that it lost its salt
            page, size_after = 0, 0
        frames.append(_Frame(page, size_after > 0, is_sound_frame, start + FRAME_HEADER))
        before = stored
    return frames, is_sound


def _log_header(log: BinaryIO) -> tuple[bool, bytes, str]:
    """Return whether a log's header is sound, its present salt, and the byte order of its sums."""
    begins = _bytes_at(log, 0, LOG_HEADER + FRAME_HEADER)
    magic = int.from_bytes(begins[:4], "big")
    is_known = magic in (_LITTLE_ENDIAN_SUMS, _BIG_ENDIAN_SUMS)
    big = magic == _BIG_ENDIAN_SUMS if is_known else sys.byteorder == "big"
    order = ">" if big else "<"
    summed = struct.pack(">II", *_checksum(begins[:24], (0, 0), order))
    is_sound = is_known and summed == begins[24:32]
    return is_sound, begins[16:24] if is_sound else begins[40:48], order


def _checksum(data: bytes, before: tuple[int, int], order: str) -> tuple[int, int]:
    one, two = before
    numbers = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for first, second in zip(numbers, numbers, strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


def _earlier_frames(log: BinaryIO, page_size: int) -> Iterator[_Frame]:
    """Yield the committed frames of the log's earlier generations, the newest first.

    A log that is begun anew is written over from its start, and what is not written over stays: of
    the generation before, and behind it of older ones, each with a salt that is smaller by one. A
    frame's checksum follows from the frame before it, which the first one left has no more.
    """
    _, salt, order = _log_header(log)
    length, step = _length(log), FRAME_HEADER + page_size
    run: list[_Frame] = []
    before, generation = (0, 0), salt
    for start in range(LOG_HEADER, length - step + 1, step):
        header = _bytes_at(log, start, FRAME_HEADER)
        data = _bytes_at(log, start + FRAME_HEADER, page_size)
        page, size_after = struct.unpack(">II", header[:8])
        stored = struct.unpack(">II", header[16:24])
        if header[8:16] != generation:
            yield from _committed(run)
            run, generation = [], header[8:16]
            is_sound = True  # as far as can be told
        else:
            is_sound = _checksum(data, _checksum(header[:8], before, order), order) == stored
        before = stored
        age = (int.from_bytes(salt[:4], "big") - int.from_bytes(generation[:4], "big")) % (1 << 32)
        if 0 < age <= _MOST_GENERATIONS and page:
            run.append(_Frame(page, size_after > 0, is_sound, start + FRAME_HEADER))
    yield from _committed(run)


def _committed(run: list[_Frame]) -> Iterator[_Frame]:
    """Yield the sound frames of one generation up to its last commit, the newest first."""
    commits = [place for place, each in enumerate(run) if each.commits and each.sound]
    committed = run[: commits[-1] + 1] if commits else []
    return (each for each in reversed(committed) if each.sound)


# -- leaf pages ------------------------------------------------------------------------------------


def _rows_of(page: bytes, page_of: PageOf) -> Iterator[StoredRow]:
    if len(page) < 8 or page[0] != _TABLE_LEAF:
        return
    cells = int.from_bytes(page[3:5], "big")
    for place in range(8, min(8 + 2 * cells, len(page) - 1), 2):
        try:
            yield _row(page, int.from_bytes(page[place : place + 2], "big"), page_of)
        except (IndexError, KeyError, ValueError, struct.error):
            continue  # a damaged cell; its neighbours may be whole


def _row(page: bytes, start: int, page_of: PageOf) -> StoredRow:
    size, start = _varint(page, start)
    rowid, start = _varint(page, start)
    return StoredRow(rowid, _values(_payload(page, start, size, page_of)))


def _payload(page: bytes, start: int, size: int, page_of: PageOf) -> bytes:
    """Return a row's bytes, which go on in a chain of other pages when they are many."""
    usable = len(page)
    if size <= usable - 35:
        local = size
    else:
        least = (usable - 12) * 32 // 255 - 23
        local = least + (size - least) % (usable - 4)
        if local > usable - 35:
            local = least
    parts = [page[start : start + local]]
    missing = size - local
    following = int.from_bytes(page[start + local : start + local + 4], "big")
    seen = set[int]()
    while missing > 0:
        if following in seen:
            raise ValueError("a circular chain of pages")
        seen.add(following)
        more = page_of(following)
        parts.append(more[4 : 4 + missing])
        missing -= usable - 4
        following = int.from_bytes(more[:4], "big")
    payload = b"".join(parts)
    if len(payload) != size:
        raise ValueError("a row that is cut short")
    return payload


def _values(payload: bytes) -> tuple[Value, ...]:
    """Return the values of a record: first come their types and lengths, then the values."""
    header, place = _varint(payload, 0)
    start = header
    values: list[Value] = []
    while place < header:
        kind, place = _varint(payload, place)
        size = _INTEGER_SIZES.get(kind, 8 if kind == 7 else max(kind - 12, 0) // 2)
        stored = payload[start : start + size]
        if len(stored) != size or kind in (10, 11):
            raise ValueError("a value that is cut short")
        start += size
        values.append(_value(kind, stored))
    if place != header or start != len(payload):
        raise ValueError("a row whose parts do not add up")
    return tuple(values)


def _value(kind: int, stored: bytes) -> Value:
    if kind == 0:
        return None
    if kind in (8, 9):
        return kind - 8
    if kind == 7:
        number: float = struct.unpack(">d", stored)[0]
        return number
    return int.from_bytes(stored, "big", signed=True) if kind < 7 else stored


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """Return a number of up to nine bytes, seven bits each, and the place after it."""
    number = 0
    for length in range(1, 10):
        byte = data[place]
        place += 1
        if length == 9:
            number = number << 8 | byte
            break
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return (number - (1 << 64) if number >= 1 << 63 else number), place
