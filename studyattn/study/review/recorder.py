"""The review log as it is written: one answer in one transaction, undo and redo by appending.

An answer is the one thing that a learner waits for hundreds of times a day, so its four statements
go to the driver as they are; everything rarer goes through SQLAlchemy. Nothing here ever changes a
row of the log.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import Connection, insert, select, text

from studyattn.errors import NotFoundError
from studyattn.memory import (
    LoggedReview,
    MemoryState,
    New,
    Phase,
    Rating,
    Remembered,
    effective_reviews,
    fold,
)
from studyattn.store.engine import raise_store_error
from studyattn.store.models import ConceptRow, ItemRow, ReviewRow
from studyattn.store.queries.review_log import in_effect
from studyattn.study.clock import Moment
from studyattn.study.records import (
    MEMORY_COLUMNS,
    log_of,
    logged,
    memory_of,
    review_values,
    select_reviews,
)
from studyattn.study.review.rebuild import store_memory
from studyattn.study.review.views import LeechOffer
from studyattn.study.uuids import new_uuid

if TYPE_CHECKING:
    from studyattn.study.profile import Profile

ITEM = (
    "SELECT phase, step, stability, difficulty, due, last_review, last_day, reps, lapses"
    " FROM item WHERE guid = ?"
)
LOGGED = "SELECT uuid FROM review WHERE uuid = ?"
APPEND = (
    "INSERT INTO review"
    " (uuid, item_guid, rating, at, utc_offset, learner_day, seconds, origin)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
REMEMBER = (
    "UPDATE item SET phase = ?, step = ?, stability = ?, difficulty = ?, due = ?,"
    " last_review = ?, last_day = ?, reps = ?, lapses = ? WHERE guid = ?"
)


@dataclass(frozen=True, slots=True)
class RecordedReview:
    """One review that is safely in the log."""

    review: LoggedReview
    before: MemoryState
    after: MemoryState
    leech: bool = False  # this very review makes the item a leech
    replayed: bool = False  # dated before the item's last review: its history was worked out anew


@dataclass(frozen=True, slots=True)
class WithdrawnReview:
    """A review that was taken back; its row and the row that takes it back both stay in the log."""

    review: LoggedReview
    before: MemoryState
    after: MemoryState


class ReviewRecorder:
    """Takes answers over one driver connection of its own. Close it, or use it in a `with`."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._unsure: LoggedReview | None = None  # whether it is in the log only the log can tell
        self.driver = profile.database.hold()

    def close(self) -> None:
        """Give the connection back."""
        self.driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def take(
        self,
        guid: str,
        rating: Rating,
        moment: Moment,
        seconds: float = 0.0,
        origin: str = "learner",
    ) -> RecordedReview:
        """Append one review and remember its outcome; on return it survives a power cut.

        Raises NotFoundError for an unknown item and StoreError when it cannot be written.
        """
        review = LoggedReview(
            uuid=new_uuid(self._profile.clock.now()),
            item_guid=guid,
            rating=rating,
            withdraws=None,
            at=moment.at,
            utc_offset=moment.utc_offset,
            learner_day=self._profile.day_of(moment),
            seconds=seconds,
            origin=origin,
        )
        if self._unsure is not None and self._unsure.item_guid == guid:
            review = replace(review, uuid=self._unsure.uuid)
        try:
            answered = self._take_for_sure(review, rating)
        except self.driver.failures as error:
            raise_store_error(error, self._profile.home)
        self._unsure = None
        if answered is None:
            return _take_in_the_past(self._profile, review)
        return answered

    def _take_for_sure(self, review: LoggedReview, rating: Rating) -> RecordedReview | None:
        """`_take`, and once more when a server went away and is back: an answer counts once."""
        try:
            return self._take(review, rating)
        except self.driver.failures:
            if not self.driver.lost:
                raise
        self._unsure = review
        return self._take(review, rating)

    def _take(self, review: LoggedReview, rating: Rating) -> RecordedReview | None:
        """None when the item was reviewed later than this: that needs its whole log."""
        driver, scheduler = self.driver, self._profile.scheduler
        driver.begin_writing()
        try:
            if self._unsure is not None and driver.one(LOGGED, (review.uuid,)):
                driver.give_up()
                return _taken_before(self._profile, review)
            before = self._memory(review.item_guid)
            if isinstance(before, Remembered) and review.at < before.last_review:
                driver.give_up()
                return None
            after = scheduler.answer(review.item_guid, before, rating, review.at, review.utc_offset)
            driver.do(APPEND, _appended(review))
            driver.do(REMEMBER, _remembered(after, review.item_guid))
            driver.commit()
        except BaseException:
            driver.give_up()
            raise
        return RecordedReview(review, before, after, leech=scheduler.became_leech(before, after))

    def _memory(self, guid: str) -> MemoryState:
        memory = memory_of_driver(self.driver.one(ITEM, (guid,)))
        if memory is None:
            raise no_such_item(guid)
        return memory


def undo(profile: Profile) -> WithdrawnReview | None:
    """Take back the learner's last review that stands; None when there is none. Without end.

    Imported and merged reviews are history, not something the learner just did: they are passed
    over.
    """
    with profile.database.write() as connection:
        last = _last_standing(connection)
        return None if last is None else _withdraw(connection, profile, last)


def withdraw(profile: Profile, uuid: str) -> WithdrawnReview | None:
    """Take back the review `uuid`; None when it does not stand any more."""
    with profile.database.write() as connection:
        review = _row(connection, uuid)
        if not _stands(connection, review):
            return None
        return _withdraw(connection, profile, review)


def restore(profile: Profile, uuid: str) -> WithdrawnReview | None:
    """Bring back the review `uuid` that was taken back; None when it stands already."""
    with profile.database.write() as connection:
        review = _row(connection, uuid)
        if _stands(connection, review):
            return None
        withdrawal = connection.execute(
            select_reviews()
            .where(ReviewRow.withdraws == uuid)
            .order_by(ReviewRow.id.desc())
            .limit(1)
        ).one()
        return replace(_withdraw(connection, profile, logged([withdrawal])[0]), review=review)


def leech_offer(profile: Profile, answered: RecordedReview) -> LeechOffer | None:
    """What is offered for an item that this answer made a leech; None when it did not."""
    if not answered.leech or not isinstance(answered.after, Remembered):
        return None
    with profile.database.read() as connection:
        slug, title = connection.execute(
            select(ConceptRow.slug, ConceptRow.title)
            .join(ItemRow, ItemRow.concept_id == ConceptRow.id)
            .where(ItemRow.guid == answered.review.item_guid)
        ).one()
    lapses = answered.after.lapses
    return LeechOffer(
        guid=answered.review.item_guid,
        concept_slug=slug,
        concept_title=title,
        lapses=lapses,
        reason=f"A card of “{title}” was forgotten {lapses} times: its idea may be missing.",
    )


def no_such_item(guid: str) -> NotFoundError:
    """The error for a guid that no item has."""
    return NotFoundError(
        f"there is no item {guid!r}", advice="`studyattn items` lists every item with its guid."
    )


def append(connection: Connection, reviews: list[LoggedReview]) -> None:
    """Add rows to the log, within the caller's transaction."""
    if reviews:
        connection.execute(insert(ReviewRow), [review_values(review) for review in reviews])


def instant_text(at: datetime) -> str:
    """An instant as a driver is given it, and as SQLAlchemy's UtcDateTime stores it in SQLite."""
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


def memory_of_driver(row: tuple[Any, ...] | None) -> MemoryState | None:
    """The state in a driver's row of the memory columns, in their order; None for no row."""
    if row is None:
        return None
    phase, step, stability, difficulty, due, last_review, last_day, reps, lapses = row
    if phase == Phase.NEW or stability is None:
        return New()
    return Remembered(
        phase=Phase(phase),
        step=step,
        stability=stability,
        difficulty=difficulty,
        due=datetime.fromisoformat(due).replace(tzinfo=UTC),
        last_review=datetime.fromisoformat(last_review).replace(tzinfo=UTC),
        last_day=date.fromisoformat(last_day),
        reps=reps,
        lapses=lapses,
    )


def _appended(review: LoggedReview) -> tuple[Any, ...]:
    return (
        review.uuid,
        review.item_guid,
        review.rating,
        instant_text(review.at),
        review.utc_offset,
        review.learner_day.isoformat(),
        review.seconds,
        review.origin,
    )


def _remembered(state: Remembered, guid: str) -> tuple[Any, ...]:
    return (
        state.phase.value,
        state.step,
        state.stability,
        state.difficulty,
        instant_text(state.due),
        instant_text(state.last_review),
        state.last_day.isoformat(),
        state.reps,
        state.lapses,
        guid,
    )


def _take_in_the_past(profile: Profile, review: LoggedReview) -> RecordedReview:
    """A review dated before the item's last one: appended, and the item's whole log replayed."""
    with profile.database.write() as connection:
        before = memory_of_item(connection, review.item_guid)
        append(connection, [review])
        after = _refold(connection, profile, review.item_guid)
    return RecordedReview(review, before, after, replayed=True)


def _taken_before(profile: Profile, review: LoggedReview) -> RecordedReview:
    """What came of a review whose acknowledgement was lost with the connection."""
    guid, scheduler = review.item_guid, profile.scheduler
    with profile.database.read() as connection:
        log = log_of(connection, guid)
    (there,) = (each for each in log if each.uuid == review.uuid)
    before = fold(guid, (each for each in log if each.uuid != review.uuid), scheduler)
    after = fold(guid, log, scheduler)
    return RecordedReview(there, before, after, leech=scheduler.became_leech(before, after))


def _withdraw(connection: Connection, profile: Profile, row: LoggedReview) -> WithdrawnReview:
    """Append the withdrawal of a row (a rating, or another withdrawal) and replay its item."""
    moment = profile.moment()
    withdrawal = LoggedReview(
        uuid=new_uuid(profile.clock.now()),
        item_guid=row.item_guid,
        rating=None,
        withdraws=row.uuid,
        at=moment.at,
        utc_offset=moment.utc_offset,
        learner_day=profile.day_of(moment),
    )
    before = fold(row.item_guid, log_of(connection, row.item_guid), profile.scheduler)
    append(connection, [withdrawal])
    return WithdrawnReview(row, before, _refold(connection, profile, row.item_guid))


def _row(connection: Connection, uuid: str) -> LoggedReview:
    return logged(connection.execute(select_reviews().where(ReviewRow.uuid == uuid)))[0]


def _stands(connection: Connection, review: LoggedReview) -> bool:
    log = log_of(connection, review.item_guid)
    return any(each.uuid == review.uuid for each in effective_reviews(log))


def _refold(connection: Connection, profile: Profile, guid: str) -> MemoryState:
    state = fold(guid, log_of(connection, guid), profile.scheduler)
    store_memory(connection, {guid: state})
    return state


def memory_of_item(connection: Connection, guid: str) -> MemoryState:
    """What the item's memory is. Raises NotFoundError for an unknown item."""
    row = connection.execute(select(*MEMORY_COLUMNS).where(ItemRow.guid == guid)).one_or_none()
    if row is None:
        raise no_such_item(guid)
    return memory_of(row)


def _last_standing(connection: Connection) -> LoggedReview | None:
    """Return the learner's rating that was written last and is in effect; None without one."""
    last = (
        select_reviews()
        .where(ReviewRow.origin == "learner", text(in_effect()))
        .order_by(ReviewRow.id.desc())
        .limit(1)
    )
    return next(iter(logged(connection.execute(last))), None)
