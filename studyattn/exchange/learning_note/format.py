"""The learning note as formats: one Markdown document, and a folder for Obsidian."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

from studyattn.exchange.files import read_text
from studyattn.exchange.format import ExportInput, Format, Incoming, OutputKind, Reader, Written
from studyattn.exchange.learning_note.made_by import INDEX, NOTE, PAGE, kind_of_text
from studyattn.store.media import carry_media
from studyattn.text.counting import count
from studyattn.text.media import PREFIX, named_media

_HEAD: Final = 4096  # bytes in which a page says what it is


def _write(source: ExportInput) -> Written:
    from studyattn.exchange.learning_note.content import learning_note
    from studyattn.exchange.learning_note.writer import summary_line, write_note
    from studyattn.packs.errata import installed_errata

    note = learning_note(source.snapshot, source.selection, installed_errata(source.home))
    return Written(write_note(note), summary_line(note))


def _write_folder(source: ExportInput) -> Written:
    from studyattn.exchange.learning_note.folder import write_folder
    from studyattn.packs.errata import installed_errata

    files = write_folder(source.snapshot, source.selection, installed_errata(source.home))
    return Written(files, count(len(files), "file"))


def _recognises(_path: Path, head: bytes) -> bool:
    return _kind_of(head) == NOTE


def _kind_of(head: bytes) -> str:
    text = head.decode("utf-8", errors="replace").removeprefix("\ufeff")
    return kind_of_text(text.replace("\r\n", "\n"))


def _read(path: Path, at: datetime) -> Incoming:
    from studyattn.exchange.learning_note.reader import changes_of, read_note

    return Incoming(
        read_note(read_text(path), str(path), at),
        fit=lambda ours, theirs: changes_of(ours, theirs, at),
    )


def _recognises_folder(path: Path, head: bytes) -> bool:
    """Recognise a folder by its index, and a page of one by its front matter."""
    if path.is_dir():
        index = path / INDEX
        head = index.read_bytes()[:_HEAD] if index.is_file() else b""
    return _kind_of(head) == PAGE


def _read_folder(path: Path, at: datetime) -> Incoming:
    from studyattn.exchange.learning_note.reader import changes_of, read_pages

    read = read_pages(path, at)
    beside = (path if path.is_dir() else path.parent) / PREFIX
    return Incoming(
        read.snapshot,
        fit=lambda ours, theirs: changes_of(ours, theirs, at),
        remarks=read.remarks,
        keep_media=lambda media: carry_media(named_media(*read.texts), beside, media),
    )


MARKDOWN = Format(
    name="markdown",
    title="Learning note",
    kind="learning note",
    about="one Markdown document, which can be imported again",
    carries=("sources", "concepts", "changes", "items", "notes", "attempts"),
    file_name="learning-note.md",
    output=OutputKind.TEXT,
    command="note",
    help="Export the learning note: concepts, cards, notes and drills.",
    write=_write,
    selects=True,
    reader=Reader(_recognises, _read),
)
OBSIDIAN = replace(
    MARKDOWN,
    name="obsidian",
    title="Folder",
    kind="folder of linked files",
    about="linked files for Obsidian, which can be imported again",
    file_name="learning-note",
    output=OutputKind.FOLDER,
    write=_write_folder,
    reader=Reader(_recognises_folder, _read_folder, folders=True),
)
