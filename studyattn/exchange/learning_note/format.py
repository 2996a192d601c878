"""The learning note as formats: one Markdown document, and a folder for Obsidian."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from studyattn.exchange.files import read_text
from studyattn.exchange.format import ExportInput, Format, Incoming, OutputKind, Reader, Written
from studyattn.text.counting import count


def _write(source: ExportInput) -> Written:
    from studyattn.exchange.learning_note.content import learning_note
    from studyattn.exchange.learning_note.writer import summary_line, write_note
    from studyattn.packs.errata import installed_errata

    note = learning_note(source.snapshot, source.selection, installed_errata(source.home))
    return Written(write_note(note), summary_line(note))


def _write_folder(source: ExportInput) -> Written:
    from studyattn.exchange.learning_note.obsidian import write_folder
    from studyattn.packs.errata import installed_errata

    files = write_folder(source.snapshot, source.selection, installed_errata(source.home))
    return Written(files, count(len(files), "file"))


def _recognises(_path: Path, head: bytes) -> bool:
    from studyattn.exchange.learning_note.reader import is_learning_note

    text = head.decode("utf-8", errors="replace").removeprefix("\ufeff")
    return is_learning_note(text.replace("\r\n", "\n"))


def _read(path: Path, at: datetime) -> Incoming:
    from studyattn.exchange.learning_note.reader import read_note

    return Incoming(read_note(read_text(path), str(path), at))


MARKDOWN = Format(
    name="markdown",
    title="Learning note",
    kind="learning note",
    about="one Markdown document, which can be imported again",
    carries=("sources", "concepts", "changes", "items", "notes", "attempts"),
    file_name="learning-note.md",
    output=OutputKind.TEXT,
    command="note",
    help="Export the learning note.\n\nIt holds concepts, questions and answers, notes and drills.",
    write=_write,
    selects=True,
    reader=Reader(_recognises, _read),
)
OBSIDIAN = replace(
    MARKDOWN,
    name="obsidian",
    title="Folder",
    kind="folder of linked files",
    about="linked Markdown files, as Obsidian keeps them",
    file_name="learning-note",
    output=OutputKind.FOLDER,
    write=_write_folder,
    reader=None,
)
