"""Answers without a session: one from the command line, or a whole history from a file.

A file of answers is read and checked to its end before anything is written, and then written in one
transaction: either all of it counts or none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from studyattn.errors import DocumentError, InputError
from studyattn.grouping import grouped
from studyattn.memory import LoggedReview, MemoryState, Rating, Remembered, effective_reviews, fold
from studyattn.store.database import Connection
from studyattn.store.queries.items import item_guids
from studyattn.study.clock import Moment, parse_moment
from studyattn.study.profile import Profile
from studyattn.study.records import logs_of, memories, starts_of, store_memory
from studyattn.study.review import recorder
from studyattn.study.review.recorder import (
    RecordedReview,
    ReviewRecorder,
    new_review,
)


class AnsweredMany(NamedTuple):
    """The result of a file of answers."""

    answered: int
    items: int
    already: int  # lines whose review was in the log before
    replayed: int  # items that had a later review, and whose history was worked out anew


class _Outcome(NamedTuple):
    """The changes that a file of answers makes."""

    reviews: list[LoggedReview]  # by time
    states: dict[str, MemoryState]  # by guid
    result: AnsweredMany


def answer(
    profile: Profile, guid: str, rating: Rating, at: Moment | None = None, seconds: float = 0.0
) -> RecordedReview:
    """Record one review of one item, now or at another moment.

    A moment before the item's last review takes its place in the history, which is worked out anew;
    one in the future is taken as the learner's word. Raises NotFoundError for an unknown item.
    """
    with ReviewRecorder(profile) as log:
        return log.take(guid, rating, at or profile.moment(), seconds)


def answer_many(
    profile: Profile, path: Path, *, origin: str = "learner", dry_run: bool = False
) -> AnsweredMany:
    """Record every line of a file `{"guid", "rating", "at"}`, in the order of their times.

    Lines that are in the log already are passed over, so that the same file may come twice. Raises
    DocumentError with `file:line` for the first line that cannot be taken; then nothing is written.
    """
    answers = list(_read(profile, path, origin))
    if dry_run:
        with profile.database.read() as connection:
            return _work_out(connection, profile, answers).result
    with profile.database.write() as connection:
        outcome = _work_out(connection, profile, answers)
        recorder.append(connection, outcome.reviews)
        store_memory(connection, outcome.states)
    return outcome.result


def _work_out(
    connection: Connection, profile: Profile, answers: Iterable[LoggedReview]
) -> _Outcome:
    in_order = sorted(answers, key=lambda each: each.at)
    by_item = grouped((each.item_guid, each) for each in in_order)
    before = memories(connection)
    starts = starts_of(connection, list(by_item))
    reviewed = [guid for guid in by_item if isinstance(before[guid], Remembered) or guid in starts]
    logs = logs_of(connection, reviewed)
    added: list[LoggedReview] = []
    states: dict[str, MemoryState] = {}
    already = replayed = 0
    for guid, own in by_item.items():
        fresh = _unknown(own, logs.get(guid, ()))
        already += len(own) - len(fresh)
        if not fresh:
            continue
        history, start = before[guid], starts.get(guid)
        late = isinstance(history, Remembered) and fresh[0].at < history.last_review
        if late or start is not None:
            states[guid] = fold(guid, [*logs[guid], *fresh], profile.scheduler, start)
        else:
            states[guid] = profile.scheduler.replay(guid, history, fresh)
        replayed += late
        added += fresh
    added.sort(key=lambda review: review.at)  # so that `undo` takes back the latest first
    return _Outcome(added, states, AnsweredMany(len(added), len(states), already, replayed))


def _unknown(reviews: Iterable[LoggedReview], log: Iterable[LoggedReview]) -> list[LoggedReview]:
    """Return the reviews that a log does not have; one that it has twice is known twice."""
    known = Counter((each.at, each.rating) for each in effective_reviews(log))
    unknown = []
    for review in reviews:
        if known[review.at, review.rating]:
            known[review.at, review.rating] -= 1
        else:
            unknown.append(review)
    return unknown


_LONGEST_LINE = 64 * 1024  # bytes; a review takes some hundred


def _read(profile: Profile, path: Path, origin: str) -> Iterator[LoggedReview]:
    with profile.database.read() as connection:
        guids = item_guids(connection)
    try:
        with path.open("rb") as file:
            lines = iter(lambda: file.readline(_LONGEST_LINE + 1), b"")
            for number, raw in enumerate(lines, start=1):
                if len(raw) > _LONGEST_LINE:
                    raise DocumentError("the line is too long", where=f"{path}:{number}")
                if raw.strip():
                    yield _review(profile, raw, guids, origin, f"{path}:{number}")
    except OSError as error:
        raise InputError(f"it cannot be read ({error.strerror})", where=str(path)) from error


def _review(
    profile: Profile, raw: bytes, guids: Collection[str], origin: str, where: str
) -> LoggedReview:
    """Read one line of a file of answers. Raises DocumentError."""
    try:
        line = msgspec.json.decode(raw, type=_Line)
        moment = profile.moment() if line.at is None else parse_moment(line.at, profile.clock)
        rating = Rating.parse(str(line.rating))
        if line.guid not in guids:
            raise recorder.no_such_item(line.guid)
    except InputError as error:
        raise DocumentError(error.message, where=where, advice=error.advice) from error
    except (msgspec.DecodeError, RecursionError) as error:
        told = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        advice = 'Write one {"guid": …, "rating": …, "at": …, "seconds": …} per line.'
        raise DocumentError(f"it is no review: {told}", where=where, advice=advice) from error
    seconds = line.seconds
    return new_review(profile, line.guid, moment, rating=rating, seconds=seconds, origin=origin)


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A review in a file of answers; without a time it is of now."""

    guid: str
    rating: str | int
    at: str | None = None
    seconds: Annotated[float, msgspec.Meta(ge=0, lt=1e6)] = 0.0
