"""Import a file that studyattn or Anki wrote: all of it, or nothing.

Pictures and sounds come from the file itself, or from the folder `media` beside it.
`registry.format_of` finds the format of a file. Source documents and review logs are not
imported here (`documents`, and `study`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from studyattn.errors import InputError
from studyattn.exchange.format import Format, Incoming
from studyattn.exchange.merge.merge_into import MergeReport, Refold, merge_into, preview_merge
from studyattn.store.database import Database
from studyattn.store.media import carry_media
from studyattn.text.media import PREFIX, named_media


def preview(database: Database, path: Path, form: Format, at: datetime) -> MergeReport:
    """Return what `import_file` would do. Write nothing; raise the same errors."""
    return _import(path, form, at, partial(preview_merge, database), lambda _: None)


def import_file(
    database: Database, path: Path, form: Format, at: datetime, refold: Refold
) -> MergeReport:
    """Import the file, all of it or, when something is wrong with it, nothing.

    Raises DocumentError (file:line) and InputError.
    """

    def keep(incoming: Incoming) -> None:
        incoming.keep_media(database.home.media)
        cards = (each.card for each in incoming.snapshot.items)
        names = named_media(
            *(text for card in cards if card for text in (card.front, card.back)),
            *(each.body for each in incoming.snapshot.notes),
        )
        carry_media(names, path.parent / PREFIX, database.home.media)

    return _import(path, form, at, partial(merge_into, database, refold=refold), keep)


def _import(
    path: Path,
    form: Format,
    at: datetime,
    merge: Callable[..., MergeReport],
    keep: Callable[[Incoming], None],
) -> MergeReport:
    """Merge a file. Its media are kept first: a file that no card names harms nobody."""
    reader = form.reader
    if reader is None:
        raise InputError(f"{form.title} cannot be imported", where=str(path))
    try:
        incoming = reader.read(path, at)
        keep(incoming)
        report = merge(
            incoming.snapshot, log=incoming.log, moved_on=incoming.moved_on, fit=incoming.fit
        )
    except OSError as error:
        raise InputError(f"it cannot be read ({error.strerror})", where=str(path)) from error
    except InputError as error:
        if error.where:
            raise
        raise InputError(error.message, where=str(path), advice=error.advice) from error
    remarks = (*report.remarks, *incoming.remarks)
    return replace(report, media=incoming.media, not_taken=incoming.not_taken, remarks=remarks)
