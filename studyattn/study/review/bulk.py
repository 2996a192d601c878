"""Changing many items at once, each change with what takes it back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from studyattn.store.database import Connection
from studyattn.store.queries.item_changes import (
    ItemField,
    ItemNow,
    Value,
    read_fields,
    write_field,
)
from studyattn.store.tags import tags_of
from studyattn.study.profile import Profile


@dataclass(frozen=True, slots=True)
class Changed:
    """A change of many items. `before` are the values that it replaced, by field and guid."""

    before: tuple[tuple[ItemField, Mapping[str, Value]], ...]
    left_out: int = 0
    """Items that cannot be changed so: those of a pack stay with their concept."""

    @property
    def number(self) -> int:
        """Return how many values are others now."""
        return sum(len(values) for _, values in self.before)


def suspend(profile: Profile, ids: Sequence[int]) -> Changed:
    """Take items out of every queue; bring them back if all of them are out."""
    return _toggle(profile, ids, ItemField.SUSPENDED)


def mark(profile: Profile, ids: Sequence[int]) -> Changed:
    """Mark items; take their marks away if all of them are marked."""
    return _toggle(profile, ids, ItemField.MARKED)


def tag(
    profile: Profile, ids: Sequence[int], *, add: Iterable[str] = (), remove: Iterable[str] = ()
) -> Changed:
    """Give items some tags more, and take others from them."""
    more, gone = tags_of(add), {each.casefold() for each in tags_of(remove)}

    def tags(item: ItemNow) -> Value:
        return tags_of(each for each in (*item.tags, *more) if each.casefold() not in gone)

    with profile.database.write() as connection:
        items = read_fields(connection, ids)
        return Changed((_change(connection, profile, ItemField.TAGS, items, tags),))


def move(profile: Profile, ids: Sequence[int], concept: str) -> Changed:
    """Move cards to the concept with this slug. A pack says what its own items belong to."""
    with profile.database.write() as connection:
        items = read_fields(connection, ids)
        free = [each for each in items if each.pack is None]
        changed = _set(connection, profile, ItemField.CONCEPT, free, concept)
        return Changed((changed,), left_out=len(items) - len(free))


def delete(profile: Profile, ids: Sequence[int]) -> Changed:
    """Delete cards that the learner made; those of packs and documents are suspended.

    These would come back with the next version of their pack or document. A deleted card keeps its
    reviews: the day's figures stay true, and `restore` brings it back as it was.
    """
    with profile.database.write() as connection:
        items = read_fields(connection, ids)
        own = [each for each in items if each.own]
        others = [each for each in items if not each.own]
        return Changed(
            (
                _set(connection, profile, ItemField.REMOVED, own, True),
                _set(connection, profile, ItemField.SUSPENDED, others, True),
            )
        )


def restore(profile: Profile, changed: Changed) -> None:
    """Take a change back: every item has the value again that it had before."""
    with profile.database.write() as connection:
        for field, values in changed.before:
            write_field(connection, field, values, profile.clock.now())


def _toggle(profile: Profile, ids: Sequence[int], field: ItemField) -> Changed:
    with profile.database.write() as connection:
        items = read_fields(connection, ids)
        value = not all(getattr(each, field.value) for each in items)
        return Changed((_set(connection, profile, field, items, value),))


def _set(
    connection: Connection,
    profile: Profile,
    field: ItemField,
    items: Iterable[ItemNow],
    value: Value,
) -> tuple[ItemField, Mapping[str, Value]]:
    return _change(connection, profile, field, items, lambda _: value)


def _change(
    connection: Connection,
    profile: Profile,
    field: ItemField,
    items: Iterable[ItemNow],
    new: Callable[[ItemNow], Value],
) -> tuple[ItemField, Mapping[str, Value]]:
    """Write new values where they are others, and return the old ones."""
    before: dict[str, Value] = {}
    after: dict[str, Value] = {}
    for item in items:
        value, old = new(item), getattr(item, field.value)
        if value != old:
            before[item.guid], after[item.guid] = old, value
    write_field(connection, field, after, profile.clock.now())
    return field, before
