"""Attempts at drills, however they are made: record them, list them, undo what they changed.

An attempt itself is never taken back; `study.rules.practice_series` says what is.
"""

from __future__ import annotations

from studyattn.errors import NotFoundError
from studyattn.grading.verdict import Report
from studyattn.memory import LoggedReview, effective_reviews
from studyattn.memory.state import drill_id
from studyattn.store.database import Connection
from studyattn.store.queries.practice import last_batch
from studyattn.study.concepts.suggestions import suggestion_for
from studyattn.study.practice import drill_log, mine, mistakes
from studyattn.study.practice.drill_views import (
    CardBack,
    CodeVersion,
    RecordedAttempt,
    VersionKind,
)
from studyattn.study.profile import Profile
from studyattn.study.records import log_of
from studyattn.study.review import recorder
from studyattn.study.rules.mistakes import recognised
from studyattn.study.rules.practice_series import (
    EntryKind,
    change_to_undo,
    present_series,
    worked_since,
)


def record_attempt(
    profile: Profile, guid: str, code: str, report: Report, seconds: float | None = None
) -> tuple[RecordedAttempt, str | None]:
    """Record an attempt and let its mistake bring cards back, in one transaction.

    Return the outcome and the attempt's UUID, None if it is the last version graded once more.
    `seconds` of work on it default to the time since the row before.
    """
    with profile.database.write() as connection:
        series = drill_log.read_series(connection, guid)
        last = next((each for each in reversed(series) if each.kind is EntryKind.ATTEMPT), None)
        attempt = named_by = None
        graded = drill_log.storable(code), report.verdict.value
        if last is None or (last.code, last.verdict) != graded:
            if seconds is None:
                seconds = worked_since(series, profile.clock.now())
            attempt = named_by = drill_log.add_attempt(
                connection, profile, guid, code, report, seconds=seconds
            )
        elif report.repair:  # a mistake that mending the code found after it was recorded
            named_by = last.uuid
        recorded = _what_came_of_it(connection, profile, guid, report, named_by)
    if attempt is not None and report.passed:
        mine.refresh(profile, report.backend)
    return recorded, attempt


def history(profile: Profile, guid: str) -> tuple[CodeVersion, ...]:
    """Return every version of a drill's code that was graded or kept, the oldest first."""
    with profile.database.read() as connection:
        entries = drill_log.read_practice(connection, guid)
        ratings = effective_reviews(log_of(connection, guid))
    present = {each.uuid for each in present_series(entries, ratings)}
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
    """Return one version of a drill's code. Raises NotFoundError."""
    found = next((each for each in history(profile, guid) if each.number == number), None)
    if found is None:
        name = drill_id(guid)
        raise NotFoundError(
            f"{name} has no version {number}",
            advice=f"`studyattn drill history {name}` lists them.",
        )
    return found


def undo_practice(profile: Profile, guid: str) -> str | None:
    """Take back the last change that practising a drill made to the schedule.

    Return what it was: the name of a rating, or that cards were brought back; None for nothing.
    """
    with profile.database.read() as connection:
        effective = effective_reviews(log_of(connection, guid))
        change = change_to_undo(effective, last_batch(connection, guid))
    if change is None:
        return None
    if isinstance(change, LoggedReview):
        recorder.withdraw(profile, change.uuid)
        return "" if change.rating is None else change.rating.name.lower()
    mistakes.take_back(profile, change.attempt_uuid)
    return "cards brought back"


def _what_came_of_it(
    connection: Connection, profile: Profile, guid: str, report: Report, attempt: str | None
) -> RecordedAttempt:
    """Bring the cards back if the attempt is new, and collect everything to show the learner."""
    entries = drill_log.read_practice(connection, guid)
    number = sum(each.kind in {EntryKind.ATTEMPT, EntryKind.KEPT} for each in entries)
    found = () if report.passed else recognised(report.to_json())
    if not found:
        return RecordedAttempt(number, report.verdict.value)
    brought_back: tuple[CardBack, ...] = ()
    if attempt is not None:
        mistakes.bring_back(connection, profile, guid, attempt, found)
        brought_back = mistakes.waiting_cards(connection, attempt_uuid=attempt)
    concepts = mistakes.concepts_of(connection, guid, found)
    proposed = (suggestion_for(connection, profile, each.slug) for each in concepts)
    cures = set().union(*(mistakes.curing_cards(connection, guid, each) for each in found))
    return RecordedAttempt(
        version=number,
        verdict=report.verdict.value,
        misconceptions=tuple(each.id for each in found),
        concepts=concepts,
        brought_back=brought_back,
        waiting=mistakes.waiting_cards(connection, guids=cures),
        suggestions=tuple(each for each in proposed if each is not None),
        lessons=mistakes.lessons_offered(connection, guid, found),
    )
