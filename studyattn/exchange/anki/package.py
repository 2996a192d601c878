"""The inside of an .apkg: a collection and a list of its media. Hostile until looked at.

Nothing is unpacked by name: the collection goes into a file of ours, and so do media (`media`). Old
packages hold SQLite in `collection.anki2` or `collection.anki21`; new ones hold it compressed in
`collection.anki21b`, beside an `anki2` that only says that Anki is too old.
"""

from __future__ import annotations

import errno
import io
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final, NoReturn

import zstandard

from studyattn.archives import BROKEN
from studyattn.errors import DocumentError, InputError
from studyattn.exchange.anki.media import PackedMedium, listed_media

LARGEST: Final = 512 * 1024 * 1024
"""Bytes that a collection may have when it is unpacked."""
LARGEST_LIST: Final = 16 * 1024 * 1024
LEAST: Final = 64 * 1024 * 1024
"""Bytes that a collection may have however well it is packed."""
_TIMES: Final = 100
"""Times its packed size that a larger one may have; text is packed to a tenth, zeros to nothing."""
_NEW, _OLD = "collection.anki21b", ("collection.anki21", "collection.anki2")
_CHUNK: Final = 1024 * 1024
_LEAST_LENGTH: Final = 1024 * 1024
"""Bytes that any value may have: also those of a small collection, and of statements."""
_LONGEST: Final = 32 * 1024 * 1024
_COMPUTED: Final = (
    "SELECT name FROM sqlite_master AS each WHERE type IN ('table', 'view') AND (rootpage = 0"
    " OR EXISTS (SELECT 1 FROM pragma_table_xinfo(each.name) WHERE hidden > 1))"
)
"""Views, virtual tables and tables with computed columns, none of which Anki makes."""


@contextmanager
def opened_collection(
    path: Path,
) -> Iterator[tuple[sqlite3.Connection, tuple[PackedMedium, ...]]]:
    """The collection of a package, and its media.

    Raises DocumentError when the file is no package, is broken, or would fill the disk, and
    InputError when it cannot be read or there is no room to unpack it.
    """
    with TemporaryDirectory() as folder:
        collection = Path(folder) / "collection"
        try:
            with zipfile.ZipFile(path) as archive, collection.open("wb") as target:
                media = tuple(sorted(_media(archive, path), key=lambda medium: medium.name))
                _unpack(archive, target, path)
        except BROKEN as error:
            _refuse(path, f"it is not an Anki package, or it is damaged ({error})")
        except zstandard.ZstdError as error:
            _refuse(path, f"its collection is broken ({error})")
        except OSError as error:
            if error.errno == errno.EINVAL:  # a place before the beginning of the file
                _refuse(path, f"it is not an Anki package, or it is damaged ({error.strerror})")
            raise InputError(
                f"it cannot be unpacked ({error.strerror or error})", where=str(path)
            ) from error
        with closing(_open(collection, path)) as connection:
            yield connection, media


def _refuse(path: Path, problem: str) -> NoReturn:
    raise DocumentError(problem, where=str(path), advice="Export it again from Anki")


def _unpack(archive: zipfile.ZipFile, target: IO[bytes], path: Path) -> None:
    names = set(archive.namelist())
    name = next((each for each in (_NEW, *_OLD) if each in names), None)
    if name is None:
        _refuse(path, "it contains no collection")
    with archive.open(name) as packed:
        stream: Any = packed
        if name == _NEW:
            stream = zstandard.ZstdDecompressor().stream_reader(packed)
        allowed = max(LEAST, _TIMES * archive.getinfo(name).compress_size)
        _copy(stream, target, min(LARGEST, allowed), path)


def _copy(stream: Any, target: IO[bytes], most: int, path: Path) -> None:
    """Copy what is unpacked, and stop where it is more than anyone's cards."""
    size = 0
    while chunk := stream.read(_CHUNK):
        size += len(chunk)
        if size > most:
            _refuse(path, f"it holds more than {most // 1024 // 1024} MB unpacked")
        target.write(chunk)


def _media(archive: zipfile.ZipFile, path: Path) -> Iterator[PackedMedium]:
    if "media" not in archive.namelist():
        return

    def unpack(raw: bytes) -> bytes:
        data = io.BytesIO()
        _copy(zstandard.ZstdDecompressor().stream_reader(raw), data, LARGEST_LIST, path)
        return data.getvalue()

    data = io.BytesIO()
    with archive.open("media") as packed:
        _copy(packed, data, LARGEST_LIST, path)
    try:
        yield from listed_media(data.getvalue(), archive, unpack)
    except ValueError as error:
        _refuse(path, f"its media file name {str(error)!r} points outside its folder")


def _open(collection: Path, path: Path) -> sqlite3.Connection:
    """Open a collection in which each value read is one that its file holds.

    A view or a computed column can make gigabytes of a few bytes, and so can a constraint that is
    checked; no value may be longer than the file, or than anyone's note.
    """
    connection = sqlite3.connect(f"{collection.absolute().as_uri()}?mode=ro", uri=True)
    connection.create_collation("unicase", unicase)
    longest = min(max(collection.stat().st_size, _LEAST_LENGTH), _LONGEST)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
    try:
        computed = connection.execute(_COMPUTED).fetchone()
        if computed is not None:
            connection.close()
            _refuse(path, f"`{computed[0]}` in its collection is not a plain table")
        findings = connection.execute("PRAGMA quick_check(1)").fetchone()
        connection.execute("SELECT id FROM notes LIMIT 1")
        connection.execute("SELECT id FROM cards LIMIT 1")
        connection.execute("SELECT id FROM revlog LIMIT 1")
    except sqlite3.Error as error:
        connection.close()
        _refuse(path, f"its collection is not an Anki database ({error})")
    if findings != ("ok",):
        connection.close()
        _refuse(path, "its collection is damaged")
    return connection


def unicase(one: str, other: str) -> int:
    """Compare two texts as Anki's indexes do."""
    first, second = one.casefold(), other.casefold()
    return (first > second) - (first < second)
