"""Attempts at drills, from wherever they are made: kept, read again, and taken out of the schedule.

An attempt itself is never taken back. What can be is what it changed: the cards that its mistake
brought back, and the rating that ended its series.
"""

from __future__ import annotations

from sqlalchemy import Connection

from studyattn.errors import NotFoundError
from studyattn.grading.verdict import Report
from studyattn.memory import effective_reviews
from studyattn.study.concepts.suggestions import suggestion_for
from studyattn.study.practice import drill_log, mistakes
from studyattn.study.practice.drill_file import storable
from studyattn.study.practice.drill_log import EntryKind
from studyattn.study.practice.drill_views import CodeVersion, Recorded, VersionKind
from studyattn.study.profile import Profile
from studyattn.study.records import log_of
from studyattn.study.review import recorder
from studyattn.study.review.card_loader import drill_id


def record_attempt(
    profile: Profile, guid: str, code: str, report: Report, seconds: float | None = None
) -> tuple[Recorded, str | None]:
    """Keep an attempt made anywhere, and let its mistake bring cards back, in one transaction.

    With it the attempt's UUID; None when it is the version before, graded once more. `seconds` are
    those of work on it; who does not know says nothing, and it is all since the row before.
    """
    with profile.database.write() as connection:
        series = drill_log.read_series(connection, guid)
        last = next((each for each in reversed(series) if each.kind is EntryKind.ATTEMPT), None)
        attempt: str | None = None
        if last is None or (last.code, last.verdict) != (storable(code), report.verdict.value):
            if seconds is None:
                seconds = drill_log.worked_since(series, profile.clock.now())
            attempt = drill_log.add_attempt(
                connection, profile, guid, code, report, seconds=seconds
            )
        recorded = _what_came_of_it(connection, profile, guid, report, attempt)
    return recorded, attempt


def history(profile: Profile, guid: str) -> tuple[CodeVersion, ...]:
    """Every version of a drill's code that was graded or kept, the oldest first."""
    with profile.database.read() as connection:
        entries = drill_log.read_practice(connection, guid)
        present = {each.uuid for each in drill_log.present_series(connection, guid, entries)}
    versions: list[CodeVersion] = []
    seconds = 0.0
    for entry in entries:
        seconds += entry.seconds
        if entry.kind not in {EntryKind.ATTEMPT, EntryKind.KEPT}:
            continue
        versions.append(
            CodeVersion(
                number=len(versions) + 1,
                kind=VersionKind(entry.kind.value),
                uuid=entry.uuid,
                at=entry.at,
                verdict=entry.verdict,
                code=entry.code,
                hints=entry.hints,
                revealed=entry.revealed,
                seconds=seconds,
                current=entry.uuid in present,
                report=entry.report,
            )
        )
        seconds = 0.0
    return tuple(versions)


def version(profile: Profile, guid: str, number: int) -> CodeVersion:
    """One version of a drill's code. Raises NotFoundError."""
    found = next((each for each in history(profile, guid) if each.number == number), None)
    if found is None:
        name = drill_id(guid)
        raise NotFoundError(
            f"{name} has no version {number}",
            advice=f"`studyattn drill history {name}` lists them.",
        )
    return found


def undo_practice(profile: Profile, guid: str) -> str | None:
    """Take back the last of what practising a drill changed in the schedule; None for nothing.

    That is its rating, or the cards that an attempt brought back, whichever came later.
    """
    with profile.database.read() as connection:
        ratings = [
            each
            for each in effective_reviews(log_of(connection, guid))
            if each.origin == "learner" and each.rating is not None
        ]
        batch = mistakes.last_batch(connection, guid)
    if ratings and (batch is None or batch[:2] < (ratings[-1].at, ratings[-1].uuid)):
        recorder.withdraw(profile, ratings[-1].uuid)
        rating = ratings[-1].rating
        return "" if rating is None else rating.name.lower()
    if batch is not None:
        mistakes.take_back(profile, batch[2])
        return "cards brought back"
    return None


def _what_came_of_it(
    connection: Connection, profile: Profile, guid: str, report: Report, attempt: str | None
) -> Recorded:
    """Bring the cards back, if the attempt is new, and say all that the learner wants to know."""
    entries = drill_log.read_practice(connection, guid)
    number = sum(each.kind in {EntryKind.ATTEMPT, EntryKind.KEPT} for each in entries)
    found = None if report.passed else mistakes.recognised(report.to_json())
    if found is None:
        return Recorded(number, report.verdict.value)
    if attempt is not None:
        mistakes.bring_back(connection, profile, guid, attempt, found)
    concepts = mistakes.concepts_of(connection, guid, found)
    proposed = (suggestion_for(connection, profile, each.slug) for each in concepts)
    cures = mistakes.curing(connection, guid, found)
    return Recorded(
        version=number,
        verdict=report.verdict.value,
        misconceptions=found.ids,
        concepts=concepts,
        brought_back=()
        if attempt is None
        else mistakes.waiting_cards(connection, attempt_uuid=attempt),
        waiting=mistakes.waiting_cards(connection, guids=cures),
        suggestions=tuple(each for each in proposed if each is not None),
    )
