"""Explaining a concept in one's own words, compared with the key points that its pack has.

The text is kept as a note of the concept. The share of the points that it has gives the rating of
a card (kind `explain`), which is scheduled from its first rating on: until then the database has no
such card, so no day and no judgement of the concept waits for it.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from studyattn.errors import NotFoundError
from studyattn.memory import MemoryState, Rating, Remembered
from studyattn.memory.columns import memory_from_columns
from studyattn.packs.model import PackItem, explanation_guid, explanation_text
from studyattn.packs.sync import card_record
from studyattn.store.database import Connection
from studyattn.store.queries import items, pack_rows
from studyattn.store.queries.notes import NoteView, note_of_item
from studyattn.store.sql import driver_of
from studyattn.study.lessons import LessonBook
from studyattn.study.notes.notes import add_note, edit_note
from studyattn.study.profile import Profile
from studyattn.study.review.recorder import RecordedReview, ReviewRecorder

_HALF = Fraction(1, 2)
_MOST = Fraction(3, 4)

_AFTER_ALL = 1_000_000
"""The card's position among new items, until its pack is synced the next time."""


class Explanation(NamedTuple):
    """A concept to explain, with what its explanation is compared with."""

    guid: str  # of the card
    slug: str
    title: str
    points: tuple[str, ...]  # Markdown, a sentence each
    memory: MemoryState | None  # of the card; None before it was ever rated
    note: NoteView | None  # the learner's last explanation

    @property
    def text(self) -> str:
        """The learner's last explanation; "" where there is none."""
        return "" if self.note is None else self.note.body


class Explained(NamedTuple):
    """An explanation that was compared and rated."""

    slug: str
    said: int  # key points that it had
    points: int
    rating: Rating
    due: datetime  # aware, UTC
    recorded: RecordedReview


def rating_of(said: int, points: int) -> Rating:
    """Return the rating for an explanation that had `said` of the key points (1 or more).

    Less than half of them is again, less than three quarters hard, more is good. Easy is not given:
    who ticks the points has just read them.
    """
    share = Fraction(said, points)
    if share < _HALF:
        return Rating.AGAIN
    return Rating.HARD if share < _MOST else Rating.GOOD


def read_explanation(profile: Profile, slug: str) -> Explanation:
    """Return what there is to explain of a concept.

    Raises NotFoundError for an unknown concept, and for one without key points.
    """
    with profile.database.read() as connection:
        found = _explanation(profile, connection, slug)
    if found is None:
        raise NotFoundError(
            f"{slug!r} has no key points",
            advice="Only concepts from packs have them. Write a note instead.",
        )
    return found


def is_offered(profile: Profile, slug: str) -> bool:
    """Return whether to offer an explanation before a concept is known: it never had one."""
    with profile.database.read() as connection:
        found = _explanation(profile, connection, slug)
    return found is not None and not isinstance(found.memory, Remembered)


def explain(
    profile: Profile, slug: str, text: str, said: Collection[int], seconds: float = 0.0
) -> Explained:
    """Keep an explanation as the concept's note and rate it by the points that it had.

    `said` are the numbers of these points, from 0. An empty text, of an explanation given aloud,
    leaves the note as it is. Raises what `read_explanation` raises, InputError for a text that no
    note may have.
    """
    found = read_explanation(profile, slug)
    if found.memory is None:
        with profile.database.write() as connection:
            _add_card(profile, connection, found)
    if text.strip() and found.note is None:
        add_note(profile, text, title=_title(found), concept=found.slug, item=found.guid)
    elif text.strip() and found.note is not None:
        edit_note(profile, found.note.id, text)
    number = len(set(said) & set(range(len(found.points))))
    rating = rating_of(number, len(found.points))
    with ReviewRecorder(profile) as recorder:
        recorded = recorder.take(found.guid, rating, profile.moment(), seconds)
    if not isinstance(recorded.after, Remembered):
        raise TypeError(f"{found.guid} was already rated")
    return Explained(found.slug, number, len(found.points), rating, recorded.after.due, recorded)


def keep(profile: Profile, slug: str, text: str) -> NoteView:
    """Keep an explanation that is not rated as a note of the concept.

    Raises what `read_explanation` raises, InputError for a text that no note may have.
    """
    found = read_explanation(profile, slug)
    return add_note(profile, text, title=_title(found), concept=found.slug)


def _title(found: Explanation) -> str:
    return f"In my own words: {found.title}"


def _explanation(profile: Profile, connection: Connection, slug: str) -> Explanation | None:
    taught_as = LessonBook(profile).taught(connection, slug)
    if taught_as is None or not taught_as[1].key_points:
        return None
    taught, concept = taught_as
    guid = explanation_guid(taught.pack, concept.slug)
    columns = items.read_memory(driver_of(connection), guid)
    return Explanation(
        guid=guid,
        slug=taught.slug,
        title=concept.title,
        points=tuple(point.text for point in concept.key_points),
        memory=None if columns is None else memory_from_columns(columns),
        note=note_of_item(connection, guid),
    )


def _add_card(profile: Profile, connection: Connection, found: Explanation) -> None:
    """Add the card of an explanation to the database."""
    taught_as = LessonBook(profile).taught(connection, found.slug)
    if taught_as is not None:
        taught, concept = taught_as
        item = PackItem(found.guid, concept.slug, explanation_text(concept))
        new = pack_rows.NewItem(found.guid, taught.id, _AFTER_ALL, card_record(item))
        pack_rows.add_items(connection, taught.pack, [new], profile.clock.now())
