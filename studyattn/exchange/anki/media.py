"""The pictures and sounds of an Anki package: which there are, and how they come into the home.

Old packages list them as JSON, new ones as a compressed message of Protocol Buffers; each is an
entry of the archive that is called by its place in the list. In new packages each is compressed.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha1
from pathlib import Path, PureWindowsPath
from typing import Any, Final

import zstandard

from studyattn.archives import BROKEN
from studyattn.errors import DocumentError
from studyattn.exchange.anki.occlusion import Covers, drawn
from studyattn.exchange.anki.protobuf import read_fields
from studyattn.store.media import keep_medium
from studyattn.text.counting import bytes_text
from studyattn.text.media import media_name

LARGEST: Final = 512 * 1024 * 1024
"""Bytes that a picture or sound may have."""
_NAME, _SIZE, _DIGEST = 1, 2, 3  # fields of an entry of the list
_CHUNK: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Medium:
    """A picture or sound of a package."""

    name: str
    size: int | None
    """Bytes; None when the package names it and has it not."""
    kept: str = ""
    """The name of its file in the home; empty when no card names it."""

    @property
    def size_text(self) -> str:
        return "not in the package" if self.size is None else bytes_text(self.size)


@dataclass(frozen=True)
class PackedMedium:
    """A picture or sound in the archive of a package."""

    name: str
    size: int | None
    entry: str
    """Its name in the archive."""
    digest: str
    """Hexadecimal SHA-1 of its content; empty when the package has it not."""
    compressed: bool
    covers: Covers | None = None
    """The shapes that are drawn over it, and for which side of which card."""

    @cached_property
    def kept_name(self) -> str:
        """The name of its file in the home."""
        if self.covers:
            covered = sha1(repr((self.digest, self.covers)).encode(), usedforsecurity=False)
            return media_name(f"{self.name}.png", covered.hexdigest())
        return media_name(self.name, self.digest)


def listed_media(
    raw: bytes, archive: zipfile.ZipFile, unpack: Callable[[bytes], bytes]
) -> Iterator[PackedMedium]:
    """Yield the media of a package whose list is `raw`, in the list's order.

    `unpack` undoes the compression of a new list. Raises BadZipFile for a list that cannot be read,
    and ValueError for a name that leads out of the folder of media.
    """
    sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
    is_old = raw[:1] in {b"{", b""}
    media = _old(raw, sizes, archive) if is_old else _new(unpack(raw), sizes)
    for medium in media:
        if _leads_out(medium.name):
            raise ValueError(medium.name)
        yield medium


def keep_media(path: Path, media: Iterable[PackedMedium], folder: Path) -> None:
    """Copy media of the package `path` into a folder of the home, where it lacks them.

    Raises DocumentError for one whose content is not as listed, and OSError.
    """
    with zipfile.ZipFile(path) as archive:
        for medium in media:
            try:
                chunks = _checked(archive, medium)
                if medium.covers and not (folder / medium.kept_name).exists():
                    shapes, group, answers = medium.covers
                    picture = drawn(b"".join(chunks), shapes, group, answers=answers)
                    if picture is None:  # the card says that its picture is not there
                        continue
                    chunks = iter([picture])
                keep_medium(folder, medium.kept_name, chunks)
            except (zstandard.ZstdError, *BROKEN) as error:
                raise DocumentError(
                    f"its picture or sound {medium.name!r} is broken ({error})",
                    where=str(path),
                    advice="Export it again from Anki",
                ) from error


def _checked(archive: zipfile.ZipFile, medium: PackedMedium) -> Iterator[bytes]:
    """Yield the content of a medium. Raises ValueError in the end if it is not as listed."""
    found = sha1(usedforsecurity=False)
    for chunk in _chunks(archive, medium.entry, compressed=medium.compressed):
        found.update(chunk)
        yield chunk
    if found.hexdigest() != medium.digest:
        raise ValueError("its content does not match the list")


def _chunks(archive: zipfile.ZipFile, entry: str, *, compressed: bool) -> Iterator[bytes]:
    """Yield the content of an entry. Raises BadZipFile for one that is larger than is allowed."""
    size = 0
    with archive.open(entry) as packed:
        stream: Any = packed
        if compressed:
            stream = zstandard.ZstdDecompressor().stream_reader(packed)
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            if size > LARGEST:
                raise zipfile.BadZipFile(f"{entry} is larger than {LARGEST // _CHUNK} MB")
            yield chunk


def _leads_out(name: str) -> bool:
    return (
        name in {"", ".", ".."}
        or any(mark in name for mark in ("/", "\\", "\0"))
        or bool(PureWindowsPath(name).drive)
    )


def _old(raw: bytes, sizes: Mapping[str, int], archive: zipfile.ZipFile) -> Iterator[PackedMedium]:
    """Yield the media of a list `{"0": "name", …}`, which says nothing of their content."""
    try:
        names = json.loads(raw or b"{}")
    except (ValueError, RecursionError):
        names = None
    if not isinstance(names, dict):
        raise zipfile.BadZipFile("its list of media is not JSON")
    for entry, name in names.items():
        found = sha1(usedforsecurity=False)
        for chunk in _chunks(archive, entry, compressed=False) if entry in sizes else ():
            found.update(chunk)
        digest = found.hexdigest() if entry in sizes else ""
        yield PackedMedium(str(name), sizes.get(entry), entry, digest, compressed=False)


def _new(message: bytes, sizes: Mapping[str, int]) -> Iterator[PackedMedium]:
    """Yield the entries (field 1) of a message: name, size and SHA-1 (fields 1, 2 and 3)."""
    place = 0
    try:
        for number, entry in read_fields(message):
            if number == _NAME and isinstance(entry, bytes):
                told = dict(read_fields(entry))
                name, size, digest = told.get(_NAME), told.get(_SIZE, 0), told.get(_DIGEST, b"")
                if isinstance(name, bytes) and isinstance(size, int) and isinstance(digest, bytes):
                    there = str(place) in sizes
                    yield PackedMedium(
                        name.decode("utf-8", errors="replace"),
                        size if there else None,
                        str(place),
                        digest.hex() if there else "",
                        compressed=True,
                    )
                place += 1
    except ValueError as error:
        raise zipfile.BadZipFile(f"its list of media: {error}") from error
