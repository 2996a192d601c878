"""Write an export, and save it in a file or a folder."""

from __future__ import annotations

from pathlib import Path

from studyattn.exchange.format import ExportInput, Format, Written
from studyattn.exchange.learning_note.selection import Selection
from studyattn.exchange.save_file import save, save_text
from studyattn.memory import Scheduler
from studyattn.store.database import Database
from studyattn.store.queries.snapshot import load_snapshot


def write_export(
    database: Database, scheduler: Scheduler, form: Format, selection: Selection | None = None
) -> Written:
    """Write the learner's data, or a part of it, in a format. Raises NotFoundError."""
    with database.read() as connection:
        snapshot = load_snapshot(connection)
    return form.write(ExportInput(snapshot, scheduler, database.home, selection or Selection()))


def save_export(path: Path, written: Written) -> None:
    """Save an export. Files that are there are replaced, others in a folder stay.

    Raises InputError when it cannot be written.
    """
    content = written.content
    if isinstance(content, str):
        save_text(path, content)
    elif isinstance(content, bytes):
        save(path, lambda unfinished: unfinished.write_bytes(content))
    else:
        for name, text in content.items():
            save_text(path / name, text)


def export_to(database: Database, scheduler: Scheduler, form: Format, path: Path) -> str:
    """Write all of the learner's data in a format. Return what it holds, in words."""
    written = write_export(database, scheduler, form)
    save_export(path, written)
    return written.summary
