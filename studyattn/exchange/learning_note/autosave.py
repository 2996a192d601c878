"""The learning note of a database, saved in a file: what an automatic export calls.

A file whose name ends in `.html` gets the web page, any other the Markdown document.
"""

from __future__ import annotations

from pathlib import Path

from studyattn.exchange.export_file import save_export, write_export
from studyattn.exchange.registry import HTML, MARKDOWN
from studyattn.memory import Scheduler
from studyattn.store.database import Database


def autosave_note(database: Database, path: Path) -> None:
    """Save the note, or leave the file as it was. Raises InputError."""
    form = HTML if path.suffix.lower() in {".html", ".htm"} else MARKDOWN
    save_export(path, write_export(database, Scheduler(), form))
