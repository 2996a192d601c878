"""The forms in which a learner's things leave the program, and writing one of them to a file."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from studyattn.exchange.collecting import collect
from studyattn.exchange.holdings import Holdings
from studyattn.exchange.saving import save, save_text
from studyattn.memory import Scheduler
from studyattn.packs.errata import installed_errata
from studyattn.packs.model import Erratum
from studyattn.store.database import Database
from studyattn.text.counting import count


class Form(StrEnum):
    """What can be written; the value says what it is called when nobody names it."""

    PAGE = "learning-note.html"
    NOTE = "learning-note.md"
    FOLDER = "learning-note"
    ANKI = "studyattn.apkg"
    EVERYTHING = "studyattn.jsonl"


def write_form(database: Database, scheduler: Scheduler, form: Form, path: Path) -> str:
    """Write all of the learner's things in one form; what it holds, in words.

    Files that are there are replaced, others in a folder stay. Raises InputError when it cannot be
    written.
    """
    with database.read() as connection:
        held = collect(connection)
    if form is Form.FOLDER:
        return _folder(path, held, installed_errata(database.home))
    if form is Form.ANKI:
        return _package(path, held, scheduler)
    if form is Form.EVERYTHING:
        from studyattn.exchange.jsonlines import write_lines

        save_text(path, "".join(f"{line}\n" for line in write_lines(held)))
        kinds = ((held.items, "item"), (held.notes, "note"), (held.reviews, "review"))
        return ", ".join(count(len(things), kind) for things, kind in kinds)
    return _note(path, held, form, installed_errata(database.home))


def _note(path: Path, held: Holdings, form: Form, errata: Sequence[Erratum]) -> str:
    from studyattn.exchange.learningnote.content import learning_note
    from studyattn.exchange.learningnote.writing import summary_line, write_note
    from studyattn.exchange.page.writing import write_page

    note = learning_note(held, errata=errata)
    text = write_page(held, errata=errata) if form is Form.PAGE else write_note(note)
    save_text(path, text)
    return summary_line(note)


def _folder(path: Path, held: Holdings, errata: Sequence[Erratum]) -> str:
    from studyattn.exchange.learningnote.obsidian import write_folder

    files = write_folder(held, errata=errata)
    for name, text in files.items():
        save_text(path / name, text)
    return count(len(files), "file")


def _package(path: Path, held: Holdings, scheduler: Scheduler) -> str:
    from studyattn.exchange.anki.writing import Written, write_package

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
