"""A format of files, as the commands and screens that export and import see it.

A format is one object, a `Format`, in the module that writes or reads it; `registry` lists them.
These objects are quick to import: what a writer or reader needs is imported when it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from studyattn.exchange.anki.media import Medium
from studyattn.exchange.anki.not_taken import NotTaken
from studyattn.store.log_values import LogRow
from studyattn.store.snapshot import ReviewRecord, Snapshot

if TYPE_CHECKING:
    from studyattn.home import Home
    from studyattn.memory import Scheduler
    from studyattn.store.queries.snapshot import Only
    from studyattn.text.figure import Figure


class OutputKind(Enum):
    """The kinds of output of a writer."""

    TEXT = auto()
    BINARY = auto()
    FOLDER = auto()


@dataclass(frozen=True, slots=True)
class Selection:
    """A part: of a concept or a source, changed since a day, or from Anki; else everything."""

    concept: str | None = None
    """A slug; ideas that are joined into it belong to it."""
    source: str | None = None
    """A guid."""
    since: date | None = None
    """A day in UTC."""
    returning: bool = False
    """Only what came from Anki."""


@dataclass(frozen=True, slots=True)
class ExportInput:
    """The input of a writer."""

    snapshot: Snapshot
    scheduler: Scheduler
    home: Home
    selection: Selection
    log: Iterable[ReviewRecord] = ()
    """For a format that streams, the reviews, by time; then the snapshot has none."""
    figures: Sequence[Figure] = ()
    """Statistics, for a format that shows them."""


@dataclass(frozen=True, slots=True)
class Written:
    """The output of a writer.

    A text, bytes, the texts of a folder's files by their names, or an open file with a text of any
    length in UTF-8, which is at its beginning.
    """

    content: str | bytes | Mapping[str, str] | BinaryIO
    summary: str
    """Its contents in a few words."""
    media: tuple[Path, ...] = ()
    """Pictures and sounds that its texts name, to be in the folder `media` beside them."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """The output of a reader: a snapshot, and what stays in the file."""

    snapshot: Snapshot
    """All but the reviews."""
    log: Iterable[LogRow] = ()
    """The reviews, which are read from the file as they are taken, and can be taken again."""
    moved_on: int | None = None
    """Milliseconds by which a review of this format may be later than it was when it left here."""
    media: tuple[Medium, ...] = ()
    not_taken: tuple[NotTaken, ...] = ()
    remarks: tuple[str, ...] = ()
    """What else of it is not taken, in sentences."""
    keep_media: Callable[[Path], None] = lambda _folder: None
    """Copies the pictures and sounds that cards name into a folder. Raises DocumentError, OSError.
    """
    fit: Callable[[Snapshot, Snapshot], Snapshot] = lambda _ours, theirs: theirs
    """From our snapshot and the file's to what of the file's is merged."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The import of files of one format."""

    recognises: Callable[[Path, bytes], bool]
    """From a file's path and its first bytes to whether it is of this format."""
    read: Callable[[Path, datetime], Incoming]
    """From a path and the present to what the file holds. Raises DocumentError and InputError."""
    folders: bool = False
    """Folders are of this format, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format: its names, what it can carry, its writer and its reader."""

    name: str
    """Its name in the program, and its choice of `--format` where a command has several."""
    title: str
    """Its name in a list, for a person."""
    kind: str
    """Its name within a sentence: "x.md: learning note"."""
    about: str
    """Its purpose in a few words."""
    carries: tuple[str, ...]
    """The lists of a `Snapshot` that are not empty."""
    file_name: str
    """The default name of a file or folder of it."""
    output: OutputKind
    command: str
    """The subcommand of `studyattn export` that writes it; formats may share one."""
    help: str
    """The help of that command."""
    write: Callable[[ExportInput], Written]
    """Raises NotFoundError for a selection of something that there is not."""
    only: Callable[[], Only] = dict
    """Returns the rows of the database that its writer needs, by table, where that is not all."""
    streams: bool = False
    """The writer takes the reviews one by one, as `log`."""
    figures: bool = False
    """It shows figures of statistics, if it is given any."""
    selects: bool = False
    """A part of it can be written alone."""
    reader: Reader | None = None
    """None for a format that is only written."""
