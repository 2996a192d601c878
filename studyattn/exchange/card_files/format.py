"""Files of cards as formats. `import` reads all of them back as documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from studyattn.exchange.format import ExportInput, Format, OutputKind, Written
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.exchange.card_files.content import FileCard

_Writer = Callable[["Iterable[FileCard]"], str]


def _written(source: ExportInput, writer: _Writer) -> Written:
    from studyattn.exchange.card_files.content import file_cards, left_out

    cards = file_cards(source)
    summary = count(sum(each.cards for each in cards), "card")
    without = left_out(source)
    if without:
        summary += f"; {count(without, 'card')} with fresh numbers or in your own words left out"
    return Written(writer(cards), summary)


def _csv(source: ExportInput) -> Written:
    from studyattn.exchange.card_files.writers import write_csv

    return _written(source, write_csv)


def _anki(source: ExportInput) -> Written:
    from studyattn.exchange.card_files.writers import write_anki_text

    return _written(source, write_anki_text)


def _hashcards(source: ExportInput) -> Written:
    from studyattn.exchange.card_files.writers import write_hashcards

    return _written(source, write_hashcards)


def _obsidian(source: ExportInput) -> Written:
    from studyattn.exchange.card_files.writers import write_obsidian

    return _written(source, write_obsidian)


CARDS_CSV = Format(
    name="csv",
    title="Cards as CSV",
    kind="table of cards",
    about="one card per row, with tags and deck",
    carries=("items",),
    file_name="cards.csv",
    output=OutputKind.TEXT,
    command="cards",
    help="Export the learning note's cards as text.\n\n"
    "`studyattn import` reads each of these files back.",
    write=_csv,
    selects=True,
)
CARDS_OBSIDIAN = replace(
    CARDS_CSV,
    name="obsidian-cards",
    title="Obsidian cards",
    kind="note with flashcards",
    about="a note for the Spaced Repetition plugin, with its schedule",
    carries=("items", "reviews", "starts"),
    file_name="flashcards.md",
    write=_obsidian,
)
CARDS_ANKI = replace(
    CARDS_CSV,
    name="anki-text",
    title="Text for Anki",
    kind="text for Anki",
    about="notes for Anki's text import, without history",
    file_name="cards.txt",
    write=_anki,
)
CARDS_HASHCARDS = replace(
    CARDS_CSV,
    name="hashcards",
    title="Hashcards",
    kind="hashcards deck",
    about="Q: and A:, and C: with [gaps]",
    file_name="hashcards.md",
    write=_hashcards,
)
