"""The review log of a snapshot, as the memory model reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import asdict

from studyattn.memory import LoggedReview, Rating
from studyattn.store.snapshot import ReviewRecord


def review_log(reviews: Iterable[ReviewRecord]) -> Iterator[LoggedReview]:
    """Yield the rows of the log."""
    for review in reviews:
        rating = None if review.rating is None else Rating[review.rating.upper()]
        yield LoggedReview(**{**asdict(review), "rating": rating})
