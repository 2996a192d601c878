"""The forms in which a learner's things leave the program, and writing one of them to a file."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from studyattn.exchange.save_file import save, save_text
from studyattn.memory import Scheduler
from studyattn.packs.errata import installed_errata
from studyattn.packs.model import Erratum
from studyattn.store.database import Database
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.store.snapshot import Snapshot
from studyattn.text.counting import count


class ExportFormat(StrEnum):
    """What can be written; the value says what it is called when nobody names it."""

    PAGE = "learning-note.html"
    NOTE = "learning-note.md"
    FOLDER = "learning-note"
    ANKI = "studyattn.apkg"
    EVERYTHING = "studyattn.jsonl"


def export_to(database: Database, scheduler: Scheduler, form: ExportFormat, path: Path) -> str:
    """Write all of the learner's things in one form; what it holds, in words.

    Files that are there are replaced, others in a folder stay. Raises InputError when it cannot be
    written.
    """
    with database.read() as connection:
        held = load_snapshot(connection)
    if form is ExportFormat.FOLDER:
        return _folder(path, held, installed_errata(database.home))
    if form is ExportFormat.ANKI:
        return _package(path, held, scheduler)
    if form is ExportFormat.EVERYTHING:
        from studyattn.exchange.json_lines import write_lines

        save_text(path, "".join(f"{line}\n" for line in write_lines(held)))
        kinds = ((held.items, "item"), (held.notes, "note"), (held.reviews, "review"))
        return ", ".join(count(len(things), kind) for things, kind in kinds)
    return _note(path, held, form, installed_errata(database.home))


def _note(path: Path, held: Snapshot, form: ExportFormat, errata: Sequence[Erratum]) -> str:
    from studyattn.exchange.html.writer import write_page
    from studyattn.exchange.learning_note.content import learning_note
    from studyattn.exchange.learning_note.writer import summary_line, write_note

    note = learning_note(held, errata=errata)
    text = write_page(held, errata=errata) if form is ExportFormat.PAGE else write_note(note)
    save_text(path, text)
    return summary_line(note)


def _folder(path: Path, held: Snapshot, errata: Sequence[Erratum]) -> str:
    from studyattn.exchange.learning_note.obsidian import write_folder

    files = write_folder(held, errata=errata)
    for name, text in files.items():
        save_text(path / name, text)
    return count(len(files), "file")


def _package(path: Path, held: Snapshot, scheduler: Scheduler) -> str:
    from studyattn.exchange.anki.writer import Written, write_package

    results: list[Written] = []
    save(path, lambda unfinished: results.append(write_package(unfinished, held, scheduler)))
    (written,) = results
    told = ", ".join(
        count(number, kind)
        for number, kind in (
            (written.notes, "note"),
            (written.cards, "card"),
            (written.reviews, "review"),
        )
    )
    if written.left_out:
        told += f"; {count(written.left_out, 'card')} with fresh numbers left out"
    return told
