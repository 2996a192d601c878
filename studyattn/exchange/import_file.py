"""Import a file that studyattn or Anki wrote: all of it, or nothing.

`registry.format_of` finds the format of a file. Source documents and review logs are not
imported here (`documents`, and `study`).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Protocol

from studyattn.errors import InputError
from studyattn.exchange.format import Format
from studyattn.exchange.merge.merge_into import Fit, MergeReport, Refold, merge_into, preview_merge
from studyattn.store.database import Database
from studyattn.store.snapshot import Snapshot


def preview(database: Database, path: Path, form: Format, at: datetime) -> MergeReport:
    """Return what `import_file` would do. Write nothing; raise the same errors."""
    return _import(path, form, at, partial(preview_merge, database))


def import_file(
    database: Database, path: Path, form: Format, at: datetime, refold: Refold
) -> MergeReport:
    """Import the file, all of it or, when something is wrong with it, nothing.

    Raises DocumentError (file:line) and InputError.
    """
    return _import(path, form, at, partial(merge_into, database, refold=refold))


class _Merge(Protocol):
    def __call__(self, theirs: Snapshot, *, fit: Fit) -> MergeReport: ...


def _import(path: Path, form: Format, at: datetime, merge: _Merge) -> MergeReport:
    reader = form.reader
    if reader is None:
        raise InputError(f"{form.title} cannot be imported", where=str(path))
    try:
        incoming = reader.read(path, at)
        report = merge(incoming.snapshot, fit=reader.fit)
    except OSError as error:
        raise InputError(f"it cannot be read ({error.strerror})", where=str(path)) from error
    except InputError as error:
        if error.where:
            raise
        raise InputError(error.message, where=str(path), advice=error.advice) from error
    return replace(report, media=incoming.media, not_taken=incoming.not_taken)
