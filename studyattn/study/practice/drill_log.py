"""The log of practice: attempts, hints, solutions looked at. Rows are only added.

`study.rules.practice_series` says which of them belong to the present series of a drill.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from studyattn.memory import effective_reviews
from studyattn.store.database import Connection
from studyattn.store.queries import practice as queries
from studyattn.study.profile import Profile
from studyattn.study.records import log_of
from studyattn.study.rules.practice_series import (
    EntryKind,
    PracticeEntry,
    has,
    hints_seen,
    present_series,
)
from studyattn.study.uuids import new_uuid

if TYPE_CHECKING:
    from studyattn.grading.verdict import Report


def storable(text: str) -> str:
    """Return the text as the database can keep it, without bytes that are not UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def add_attempt(
    connection: Connection,
    profile: Profile,
    guid: str,
    code: str,
    report: Report,
    *,
    seconds: float,
) -> str:
    """Record an attempt with the hints of its series and return its UUID.

    It counts as made with the solution if that was looked at in this series or on this learner
    day.
    """
    series = read_series(connection, guid)
    head = _head(profile, guid, seconds)
    revealed = has(series, EntryKind.REVEALED) or queries.was_revealed_on(
        connection, guid, head.learner_day
    )
    queries.insert_attempt(
        connection,
        head,
        code=storable(code),
        backend=report.backend,
        device=report.device,
        verdict=report.verdict.value,
        report=report.to_json(),
        hints=hints_seen(series),
        revealed=revealed,
    )
    return head.uuid


def add_step(
    connection: Connection,
    profile: Profile,
    guid: str,
    kind: EntryKind,
    *,
    number: int,
    code: str | None,
    seconds: float,
) -> None:
    """Record something that was done besides handing in an attempt."""
    queries.insert_step(
        connection,
        _head(profile, guid, seconds),
        kind=kind.value,
        number=number,
        code=None if code is None else storable(code),
    )


def _head(profile: Profile, guid: str, seconds: float) -> queries.PracticeHead:
    moment = profile.moment()
    return queries.PracticeHead(
        uuid=new_uuid(profile.clock.now()),
        item_guid=guid,
        at=moment.at,
        utc_offset=moment.utc_offset,
        learner_day=profile.day_of(moment),
        seconds=max(0.0, seconds),
    )


def read_practice(connection: Connection, guid: str) -> list[PracticeEntry]:
    """Return all entries of a drill, oldest first."""
    attempts = (
        PracticeEntry(kind=EntryKind.ATTEMPT, **each._asdict())
        for each in queries.attempts_at(connection, guid)
    )
    steps = (
        PracticeEntry(**each._asdict() | {"kind": EntryKind(each.kind), "code": each.code or ""})
        for each in queries.steps_with(connection, guid)
    )
    return sorted((*attempts, *steps), key=lambda entry: entry.order)


def read_series(connection: Connection, guid: str) -> list[PracticeEntry]:
    """Return the entries since the drill was last rated, oldest first."""
    ratings = effective_reviews(log_of(connection, guid))
    return present_series(read_practice(connection, guid), ratings)
