"""`lesson`: a concept's lesson in plain text, or how far each of them was read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from studyattn.cli.common import Answer, Rows, rendered
from studyattn.study import lessons
from studyattn.text.counting import come_before, count

if TYPE_CHECKING:
    from studyattn.study.lessons import Lesson
    from studyattn.study.profile import Profile


def lesson(profile: Profile, concept: str | None) -> Answer:
    book = lessons.LessonBook(profile)
    if concept is not None:
        found = book.of(concept)
        return Answer(_as_json(found), _text(found))
    every = book.all()
    rows = ((f"{each.number}", each.name, _minutes(each), _far(each)) for each in every)
    return Answer([_as_json(each) for each in every], Rows(rows))


def _text(found: Lesson) -> Iterator[str]:
    yield heading(found)
    if found.before:
        yield come_before(found.before)
    for page in found.pages:
        yield f"\n{rendered(page.body)}"
    if found.needed_for:
        yield f"\nNeeded for: {', '.join(found.needed_for)}"


def heading(found: Lesson) -> str:
    """Return the first line of a lesson."""
    return f"Lesson {found.number} of {found.of} · {found.title}   {_minutes(found)}"


def _minutes(found: Lesson) -> str:
    return f"about {max(1, round(found.seconds / 60))} min"


def _far(found: Lesson) -> str:
    if found.page is None:
        return "over"
    pages = count(len(found.pages), "page")
    return f"at page {found.page + 1} of {len(found.pages)}" if found.page else pages


def _as_json(found: Lesson) -> dict[str, object]:
    names = ("name", "title", "number", "of", "seconds", "page", "before", "needed_for")
    return {
        **{name: getattr(found, name) for name in names},
        "seconds": round(found.seconds),
        "pages": [
            {"id": page.id, "title": page.title, "text": page.body, "cards": page.cards}
            for page in found.pages
        ],
    }
