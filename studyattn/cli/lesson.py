"""`lesson`: a concept's lesson in plain text, or how far each of them was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import (
    emit,
    examples,
    json_option,
    opened,
    pass_invocation,
    rendered,
    say,
    table,
)
from studyattn.cli.names import CONCEPT, slug_of
from studyattn.cli.paging import paged
from studyattn.study import lessons
from studyattn.text.counting import come_before, count

if TYPE_CHECKING:
    from studyattn.study.lessons import Lesson


@click.command(epilog=examples("studyattn lesson", "studyattn lesson softmax"))
@click.argument("slug", required=False, metavar="[CONCEPT]", type=CONCEPT)
@json_option
@pass_invocation
@paged()
def lesson(invocation: Invocation, slug: str | None, as_json: bool) -> None:
    """Print the lesson of a concept, or list all lessons."""
    with opened(invocation) as profile:
        book = lessons.LessonBook(profile)
        found = book.all() if slug is None else [book.of(slug_of(profile, slug))]
    if as_json:
        shown = [_as_json(each) for each in found]
        emit(shown if slug is None else shown[0])
    elif slug is None:
        table([(f"{each.number}", each.name, _minutes(each), _far(each)) for each in found])
    else:
        _print(found[0])


def _print(found: Lesson) -> None:
    say(heading(found))
    if found.before:
        say(come_before(found.before))
    for page in found.pages:
        say(f"\n{rendered(page.body)}")
    if found.needed_for:
        say(f"\nNeeded for: {', '.join(found.needed_for)}")


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
    return {
        "name": found.name,
        "title": found.title,
        "number": found.number,
        "of": found.of,
        "seconds": round(found.seconds),
        "page": found.page,
        "before": found.before,
        "needed_for": found.needed_for,
        "pages": [
            {"id": page.id, "title": page.title, "text": page.body, "cards": page.cards}
            for page in found.pages
        ],
    }
