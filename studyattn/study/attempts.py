"""Attempts at drills, from wherever they are made: kept, read again, and taken out of the schedule.

An attempt itself is never taken back. What can be is what it changed: the cards that its mistake
brought back, and the rating that ended its series.
"""

from __future__ import annotations

from sqlalchemy import Connection

from studyattn.errors import NotFoundError
from studyattn.grading.verdict import Report
from studyattn.memory import standing
from studyattn.study import journal, mistakes, practice
from studyattn.study.drillfile import storable
from studyattn.study.drillviews import Recorded, Version, VersionKind
from studyattn.study.face import drill_id
from studyattn.study.learner import Learner
from studyattn.study.practice import Kind
from studyattn.study.records import log_of
from studyattn.study.suggestions import suggestion_for


def record_attempt(
    learner: Learner, guid: str, code: str, report: Report, seconds: float | None = None
) -> tuple[Recorded, str | None]:
    """Keep an attempt made anywhere, and let its mistake bring cards back, in one transaction.

    With it the attempt's UUID; None when it is the version before, graded once more. `seconds` are
    those of work on it; who does not know says nothing, and it is all since the row before.
    """
    with learner.database.write() as connection:
        series = practice.read_series(connection, guid)
        last = next((each for each in reversed(series) if each.kind is Kind.ATTEMPT), None)
        attempt: str | None = None
        if last is None or (last.code, last.verdict) != (storable(code), report.verdict.value):
            if seconds is None:
                seconds = practice.worked_since(series, learner.clock.now())
            attempt = practice.add_attempt(connection, learner, guid, code, report, seconds=seconds)
        recorded = _what_came_of_it(connection, learner, guid, report, attempt)
    return recorded, attempt


def history(learner: Learner, guid: str) -> tuple[Version, ...]:
    """Every version of a drill's code that was graded or kept, the oldest first."""
    with learner.database.read() as connection:
        entries = practice.read_practice(connection, guid)
        present = {each.uuid for each in practice.present_series(connection, guid, entries)}
    versions: list[Version] = []
    seconds = 0.0
    for entry in entries:
        seconds += entry.seconds
        if entry.kind not in {Kind.ATTEMPT, Kind.KEPT}:
            continue
        versions.append(
            Version(
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


def version(learner: Learner, guid: str, number: int) -> Version:
    """One version of a drill's code. Raises NotFoundError."""
    found = next((each for each in history(learner, guid) if each.number == number), None)
    if found is None:
        name = drill_id(guid)
        raise NotFoundError(
            f"{name} has no version {number}",
            advice=f"`studyattn drill history {name}` lists them.",
        )
    return found


def undo_practice(learner: Learner, guid: str) -> str | None:
    """Take back the last of what practising a drill changed in the schedule; None for nothing.

    That is its rating, or the cards that an attempt brought back, whichever came later.
    """
    with learner.database.read() as connection:
        ratings = [
            each
            for each in standing(log_of(connection, guid))
            if each.origin == "learner" and each.rating is not None
        ]
        batch = mistakes.last_batch(connection, guid)
    if ratings and (batch is None or batch[:2] < (ratings[-1].at, ratings[-1].uuid)):
        journal.withdraw(learner, ratings[-1].uuid)
        rating = ratings[-1].rating
        return "" if rating is None else rating.name.lower()
    if batch is not None:
        mistakes.take_back(learner, batch[2])
        return "cards brought back"
    return None


def _what_came_of_it(
    connection: Connection, learner: Learner, guid: str, report: Report, attempt: str | None
) -> Recorded:
    """Bring the cards back, if the attempt is new, and say all that the learner wants to know."""
    entries = practice.read_practice(connection, guid)
    number = sum(each.kind in {Kind.ATTEMPT, Kind.KEPT} for each in entries)
    found = None if report.passed else mistakes.recognised(report.to_json())
    if found is None:
        return Recorded(number, report.verdict.value)
    if attempt is not None:
        mistakes.bring_back(connection, learner, guid, attempt, found)
    concepts = mistakes.concepts_of(connection, guid, found)
    proposed = (suggestion_for(connection, learner, each.slug) for each in concepts)
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
