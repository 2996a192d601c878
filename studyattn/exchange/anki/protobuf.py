"""Messages of Protocol Buffers, in which new packages keep lists and options. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

Field = tuple[int, bytes | int]
Names = Mapping[int, tuple[str, Any]]
"""The fields of a message by their numbers: what older packages call them, and their default."""
NOTE_TYPE: Final[Names] = {
    1: ("type", 0),
    2: ("sortf", 0),
    3: ("css", ""),
    5: ("latexPre", ""),
    6: ("latexPost", ""),
    7: ("latexsvg", False),
    9: ("originalStockKind", 0),
}
FIELD: Final[Names] = {
    1: ("sticky", False),
    2: ("rtl", False),
    3: ("font", ""),
    4: ("size", 0),
    5: ("description", ""),
    6: ("plainText", False),
    7: ("collapsed", False),
    8: ("excludeFromSearch", False),
    9: ("id", None),
    10: ("tag", None),
    11: ("preventDeletion", False),
}
TEMPLATE: Final[Names] = {
    1: ("qfmt", ""),
    2: ("afmt", ""),
    3: ("bqfmt", ""),
    4: ("bafmt", ""),
    5: ("did", None),
    6: ("bfont", ""),
    7: ("bsize", 0),
    8: ("id", None),
}


def described(message: bytes, names: Names) -> dict[str, Any]:
    """Return the fields of a message that have names, as older packages have them."""
    found = dict(read_fields(message))
    told = dict(names.values())
    for number, (name, default) in names.items():
        value = found.get(number)
        if isinstance(value, bytes):
            told[name] = value.decode("utf-8", errors="replace")
        elif value is not None:
            signed = value if value < 1 << 63 else value - (1 << 64)
            told[name] = bool(value) if isinstance(default, bool) else signed
    return told


_FIXED: Final = {1: 8, 5: 4}  # bytes of a number, by its kind


def read_fields(data: bytes) -> Iterator[Field]:
    """Yield the fields of a message: numbers, and whatever has a length. Raises ValueError."""
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
                raise ValueError("a message is cut off")
            yield key >> 3, data[place : place + size]
            place += size
        elif kind in _FIXED:
            place += _FIXED[kind]
        else:
            raise ValueError("a message cannot be read")


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while place < len(data) and shift < 64:
        byte = data[place]
        place += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, place
        shift += 7
    raise ValueError("a message is cut off")
