"""The inside of an .apkg: a collection and the names of its media. Hostile until looked at.

Nothing is unpacked by name: the collection goes into a file of ours, media are only listed. Old
packages hold SQLite in `collection.anki2` or `collection.anki21`; new ones hold it compressed in
`collection.anki21b`, beside an `anki2` that only says that Anki is too old.
"""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath
from tempfile import TemporaryDirectory
from typing import IO, Any, Final, NoReturn

import zstandard

from studyattn.errors import DocumentError

LARGEST: Final = 512 * 1024 * 1024
"""Bytes that a collection may have when it is unpacked."""
LARGEST_LIST: Final = 16 * 1024 * 1024
_NEW, _OLD = "collection.anki21b", ("collection.anki21", "collection.anki2")
_CHUNK: Final = 1024 * 1024


@contextmanager
def opened_collection(path: Path) -> Iterator[tuple[sqlite3.Connection, tuple[str, ...]]]:
    """The collection of a package, and the names of its media.

    Raises DocumentError when the file is no package, is broken, or would fill the disk.
    """
    with TemporaryDirectory() as folder:
        collection = Path(folder) / "collection"
        try:
            with zipfile.ZipFile(path) as archive, collection.open("wb") as target:
                media = tuple(_media(archive, path))
                _unpack(archive, target, path)
        except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, OSError) as error:
            _refuse(path, f"it is no package of Anki, or a broken one ({error})")
        except zstandard.ZstdError as error:
            _refuse(path, f"its collection is broken ({error})")
        with closing(_open(collection, path)) as connection:
            yield connection, media


def _refuse(path: Path, problem: str) -> NoReturn:
    raise DocumentError(problem, where=str(path), advice="Export it from Anki again")


def _unpack(archive: zipfile.ZipFile, target: IO[bytes], path: Path) -> None:
    names = set(archive.namelist())
    name = next((each for each in (_NEW, *_OLD) if each in names), None)
    if name is None:
        _refuse(path, "there is no collection in it")
    with archive.open(name) as packed:
        stream: Any = packed
        if name == _NEW:
            stream = zstandard.ZstdDecompressor().stream_reader(packed)
        _copy(stream, target, LARGEST, path)


def _copy(stream: Any, target: IO[bytes], most: int, path: Path) -> None:
    """Copy what is unpacked, and stop where it is more than anyone's cards."""
    size = 0
    while chunk := stream.read(_CHUNK):
        size += len(chunk)
        if size > most:
            _refuse(path, f"it holds more than {most // 1024 // 1024} MB unpacked")
        target.write(chunk)


def _media(archive: zipfile.ZipFile, path: Path) -> Iterator[str]:
    if "media" not in archive.namelist():
        return
    data = io.BytesIO()
    with archive.open("media") as packed:
        _copy(packed, data, LARGEST_LIST, path)
    raw = data.getvalue()
    for name in _old_names(raw) if raw[:1] in {b"{", b""} else _new_names(raw, path):
        if "/" in name or "\\" in name or name in {"", ".", ".."} or "\0" in name:
            _refuse(path, f"the name of its medium {name!r} leads out of its folder")
        if PurePosixPath(name).is_absolute() or PureWindowsPath(name).drive:
            _refuse(path, f"the name of its medium {name!r} leads out of its folder")
        yield name


def _old_names(raw: bytes) -> list[str]:
    """`{"0": "name", …}`"""
    try:
        names = json.loads(raw or b"{}")
    except (ValueError, RecursionError):
        names = None
    if not isinstance(names, dict):
        raise zipfile.BadZipFile("its list of media is not JSON")
    return [str(name) for name in names.values()]


def _new_names(raw: bytes, path: Path) -> Iterator[str]:
    """Protocol buffers: entries (field 1), each with its name (field 1)."""
    data = io.BytesIO()
    _copy(zstandard.ZstdDecompressor().stream_reader(raw), data, LARGEST_LIST, path)
    for number, entry in _fields(data.getvalue()):
        if number == 1:
            for inner, value in _fields(entry):
                if inner == 1:
                    yield value.decode("utf-8", errors="replace")


def _fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The fields of a message that have a length. Raises BadZipFile when it is cut off."""
    place = 0
    while place < len(data):
        key, place = _varint(data, place)
        kind = key & 7
        if kind == 0:
            _, place = _varint(data, place)
        elif kind == 2:
            size, place = _varint(data, place)
            if place + size > len(data):
                raise zipfile.BadZipFile("its list of media is cut off")
            yield key >> 3, data[place : place + size]
            place += size
        else:
            place += 8 if kind == 1 else 4


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


def _open(collection: Path, path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{collection.absolute().as_uri()}?mode=ro", uri=True)
    connection.create_collation("unicase", _unicase)
    try:
        findings = connection.execute("PRAGMA quick_check(1)").fetchone()
        connection.execute("SELECT id FROM notes LIMIT 1")
        connection.execute("SELECT id FROM cards LIMIT 1")
        connection.execute("SELECT id FROM revlog LIMIT 1")
    except sqlite3.Error as error:
        connection.close()
        _refuse(path, f"its collection is no database of Anki ({error})")
    if findings != ("ok",):
        connection.close()
        _refuse(path, "its collection is damaged")
    return connection


def _unicase(one: str, other: str) -> int:
    first, second = one.casefold(), other.casefold()
    return (first > second) - (first < second)
