"""The records of a snapshot as the fields of marks, and back. Pure.

A mark has what its text does not say, under short names, without what is false or empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any, Final, TypeVar
from uuid import NAMESPACE_URL, uuid5

import msgspec
from msgspec.structs import replace

from studyattn.exchange.json_lines import in_utc, problem_of
from studyattn.exchange.learning_note.content import links_of
from studyattn.exchange.learning_note.marks import Marked, fenced, refuse
from studyattn.exchange.words import digest
from studyattn.packs.card_kinds import BASIC, KINDS
from studyattn.store.snapshot import (
    AttemptRecord,
    CardRecord,
    ConceptChangeRecord,
    ConceptRecord,
    ItemRecord,
    NoteRecord,
    Record,
    SourceRecord,
)

_NAMES: Final = {
    "source": "guid kind path imported=imported_at",
    "concept": "slug state pack named=title source joined=joined_into position core requires",
    "card": (
        "guid kind concept source pack position made=created_at edited=edited_at answer extra"
        " digest siblings=sibling_group suspended marked retired tags"
    ),
    "note": "guid concept source item made=created_at updated=updated_at",
    "drill": "guid concept pack position",
    "attempt": ("at offset=utc_offset day=learner_day backend device hints revealed seconds ends"),
    "change": "at from=from_state reason author",
}
"""The fields of marks, each with that of the record where it is called otherwise."""
_FIELDS: Final = {
    kind: {name: field or name for name, _, field in (e.partition("=") for e in names.split())}
    for kind, names in _NAMES.items()
}
_ABSENT: Final[dict[str, dict[str, Any]]] = {
    "source": {"path": "", "text": "", "digest": digest(""), "front_matter": {}},
    "concept": {"title": "", "body": "", "core": False, "retired": False, "requires": ()}
    | dict.fromkeys(("pack", "source", "joined_into")),
    "item": {"suspended": False, "marked": False, "retired": False, "tags": ()}
    | dict.fromkeys(("source", "pack", "buried_until", "card")),
    "card": {"kind": BASIC.name, "extra": {}, "digest": ""}
    | dict.fromkeys(("answer", "edited_at", "sibling_group")),
    "note": dict.fromkeys(("concept", "source", "item")),
    "attempt": {
        "utc_offset": 0,
        "hints": 0,
        "revealed": False,
        "seconds": 0.0,
        "verdict": "passed",
        "report": {},
    },
}
"""Defaults of the fields that a mark leaves out."""
_TEXTS: Final = {
    "source": ("title", "", ""),
    "concept": ("title", "body", ""),
    "note": ("title", "body", "updated_at"),
    "card": ("front", "back", "edited_at"),
    "drill": ("", "", ""),
}
"""The fields that the text of a mark gives, and the one that says when it was worded."""

R = TypeVar("R", bound=Record)


# -- into marks ------------------------------------------------------------------------------------


def _told(kind: str, /, *records: msgspec.Struct, **others: Any) -> dict[str, Any]:
    """Return the fields of a mark."""
    values: dict[str, Any] = {}
    for each in records:
        values |= msgspec.to_builtins(each, builtin_types=(datetime, date))
    values |= others
    told = {name: values.get(field) for name, field in _FIELDS[kind].items()}
    return {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in told.items()
        if value is not None and value is not False and value not in ([], {})
    }


def source_mark(source: SourceRecord) -> tuple[str, Mapping[str, Any]]:
    """Return the mark of a source; its text is left out."""
    return "source", _told("source", source)


def concept_mark(
    concept: ConceptRecord, change: ConceptChangeRecord | None = None, *, bare: bool = False
) -> tuple[str, Mapping[str, Any]]:
    """Return the mark of a concept; of a pack's what the pack does not know.

    No text follows a `bare` one.
    """
    own = concept.pack is None
    fields = _told(
        "concept",
        concept,
        title=concept.title if bare or not own else None,
        requires=list(concept.requires) if own and not bare else None,
    )
    if change is not None:
        fields["change"] = [
            *(change.at.isoformat(), change.from_state, change.reason, change.author)
        ]
    return "concept", {**fields, "bare": True} if bare else fields


def card_mark(item: ItemRecord) -> tuple[str, Mapping[str, Any]]:
    """Return the mark of a card."""
    card, own = item.card, item.pack is None
    if card is None:
        raise ValueError(f"{item.guid} is a drill and has no card")
    return "card", _told(
        "card",
        item,
        card,
        kind=None if card.kind == BASIC.name else card.kind,
        created_at=item.created_at if own else None,
        digest=card.digest if own and card.digest != own_digest(item) else None,
    )


def note_mark(note: NoteRecord) -> tuple[str, Mapping[str, Any]]:
    """Return the mark of a note."""
    return "note", _told("note", note)


def drill_mark(item: ItemRecord, attempt: AttemptRecord | None) -> tuple[str, Mapping[str, Any]]:
    """Return the mark of a drill, with the passed attempt."""
    fields = _told("drill", item)
    if attempt is not None:
        fields["attempt"] = _told("attempt", attempt, ends=attempt.code.endswith("\n"))
    return "drill", fields


def drill_body(attempt: AttemptRecord | None) -> str:
    """Return the code of an attempt as the text of its mark."""
    return fenced(attempt.code.removesuffix("\n"), "python") if attempt else ""


def own_digest(item: ItemRecord) -> str:
    """The digest of an imported card that still says what its source said."""
    links = "\n".join(f"{text} {address}" for text, address in links_of(item))
    return digest(item.card.front, item.card.back, links) if item.card else ""


# -- and back --------------------------------------------------------------------------------------


def records_of(marked: Marked, at: datetime) -> Iterator[Record]:
    """Yield what a mark and its text say. What was changed by hand was so `at` this moment.

    Raises DocumentError, with `name:line`, for what cannot be read.
    """
    kind, fields, where = marked.kind, marked.fields, marked.where
    if kind not in _TEXTS:
        refuse(f"it marks an unknown kind: {kind}", where)
    values = _values(kind, fields, where)
    if kind != "concept" or not (fields.get("bare") or "pack" in values):
        values |= dict(zip(_TEXTS[kind], (marked.title, marked.body), strict=False))
        values |= {_TEXTS[kind][-1]: at} if marked.by_hand else {}
        values.pop("", None)
    if kind in {"card", "drill"}:
        yield from _of_item(marked, values, at)
    elif kind == "concept":
        yield (concept := _record(ConceptRecord, {**_ABSENT[kind], **values}, where))
        if (change := fields.get("change")) is not None:
            yield _change(concept, change, where)
    else:
        record: type[Record] = NoteRecord if kind == "note" else SourceRecord
        yield _record(record, {**_ABSENT[kind], **values}, where)


def _of_item(marked: Marked, values: dict[str, Any], at: datetime) -> Iterator[Record]:
    """Yield a card; a drill, and the attempt that passed."""
    where = marked.where
    if marked.kind == "card":
        told = {name: values.pop(name) for name in CardRecord.__struct_fields__ if name in values}
        values["card"] = {**_ABSENT["card"], **told}
    made = {"created_at": at, **_ABSENT["item"], **values, "kind": marked.kind}
    item = _record(ItemRecord, made, where)
    if item.card and item.card.kind not in KINDS:
        refuse(f"{item.card.kind!r} is not one of {', '.join(KINDS)}", where)
    if item.card and item.pack is None and "digest" not in marked.fields:
        item = replace(item, card=replace(item.card, digest=own_digest(item)))
    yield item
    if (attempt := marked.fields.get("attempt")) is not None:
        yield _attempt(item, attempt, marked.body, where)


def _values(kind: str, fields: object, where: str) -> dict[str, Any]:
    """Return the values of a mark under the names of the record."""
    if not isinstance(fields, dict):
        refuse(f"{kind!r} is not an object", where)
    return {field: fields[name] for name, field in _FIELDS[kind].items() if name in fields}


def _record(kind: type[R], values: Mapping[str, Any], where: str) -> R:
    try:
        made = msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        refuse(problem_of(error), where)
    return in_utc(made, "$", where)


def _change(concept: ConceptRecord, told: object, where: str) -> ConceptChangeRecord:
    if not isinstance(told, list) or len(told) != len(_FIELDS["change"]):
        refuse("'change' is not a valid change", where)
    values = dict(zip(_FIELDS["change"].values(), told, strict=True))
    values |= {"concept": concept.slug, "to_state": concept.state}
    return _record(ConceptChangeRecord, values, where)


def _attempt(item: ItemRecord, told: object, body: str, where: str) -> AttemptRecord:
    values = _values("attempt", told, where)
    # The first and the last row are the fence.
    code = "\n".join(body.split("\n")[1:-1]) + ("\n" if values.pop("ends", False) is True else "")
    named = {"uuid": "", "item_guid": item.guid, "code": code}
    made = _record(AttemptRecord, {**_ABSENT["attempt"], **values, **named}, where)
    name = uuid5(NAMESPACE_URL, f"studyattn:{item.guid} {made.at.isoformat()} {digest(code)}")
    return replace(made, uuid=str(name))
