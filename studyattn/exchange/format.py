"""What a format of files is, to the commands and screens that export and import.

A format is one object, a `Format`, in the module that writes or reads it; `registry` lists them.
These objects are quick to import: what a writer or reader needs is imported when it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from studyattn.exchange.anki.media import Medium
from studyattn.exchange.anki.not_taken import NotTaken
from studyattn.exchange.learning_note.selection import Selection
from studyattn.store.snapshot import Snapshot

if TYPE_CHECKING:
    from studyattn.home import Home
    from studyattn.memory import Scheduler


class Output(Enum):
    """What a writer makes."""

    TEXT = auto()
    BINARY = auto()
    FOLDER = auto()


@dataclass(frozen=True, slots=True)
class Source:
    """What a writer writes from."""

    snapshot: Snapshot
    scheduler: Scheduler
    home: Home
    selection: Selection


@dataclass(frozen=True, slots=True)
class Written:
    """What a writer made: a text, bytes, or the texts of a folder's files by their names."""

    content: str | bytes | Mapping[str, str]
    summary: str
    """What it holds, in a few words."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """What a reader found: a snapshot, and what stays in the file."""

    snapshot: Snapshot
    media: tuple[Medium, ...] = ()
    not_taken: tuple[NotTaken, ...] = ()


def everything(_ours: Snapshot, theirs: Snapshot) -> Snapshot:
    """Merge all that a file has."""
    return theirs


@dataclass(frozen=True, slots=True)
class Reader:
    """How files of a format are imported."""

    recognises: Callable[[Path, bytes], bool]
    """From a file's path and its first bytes to whether it is of this format."""
    read: Callable[[Path, datetime], Incoming]
    """From a path and the present to what the file holds. Raises DocumentError and InputError."""
    fit: Callable[[Snapshot, Snapshot], Snapshot] = everything
    """From our snapshot and the file's to what of the file's is merged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format: its names, what it can carry, its writer and its reader."""

    name: str
    """What the program calls it; also the choice of `--format` where a command has several."""
    title: str
    """What a person calls it, in a list."""
    kind: str
    """What a file of it is, within a sentence."""
    about: str
    """What it is for, in a few words."""
    carries: tuple[str, ...]
    """The lists of a `Snapshot` of which it holds something."""
    file_name: str
    """What a file or folder of it is called by default."""
    output: Output
    command: str
    """The subcommand of `studyattn export` that writes it; formats may share one."""
    help: str
    """What that command does."""
    write: Callable[[Source], Written]
    """Raises NotFoundError for a selection of something that there is not."""
    selects: bool = False
    """A part of it can be written alone."""
    reader: Reader | None = None
    """None for a format that is only written."""
