"""The folder for Obsidian read back: cards and notes that were changed in it, and new notes.

A page says of a thing only its name and its text; everything else is as it is here. So a folder
comes back into the home that it was written from, or one that has the same cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from msgspec.structs import replace

from studyattn.errors import DocumentError
from studyattn.exchange.files import read_text
from studyattn.exchange.learning_note.marks import below
from studyattn.exchange.learning_note.obsidian import INDEX, is_page
from studyattn.exchange.learning_note.pages import Page, PagePart, read_page
from studyattn.store.snapshot import ItemRecord, NoteRecord, Snapshot, WordingRecord
from studyattn.text.cloze import Deletion, deletions, ungrouped

_ANSWER = "Answer: `"


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page with the path of its file, and the slug of its concept; empty for the index."""

    path: str
    concept: str
    page: Page


@dataclass(frozen=True, slots=True)
class ReadFolder:
    """The pages of a folder, and what in it is not taken."""

    pages: tuple[ReadPage, ...]
    remarks: tuple[str, ...]


def read_pages(path: Path) -> ReadFolder:
    """Read the pages of a folder, or one page. Raises DocumentError."""
    files = sorted(path.glob("*.md")) if path.is_dir() else [path]
    pages, remarks = [], []
    for file in files:
        text = read_text(file)
        if not is_page(text):
            remarks.append(f"{file.name} was not written by studyattn: import it separately")
            continue
        concept = "" if file.name == INDEX else file.stem
        page = read_page(text, str(file), new_notes=bool(concept))
        pages.append(ReadPage(str(file), concept, page))
        if page.rest_changed:
            remarks.append(
                f"{file.name}: changes outside cards and notes are not imported; start a note "
                "with its own ## heading"
            )
    return ReadFolder(tuple(pages), tuple(remarks))


def named(pages: tuple[ReadPage, ...], at: datetime) -> Snapshot:
    """Return records with nothing but the names of the cards and notes that pages change.

    A merge reads those that are here by their names, and then asks `changes`.
    """
    changed = [(read, part) for read in pages for part in read.page.parts if part.changed]
    state = (False, False, False, None, None)
    return Snapshot(
        items=tuple(
            ItemRecord(guid, "card", "", None, None, 0, at, *state)
            for _, part in changed
            for guid in _guids(part)
        ),
        notes=tuple(
            NoteRecord(_note_guid(read, part), "", "", None, None, None, at, at)
            for read, part in changed
            if "cards" not in part.fields
        ),
    )


def changes(pages: tuple[ReadPage, ...], at: datetime, ours: Snapshot) -> Snapshot:
    """Return what the pages say that is not here: cards and notes as of `at`, and how they were.

    Raises DocumentError for a card or note that is not here, and for gaps that have no number.
    """
    items = {each.guid: each for each in ours.items}
    notes = {each.guid: each for each in ours.notes}
    slugs = {each.slug for each in ours.concepts}
    changed_items: dict[str, ItemRecord] = {}
    changed_notes: dict[str, NoteRecord] = {}
    for read in pages:
        for part in read.page.parts:
            if not part.changed:
                continue
            where = f"{read.path}:{part.line}"
            if "cards" in part.fields:
                for item in _items(part, items, where):
                    if (card := _reworded(part, item, at, where)) != item:
                        changed_items[item.guid] = card
            elif (note := _note(read, part, at, notes, slugs)) is not None:
                changed_notes[note.guid] = note
    before = [items[guid] for guid in changed_items]
    wordings = [
        WordingRecord(each.guid, each.card.edited_at, each.card.front, each.card.back)
        for each in before
        if each.card is not None
    ]
    wordings += [
        WordingRecord(guid, notes[guid].updated_at, notes[guid].title, notes[guid].body)
        for guid in changed_notes
        if guid in notes
    ]
    return Snapshot(
        items=tuple(changed_items.values()),
        notes=tuple(changed_notes.values()),
        wordings=tuple(wordings),
    ).ordered()


def _items(part: PagePart, items: Mapping[str, ItemRecord], where: str) -> Iterator[ItemRecord]:
    for guid in _guids(part):
        if guid not in items:
            raise DocumentError(
                f"this card is not here: {guid}",
                where=where,
                advice=(
                    "A folder can be imported only where it was exported; elsewhere, use a "
                    "learning note"
                ),
            )
        yield items[guid]


def _guids(part: PagePart) -> list[str]:
    guids = part.fields.get("cards")
    return [str(each) for each in guids] if isinstance(guids, list) else []


def _note_guid(read: ReadPage, part: PagePart) -> str:
    """Return the name of a note; of a new one the same each time that the page comes."""
    if part.fields:
        return str(part.fields.get("note", ""))
    return str(uuid5(NAMESPACE_URL, f"studyattn:page {read.concept} {_words(part.heading)}"))


def _reworded(part: PagePart, item: ItemRecord, at: datetime, where: str) -> ItemRecord:
    """Return a card with the texts of a page; the same card if they are those that it has."""
    card = item.card
    if card is None:
        return item
    front = part.heading if part.question is None else part.question
    rows = part.body.split("\n")
    if card.answer is not None and rows[0].startswith(_ANSWER):
        rows = rows[1:]
    back = "\n".join(rows).strip("\n")
    front, back = (
        old if _says_the_same(new, old) else _numbered(new, old, where)
        for new, old in ((front, card.front), (back, card.back))
    )
    if (front, back) == (card.front, card.back):
        return item
    if not front.strip():
        raise DocumentError("a card without a question", where=where)
    return replace(item, card=replace(card, front=front, back=back, edited_at=at))


def _says_the_same(shown: str, text: str) -> bool:
    """Return whether a page shows a text as it is here, its headings lowered or not."""
    plain = ungrouped(text)
    return _words(shown) in {_words(each) for each in (text, plain, below(plain, 2))}


def _numbered(text: str, before: str, where: str) -> str:
    """Return a text whose gaps have the numbers and hints that they had before."""
    old, new = deletions(before), deletions(text)
    if not any(each.group != 1 or each.hint for each in old):
        return text
    if len(old) != len(new):
        raise DocumentError(
            f"the text has {len(new)} gaps instead of {len(old)}, which belong to different cards",
            where=where,
            advice="Keep the number of gaps here; change it by editing the card in the app",
        )
    parts, position = [], 0
    for gap, known in zip(new, old, strict=True):
        parts += [text[position : gap.start], _marked(gap, known)]
        position = gap.end
    return "".join(parts) + text[position:]


def _marked(gap: Deletion, known: Deletion) -> str:
    hint = f"::{known.hint}" if known.hint else ""
    return f"=={known.group}|{gap.text}{hint}=="


def _note(
    read: ReadPage,
    part: PagePart,
    at: datetime,
    notes: Mapping[str, NoteRecord],
    slugs: set[str],
) -> NoteRecord | None:
    """Return a note as a page has it; None if it is the same here."""
    title, body, guid = part.heading, part.body, _note_guid(read, part)
    before = notes.get(guid)
    if before is None and part.fields:
        raise DocumentError(
            f"this note is not here: {guid or 'without a name'}",
            where=f"{read.path}:{part.line}",
            advice=(
                "A folder can be imported only where it was exported; elsewhere, use a learning "
                "note"
            ),
        )
    if before is None:
        concept = read.concept if read.concept in slugs else None
        return NoteRecord(guid, title, body, concept, None, None, at, at)
    if (_words(before.title), _words(before.body)) == (_words(title), _words(body)):
        return None
    return replace(before, title=title, body=body, updated_at=at)


def _words(text: str) -> str:
    """Return a text without what an export may change in it: white space, and links' names."""
    return " ".join(text.split())
