"""Write an export, and save it in a file or a folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from studyattn.errors import InputError
from studyattn.exchange.format import ExportInput, Format, OutputKind, Selection, Written
from studyattn.exchange.save_file import is_stream, save, save_text
from studyattn.memory import Scheduler
from studyattn.store.database import Database
from studyattn.store.media import carry_media
from studyattn.store.queries.snapshot import WITHOUT_REVIEWS, load_snapshot, reviews_by_time
from studyattn.text.figure import Figure
from studyattn.text.media import PREFIX, named_media


def write_export(
    database: Database,
    scheduler: Scheduler,
    form: Format,
    selection: Selection | None = None,
    figures: Sequence[Figure] = (),
) -> Written:
    """Write the learner's data, or a part of it, in a format. Raises NotFoundError."""
    chosen = selection or Selection()
    with database.read() as connection:
        if form.streams:
            held = load_snapshot(connection, WITHOUT_REVIEWS)
            log = reviews_by_time(connection)
            return form.write(ExportInput(held, scheduler, database.home, chosen, log))
        snapshot = load_snapshot(connection, form.only())
        given = ExportInput(snapshot, scheduler, database.home, chosen, figures=figures)
        written = form.write(given)
    texts = written.content
    if form.output is OutputKind.BINARY or not isinstance(texts, str | Mapping):
        return written
    names = named_media(*([texts] if isinstance(texts, str) else texts.values()))
    paths = (database.home.media / name for name in names)
    return replace(written, media=tuple(path for path in paths if path.is_file()))


def save_export(path: Path, written: Written) -> None:
    """Save an export, its pictures and sounds in the folder `media` beside it or in it.

    Files that are there are replaced, others in a folder stay.

    Raises InputError when it cannot be written.
    """
    content = written.content
    if isinstance(content, Mapping):
        if path.exists() and not path.is_dir():
            raise InputError(
                "this is a file, not a folder", where=str(path), advice="Choose another place"
            )
        _carry(written.media, path / PREFIX)
        for name, text in content.items():
            save_text(path / name, text)
        return
    if not is_stream(path):
        _carry(written.media, path.parent / PREFIX)
    if isinstance(content, str):
        save_text(path, content)
    elif isinstance(content, bytes):
        save(path, lambda unfinished: unfinished.write_bytes(content))
    else:
        with content:
            save(path, partial(_copy, content))


def _copy(content: BinaryIO, unfinished: Path) -> None:
    with unfinished.open("wb") as file:
        shutil.copyfileobj(content, file)


def _carry(media: Iterable[Path], folder: Path) -> None:
    try:
        for medium in media:
            carry_media([medium.name], medium.parent, folder)
    except OSError as error:
        raise InputError(
            f"a picture or sound cannot be written ({error.strerror})", where=str(folder)
        ) from error


def export_to(
    database: Database,
    scheduler: Scheduler,
    form: Format,
    path: Path,
    *,
    figures: Sequence[Figure] = (),
    selection: Selection | None = None,
) -> str:
    """Write the learner's data, or a part of it, in a format. Return what it holds, in words."""
    written = write_export(database, scheduler, form, selection, figures)
    save_export(path, written)
    return written.summary
