"""Mistakes in code feed the memory: which were seen, and which cards they bring back.

What was seen is read from the attempts themselves. A card that is brought back is due until it is
answered; its memory stays the fold of its reviews, so nothing here can falsify it. A card comes
back at most once a learner day, and not again on a day on which the learner took that back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Connection, insert, select, text, update

from studyattn.store.models import BroughtBackRow, ItemRow, UtcDateTime
from studyattn.study.clock import Moment
from studyattn.study.practice.drill_views import CardBack, ConceptName, diagnosed
from studyattn.study.profile import Profile
from studyattn.study.review.card_loader import drill_id
from studyattn.study.review.views import CARD, STILL_BACK
from studyattn.study.uuids import new_uuid

OF_THE_CONCEPT = 3
"""Cards of its concept that a mistake brings back when none was written for it: the weakest."""

_WAITING = (
    """
SELECT item.guid, card.front, concept.slug, brought_back.misconception, brought_back.reason,
       brought_back.at
FROM brought_back JOIN item ON item.guid = brought_back.item_guid
JOIN card ON card.item_id = item.id JOIN concept ON concept.id = item.concept_id
WHERE NOT item.suspended AND NOT item.retired AND """
    + STILL_BACK
)
_HELD_BY = text(
    "SELECT brought_back.uuid FROM brought_back JOIN item ON item.guid = brought_back.item_guid"  # noqa: S608 - a constant
    f" WHERE item.guid = :guid AND {STILL_BACK}"
)
_FOR_MISTAKES = text(
    """
SELECT item.guid, card.sibling_group, card.extra FROM card JOIN item ON item.id = card.item_id
WHERE CAST(card.extra AS TEXT) LIKE '%"misconceptions"%'
  AND NOT item.suspended AND NOT item.retired
ORDER BY item.position, item.id"""
).columns(extra=JSON())
_OF_CONCEPT = text(
    """
SELECT item.guid, card.sibling_group FROM item
JOIN card ON card.item_id = item.id JOIN concept ON concept.id = item.concept_id
WHERE coalesce(concept.joined_into_id, concept.id) = :concept
  AND NOT item.suspended AND NOT item.retired
ORDER BY item.stability IS NULL, item.stability, item.position, item.id"""
)
_SEEN = text(
    """
SELECT item_guid, at, report -> 'diagnosis' -> 0 AS diagnosis FROM attempt
WHERE verdict <> 'passed' AND report -> 'diagnosis' -> 0 IS NOT NULL
ORDER BY id"""
).columns(at=UtcDateTime(), diagnosis=JSON())


@dataclass(frozen=True, slots=True)
class MistakeSeen:
    """A misconception that grading recognised in the learner's code."""

    misconception: str
    title: str
    drill: str
    times: int
    last: datetime


@dataclass(frozen=True, slots=True)
class SeenMistake:
    """One misconception that a report names."""

    id: str
    title: str  # a sentence to the learner
    concept: str  # the pack's slug
    in_values: bool  # the answers are those of the mistake; else it showed in what happened


@dataclass(frozen=True, slots=True)
class RecognisedMistake:
    """The mistakes that a report names first: one, or several made at once."""

    mistakes: tuple[SeenMistake, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the misconceptions."""
        return tuple(each.id for each in self.mistakes)


def recognised(report: Mapping[str, Any]) -> RecognisedMistake | None:
    """What `Report.to_json` says of the mistakes in a submission; None when it names none."""
    if not diagnosed(report):
        return None
    return RecognisedMistake(_named(report["diagnosis"][0]))


def mistakes_seen(connection: Connection) -> dict[str, tuple[MistakeSeen, ...]]:
    """By the slug of the concept that they belong to; of each concept the latest first."""
    seen: dict[str, dict[str, MistakeSeen]] = defaultdict(dict)
    for guid, at, diagnosis in connection.execute(_SEEN):
        for mistake in _named(diagnosis):
            before = seen[mistake.concept].get(mistake.id)
            seen[mistake.concept][mistake.id] = MistakeSeen(
                misconception=mistake.id,
                title=mistake.title,
                drill=drill_id(guid),
                times=1 if before is None else before.times + 1,
                last=at,
            )
    return {
        concept: tuple(sorted(found.values(), key=lambda each: each.last, reverse=True))
        for concept, found in seen.items()
    }


def _named(diagnosis: Mapping[str, Any]) -> tuple[SeenMistake, ...]:
    """The mistakes of one diagnosis. Those of old reports share its title and its concept."""
    explained, _, _ = str(diagnosis.get("cases", "")).partition("/")
    some = explained not in {"", "0"}
    each = diagnosis.get("mistakes")
    if each is None:
        title, concept = str(diagnosis.get("title", "")), str(diagnosis.get("concept", ""))
        return tuple(
            SeenMistake(name, title, concept, some) for name in diagnosis["misconceptions"]
        )
    return tuple(
        SeenMistake(
            entry["id"],
            entry["title"],
            entry["concept"],
            in_values=some and entry.get("in_values", True),
        )
        for entry in each
    )


def concepts_of(
    connection: Connection, drill_guid: str, found: RecognisedMistake
) -> tuple[ConceptName, ...]:
    """The concepts that the mistakes belong to, each once; those that are gone are left out."""
    rows = (concept_of(connection, drill_guid, each.concept) for each in found.mistakes)
    return tuple(dict.fromkeys(ConceptName(row[1], row[2]) for row in rows if row is not None))


def concept_of(connection: Connection, drill_guid: str, slug: str) -> tuple[int, str, str] | None:
    """The concept that a pack calls `slug`: id, slug and title of what it is joined into.

    The database calls it `PACK-slug` where another concept had that name first.
    """
    pack = drill_guid.partition(":")[0]
    row = connection.execute(
        text(
            "SELECT whole.id, whole.slug, whole.title FROM concept"
            " JOIN concept AS whole ON whole.id = coalesce(concept.joined_into_id, concept.id)"
            " WHERE concept.slug IN (:slug, :longer)"
            " ORDER BY coalesce(concept.pack, '') = :pack DESC LIMIT 1"
        ),
        {"slug": slug, "longer": f"{pack}-{slug}", "pack": pack},
    ).one_or_none()
    return None if row is None else (row[0], row[1], row[2])


def bring_back(
    connection: Connection,
    profile: Profile,
    drill_guid: str,
    attempt_uuid: str,
    found: RecognisedMistake,
) -> None:
    """Make the cards due that cure the mistakes, within the caller's transaction.

    Of each mistake those that were written for it; where there are none, the weakest of its
    concept, unless the mistake is one that shows in what happened and not in the answers.
    """
    moment = profile.moment()
    for mistake in found.mistakes:
        reason = f"Back because of your drill {drill_id(drill_guid)}: {mistake.title}"
        for guid in _cures(connection, drill_guid, mistake):
            if not _comes_back(connection, profile, guid, moment):
                continue
            connection.execute(
                insert(BroughtBackRow).values(
                    uuid=new_uuid(profile.clock.now()),
                    item_guid=guid,
                    attempt_uuid=attempt_uuid,
                    misconception=mistake.id,
                    reason=reason,
                    at=moment.at,
                    learner_day=profile.day_of(moment),
                )
            )


def waiting_cards(
    connection: Connection,
    *,
    attempt_uuid: str | None = None,
    guids: Sequence[str] | None = None,
) -> tuple[CardBack, ...]:
    """The cards that are back and not answered yet; only those of an attempt, or only these."""
    condition, given = "", {}
    if attempt_uuid is not None:
        condition, given = " AND brought_back.attempt_uuid = :attempt", {"attempt": attempt_uuid}
    rows = connection.execute(
        text(f"{_WAITING}{condition} ORDER BY brought_back.id").columns(at=UtcDateTime()),
        given,
    )
    cards = {row[0]: _card_back(row) for row in rows}
    return tuple(each for guid, each in cards.items() if guids is None or guid in guids)


def before_their_time(connection: Connection, now: datetime) -> list[datetime | None]:
    """When the cards that are back would be due by their memory, if not by now; None for new."""
    guids = [each.guid for each in waiting_cards(connection)]
    if not guids:
        return []
    dues = connection.scalars(
        select(ItemRow.due).where(ItemRow.guid.in_(guids), ItemRow.kind == CARD)
    )
    return [due for due in dues if due is None or due > now]


def curing(connection: Connection, drill_guid: str, found: RecognisedMistake) -> tuple[str, ...]:
    """Guids of the cards that cure the mistakes, whether they are back or not."""
    return tuple(
        guid for mistake in found.mistakes for guid in _cures(connection, drill_guid, mistake)
    )


def take_back(profile: Profile, attempt_uuid: str) -> int:
    """Let the cards go that an attempt brought back; how many were still waiting."""
    with profile.database.write() as connection:
        waiting = waiting_cards(connection, attempt_uuid=attempt_uuid)
        connection.execute(
            update(BroughtBackRow)
            .where(
                BroughtBackRow.attempt_uuid == attempt_uuid,
                BroughtBackRow.taken_back_at.is_(None),
                BroughtBackRow.item_guid.in_([each.guid for each in waiting]),
            )
            .values(taken_back_at=profile.clock.now())
        )
    return len(waiting)


def bring_again(profile: Profile, attempt_uuid: str) -> None:
    """Undo `take_back`."""
    with profile.database.write() as connection:
        connection.execute(
            update(BroughtBackRow)
            .where(BroughtBackRow.attempt_uuid == attempt_uuid)
            .values(taken_back_at=None)
        )


def let_go(profile: Profile, guid: str) -> tuple[str, ...]:
    """Let one card go that mistakes brought back; what `hold_again` needs to undo it."""
    with profile.database.write() as connection:
        rows = connection.execute(_HELD_BY, {"guid": guid})
        uuids = tuple(str(row[0]) for row in rows)
        connection.execute(
            update(BroughtBackRow)
            .where(BroughtBackRow.uuid.in_(uuids))
            .values(taken_back_at=profile.clock.now())
        )
    return uuids


def hold_again(profile: Profile, uuids: Sequence[str]) -> None:
    """Undo `let_go`."""
    with profile.database.write() as connection:
        connection.execute(
            update(BroughtBackRow).where(BroughtBackRow.uuid.in_(uuids)).values(taken_back_at=None)
        )


def last_batch(connection: Connection, drill_guid: str) -> tuple[datetime, str, str] | None:
    """The latest attempt of a drill whose cards are still back: instant, UUID of its last card's
    row, UUID of the attempt.
    """
    row = connection.execute(
        text(
            "SELECT brought_back.at, brought_back.uuid, brought_back.attempt_uuid"  # noqa: S608
            " FROM brought_back JOIN item ON item.guid = brought_back.item_guid"
            " JOIN attempt ON attempt.uuid = brought_back.attempt_uuid"
            f" WHERE attempt.item_guid = :guid AND {STILL_BACK}"
            " ORDER BY brought_back.id DESC LIMIT 1"
        ).columns(at=UtcDateTime()),
        {"guid": drill_guid},
    ).one_or_none()
    return None if row is None else (row[0], row[1], row[2])


def _cures(connection: Connection, drill_guid: str, mistake: SeenMistake) -> Iterator[str]:
    """The first of each group of siblings: one of them says what the others ask."""
    rows: list[tuple[str, str | None]] = [
        (guid, group)
        for guid, group, extra in connection.execute(_FOR_MISTAKES)
        if mistake.id in extra["misconceptions"]
    ]
    most = len(rows)
    if not rows and mistake.in_values:
        concept = concept_of(connection, drill_guid, mistake.concept)
        if concept is not None:
            found = connection.execute(_OF_CONCEPT, {"concept": concept[0]})
            rows = [(guid, group) for guid, group in found]
            most = OF_THE_CONCEPT
    groups: set[str] = set()
    for guid, group in rows:
        if most and group not in groups:
            most -= 1
            yield guid
        if group is not None:
            groups.add(group)


def _comes_back(connection: Connection, profile: Profile, guid: str, moment: Moment) -> bool:
    """Whether it is not back already, and was not today."""
    return connection.execute(
        select(BroughtBackRow.id)
        .where(
            BroughtBackRow.item_guid == guid,
            BroughtBackRow.learner_day == profile.day_of(moment),
        )
        .limit(1)
    ).first() is None and not waiting_cards(connection, guids=(guid,))


def _card_back(row: Sequence[Any]) -> CardBack:
    from studyattn.study.review.queue import first_line

    guid, front, slug, misconception, reason, at = row
    return CardBack(
        guid=guid,
        title=first_line(front),
        concept_slug=slug,
        misconception=misconception,
        reason=reason,
        at=at,
    )
