"""Files that studyattn or Anki wrote, on their way into a database.

`file_kind` says what a file is by looking inside, `import_file` takes it in: whole or not at
all. Source documents and review logs are something else (`documents`, and `study`).
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

from studyattn.errors import InputError
from studyattn.exchange.anki.media import Medium
from studyattn.exchange.anki.not_taken import NotTaken
from studyattn.exchange.files import read_text
from studyattn.exchange.json_lines import LONGEST_LINE, is_everything, read_lines
from studyattn.exchange.learning_note.reader import is_learning_note, read_note
from studyattn.exchange.merge.merge_into import Fit, MergeReport, Refold, merge_into, preview_merge
from studyattn.store.database import Database
from studyattn.store.snapshot import Snapshot

_PACKAGES: Final = frozenset({".apkg", ".colpkg"})
_HEAD: Final = 4096  # bytes in which a file says what it is


@dataclass(frozen=True, slots=True)
class Returned:
    """What a file holds; of an Anki package also what stays in it."""

    snapshot: Snapshot
    media: tuple[Medium, ...] = ()
    not_taken: tuple[NotTaken, ...] = ()


class FileKind(StrEnum):
    """What a file is that was made to be read back."""

    LEARNING_NOTE = "learning note"
    EVERYTHING = "everything"
    ANKI = "Anki package"


def file_kind(path: Path) -> FileKind | None:
    """What the file is; None for a document, a review log, a folder or nothing readable."""
    try:
        if not path.is_file():  # a pipe would have nothing left for whoever reads it next
            return None
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except (OSError, ValueError):  # the latter for a name that no file can have
        return None
    if path.suffix.lower() in _PACKAGES or (head.startswith(b"PK") and _holds_collection(path)):
        return FileKind.ANKI
    text = head.decode("utf-8", errors="replace").removeprefix("\ufeff")
    if is_everything(text.partition("\n")[0]):
        return FileKind.EVERYTHING
    if is_learning_note(text.replace("\r\n", "\n")):
        return FileKind.LEARNING_NOTE
    return None


def _holds_collection(path: Path) -> bool:
    """Whether a zip file is a package of Anki, whatever it is called; word processors zip too."""
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.startswith("collection.anki2") for name in archive.namelist())
    except (OSError, zipfile.BadZipFile):
        return False


def read_snapshot(path: Path, kind: FileKind, at: datetime) -> Returned:
    """Read what the file holds, and what of a package stays in it; `at` is now.

    Raises DocumentError and InputError.
    """
    if kind is FileKind.ANKI:
        from studyattn.exchange.anki.reader import read_package

        return Returned(*read_package(path, at))
    if kind is FileKind.LEARNING_NOTE:
        return Returned(read_note(read_text(path), str(path), at))
    try:
        return Returned(read_lines(_lines(path), str(path)))
    except OSError as error:
        raise InputError(f"it cannot be read ({error.strerror})", where=str(path)) from error


def preview(database: Database, path: Path, kind: FileKind, at: datetime) -> MergeReport:
    """What `import_file` would come to. Writes nothing; raises the same errors."""
    returned = read_snapshot(path, kind, at)
    weighed = preview_merge(database, returned.snapshot, fit=_fit(kind))
    return replace(weighed, media=returned.media, not_taken=returned.not_taken)


def import_file(
    database: Database, path: Path, kind: FileKind, at: datetime, refold: Refold
) -> MergeReport:
    """Take the file in: all of it, or, when something is wrong with it, nothing.

    Raises DocumentError (file:line) and InputError.
    """
    try:
        returned = read_snapshot(path, kind, at)
        taken = merge_into(database, returned.snapshot, refold, fit=_fit(kind))
        return replace(taken, media=returned.media, not_taken=returned.not_taken)
    except InputError as error:
        if error.where:
            raise
        raise InputError(error.message, where=str(path), advice=error.advice) from error


def _fit(kind: FileKind) -> Fit:
    if kind is FileKind.ANKI:
        from studyattn.exchange.anki.reader import without_known

        return without_known
    return lambda _, theirs: theirs


def _lines(path: Path) -> Iterator[bytes]:
    """The lines of a file; one that is too long comes cut, so that it is refused, not read."""
    with path.open("rb") as file:
        while line := file.readline(LONGEST_LINE + 1):
            yield line
