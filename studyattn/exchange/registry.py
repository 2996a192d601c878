"""The formats that can be exported and imported: the one list of them.

The commands `export` and `import`, their help, and the app's screens for both are drawn from it. A
new format is a `Format` in a module of its own and a line here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from studyattn.exchange.anki.format import ANKI
from studyattn.exchange.card_files.format import (
    CARDS_ANKI,
    CARDS_CSV,
    CARDS_HASHCARDS,
    CARDS_OBSIDIAN,
)
from studyattn.exchange.format import Format
from studyattn.exchange.html.format import HTML
from studyattn.exchange.json_lines import JSON_LINES
from studyattn.exchange.learning_note.format import MARKDOWN, OBSIDIAN

FORMATS: Final[dict[str, Format]] = {
    each.name: each
    for each in (
        *(HTML, MARKDOWN, OBSIDIAN, ANKI, JSON_LINES),
        *(CARDS_CSV, CARDS_OBSIDIAN, CARDS_ANKI, CARDS_HASHCARDS),
    )
}
"""By name, in the order in which they are offered."""

_HEAD: Final = 4096  # bytes in which a file says what it is


def of_command(command: str) -> tuple[Format, ...]:
    """Return the formats that a subcommand of `studyattn export` writes, the usual one first."""
    formats = [each for each in FORMATS.values() if each.command == command]
    return tuple(sorted(formats, key=lambda each: each.reader is None))


def format_written(formats: Sequence[Format], output: Path | None) -> Format:
    """Return the one of `formats` that a file of this name has, by its suffix; else the first."""
    suffix = "" if output is None else output.suffix.lower()
    named = (each for each in formats if suffix and Path(each.file_name).suffix == suffix)
    return next(named, formats[0])


def importable() -> tuple[Format, ...]:
    """Return the formats that can be imported."""
    return tuple(each for each in FORMATS.values() if each.reader is not None)


def format_of(path: Path) -> Format | None:
    """Return the format of a file or folder, by its contents; None for what no format has.

    That is a document, a review log, a folder of documents, or what cannot be read.
    """
    try:
        if path.is_dir():
            return next(
                (
                    each
                    for each in importable()
                    if each.reader and each.reader.folders and each.reader.recognises(path, b"")
                ),
                None,
            )
        if not path.is_file():  # reading a pipe would take away what it holds
            return None
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except (OSError, ValueError):  # the latter for a name that no file can have
        return None
    return next(
        (each for each in importable() if each.reader and each.reader.recognises(path, head)), None
    )
