"""The files of an import: which there are under the paths given, and their text.

Each reason why a file cannot be used is one line with the file, and the line where there is one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from pathlib import Path
from typing import Final

from studyattn.errors import DocumentError, InputError

LARGEST: Final = 32 * 1024 * 1024
"""Bytes a document may have: some twenty thousand questions with long answers."""
SUFFIXES: Final = frozenset({".md", ".markdown", ".txt", ".text"})
"""Suffixes of Markdown and plain text. A file named outright may have any name."""

_DATABASE: Final = b"SQLite format 3\0"
_BYTE_ORDER_MARKS: Final = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


class PathKind(StrEnum):
    """The kinds of paths given to `import`."""

    FOLDER = "folder"
    DOCUMENT = "document"
    REVIEW_LOG = "review-log"
    DATABASE = "database"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """The documents under some paths, and what there could not be looked at."""

    documents: tuple[Path, ...]
    problems: tuple[DocumentError, ...]


def kind_of(path: Path) -> PathKind:
    """Return the kind of a path, by its name and first bytes.

    Raises InputError when nothing is there.
    """
    if _is(Path.is_dir, path):
        return PathKind.FOLDER
    if not os.path.lexists(path):
        raise InputError(f"No such file: {path}")
    if _is(_is_stream, path):
        raise InputError(
            "it is a pipe or device, which can be read only once",
            where=str(path),
            advice="Save its text to a file, then import the file",
        )
    if _is(_is_database, path):
        return PathKind.DATABASE
    is_log = path.suffix.lower() == ".jsonl"
    return PathKind.REVIEW_LOG if is_log else PathKind.DOCUMENT


def find_documents(paths: Iterable[Path], suffixes: AbstractSet[str] = SUFFIXES) -> FoundFile:
    """Every document named or under a named folder, each once, in order of their names.

    Of a folder's files those with one of the `suffixes` are documents.

    Raises InputError for a path that does not exist and for a folder without documents.
    """
    documents: dict[Path, None] = {}
    problems: list[DocumentError] = []
    for path in paths:
        if kind_of(path) is not PathKind.FOLDER:
            documents[path] = None
            continue
        inside = list(_walk(path, problems, suffixes))
        if not inside and not problems:
            raise InputError(
                "this folder contains no documents",
                where=str(path),
                advice=f"Documents end in {', '.join(sorted(suffixes))}",
            )
        documents.update(dict.fromkeys(inside))
    return FoundFile(tuple(documents), tuple(problems))


def read_text(path: Path) -> str:
    """The document's text, with line feeds for all its line ends.

    Raises DocumentError when it is too long, empty, binary, a web page, not UTF-8 or cannot be
    opened.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise _unreadable(path, error) from error
    if len(data) > LARGEST:
        raise DocumentError(
            f"the document is larger than {LARGEST // 1024 // 1024} MB",
            where=str(path),
            advice="Split it into several files",
        )
    text = _decode(data, path).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise DocumentError("the document is empty", where=f"{path}:1")
    if text.lstrip()[:9].lower().startswith(("<!doctype", "<html")):
        raise DocumentError(
            "this is a web page, not Markdown or text",
            where=f"{path}:1",
            advice="Convert it first, for example with pandoc --to gfm",
        )
    return text


def _decode(data: bytes, path: Path) -> str:
    encoding = _BYTE_ORDER_MARKS.get(data[:2])
    if encoding is None and (at := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, at) + 1
        raise DocumentError(
            "this is a binary file, not text",
            where=f"{path}:{line}",
            advice="Export it as Markdown, text or CSV",
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = encoding or f"byte 0x{data[error.start]:02x}"
        raise DocumentError(
            f"the text is not UTF-8 but {found}",
            where=f"{path}:{line}",
            advice="Save it as UTF-8",
        ) from error


def _walk(
    folder: Path, problems: list[DocumentError], suffixes: AbstractSet[str]
) -> Iterator[Path]:
    """The documents under a folder, each folder once. No link is followed out of the folder."""
    top = folder.resolve()
    entered: set[Path] = set()
    waiting = [(folder, top)]
    while waiting:
        here, real = waiting.pop()
        if real in entered:
            continue
        entered.add(real)
        try:
            entries = sorted(here.iterdir(), key=attrgetter("name"))
        except OSError as error:
            problems.append(_unreadable(here, error))
            continue
        folders = []
        for entry in entries:
            is_document = entry.suffix.lower() in suffixes
            is_folder = _is(Path.is_dir, entry)
            if entry.name.startswith(".") or not (is_document or is_folder):
                continue
            if (problem := _problem(entry, top)) is not None:
                problems.append(problem)
            elif is_folder:
                folders.append((entry, _real(entry, real)))
            else:
                yield entry
        waiting.extend(reversed(folders))


def _real(entry: Path, above: Path) -> Path:
    """Resolve a folder; only a link is looked at, which takes long below many folders."""
    return entry.resolve() if entry.is_symlink() else above / entry.name


def _problem(entry: Path, folder: Path) -> DocumentError | None:
    """Return why something in a folder cannot be looked at."""
    if entry.is_symlink() and not _inside(entry, folder):
        return DocumentError(
            "it is a link out of the folder, which is not followed",
            where=str(entry),
            advice="Name the file or folder it points to, to import that",
        )
    if not _is(Path.is_dir, entry) and not _is(Path.is_file, entry):
        return DocumentError("it is a broken link, a pipe or a device", where=str(entry))
    return None


def _inside(link: Path, folder: Path) -> bool:
    """Return whether a link leads to something in the folder; a dangling one is left there."""
    try:
        return link.resolve().is_relative_to(folder)
    except (OSError, RuntimeError):
        return True


def _unreadable(path: Path, error: Exception) -> DocumentError:
    reason = (getattr(error, "strerror", None) or "it cannot be opened").lower()
    return DocumentError(f"it cannot be read: {reason}", where=str(path))


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_DATABASE)) == _DATABASE


def _is_stream(path: Path) -> bool:
    return path.exists() and not path.is_file()


def _is(kind: Callable[[Path], bool], entry: Path) -> bool:
    """Return whether it is a folder, or a file; what may not be looked at is neither."""
    try:
        return kind(entry)
    except OSError:
        return False
