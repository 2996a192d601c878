"""Files of cards, as the programs that read them want them. Pure: entries in, a text out."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from studyattn.exchange.anki.markup import html
from studyattn.exchange.card_files.content import FileCard, file_cards
from studyattn.exchange.documents.dialects.obsidian import NEW
from studyattn.exchange.documents.rows import rows_in
from studyattn.exchange.format import ExportInput, Written
from studyattn.exchange.memories import LearnedBefore
from studyattn.text import cloze
from studyattn.text.cloze import Deletion, deletions, replaced
from studyattn.text.counting import count

_BREAK = "<br>"
"""A row in the place of a blank one, which would end a card of Obsidian."""


def write_csv(cards: Iterable[FileCard]) -> str:
    """Return a table with the columns front, back, tags and deck; gaps in Anki's manner."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("front", "back", "tags", "deck"))
    for card in cards:
        tags = " ".join(card.tags)
        if card.gaps:
            writer.writerow((replaced(card.front, _anki_gap), card.back, tags, card.deck))
            continue
        writer.writerow((card.front, card.back, tags, card.deck))
        if card.both_ways:
            writer.writerow((card.back, card.front, tags, card.deck))
    return out.getvalue()


def write_anki_text(cards: Iterable[FileCard]) -> str:
    """Return a file that Anki's own import reads: notes with their type, deck and tags."""
    out = io.StringIO()
    out.write("#separator:tab\n#html:true\n#guid column:1\n#notetype column:2\n")
    out.write("#deck column:3\n#tags column:6\n")
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    for card in cards:
        kind = "Cloze" if card.gaps else "Basic"
        kind = "Basic (and reversed card)" if card.both_ways else kind
        sides = html(card.front, cloze=card.gaps), html(card.back)
        fields = (" ".join(each.split("\n")) if "<pre" not in each else each for each in sides)
        writer.writerow((card.guid, kind, card.deck, *fields, " ".join(card.tags)))
    return out.getvalue()


def write_hashcards(cards: Iterable[FileCard]) -> str:
    """Return a hashcards deck."""
    parts: list[str] = []
    for card in _one_text(cards):
        if card.gaps:
            text = replaced(_escaped(card.front), lambda each: f"[{each.text}]")
            parts.append(f"C: {_guarded(text)}")
            continue
        sides = [(card.front, card.back)]
        sides += [(card.back, card.front)] if card.both_ways else []
        parts += [f"Q: {_guarded(front)}\nA: {_guarded(back)}" for front, back in sides]
    return "\n\n---\n\n".join(parts) + "\n"


def write_obsidian(cards: Iterable[FileCard]) -> str:
    """Return a note whose flashcards Obsidian's plugin reads, with their schedule."""
    rows = ["#flashcards", ""]
    deck = ""
    for card in _one_text(cards):
        if card.deck != deck:
            deck = card.deck
            rows += [f"## {' '.join(deck.split())}", ""]
        rows += [*_obsidian(card), *_schedule(card.learned, card.cards), ""]
    return "\n".join(rows)


def _one_text(cards: Iterable[FileCard]) -> Iterator[FileCard]:
    """Yield the entries; of a text with gaps that more follows, a question for each card."""
    for card in cards:
        if not card.gaps or not card.back:
            yield card
            continue
        groups = sorted({each.group for each in deletions(card.front)})
        for place, group in enumerate(groups):
            front = cloze.front(card.front, group).replace("==", "")
            back = f"{cloze.back(card.front, group).replace('==', '')}\n\n{card.back}"
            learned = card.learned[place : place + 1]
            yield replace(card, front=front, back=back, gaps=False, learned=learned)


def _obsidian(card: FileCard) -> Iterator[str]:
    if card.gaps:
        yield from _unbroken(replaced(card.front, _obsidian_gap))
        return
    inline, middle = (":::", "??") if card.both_ways else ("::", "?")
    in_rows = "\n" in card.front + card.back or "::" in card.front
    if in_rows or re.match(r"\s*(#|[-*+]\s|\d+[.)]\s)", card.front):
        yield from (*_unbroken(card.front), middle, *_unbroken(card.back))
    else:
        yield f"{card.front}{inline}{card.back}"


def _unbroken(text: str) -> Iterator[str]:
    """Yield the rows of a text without a blank one, except in code."""
    for row in rows_in(text.strip().split("\n"), 1):
        if row.mark in {"?", "??"} or (row.heading and row.text.startswith("#")):
            yield f"\\{row.mark}"
        else:
            yield _BREAK if row.blank else row.text


def _schedule(learned: Sequence[LearnedBefore | None], cards: int) -> Iterator[str]:
    """Yield the comment with the schedule of an entry's cards; none if all of them are new."""
    if any(learned) and len(learned) == cards:
        parts = (
            f"!{each.due.isoformat()},{round(each.interval)},{round(each.ease / 10)}"
            if each is not None
            else f"!{NEW},1,250"
            for each in learned
        )
        yield f"<!--SR:{''.join(parts)}-->"


def _anki_gap(gap: Deletion) -> str:
    hint = f"::{gap.hint}" if gap.hint else ""
    return f"{{{{c{gap.group}::{gap.text}{hint}}}}}"


def _obsidian_gap(gap: Deletion) -> str:
    return f"=={gap.text}=={f'^[{gap.hint}]' if gap.hint else ''}"


def _escaped(text: str) -> str:
    """Return a text whose own brackets are none of hashcards' gaps."""
    return re.sub(r"(?<!!)(?<!\\)\[([^\[\]]*)\](?!\()", r"\\[\1\\]", text)


def _guarded(text: str) -> str:
    """Return a text in which no row begins or ends a card."""
    rows = (re.sub(r"^(?=[QAC]:|-{3,}\s*$)", " ", row) for row in text.split("\n"))
    return "\n".join(rows).strip()


def _written(text_of: Callable[[Iterable[FileCard]], str], source: ExportInput) -> Written:
    cards, without = file_cards(source)
    summary = count(sum(each.cards for each in cards), "card")
    if without:
        summary += f"; {count(without, 'card')} with fresh numbers or in your own words left out"
    return Written(text_of(cards), summary)


CSV = partial(_written, write_csv)
OBSIDIAN = partial(_written, write_obsidian)
ANKI_TEXT = partial(_written, write_anki_text)
HASHCARDS = partial(_written, write_hashcards)
