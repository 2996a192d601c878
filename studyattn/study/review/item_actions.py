"""The actions on items besides answering them: bury, suspend, mark, tag, move, edit.

A change of many items comes with what takes it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from studyattn.errors import InputError
from studyattn.store.database import Connection
from studyattn.store.queries import items
from studyattn.store.queries.items import CardWording, ItemField, ItemNow, Value, put_field
from studyattn.store.queries.notes import keep_wording
from studyattn.store.tags import tags_of
from studyattn.study.profile import Profile
from studyattn.study.review.recorder import no_such_item


def change(profile: Profile, guid: str, field: ItemField, value: Value) -> None:
    """Give one item a value of a field. Raises NotFoundError."""
    with profile.database.write() as connection:
        if not put_field(connection, guid, field, value, profile.clock.now()):
            raise no_such_item(guid)


def edit(
    profile: Profile, guid: str, front: str, back: str, edited_at: datetime | None = None
) -> CardWording:
    """Give a card the learner's own wording; its memory stays. Return the wording before.

    `front` and `back` are the stored Markdown (`RenderedCard.written`), cloze marks included. The
    wording before is kept among the card's earlier ones. Raises InputError for an empty front and
    for a drill, NotFoundError for an unknown item.
    """
    if not front.strip():
        raise InputError(
            "the question is empty", where=guid, advice="Write a question, or suspend the card."
        )
    with profile.database.write() as connection:
        before = items.read_card_text(connection, guid)
        if before is None:
            if not items.has_item(connection, guid):
                raise no_such_item(guid)
            raise InputError("a drill's text can only be changed in its pack", where=guid)
        if (front, back) != (before.front, before.back):
            keep_wording(connection, guid, before.edited_at, before.front, before.back)
            at = edited_at or profile.clock.now()
            items.write_card_text(connection, guid, CardWording(front, back, at), at)
    return before


def restore_text(profile: Profile, guid: str, before: CardWording) -> None:
    """Take an edit back: the text, and whether it counts as the learner's own."""
    with profile.database.write() as connection:
        items.write_card_text(connection, guid, before, profile.clock.now())


# ── many at once ─────────────────────────────────────────────────────────────────────────────────


class Changed(NamedTuple):
    """A change of many items. `before` are the values that it replaced, by field and guid."""

    before: tuple[tuple[ItemField, Mapping[str, Value]], ...]
    left_out: int = 0
    """Items that cannot be changed so: those of a pack stay with their concept."""

    @property
    def number(self) -> int:
        """Return how many values are others now."""
        return sum(len(values) for _, values in self.before)


def toggle(profile: Profile, ids: Sequence[int], field: ItemField) -> Changed:
    """Suspend or mark items; undo that if it is so for all of them."""
    with profile.database.write() as connection:
        found = items.read_fields(connection, ids)
        value = not all(getattr(each, field.value) for each in found)
        return Changed((_change(connection, profile, field, found, lambda _: value),))


def tag(
    profile: Profile, ids: Sequence[int], *, add: Iterable[str] = (), remove: Iterable[str] = ()
) -> Changed:
    """Give items some tags more, and take others from them."""
    more, gone = tags_of(add), {each.casefold() for each in tags_of(remove)}

    def tags(item: ItemNow) -> Value:
        return tags_of(each for each in (*item.tags, *more) if each.casefold() not in gone)

    with profile.database.write() as connection:
        found = items.read_fields(connection, ids)
        return Changed((_change(connection, profile, ItemField.TAGS, found, tags),))


def move(profile: Profile, ids: Sequence[int], concept: str) -> Changed:
    """Move cards to the concept with this slug. A pack says what its own items belong to."""
    with profile.database.write() as connection:
        found = items.read_fields(connection, ids)
        free = [each for each in found if each.pack is None]
        changed = _change(connection, profile, ItemField.CONCEPT, free, lambda _: concept)
        return Changed((changed,), left_out=len(found) - len(free))


def delete(profile: Profile, ids: Sequence[int]) -> Changed:
    """Delete cards that the learner made; those of packs and documents are suspended.

    These would come back with the next version of their pack or document. A deleted card keeps its
    reviews: the day's figures stay true, and `restore` brings it back as it was.
    """
    with profile.database.write() as connection:
        found = items.read_fields(connection, ids)
        fields = ((ItemField.REMOVED, True), (ItemField.SUSPENDED, False))
        return Changed(
            tuple(
                _change(
                    connection, profile, field, (e for e in found if e.own is own), lambda _: True
                )
                for field, own in fields
            )
        )


def restore(profile: Profile, changed: Changed) -> None:
    """Take a change back: every item has the value again that it had before."""
    with profile.database.write() as connection:
        for field, values in changed.before:
            for guid, value in values.items():
                put_field(connection, guid, field, value, profile.clock.now())


def _change(
    connection: Connection,
    profile: Profile,
    field: ItemField,
    changed: Iterable[ItemNow],
    new: Callable[[ItemNow], Value],
) -> tuple[ItemField, Mapping[str, Value]]:
    """Write new values where they are others, and return the old ones."""
    before: dict[str, Value] = {}
    for item in changed:
        value, old = new(item), getattr(item, field.value)
        if value != old:
            before[item.guid] = old
            put_field(connection, item.guid, field, value, profile.clock.now())
    return field, before
