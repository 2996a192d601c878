"""Writing to the review log: one answer in one transaction, undo and redo by appending.

An answer is the one thing that a learner waits for hundreds of times a day, so its statements go to
the driver as they are, over a connection that is kept open. Nothing here ever changes a row of the
log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from studyattn.errors import NotFoundError
from studyattn.memory import (
    LoggedReview,
    MemoryState,
    New,
    Rating,
    Remembered,
    effective_reviews,
    fold,
)
from studyattn.memory.balance import with_seed
from studyattn.memory.columns import (
    memory_from_columns,
    memory_to_columns,
    review_from_columns,
    review_to_columns,
)
from studyattn.memory.state import is_drill
from studyattn.store.database import Connection
from studyattn.store.driver import Driver
from studyattn.store.engine import raise_store_error
from studyattn.store.queries import items, review_log
from studyattn.store.queries.items import MemoryColumns
from studyattn.store.queries.queue import due_counts
from studyattn.store.queries.review_log import ReviewColumns
from studyattn.store.sql import driver_of
from studyattn.study.clock import Moment
from studyattn.study.profile import Profile
from studyattn.study.records import fold_item, log_of, starts_of, store_memory
from studyattn.study.uuids import new_uuid

if TYPE_CHECKING:
    from studyattn.study.review.views import LeechOffer

_DAYS: Final = 100
"""Days whose load is counted: later ones have theirs from answers still to come."""


class RecordedReview(NamedTuple):
    """A review that was written to the log, withdrawn or restored, and what that did to memory."""

    review: LoggedReview
    before: MemoryState
    after: MemoryState
    leech: bool = False  # this very review makes the item a leech
    replayed: bool = False  # dated before the item's last review: its history was worked out anew

    @property
    def of_new_card(self) -> bool:
        """Return whether it was the first answer to a card."""
        return isinstance(self.before, New) and not is_drill(self.review.item_guid)


class LoadAhead:
    """Chooses the seeds of reviews by what is due when they come due.

    That is counted once and kept in step with the answers of a session. It only serves to choose
    among days that are all right, so what other processes do meanwhile may be missing from it.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._day: date | None = None
        self._counts: Counter[date] = Counter()

    def seeds(self, guid: str, state: MemoryState, moment: Moment) -> dict[Rating, str]:
        """Return the seed that each rating's review should have; empty if nothing is balanced."""
        scheduler = self._profile.scheduler
        if not scheduler.settings.load_balance:
            return {}
        at = max(moment.at, state.last_review) if isinstance(state, Remembered) else moment.at
        self._count(moment)
        return scheduler.balanced_seeds(
            guid, state, at, moment.utc_offset, lambda day: self._counts[day]
        )

    def add(self, state: MemoryState, moment: Moment) -> None:
        """Count an answered item on the day on which it comes due now."""
        if self._day is not None and isinstance(state, Remembered):
            self._counts[self._profile.day_of(Moment(state.due, moment.utc_offset))] += 1

    def _count(self, moment: Moment) -> None:
        profile, today = self._profile, self._profile.day_of(moment)
        if self._day == today:
            return
        self._day = today
        with profile.read() as connection:
            due = due_counts(connection, profile.day_start(today + timedelta(_DAYS), moment))
        counts = enumerate(profile.count_by_day(due, moment, _DAYS))
        self._counts = Counter({today + timedelta(days): number for days, number in counts})


class ReviewRecorder:
    """Records answers over a driver connection of its own. Close it, or use it in a `with`."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._unsure: LoggedReview | None = None  # may be in the log: its commit went unanswered
        self.driver = profile.database.hold()
        self.load_ahead = LoadAhead(profile)

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
        profile = self._profile
        review = new_review(profile, guid, moment, rating=rating, seconds=seconds, origin=origin)
        try:
            if self._unsure is not None and self._unsure.item_guid == guid:
                review = review._replace(uuid=self._unsure.uuid)
            else:
                review = self._balanced(review, rating, moment)
            try:
                recorded = self._take(review, rating)
            except self.driver.failures:
                if not self.driver.lost:
                    raise
                # A server went away, and its acknowledgement with it. It must count once.
                self._unsure = review
                recorded = self._take(review, rating)
        except self.driver.failures as error:
            raise_store_error(error, profile.home)
        self._unsure = None
        if recorded is not None:
            self.load_ahead.add(recorded.after, moment)
            return recorded
        with profile.database.write() as connection:
            before = memory_of_item(connection, guid)
            append(connection, [review])
            after = _refold(connection, profile, guid)
        return RecordedReview(review, before, after, replayed=True)

    def _balanced(self, review: LoggedReview, rating: Rating, moment: Moment) -> LoggedReview:
        """Return the review with the UUID that leads to the day with the least to do."""
        if not self._profile.settings.scheduling.load_balance:
            return review
        before = _read_memory(self.driver, review.item_guid)
        seed = self.load_ahead.seeds(review.item_guid, before, moment).get(rating)
        return review if seed is None else review._replace(uuid=with_seed(review.uuid, seed))

    def _take(self, review: LoggedReview, rating: Rating) -> RecordedReview | None:
        """Write the review; None when it is dated before the item's last one.

        Nothing was written then, nor when the item's memory begins later: such a review changes
        what the later ones led to, or nothing at all.
        """
        driver, scheduler, guid = self.driver, self._profile.scheduler, review.item_guid
        driver.begin_writing()
        try:
            if self._unsure is not None and review_log.is_logged(driver, review.uuid):
                driver.give_up()
                return self._taken_before(review)
            before = _read_memory(driver, guid)
            if isinstance(before, Remembered):
                early = review.at < before.last_review
            else:
                early = review_log.memory_begins_after(driver, guid, review.at)
            if early:
                driver.give_up()
                return None
            after = scheduler.answer(
                guid, before, rating, review.at, review.utc_offset, review.uuid
            )
            review_log.append_review(driver, ReviewColumns(*review_to_columns(review)))
            items.save_memory(driver, guid, MemoryColumns(*memory_to_columns(after)))
            if rating is Rating.AGAIN:
                items.note_forgotten(driver, guid, review.at)
            driver.commit()
        except BaseException:
            driver.give_up()
            raise
        return RecordedReview(review, before, after, leech=scheduler.became_leech(before, after))

    def _taken_before(self, review: LoggedReview) -> RecordedReview:
        """Read back a review whose acknowledgement was lost with the connection."""
        guid, scheduler = review.item_guid, self._profile.scheduler
        with self._profile.database.read() as connection:
            log = log_of(connection, guid)
            start = starts_of(connection, (guid,)).get(guid)
        (there,) = (each for each in log if each.uuid == review.uuid)
        before = fold(guid, (each for each in log if each.uuid != review.uuid), scheduler, start)
        after = fold(guid, log, scheduler, start)
        return RecordedReview(there, before, after, leech=scheduler.became_leech(before, after))


def new_review(
    profile: Profile,
    guid: str,
    moment: Moment,
    *,
    rating: Rating | None = None,
    withdraws: str | None = None,
    seconds: float = 0.0,
    origin: str = "learner",
) -> LoggedReview:
    """Return a row for the log that is not written yet: a rating, or a withdrawal of a row."""
    return LoggedReview(
        uuid=new_uuid(profile.clock.now()),
        item_guid=guid,
        rating=rating,
        withdraws=withdraws,
        at=moment.at,
        utc_offset=moment.utc_offset,
        learner_day=profile.day_of(moment),
        seconds=seconds,
        origin=origin,
    )


def undo(profile: Profile) -> RecordedReview | None:
    """Withdraw the learner's last review that is in effect; None when there is none.

    There is no limit to how far back this goes. Imported and merged reviews are history, not
    something the learner just did: they are passed over.
    """
    with profile.database.write() as connection:
        last = review_log.last_rating_in_effect(connection, "learner")
        return None if last is None else _withdraw(connection, profile, review_from_columns(last))


def withdraw(profile: Profile, uuid: str) -> RecordedReview | None:
    """Withdraw the review `uuid`; None when it is not in effect any more.

    Raises LookupError when the log has no such review.
    """
    with profile.database.write() as connection:
        review = _find(connection, uuid)
        return _withdraw(connection, profile, review) if _counts(connection, review) else None


def restore(profile: Profile, uuid: str) -> RecordedReview | None:
    """Bring back the review `uuid` that was withdrawn; None when it is in effect already.

    Raises LookupError when the log has no such review.
    """
    with profile.database.write() as connection:
        review = _find(connection, uuid)
        withdrawal = review_log.last_withdrawal_of(connection, uuid)
        if withdrawal is None or _counts(connection, review):
            return None
        restored = _withdraw(connection, profile, review_from_columns(withdrawal))
        return restored._replace(review=review)


def leech_offer(profile: Profile, recorded: RecordedReview) -> LeechOffer | None:
    """Return what to offer for an item that this answer made a leech; None when it did not."""
    if not recorded.leech or not isinstance(recorded.after, Remembered):
        return None
    guid, lapses = recorded.review.item_guid, recorded.after.lapses
    with profile.database.read() as connection:
        concept = items.concept_of_item(connection, guid)
    reason = (
        f"A card of “{concept.title}” was forgotten {lapses} times: you may be missing the idea "
        "behind it."
    )
    from studyattn.study.review.views import LeechOffer  # late: few answers offer anything

    return LeechOffer(
        guid=guid,
        concept_slug=concept.slug,
        concept_title=concept.title,
        lapses=lapses,
        reason=reason,
    )


def no_such_item(guid: str) -> NotFoundError:
    """Return the error for a guid that no item has."""
    return NotFoundError(
        f"there is no item {guid!r}", advice="`studyattn items` lists every item with its guid."
    )


def append(connection: Connection, reviews: Iterable[LoggedReview]) -> None:
    """Add rows to the log, within the caller's transaction."""
    rows = [ReviewColumns(*review_to_columns(review)) for review in reviews]
    review_log.append_reviews(connection, rows)


def memory_of_item(connection: Connection, guid: str) -> MemoryState:
    """Return the memory of an item. Raises NotFoundError for an unknown one."""
    return _read_memory(driver_of(connection), guid)


def _read_memory(driver: Driver, guid: str) -> MemoryState:
    columns = items.read_memory(driver, guid)
    if columns is None:
        raise no_such_item(guid)
    return memory_from_columns(columns)


def _withdraw(connection: Connection, profile: Profile, row: LoggedReview) -> RecordedReview:
    """Append the withdrawal of a row (a rating, or another withdrawal) and replay its item."""
    withdrawal = new_review(profile, row.item_guid, profile.moment(), withdraws=row.uuid)
    before = fold_item(connection, row.item_guid, profile.scheduler)
    append(connection, [withdrawal])
    return RecordedReview(row, before, _refold(connection, profile, row.item_guid))


def _find(connection: Connection, uuid: str) -> LoggedReview:
    row = review_log.find_review(connection, uuid)
    if row is None:
        raise LookupError(f"the log has no review {uuid}")
    return review_from_columns(row)


def _counts(connection: Connection, review: LoggedReview) -> bool:
    log = log_of(connection, review.item_guid)
    return any(each.uuid == review.uuid for each in effective_reviews(log))


def _refold(connection: Connection, profile: Profile, guid: str) -> MemoryState:
    state = fold_item(connection, guid, profile.scheduler)
    store_memory(connection, {guid: state})
    return state
