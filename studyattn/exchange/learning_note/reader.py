"""A learning note read back: the document of `writer` → Snapshot. Pure.

Texts that were changed in the document by hand since it was written count as reworded at the moment
of reading, so the learner's latest word wins wherever it was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from typing import Any, Literal, NoReturn, TypeVar
from uuid import NAMESPACE_URL, uuid5

from msgspec.structs import replace

from studyattn.errors import DocumentError
from studyattn.exchange.documents.matching import digest
from studyattn.exchange.learning_note.marks import Marked, read_marks
from studyattn.exchange.learning_note.writer import FORMAT, KIND, own_digest
from studyattn.packs.card_kinds import BASIC, KINDS
from studyattn.store.snapshot import (
    AttemptRecord,
    CardRecord,
    ConceptChangeRecord,
    ConceptRecord,
    ItemRecord,
    NoteRecord,
    Snapshot,
    SourceRecord,
)
from studyattn.store.tags import tags_of
from studyattn.store.vocabulary import STATES, State

_HEAD = re.compile(r"\A---\n(?:[^\n]*\n){0,20}?---\n")
_KIND = re.compile(rf"^studyattn: {KIND}$", re.MULTILINE)
_FORMAT = re.compile(r"^format: (\d+)$", re.MULTILINE)
Choice = TypeVar("Choice", bound=str)


def is_learning_note(text: str) -> bool:
    """Return whether a document's front matter names it a learning note."""
    head = _HEAD.match(text)
    return head is not None and _KIND.search(head[0]) is not None


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
    reader = _NoteReader(name, at)
    for each in read_marks(text.split("\n"), name):
        reader.take(each)
    return reader.snapshot()


class _NoteReader:
    """Collects what the marks say."""

    def __init__(self, name: str, at: datetime) -> None:
        self._name = name
        self._at = at
        self._sources: dict[str, SourceRecord] = {}
        self._concepts: dict[str, ConceptRecord] = {}
        self._changes: list[ConceptChangeRecord] = []
        self._items: dict[str, ItemRecord] = {}
        self._notes: dict[str, NoteRecord] = {}
        self._attempts: dict[str, AttemptRecord] = {}

    def take(self, marked: Marked) -> None:
        takes: Mapping[str, Callable[[Marked, _Fields], None]] = {
            "source": self._take_source,
            "concept": self._take_concept,
            "card": self._take_card,
            "note": self._take_note,
            "drill": self._take_drill,
        }
        fields = _Fields(marked.fields, f"{self._name}:{marked.line}")
        if marked.kind not in takes:
            fields.refuse(f"it marks an unknown kind: {marked.kind}")
        takes[marked.kind](marked, fields)

    def snapshot(self) -> Snapshot:
        """Return what was read, without requirements that the note does not name."""
        return Snapshot(
            sources=tuple(self._sources.values()),
            concepts=tuple(self._concepts.values()),
            changes=tuple(self._changes),
            items=tuple(self._items.values()),
            notes=tuple(self._notes.values()),
            attempts=tuple(self._attempts.values()),
        ).ordered()

    def _take_source(self, marked: Marked, fields: _Fields) -> None:
        source = SourceRecord(
            guid=fields.text("guid"),
            kind=fields.text("kind"),
            title=marked.title,
            path=fields.text("path", ""),
            text="",
            digest=digest(""),
            front_matter={},
            imported_at=fields.instant("imported"),
        )
        self._sources[source.guid] = source

    def _take_concept(self, marked: Marked, fields: _Fields) -> None:
        slug, pack = fields.text("slug"), fields.optional("pack")
        bare = fields.flag("bare")
        self._concepts[slug] = ConceptRecord(
            slug=slug,
            title=fields.text("named", "") if bare or pack is not None else marked.title,
            state=fields.among("state", STATES),
            body="" if bare or pack is not None else marked.body,
            pack=pack,
            source=fields.optional("source"),
            joined_into=fields.optional("joined"),
            position=fields.number("position"),
            core=fields.flag("core"),
            retired=False,
            requires=tuple(sorted(fields.texts("requires"))),
        )
        change = fields.values.get("change")
        if change is not None:
            self._changes.append(fields.change(slug, self._concepts[slug].state, change))

    def _take_card(self, marked: Marked, fields: _Fields) -> None:
        edited = self._at if marked.by_hand else fields.moment("edited")
        card = CardRecord(
            kind=fields.among("kind", KINDS, BASIC.name),
            front=marked.title,
            back=marked.body,
            answer=fields.optional("answer"),
            extra=fields.mapping("extra"),
            digest=fields.text("digest", ""),
            edited_at=edited,
            sibling_group=fields.optional("siblings"),
        )
        item = self._item(fields, "card", card)
        if item.pack is None and not card.digest:
            item = replace(item, card=replace(card, digest=own_digest(item)))
        self._items[item.guid] = item

    def _take_drill(self, marked: Marked, fields: _Fields) -> None:
        item = self._item(fields, "drill", None)
        self._items[item.guid] = item
        told = fields.values.get("attempt")
        if told is None:
            return
        attempt = _Fields(fields.mapping("attempt"), fields.where)
        # The first and the last row are the fence.
        code = "\n".join(marked.body.split("\n")[1:-1]) + ("\n" if attempt.flag("ends") else "")
        at = attempt.instant("at")
        name = uuid5(NAMESPACE_URL, f"studyattn:{item.guid} {at.isoformat()} {digest(code)}")
        self._attempts[str(name)] = AttemptRecord(
            uuid=str(name),
            item_guid=item.guid,
            at=at,
            utc_offset=attempt.number("offset", 0),
            learner_day=attempt.day("day"),
            code=code,
            backend=attempt.text("backend"),
            device=attempt.text("device"),
            verdict="passed",
            report={},
            hints=attempt.number("hints", 0),
            revealed=attempt.flag("revealed"),
            seconds=attempt.amount("seconds"),
        )

    def _take_note(self, marked: Marked, fields: _Fields) -> None:
        note = NoteRecord(
            guid=fields.text("guid"),
            title=marked.title,
            body=marked.body,
            concept=fields.optional("concept"),
            source=fields.optional("source"),
            item=fields.optional("item"),
            created_at=fields.instant("made"),
            updated_at=self._at if marked.by_hand else fields.instant("updated"),
        )
        self._notes[note.guid] = note

    def _item(
        self, fields: _Fields, kind: Literal["card", "drill"], card: CardRecord | None
    ) -> ItemRecord:
        return ItemRecord(
            guid=fields.text("guid"),
            kind=kind,
            concept=fields.text("concept"),
            source=fields.optional("source"),
            pack=fields.optional("pack"),
            position=fields.number("position"),
            created_at=fields.moment("made") or self._at,
            suspended=fields.flag("suspended"),
            marked=fields.flag("marked"),
            retired=fields.flag("retired"),
            buried_until=None,
            card=card,
            tags=tags_of(fields.texts("tags")),
        )


class _Fields:
    """The fields of one mark, each checked as it is read."""

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        self.values = values
        self.where = where

    def refuse(self, problem: str) -> NoReturn:
        raise DocumentError(
            f"this learning note marker cannot be read: {problem}",
            where=self.where,
            advice="Export the note again",
        )

    def text(self, key: str, default: str | None = None) -> str:
        value = self.values.get(key, default)
        if not isinstance(value, str) or (not value and default is None):
            self.refuse(f"no text {key!r}")
        return _encodable(value, self)

    def optional(self, key: str) -> str | None:
        return None if self.values.get(key) is None else self.text(key, "")

    def texts(self, key: str) -> list[str]:
        values = self.values.get(key, [])
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            self.refuse(f"{key!r} is not a list of texts")
        return values

    def among(self, key: str, choices: Collection[Choice], default: Choice | None = None) -> Choice:
        value = self.text(key, default)
        found = next((choice for choice in choices if choice == value), None)
        if found is None:
            self.refuse(f"{value!r} is not one of {', '.join(choices)}")
        return found

    def number(self, key: str, default: int | None = None) -> int:
        value = self.values.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 2**31:
            self.refuse(f"no number {key!r}")
        return value

    def amount(self, key: str) -> float:
        value = self.values.get(key, 0.0)
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < 1e9:
            self.refuse(f"no number {key!r}")
        return float(value)

    def flag(self, key: str) -> bool:
        return self.values.get(key) is True

    def mapping(self, key: str) -> Mapping[str, Any]:
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            self.refuse(f"{key!r} is not an object")
        return value

    def moment(self, key: str) -> datetime | None:
        return None if key not in self.values else self.instant(key)

    def instant(self, key: str) -> datetime:
        try:
            at = datetime.fromisoformat(self.text(key))
        except ValueError:
            self.refuse(f"{key!r} is not a time")
        if at.tzinfo is None or not 1970 <= at.year <= 9000:
            self.refuse(f"{key!r} is not a time")
        return at

    def day(self, key: str) -> date:
        try:
            return date.fromisoformat(self.text(key))
        except ValueError:
            self.refuse(f"{key!r} is not a day")

    def change(self, slug: str, state: State, told: Any) -> ConceptChangeRecord:
        if not isinstance(told, list) or len(told) != 4:
            self.refuse("'change' is not a valid change")
        fields = _Fields(
            dict(zip(("at", "from", "reason", "author"), told, strict=True)), self.where
        )
        return ConceptChangeRecord(
            concept=slug,
            at=fields.instant("at"),
            from_state=fields.among("from", STATES),
            to_state=state,
            reason=fields.text("reason", ""),
            author=fields.text("author"),
        )


def _encodable(value: str, fields: _Fields) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        fields.refuse("it contains half of a character")
    return value
