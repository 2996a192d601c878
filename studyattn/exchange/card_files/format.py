"""Files of cards as formats. `import` reads all of them back as documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from studyattn.exchange.format import ExportInput, Format, OutputKind, Written
from studyattn.text.counting import count


def _by(writer: str) -> Callable[[ExportInput], Written]:
    """Return what writes a file with the function of this name in `writers`."""

    def write(source: ExportInput) -> Written:
        from studyattn.exchange.card_files import writers
        from studyattn.exchange.card_files.content import file_cards

        cards, without = file_cards(source)
        summary = count(sum(each.cards for each in cards), "card")
        if without:
            summary += (
                f"; {count(without, 'card')} with fresh numbers or in your own words left out"
            )
        return Written(getattr(writers, writer)(cards), summary)

    return write


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
    write=_by("write_csv"),
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
    write=_by("write_obsidian"),
)
CARDS_ANKI = replace(
    CARDS_CSV,
    name="anki-text",
    title="Text for Anki",
    kind="text for Anki",
    about="notes for Anki's text import, without history",
    file_name="cards.txt",
    write=_by("write_anki_text"),
)
CARDS_HASHCARDS = replace(
    CARDS_CSV,
    name="hashcards",
    title="Hashcards",
    kind="hashcards deck",
    about="Q: and A:, and C: with [gaps]",
    file_name="hashcards.md",
    write=_by("write_hashcards"),
)
