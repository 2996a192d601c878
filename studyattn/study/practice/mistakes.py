"""Mistakes in code as the learner meets them: which were seen, and the cards they bring back.

Seen mistakes are read from the attempts themselves. Cards come back of concepts that were begun;
of another concept the lesson is offered, with what comes before it. A card that is brought back is
due until it is answered; its memory stays the fold of its reviews, so nothing here can falsify it.
A card comes back at most once a learner day, and not again on a day on which the learner took that
back. Which cards a mistake brings back is decided in `study.rules.mistakes`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from studyattn.memory.state import EXPLANATION_MARK, Phase, drill_id
from studyattn.store.database import Connection
from studyattn.store.queries import practice as queries
from studyattn.store.queries.concepts import concept_of_pack
from studyattn.store.queries.lessons import begun_concepts, taught_concepts
from studyattn.study.practice.drill_views import CardBack, MistakenConcept, OfferedLesson
from studyattn.study.profile import Profile
from studyattn.study.review.queue import details
from studyattn.study.rules.mistakes import (
    RecognisedMistake,
    cards_instead,
    cards_written_for,
)
from studyattn.study.uuids import new_uuid
from studyattn.text.characters import first_line


def concepts_of(
    connection: Connection, drill_guid: str, mistakes: Iterable[RecognisedMistake]
) -> tuple[MistakenConcept, ...]:
    """Return the concepts that the mistakes belong to, each once, without those that are gone."""
    pack = drill_guid.partition(":")[0]
    found = (concept_of_pack(connection, pack, each.concept) for each in mistakes)
    return tuple(
        dict.fromkeys(MistakenConcept(each.slug, each.title) for each in found if each is not None)
    )


def lessons_offered(
    connection: Connection, drill_guid: str, mistakes: Iterable[RecognisedMistake]
) -> tuple[OfferedLesson, ...]:
    """Return the lessons of those concepts of the mistakes that were never begun, each once."""
    begun = begun_concepts(connection, but=EXPLANATION_MARK)
    pack = drill_guid.partition(":")[0]
    # The second way in which a concept may be stored: the first was taken.
    slugs = {name for each in mistakes for name in (each.concept, f"{pack}-{each.concept}")}
    from studyattn.study.lessons import titles_before  # late: most concepts have been begun

    taught = taught_concepts(connection)
    path = [each for each in taught if each.pack == pack]
    return tuple(
        OfferedLesson(
            slug=each.slug,
            title=each.title,
            number=path.index(each) + 1,
            of=len(path),
            before=titles_before(connection, each.id, taught, begun),
        )
        for each in path
        if each.slug in slugs and each.id not in begun
    )


def curing_cards(connection: Connection, drill_guid: str, mistake: RecognisedMistake) -> list[str]:
    """Return the guids of the cards that a mistake brings back, whether they are back or not.

    A card of a concept that was never begun is not among them: the path comes to it.
    """
    begun = begun_concepts(connection, but=EXPLANATION_MARK)
    cards = cards_written_for(mistake, queries.cards_for_mistakes(connection, begun))
    if cards or not mistake.in_values:
        return cards
    concept = concept_of_pack(connection, drill_guid.partition(":")[0], mistake.concept)
    if concept is None or concept.id not in begun:
        return []
    return cards_instead(queries.weakest_cards(connection, concept.id))


def bring_back(
    connection: Connection,
    profile: Profile,
    drill_guid: str,
    attempt_uuid: str,
    mistakes: Iterable[RecognisedMistake],
) -> None:
    """Make the cards due that cure the mistakes, within the caller's transaction."""
    for mistake in mistakes:
        reason = f"Re-queued by your drill {drill_id(drill_guid)}: {mistake.title}"
        cards = curing_cards(connection, drill_guid, mistake)
        _hold(connection, profile, cards, attempt_uuid, (mistake.id, reason))


class MendingCard(NamedTuple):
    """A card that mends a wrong prediction."""

    title: str  # its first line
    is_new: bool  # its lesson comes to it; else it is back


def bring_back_for_prediction(
    profile: Profile, lesson: str, mended_by: str, why: str
) -> list[MendingCard]:
    """Make the cards due that mend a wrong prediction in a lesson, and return them.

    `lesson` is PACK:SLUG. A card that was never asked stays where it is, and is among them where it
    is one of the lesson's own.
    """
    pack, _, slug = lesson.partition(":")
    with profile.database.write() as connection:
        begun = begun_concepts(connection, but=EXPLANATION_MARK)
        mistake = RecognisedMistake(mended_by, why, slug, in_values=False)
        named = cards_written_for(mistake, queries.cards_for_mistakes(connection, begun))
        own = [guid for guid in named if guid.startswith(f"{pack}:")] or [f"{pack}:{mended_by}"]
        cards = details(connection, own)
        asked = [each.guid for each in cards if each.phase is not Phase.NEW]
        reason = f"Re-queued by your prediction in {slug}: {why}"
        uuid = new_uuid(profile.clock.now())
        held = _hold(connection, profile, asked, uuid, (mended_by, reason))
    return [
        MendingCard(each.title, each.phase is Phase.NEW)
        for each in cards
        if each.guid in held or (each.phase is Phase.NEW and each.concept_slug == slug)
    ]


def _hold(
    connection: Connection,
    profile: Profile,
    guids: Iterable[str],
    attempt_uuid: str,
    because: tuple[str, str],
) -> list[str]:
    """Make cards due, each at most once a day; return those that were not.

    `because` is the misconception and the sentence that tells of it.
    """
    misconception, reason = because
    moment = profile.moment()
    day = profile.day_of(moment)
    held = []
    for guid in guids:
        if queries.came_back_on(connection, guid, day) or queries.rows_that_hold(connection, guid):
            continue
        queries.insert_brought_back(
            connection,
            uuid=new_uuid(profile.clock.now()),
            item_guid=guid,
            attempt_uuid=attempt_uuid,
            misconception=misconception,
            reason=reason,
            at=moment.at,
            learner_day=day,
        )
        held.append(guid)
    return held


def waiting_cards(
    connection: Connection,
    *,
    attempt_uuid: str | None = None,
    guids: Collection[str] | None = None,
) -> tuple[CardBack, ...]:
    """Return the cards that are back and not answered yet; only of an attempt, or only these."""
    return tuple(
        CardBack(
            guid=each.guid,
            title=first_line(each.front),
            concept_slug=each.concept_slug,
            misconception=each.misconception,
            reason=each.reason,
            at=each.at,
        )
        for each in queries.waiting_cards(connection, attempt_uuid=attempt_uuid)
        if guids is None or each.guid in guids
    )


def take_back(profile: Profile, attempt_uuid: str) -> int:
    """Let the cards go that an attempt brought back; return how many were still waiting."""
    with profile.database.write() as connection:
        return queries.let_batch_go(connection, attempt_uuid, profile.clock.now())


def bring_again(profile: Profile, attempt_uuid: str) -> None:
    """Undo `take_back`."""
    with profile.database.write() as connection:
        queries.hold_batch_again(connection, attempt_uuid, profile.clock.now())


def let_go(profile: Profile, guid: str) -> tuple[str, ...]:
    """Let one card go that mistakes brought back; return what `hold_again` needs to undo it."""
    with profile.database.write() as connection:
        uuids = queries.rows_that_hold(connection, guid)
        queries.let_go(connection, uuids, profile.clock.now())
    return uuids


def hold_again(profile: Profile, uuids: Sequence[str]) -> None:
    """Undo `let_go`."""
    with profile.database.write() as connection:
        queries.hold_again(connection, uuids, profile.clock.now())
