"""The review log of a snapshot, as the memory model reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from studyattn.memory import LoggedReview, Rating
from studyattn.store.snapshot import ReviewRecord

_RATINGS: Final[Mapping[str | None, Rating | None]] = {
    None: None,
    **{rating.name.lower(): rating for rating in Rating},
}


def review_log(reviews: Iterable[ReviewRecord]) -> Iterator[LoggedReview]:
    """Yield the rows of the log."""
    for review in reviews:
        yield LoggedReview(
            review.uuid,
            review.item_guid,
            _RATINGS[review.rating],
            review.withdraws,
            review.at,
            review.utc_offset,
            review.learner_day,
            review.seconds,
            review.origin,
        )
