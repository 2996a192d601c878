"""Files that studyattn or Anki wrote, on their way into a database.

`kind_of_return` says what a file is by looking inside, `take_back` takes it in: whole or not at
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
from studyattn.exchange.anki.nottaken import NotTaken
from studyattn.exchange.files import read_text
from studyattn.exchange.holdings import Holdings
from studyattn.exchange.jsonlines import LONGEST_LINE, is_everything, read_lines
from studyattn.exchange.learningnote.reading import is_learning_note, read_note
from studyattn.exchange.merging import Fit, Refold, TakenIn, take_in, weigh
from studyattn.store.database import Database

_PACKAGES: Final = frozenset({".apkg", ".colpkg"})
_HEAD: Final = 4096  # bytes in which a file says what it is


@dataclass(frozen=True, slots=True)
class Returned:
    """What a file holds; of an Anki package also what stays in it."""

    holdings: Holdings
    media: tuple[Medium, ...] = ()
    not_taken: tuple[NotTaken, ...] = ()


class ReturnKind(StrEnum):
    """What a file is that was made to be read back."""

    LEARNING_NOTE = "learning note"
    EVERYTHING = "everything"
    ANKI = "Anki package"


def kind_of_return(path: Path) -> ReturnKind | None:
    """What the file is; None for a document, a review log, a folder or nothing readable."""
    try:
        if not path.is_file():  # a pipe would have nothing left for whoever reads it next
            return None
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except (OSError, ValueError):  # the latter for a name that no file can have
        return None
    if path.suffix.lower() in _PACKAGES or (head.startswith(b"PK") and _holds_collection(path)):
        return ReturnKind.ANKI
    text = head.decode("utf-8", errors="replace").removeprefix("\ufeff")
    if is_everything(text.partition("\n")[0]):
        return ReturnKind.EVERYTHING
    if is_learning_note(text.replace("\r\n", "\n")):
        return ReturnKind.LEARNING_NOTE
    return None


def _holds_collection(path: Path) -> bool:
    """Whether a zip file is a package of Anki, whatever it is called; word processors zip too."""
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.startswith("collection.anki2") for name in archive.namelist())
    except (OSError, zipfile.BadZipFile):
        return False


def read_return(path: Path, kind: ReturnKind, at: datetime) -> Returned:
    """Read what the file holds, and what of a package stays in it; `at` is now.

    Raises DocumentError and InputError.
    """
    if kind is ReturnKind.ANKI:
        from studyattn.exchange.anki.reading import read_package

        return Returned(*read_package(path, at))
    if kind is ReturnKind.LEARNING_NOTE:
        return Returned(read_note(read_text(path), str(path), at))
    try:
        return Returned(read_lines(_lines(path), str(path)))
    except OSError as error:
        raise InputError(f"it cannot be read ({error.strerror})", where=str(path)) from error


def preview(database: Database, path: Path, kind: ReturnKind, at: datetime) -> TakenIn:
    """What `take_back` would come to. Writes nothing; raises the same errors."""
    returned = read_return(path, kind, at)
    weighed = weigh(database, returned.holdings, fit=_fit(kind))
    return replace(weighed, media=returned.media, not_taken=returned.not_taken)


def take_back(
    database: Database, path: Path, kind: ReturnKind, at: datetime, refold: Refold
) -> TakenIn:
    """Take the file in: all of it, or, when something is wrong with it, nothing.

    Raises DocumentError (file:line) and InputError.
    """
    try:
        returned = read_return(path, kind, at)
        taken = take_in(database, returned.holdings, refold, fit=_fit(kind))
        return replace(taken, media=returned.media, not_taken=returned.not_taken)
    except InputError as error:
        if error.where:
            raise
        raise InputError(error.message, where=str(path), advice=error.advice) from error


def _fit(kind: ReturnKind) -> Fit:
    if kind is ReturnKind.ANKI:
        from studyattn.exchange.anki.reading import without_known

        return without_known
    return lambda _, theirs: theirs


def _lines(path: Path) -> Iterator[bytes]:
    """The lines of a file; one that is too long comes cut, so that it is refused, not read."""
    with path.open("rb") as file:
        while line := file.readline(LONGEST_LINE + 1):
            yield line
