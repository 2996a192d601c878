"""Lessons: the pages of a concept's explanation, each read before the cards that it prepares for.

The new cards of a concept come in the order of its pages, so a lesson needs no plan of its own:
before a new card is asked, the pages up to the one that prepares for it are read. A lesson for
which today has no time left goes on when its next card comes up. It is never asked for again once
it was skipped, nor for a concept of which something was asked before.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from studyattn.errors import DocumentError, NotFoundError, PackError
from studyattn.grouping import grouped
from studyattn.memory import New
from studyattn.memory.state import EXPLANATION_MARK
from studyattn.packs.concepts import read_concept
from studyattn.packs.locate import pack_folders
from studyattn.packs.model import Concept, Example, LessonPage, card_id
from studyattn.packs.pages import reading_seconds
from studyattn.store.database import Connection
from studyattn.store.queries import lessons as queries
from studyattn.store.queries.concepts import find_concept
from studyattn.store.queries.decisions import decide
from studyattn.store.queries.lessons import TaughtConcept
from studyattn.store.queries.queue import requirements
from studyattn.study.profile import Profile

if TYPE_CHECKING:
    from studyattn.study.review.views import RenderedCard


class Lesson(NamedTuple):
    """The lesson of one concept, and how far the learner is in it."""

    name: str  # PACK:SLUG
    title: str
    pages: tuple[LessonPage, ...]
    cards: frozenset[str]  # ids of the concept's cards
    page: int | None  # the page, from 0, at which it goes on; None: it is over
    number: int  # its place on the path, from 1
    of: int  # lessons of the path
    needed_for: tuple[str, ...]  # titles of the concepts that require this one
    before: tuple[str, ...]  # titles of those that it builds on and that were not begun
    seconds: float  # that reading all pages takes

    def prepares(self, guid: str) -> bool:
        """Return whether an item is one of the concept's cards."""
        return guid.startswith(f"{self.name.partition(':')[0]}:") and card_id(guid) in self.cards


class LessonBook:
    """The lessons of the installed packs."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._folders: Mapping[str, Path] | None = None

    def before(self, card: RenderedCard) -> Lesson | None:
        """Return the lesson that has a page to read before an item is asked; None for no page."""
        if card.pack is None or not isinstance(card.memory, New):
            return None
        with self._profile.database.read() as connection:
            taught = queries.taught_by(connection, card.guid)
            if taught is None:
                return None
            pages = queries.lesson_pages(connection)
            if taught.lesson not in pages and queries.was_begun(
                connection, taught.id, but=EXPLANATION_MARK
            ):
                return None
            concept = self._read(taught)
            if concept is None:
                return None
            page = _place(concept, pages, taught.lesson)
            if page is None or page > concept.page_before(card_id(card.guid)):
                return None
            return _lesson(connection, taught, concept, page)

    def explaining(self, guid: str) -> LessonPage | None:
        """Return the page that prepares for a pack's card or drill; None where there is none."""
        with self._profile.database.read() as connection:
            taught = queries.taught_by(connection, guid)
        concept = None if taught is None else self._read(taught)
        return None if concept is None else concept.pages[concept.page_before(card_id(guid))]

    def of(self, slug: str) -> Lesson:
        """Return the lesson of a concept, or of a concept of a pack that was joined into it.

        Raises NotFoundError when there is no such concept, or none of a pack with an explanation.
        """
        with self._profile.database.read() as connection:
            found = self.taught(connection, slug)
            if found is not None:
                taught, concept = found
                page = _place(concept, queries.lesson_pages(connection), taught.lesson)
                return _lesson(connection, taught, concept, page)
        raise NotFoundError(
            f"{slug!r} has no lesson",
            advice="Concepts of packs have one; `studyattn lesson` lists them.",
        )

    def taught(self, connection: Connection, slug: str) -> tuple[TaughtConcept, Concept] | None:
        """Return a concept of a pack as database and pack have it, or the one it is joined into.

        None for a concept without an explanation of a pack. Raises NotFoundError.
        """
        row = find_concept(connection, slug)
        for taught in queries.taught_concepts(connection):
            if taught.id in {row.id, row.joined_into_id}:
                concept = self._read(taught)
                if concept is not None:
                    return taught, concept
        return None

    def all(self) -> list[Lesson]:
        """Return every lesson, in the order of the paths."""
        with self._profile.database.read() as connection:
            pages = queries.lesson_pages(connection)
            found = ((taught, self._read(taught)) for taught in queries.taught_concepts(connection))
            begun = queries.begun_concepts(connection, but=EXPLANATION_MARK)
            return [
                _lesson(connection, taught, concept, _place(concept, pages, taught.lesson), begun)
                for taught, concept in found
                if concept is not None
            ]

    def _read(self, taught: TaughtConcept) -> Concept | None:
        """Return the concept as its pack has it; None without pages, or where it is unreadable."""
        if self._folders is None:
            self._folders = pack_folders(self._profile.home)
        folder = self._folders.get(taught.pack)
        if folder is None:
            return None
        file = folder / "concepts" / f"{taught.slug}.md"
        if not file.is_file():  # another concept had the pack's slug first
            file = file.with_stem(taught.slug.removeprefix(f"{taught.pack}-"))
        try:
            concept = _read_file(file, file.stat().st_mtime_ns)
        except (PackError, DocumentError, OSError, UnicodeDecodeError):
            return None  # opening the home has said what is wrong with the pack
        return concept if concept.pages else None


def choices_of(example: Example) -> tuple[str, ...]:
    """Return the outputs from which the right one is picked; () where it is typed."""
    if example.prediction is None or not example.prediction.choices:
        return ()
    outputs = {example.output.strip(), *example.prediction.choices}
    # An order that says nothing about which one is right, and is the same each time.
    return tuple(sorted(outputs, key=lambda each: sha256(f"{example.id} {each}".encode()).digest()))


def is_predicted(example: Example, given: str) -> bool:
    """Return whether an answer is the output, spaces and commas not compared."""
    return _bare(given) == _bare(example.output)


def why_wrong(example: Example, given: str) -> str:
    """Return the sentence on why an answer is wrong, as Markdown; "" where the pack has none."""
    found = "" if example.prediction is None else _said_of(given, example.prediction.reasons)
    return f"{found[:1].upper()}{found[1:]}"


def mended_by(example: Example, given: str) -> str:
    """Return the card that mends an answer, or its misconception; "" where the pack has none."""
    return "" if example.prediction is None else _said_of(given, example.prediction.mended_by)


def _said_of(given: str, said: Mapping[str, str]) -> str:
    return next((text for output, text in said.items() if _bare(output) == _bare(given)), "")


def _bare(output: str) -> str:
    return re.sub(r"[\s,]", "", output)


def titles_before(
    connection: Connection,
    concept_id: int,
    path: Iterable[TaughtConcept],
    begun: Collection[int],
) -> tuple[str, ...]:
    """Return the concepts of the path that one builds on and that were not begun, by title.

    What a begun concept builds on is left out.
    """
    requires = grouped(requirements(connection))
    before: set[int] = set()
    ahead = [concept_id]
    while ahead:
        found = set(requires[ahead.pop()]) - before - {concept_id, *begun}
        before |= found
        ahead += found
    return tuple(each.title for each in path if each.id in before)


def page_read(profile: Profile, lesson: Lesson, page: int) -> None:
    """Let the lesson go on after this page, or be over after its last one."""
    after = lesson.pages[page + 1].id if page + 1 < len(lesson.pages) else None
    _put(profile, lesson, after)


def skip(profile: Profile, lesson: Lesson) -> None:
    """Let the lesson be over, read or not."""
    _put(profile, lesson, None)


def _put(profile: Profile, lesson: Lesson, page: str | None) -> None:
    with profile.database.write() as connection:
        decide(connection, "lesson", lesson.name, "page", page, profile.clock.now())


@lru_cache(maxsize=256)
def _read_file(file: Path, _changed_at: int) -> Concept:
    concept, _ = read_concept(file.read_text(encoding="utf-8"), file)
    return concept


def _place(concept: Concept, pages: Mapping[str, str | None], lesson: str) -> int | None:
    """Return the page at which the lesson goes on; one that is gone begins again."""
    page = pages.get(lesson, concept.pages[0].id)
    if page is None:
        return None
    return next((at for at, each in enumerate(concept.pages) if each.id == page), 0)


def _lesson(
    connection: Connection,
    taught: TaughtConcept,
    concept: Concept,
    page: int | None,
    begun: Collection[int] | None = None,
) -> Lesson:
    concepts = queries.taught_concepts(connection)
    path = [each.id for each in concepts if each.pack == taught.pack]
    if begun is None:
        begun = queries.begun_concepts(connection, but=EXPLANATION_MARK)
    return Lesson(
        name=taught.lesson,
        title=concept.title,
        pages=concept.pages,
        cards=frozenset(card.id for card in concept.cards),
        page=page,
        number=path.index(taught.id) + 1,
        of=len(path),
        needed_for=tuple(queries.needed_for(connection, taught.id)),
        before=titles_before(connection, taught.id, concepts, begun),
        seconds=sum(map(reading_seconds, concept.pages)),
    )
