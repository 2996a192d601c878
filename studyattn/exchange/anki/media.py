"""The pictures and sounds that an Anki package has: their names and sizes, never their content.

They stay in the package. Old packages list them as JSON, new ones as a compressed message of
Protocol Buffers; each is an entry of the archive that is called by its place in the list.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PureWindowsPath
from typing import Final

_NAME, _SIZE = 1, 2  # fields of an entry of the list


@dataclass(frozen=True, slots=True)
class Medium:
    """A picture or sound of a package."""

    name: str
    size: int | None
    """Bytes; None when the package names it and has it not."""


def listed_media(
    raw: bytes, archive: zipfile.ZipFile, unpack: Callable[[bytes], bytes]
) -> Iterator[Medium]:
    """The media of a package whose list is `raw`, in the list's order.

    `unpack` undoes the compression of a new list. Raises BadZipFile for a list that cannot be read,
    and ValueError for a name that leads out of the folder of media.
    """
    sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
    media = _old(raw, sizes) if raw[:1] in {b"{", b""} else _new(unpack(raw), sizes)
    for medium in media:
        if _leads_out(medium.name):
            raise ValueError(medium.name)
        yield medium


def _leads_out(name: str) -> bool:
    return (
        name in {"", ".", ".."}
        or any(mark in name for mark in ("/", "\\", "\0"))
        or bool(PureWindowsPath(name).drive)
    )


def _old(raw: bytes, sizes: Mapping[str, int]) -> Iterator[Medium]:
    """`{"0": "name", …}`"""
    try:
        names = json.loads(raw or b"{}")
    except (ValueError, RecursionError):
        names = None
    if not isinstance(names, dict):
        raise zipfile.BadZipFile("its list of media is not JSON")
    for entry, name in names.items():
        yield Medium(str(name), sizes.get(entry))


def _new(message: bytes, sizes: Mapping[str, int]) -> Iterator[Medium]:
    """Entries (field 1), each with its name (field 1) and its size (field 2)."""
    place = 0
    for number, entry in _fields(message):
        if number == _NAME and isinstance(entry, bytes):
            told = dict(_fields(entry))
            name, size = told.get(_NAME), told.get(_SIZE, 0)
            if isinstance(name, bytes) and isinstance(size, int):
                there = str(place) in sizes
                yield Medium(name.decode("utf-8", errors="replace"), size if there else None)
            place += 1


_Field = tuple[int, bytes | int]
_FIXED: Final = {1: 8, 5: 4}  # bytes of a number, by its kind


def _fields(data: bytes) -> Iterator[_Field]:
    """The fields of a message: numbers, and whatever has a length. Raises BadZipFile."""
    place = 0
    while place < len(data):
        key, place = _varint(data, place)
        kind = key & 7
        if kind == 0:
            value, place = _varint(data, place)
            yield key >> 3, value
        elif kind == 2:
            size, place = _varint(data, place)
            if place + size > len(data):
                raise zipfile.BadZipFile("its list of media is cut off")
            yield key >> 3, data[place : place + size]
            place += size
        elif kind in _FIXED:
            place += _FIXED[kind]
        else:
            raise zipfile.BadZipFile("its list of media cannot be read")


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while place < len(data) and shift < 64:
        byte = data[place]
        place += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, place
        shift += 7
    raise zipfile.BadZipFile("its list of media is cut off")
