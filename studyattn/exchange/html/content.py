"""The contents of the page besides the learning note: how drills went, reviews per day. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from studyattn.exchange.format import Selection
from studyattn.exchange.learning_note.content import (
    PASSED,
    Drilled,
    LearningNote,
    learning_note,
)
from studyattn.exchange.reviews import review_log
from studyattn.memory import LoggedReview, Rating, effective_reviews
from studyattn.packs.model import Erratum
from studyattn.store.snapshot import AttemptRecord, Snapshot
from studyattn.text.figure import Figure


@dataclass(frozen=True, slots=True)
class Try:
    """One graded attempt."""

    at: datetime
    day: date
    verdict: str
    diagnoses: tuple[str, ...]
    """The mistakes that were recognised in the code, in words."""
    message: str
    """The verdict's message where no mistake was recognised."""
    backend: str
    hints: int
    revealed: bool

    @property
    def passed(self) -> bool:
        return self.verdict == PASSED


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating of the drill that is in effect."""

    at: datetime
    day: date
    rating: Rating


Event = Try | Rated


@dataclass(frozen=True, slots=True)
class DrillStory:
    """A drill, the code that passed if any did, and all that happened with it, in order."""

    drilled: Drilled
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Studied:
    """The number of reviews on each learner day, ascending, without days that have none."""

    days: tuple[tuple[date, int], ...]

    @property
    def reviews(self) -> int:
        return sum(count for _, count in self.days)

    @property
    def last(self) -> date | None:
        return self.days[-1][0] if self.days else None


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """All that the page shows."""

    note: LearningNote
    drills: tuple[DrillStory, ...]
    studied: Studied
    media: Mapping[str, str] = field(default_factory=dict)
    """Pictures as addresses that hold them, by the addresses that texts name them by."""
    figures: tuple[Figure, ...] = ()

    @property
    def when(self) -> date | None:
        """The day of the last thing that it shows; None when it shows nothing."""
        days = [self.note.changed, self.studied.last]
        days += [event.day for story in self.drills for event in story.events]
        return max((day for day in days if day is not None), default=None)


def learning_page(
    snapshot: Snapshot, selection: Selection | None = None, errata: Iterable[Erratum] = ()
) -> HtmlPage:
    """Return what the page shows of a snapshot. Raises NotFoundError for no such part."""
    chosen = selection or Selection()
    note = learning_note(snapshot, chosen, errata)
    reviews = [
        each for each in effective_reviews(review_log(snapshot.reviews)) if each.rating is not None
    ]
    if chosen.since is not None:
        reviews = [each for each in reviews if each.learner_day >= chosen.since]
    drills = (*note.drills, *_tried(snapshot, note))
    events = _events(snapshot.attempts, reviews, chosen.since)
    return HtmlPage(
        note=note,
        drills=tuple(DrillStory(each, tuple(events.get(each.item.guid, ()))) for each in drills),
        studied=_studied(reviews, note),
    )


def _tried(snapshot: Snapshot, note: LearningNote) -> Iterator[Drilled]:
    """Drills of the selection that were tried and not passed yet."""
    chosen = note.selection
    if chosen.source is not None:
        return
    shown = {each.item.guid for each in note.drills}
    tried = {
        each.item_guid
        for each in snapshot.attempts
        if chosen.since is None or each.learner_day >= chosen.since
    }
    for item in snapshot.items:
        wanted = chosen.concept in {None, item.concept}
        if item.card is None and wanted and item.guid in tried - shown:
            yield Drilled(item, None, ())


def _studied(reviews: Iterable[LoggedReview], note: LearningNote) -> Studied:
    """Return the days of the reviews; a note about a part counts those of its own items."""
    if note.selection.concept is not None or note.selection.source is not None:
        questions = (question for topic in note.topics for question in topic.questions)
        shown = {item.guid for question in questions for item in question.items}
        shown |= {drilled.item.guid for drilled in note.drills}
        reviews = (each for each in reviews if each.item_guid in shown)
    days = Counter(each.learner_day for each in reviews)
    return Studied(tuple(sorted(days.items())))


def _events(
    attempts: tuple[AttemptRecord, ...], reviews: list[LoggedReview], since: date | None
) -> Mapping[str, list[Event]]:
    """Group reviews by item, in order of time."""
    found: dict[str, list[Event]] = {}
    for attempt in attempts:
        if since is None or attempt.learner_day >= since:
            found.setdefault(attempt.item_guid, []).append(_try(attempt))
    for review in reviews:
        if review.rating is not None:
            rated = Rated(review.at, review.learner_day, review.rating)
            found.setdefault(review.item_guid, []).append(rated)
    for events in found.values():
        events.sort(key=lambda event: (event.at, isinstance(event, Rated)))
    return found


def _try(attempt: AttemptRecord) -> Try:
    diagnoses = attempt.report.get("diagnosis")
    message = attempt.report.get("message")
    return Try(
        at=attempt.at,
        day=attempt.learner_day,
        verdict=attempt.verdict,
        diagnoses=tuple(_titles(diagnoses)),
        message=message if isinstance(message, str) else "",
        backend=attempt.backend,
        hints=attempt.hints,
        revealed=attempt.revealed,
    )


def _titles(diagnoses: object) -> Iterator[str]:
    """The titles of a report's diagnoses, whatever another program may have put there."""
    for each in diagnoses if isinstance(diagnoses, list) else ():
        title = each.get("title") if isinstance(each, dict) else None
        if isinstance(title, str) and title.strip():
            yield title
