"""A learning note, or pages of its folder, read back: what `writer` and `folder` wrote → Snapshot.

Texts that were changed by hand since count as reworded at the moment of reading, so the learner's
latest word wins wherever it was written. A heading of the second level without a mark begins a new
note on the concept of a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from msgspec.structs import replace

from studyattn.errors import DocumentError
from studyattn.exchange.documents.rows import rows_in
from studyattn.exchange.files import read_text
from studyattn.exchange.format import Incoming
from studyattn.exchange.json_lines import snapshot_of
from studyattn.exchange.learning_note.folder import rest_sum, stated_rest
from studyattn.exchange.learning_note.marks import read_marks
from studyattn.exchange.learning_note.records import records_of
from studyattn.exchange.learning_note.writer import FORMAT
from studyattn.exchange.recognition import INDEX, PAGE, kind_of_text
from studyattn.store.media import carry_media
from studyattn.store.snapshot import (
    ItemRecord,
    NoteRecord,
    Record,
    Snapshot,
    WordingRecord,
    card_wording,
    note_wording,
)
from studyattn.text.media import PREFIX, named_media

_HEAD = re.compile(r"\A---\n(?:[^\n]*\n){0,20}?---\n")
_FORMAT = re.compile(r"^format: (\d+)$", re.MULTILINE)


def read(path: Path, at: datetime) -> Incoming:
    """Read a learning note. Raises DocumentError."""
    note = read_note(read_text(path), str(path), at)
    return Incoming(note, fit=lambda ours, theirs: changes_of(ours, theirs, at))


def read_folder(path: Path, at: datetime) -> Incoming:
    """Read the pages of a folder, or one page. Raises DocumentError."""
    records: list[Record] = []
    texts, remarks = [], []
    for file in sorted(path.glob("*.md")) if path.is_dir() else [path]:
        text = read_text(file)
        if kind_of_text(text) != PAGE:
            remarks.append(f"{file.name} was not written by studyattn: import it separately")
            continue
        if "\n%% studyattn {" in text:
            raise DocumentError(
                "its marks are those of an earlier version",
                where=str(file),
                advice="Export the folder again",
            )
        rest: list[list[str]] = []
        for each in read_marks(text.split("\n"), str(file), rest):
            records += records_of(each, at)
        if file.name != INDEX:
            records += _new_notes(rest, file.stem, at)
        texts.append(text)
        if rest_sum(rest) != stated_rest(text):
            remarks.append(
                f"{file.name}: changes outside cards and notes are not imported; start a note "
                "with its own ## heading"
            )
    beside = (path if path.is_dir() else path.parent) / PREFIX
    return Incoming(
        snapshot_of(records),
        fit=lambda ours, theirs: changes_of(ours, theirs, at),
        remarks=tuple(remarks),
        keep_media=lambda media: carry_media(named_media(*texts), beside, media),
    )


def read_note(text: str, name: str, at: datetime) -> Snapshot:
    """Read a document; `at` is now, `name` is the file's in messages.

    Raises DocumentError, with `name:line`, for one of a newer format and for what cannot be read.
    """
    head = _HEAD.match(text)
    stated = _FORMAT.search(head[0]) if head else None
    if stated is None or int(stated[1]) > FORMAT:
        found = f"of format {stated[1]}" if stated else "without a format"
        raise DocumentError(
            f"it is a learning note {found}; this version of studyattn reads up to {FORMAT}",
            where=f"{name}:1",
            advice="Use a newer version of studyattn",
        )
    marks = read_marks(text.split("\n"), name, [])
    return snapshot_of(record for each in marks for record in records_of(each, at))


def _new_notes(rest: Sequence[list[str]], concept: str, at: datetime) -> Iterator[NoteRecord]:
    """Take the notes that rows without a mark begin out of them."""
    for run in rest:
        plain = [None if row.coded else row.text for row in rows_in(run, 0)]
        starts = [n for n, row in enumerate(plain) if row and re.match(r"#{1,2} +\S", row)]
        for start, end in reversed(list(pairwise([*starts, len(run)]))):
            if run[start].startswith("## "):
                title, *body = run[start:end]
                title = title[3:].strip()
                name = uuid5(NAMESPACE_URL, f"studyattn:page {concept} {' '.join(title.split())}")
                said = "\n".join(row.rstrip() for row in body).strip("\n")
                yield NoteRecord(str(name), title, said, concept, None, None, at, at)
                del run[start:end]


def changes_of(ours: Snapshot, theirs: Snapshot, at: datetime) -> Snapshot:
    """Return a note with how the texts were that are changed in it by hand, `at` this moment.

    What says the same here is not changed.
    """
    items = {each.guid: each for each in ours.items}
    notes = {each.guid: each for each in ours.notes}
    slugs = {each.slug for each in (*ours.concepts, *theirs.concepts)}
    before: list[WordingRecord] = []

    def item_of(theirs: ItemRecord) -> ItemRecord:
        mine = items.get(theirs.guid)
        if mine is None or not mine.card or not theirs.card or theirs.card.edited_at != at:
            return theirs
        was, now = card_wording(mine.guid, mine.card), card_wording(mine.guid, theirs.card)
        if _says_the_same(was, now):
            return mine
        before.append(was)
        return theirs

    def note_of(theirs: NoteRecord) -> NoteRecord:
        mine = notes.get(theirs.guid)
        if theirs.updated_at != at or mine is None:
            return replace(theirs, concept=theirs.concept if theirs.concept in slugs else None)
        if _says_the_same(was := note_wording(mine), note_wording(theirs)):
            return mine
        before.append(was)
        return replace(mine, title=theirs.title, body=theirs.body, updated_at=at)

    changed = tuple(map(item_of, theirs.items)), tuple(map(note_of, theirs.notes))
    return replace(
        theirs, items=changed[0], notes=changed[1], wordings=(*theirs.wordings, *before)
    ).ordered()


def _says_the_same(one: WordingRecord, other: WordingRecord) -> bool:
    """Return whether two texts differ in white space alone."""
    return all(
        text.split() == said.split()
        for text, said in ((one.title, other.title), (one.body, other.body))
    )
