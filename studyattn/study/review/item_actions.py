"""What a learner does to an item besides answering it: bury, suspend, mark, tag, edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from typing import TypeVar

from studyattn.errors import InputError
from studyattn.store.database import Connection
from studyattn.store.queries import items
from studyattn.store.queries.items import CardWording
from studyattn.store.queries.notes import keep_wording
from studyattn.study.profile import Profile
from studyattn.study.review.recorder import no_such_item

Value = TypeVar("Value")


def bury(profile: Profile, guid: str) -> date:
    """Put the item off until the next learner day, which is returned."""
    until = profile.today() + timedelta(days=1)
    set_buried(profile, guid, until)
    return until


def set_buried(profile: Profile, guid: str, until: date | None) -> None:
    """Bury the item until a learner day, or unbury it with None. Raises NotFoundError."""
    _change(profile, guid, items.set_buried, until)


def suspend(profile: Profile, guid: str, suspended: bool = True) -> None:
    """Take the item out of every queue until it is brought back, or bring it back.

    Raises NotFoundError.
    """
    _change(profile, guid, items.set_suspended, suspended)


def mark(profile: Profile, guid: str, marked: bool = True) -> None:
    """Mark the item so that it can be found again, or unmark it. Raises NotFoundError."""
    _change(profile, guid, items.set_marked, marked)


def tag(profile: Profile, guid: str, tags: Iterable[str]) -> None:
    """Give the item these tags and no others. Raises NotFoundError."""
    _change(profile, guid, items.set_tags, tags)


def _change(
    profile: Profile,
    guid: str,
    change: Callable[[Connection, str, Value, datetime], bool],
    value: Value,
) -> None:
    with profile.database.write() as connection:
        if not change(connection, guid, value, profile.clock.now()):
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
