"""Anki packages as a format."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from studyattn.exchange.format import ExportInput, Format, Incoming, OutputKind, Reader, Written
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.store.queries.snapshot import Only

_SUFFIXES: Final = frozenset({".apkg", ".colpkg"})


def _write(source: ExportInput) -> Written:
    from studyattn.exchange.anki.writer import write_package
    from studyattn.packs.errata import installed_errata

    package = io.BytesIO()
    errata = installed_errata(source.home)
    held = write_package(
        *(package, source.snapshot, source.scheduler, source.home.media, errata),
        with_own=not source.selection.returning,
    )
    numbers = ((held.notes, "note"), (held.cards, "card"), (held.reviews, "review"))
    summary = ", ".join(count(number, kind) for number, kind in numbers)
    if held.media:
        summary += f", {count(held.media, 'picture or sound', 'pictures and sounds')}"
    if held.missing:
        summary += f"; {count(held.missing, 'picture or sound', 'pictures and sounds')} not there"
    if held.refused:
        summary += (
            f"; {count(held.refused, 'text')} reworded here that its note in Anki cannot take"
        )
    if held.left_out:
        summary += f"; {count(held.left_out, 'card')} with fresh numbers left out"
    return Written(package.getvalue(), summary)


def _only() -> Only:
    from studyattn.store.queries.snapshot import WITHOUT_ANKIS_REVIEWS

    return WITHOUT_ANKIS_REVIEWS


def _recognises(path: Path, head: bytes) -> bool:
    """Recognise a package by its name or its collection; word processors zip their files too."""
    if path.suffix.lower() in _SUFFIXES:
        return True
    try:
        if not head.startswith(b"PK"):
            return False
        with zipfile.ZipFile(path) as archive:
            return any(name.startswith("collection.anki2") for name in archive.namelist())
    except (OSError, zipfile.BadZipFile):
        return False


def _read(path: Path, at: datetime) -> Incoming:
    from studyattn.exchange.anki.known import without_known
    from studyattn.exchange.anki.media import keep_media
    from studyattn.exchange.anki.peer import MOVED_ON
    from studyattn.exchange.anki.reader import read_package

    package = read_package(path, at)
    keep = partial(keep_media, path, package.packed)
    return Incoming(
        package.snapshot,
        log=package.log,
        moved_on=MOVED_ON,
        media=package.media,
        not_taken=package.not_taken,
        keep_media=keep,
        fit=without_known,
    )


ANKI = Format(
    name="anki",
    title="Anki",
    kind="Anki package",
    about="cards with their review history, pictures and sounds (.apkg)",
    carries=("concepts", "items", "reviews", "starts"),
    file_name="studyattn.apkg",
    output=OutputKind.BINARY,
    command="anki",
    help="Export cards for Anki, with review history and memory states.",
    write=_write,
    only=_only,
    reader=Reader(_recognises, _read),
)
