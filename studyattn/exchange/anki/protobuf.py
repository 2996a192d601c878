"""Messages of Protocol Buffers, in which new packages keep lists and options. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

Field = tuple[int, bytes | int]


@cache
def page() -> Mapping[str, Any]:
    """Return the page of data about Anki: `anki.toml`."""
    return tomllib.loads(files(__package__).joinpath("anki.toml").read_text("utf-8"))


def described(message: bytes, kind: str) -> dict[str, Any]:
    """Return the fields of a message of a kind that have names, as older packages have them."""
    found = dict(read_fields(message))
    told: dict[str, Any] = {}
    for number, (name, *default) in page()["messages"][kind].items():
        value = found.get(int(number))
        told[name] = next(iter(default), None)
        if isinstance(value, bytes):
            told[name] = value.decode("utf-8", errors="replace")
        elif value is not None:
            signed = value if value < 1 << 63 else value - (1 << 64)
            told[name] = bool(value) if isinstance(told[name], bool) else signed
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
