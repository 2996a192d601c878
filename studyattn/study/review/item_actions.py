"""What a learner does to an item besides answering it: bury, suspend, mark, edit."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from sqlalchemy import Connection, select, update

from studyattn.errors import InputError
from studyattn.store.models import CardRow, ItemRow
from studyattn.store.queries.notes import keep_wording
from studyattn.study.profile import Profile
from studyattn.study.review.recorder import no_such_item


def bury(profile: Profile, guid: str) -> date:
    """Put the item off until the next learner day, which is returned."""
    until = profile.today() + timedelta(days=1)
    set_buried(profile, guid, until)
    return until


def set_buried(profile: Profile, guid: str, until: date | None) -> None:
    """Bury the item until a learner day, or unbury it with None."""
    with profile.database.write() as connection:
        _change(connection, guid, buried_until=until)


def suspend(profile: Profile, guid: str, suspended: bool = True) -> None:
    """Take the item out of every queue until it is brought back, or bring it back."""
    with profile.database.write() as connection:
        _change(connection, guid, suspended=suspended)


def mark(profile: Profile, guid: str, marked: bool = True) -> None:
    """Mark the item so that it can be found again, or unmark it."""
    with profile.database.write() as connection:
        _change(connection, guid, marked=marked)


def edit(
    profile: Profile, guid: str, front: str, back: str, edited_at: datetime | None = None
) -> tuple[str, str, datetime | None]:
    """Give a card the learner's own wording; its memory stays. Returns what it said before.

    `front` and `back` are the stored Markdown (`Shown.written`), cloze marks included. Raises
    InputError for an empty front and for an item that is no card. What it said stays among its
    earlier wordings.
    """
    if not front.strip():
        raise InputError("the question is empty", where=guid, advice="Write one, or suspend it.")
    with profile.database.write() as connection:
        item_id = _item_id(connection, guid)
        before = connection.execute(
            select(CardRow.front, CardRow.back, CardRow.edited_at).where(CardRow.item_id == item_id)
        ).one_or_none()
        if before is None:
            raise InputError("it is a drill: its text stays in its pack", where=guid)
        if (front, back) == (before.front, before.back):
            return before.front, before.back, before.edited_at
        keep_wording(connection, guid, before.edited_at, before.front, before.back)
        connection.execute(
            update(CardRow)
            .where(CardRow.item_id == item_id)
            .values(front=front, back=back, edited_at=edited_at or profile.clock.now())
        )
    return before.front, before.back, before.edited_at


def restore_text(profile: Profile, guid: str, before: tuple[str, str, datetime | None]) -> None:
    """Take an edit back: the text and whether it counts as the learner's own."""
    front, back, edited_at = before
    with profile.database.write() as connection:
        connection.execute(
            update(CardRow)
            .where(CardRow.item_id == _item_id(connection, guid))
            .values(front=front, back=back, edited_at=edited_at)
        )


def _item_id(connection: Connection, guid: str) -> int:
    found = connection.execute(select(ItemRow.id).where(ItemRow.guid == guid)).scalar_one_or_none()
    if found is None:
        raise no_such_item(guid)
    return found


def _change(connection: Connection, guid: str, **values: object) -> None:
    changed = connection.execute(update(ItemRow).where(ItemRow.guid == guid).values(**values))
    if changed.rowcount == 0:
        raise no_such_item(guid)
