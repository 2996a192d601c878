"""What cards and notes said before they were reworded: kept, never changed, there to be read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, select

from studyattn.store.models import WordingRow
from studyattn.study.profile import Profile


@dataclass(frozen=True, slots=True)
class EarlierWording:
    """One earlier wording. Of a card `title` is the question and `body` the answer."""

    at: datetime | None  # since when it was worded so; None: as it came from a pack or source
    title: str
    body: str


def earlier_wordings(profile: Profile, guid: str) -> list[EarlierWording]:
    """What the card or note `guid` said before, the latest first; nothing for one never changed."""
    with profile.database.read() as connection:
        rows = connection.execute(
            select(WordingRow.at, WordingRow.title, WordingRow.body)
            .where(WordingRow.guid == guid)
            .order_by(WordingRow.at.desc().nulls_last(), WordingRow.id.desc())
        )
        return [EarlierWording(*row) for row in rows]


def keep_wording(
    connection: Connection, guid: str, at: datetime | None, title: str, body: str
) -> None:
    """Keep what a card or note says, within the transaction that gives it another wording."""
    connection.execute(insert(WordingRow).values(guid=guid, at=at, title=title, body=body))
