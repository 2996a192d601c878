"""The learning note of a database, written to a file: what an automatic export calls.

A file whose name ends in `.html` gets the page for a browser, any other the Markdown document.
"""

from __future__ import annotations

from pathlib import Path

from studyattn.exchange.learning_note.content import Selection, learning_note
from studyattn.exchange.learning_note.writer import write_note
from studyattn.exchange.save_file import save_text
from studyattn.packs.errata import installed_errata
from studyattn.store.database import Database
from studyattn.store.queries.snapshot import load_snapshot


def autosave_note(database: Database, path: Path, selection: Selection | None = None) -> None:
    """Write the note, or leave the file as it was. Raises InputError and NotFoundError."""
    with database.read() as connection:
        held = load_snapshot(connection)
    errata = installed_errata(database.home)
    if path.suffix.lower() in {".html", ".htm"}:
        from studyattn.exchange.html.writer import write_page

        save_text(path, write_page(held, selection, errata))
    else:
        save_text(path, write_note(learning_note(held, selection, errata)))
