"""`path`, `lesson`, `place`, `explain`: the concepts in learning order, and how far each is."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

import click

from studyattn.cli.common import Answer, Rows, Shown, local, rendered, say, words_of, written
from studyattn.cli.names import POINTS
from studyattn.errors import NotFoundError
from studyattn.study import concepts
from studyattn.text.counting import come_before, count

if TYPE_CHECKING:
    from studyattn.study.concepts.placement import MapStop, PlacementTest
    from studyattn.study.lessons import Lesson
    from studyattn.study.profile import Profile
    from studyattn.study.review.views import RenderedCard


def explain(
    profile: Profile, concept: str, text: str | None, had: frozenset[int] | None, as_json: bool
) -> Answer:
    found = concepts.explaining.read_explanation(profile, concept)
    if text is None:
        text = written("") if had is None else ""  # given aloud
    if had is None:
        say(f"A good explanation of “{found.title}” has these key points:", err=as_json)
        for number, point in enumerate(found.points, start=1):
            say(f"  {number}  {words_of(point)}", err=as_json, hang=5)
        if not sys.stdin.isatty():
            raise click.UsageError("Give the key points you covered with --had")
        had = click.prompt("Which did you cover", type=POINTS, err=as_json)
    if had and max(had) >= len(found.points):
        raise click.UsageError(f"{found.slug} has {len(found.points)} key points")
    done = concepts.explaining.explain(profile, concept, text, had)
    value = {name: getattr(done, name) for name in ("slug", "said", "points", "rating", "due")}
    rating = done.rating.name.lower()
    told = f"{done.said} of {done.points} key points: {rating}, again {local(done.due)}"
    return Answer(value, told)


_DONT_KNOW = "Answer (empty = I don't know)"


def place(
    profile: Profile,
    shows: bool,
    placed: tuple[str, ...],
    not_yet: tuple[str, ...],
    as_json: bool,
) -> Answer:
    placement = concepts.placement
    stops = placement.read_placement(profile)
    if placed or not_yet:
        for slug in {*placed, *not_yet} - {stop.slug for stop in stops}:
            raise NotFoundError(
                f"no pack has the concept {slug!r}",
                advice="`studyattn path` lists the concepts of the packs.",
            )
        placement.keep(profile, {*_placed(stops), *placed} - set(not_yet))
    elif not shows:
        test = placement.PlacementTest(profile)
        _ask(test, err=as_json)
        stops = test.result()
        if not as_json:
            say("\n".join(_lines(stops)))
        if click.confirm("Keep this map?", default=True, err=as_json):
            placement.keep(profile, _placed(stops))
            if not as_json:
                return Answer(None)
    stops = placement.read_placement(profile)
    return Answer(stops, _lines(stops))


def _placed(stops: Iterable[MapStop]) -> set[str]:
    return {stop.slug for stop in stops if stop.placed}


def _ask(test: PlacementTest, *, err: bool) -> None:
    while (card := test.card) is not None:
        say(f"\nQuestion {test.number} of at most {test.most} · {card.concept_title}", err=err)
        say(f"\n{rendered(card.front)}\n", err=err)
        right = None
        if card.takes_input:
            right = compared(card, _DONT_KNOW, err=err)
        else:
            click.prompt("Press Enter to show the answer", default="", show_default=False, err=err)
        say(f"\n{rendered(card.back)}\n", err=err)
        if right is None:
            right = click.confirm("Did you know it?", default=False, err=err)
        test.answer(right=right)


def compared(card: RenderedCard, prompt: str, *, err: bool = False) -> bool | None:
    """Return whether the answer that is typed is right, and say so; None where words differ."""
    from studyattn.study.review.card_loader import compare

    given = click.prompt(prompt, default="", show_default=False, err=err).strip()
    comparison = compare(card, given) if given else None
    if comparison is None:
        say("✗ not yet", err=err)
        return False
    sign = "≠" if comparison.correct is None else "✗"
    say("✓ right" if comparison.correct else f"{sign} {comparison.expected}", err=err)
    return comparison.correct


def _lines(stops: Collection[MapStop]) -> list[str]:
    lines = [f"{len(_placed(stops))} of {count(len(stops), 'concept')} placed\n"]
    for stop in stops:
        sign, word = ("✓", "placed") if stop.placed else ("○", "not yet")
        lines.append(f"{sign} {word:<8} {stop.slug}")
    return lines


def lesson(profile: Profile, concept: str | None) -> Answer:
    from studyattn.study import lessons  # late: the path does without them

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


_SIGNS = {"not begun": "○", "placed": "◐", "learning": "●", "held": "✓", "known": "✓"}


def path(profile: Profile, goal: str | None, as_json: bool) -> Answer:
    found = concepts.path.read_path(profile, goal)
    goals = None if as_json else concepts.goals.read_goals(profile, found)

    def shown() -> Iterator[Shown]:
        yield f"{found.tally}\n"
        yield Rows(
            (
                f"{_SIGNS[stop.progress]} {stop.slug}",
                "next" if stop.slug == found.next else stop.progress.value,
                f"{stop.cards.held}/{stop.cards.total} held" if stop.cards.total else "",
                "  ".join(
                    f"✎ {drill.id}" + ("" if drill.state == "new" else f" {drill.state}")
                    for drill in stop.drills
                ),
            )
            for stop in found.stops
        )
        if goals is not None and goals.milestones:
            yield ""
            for each, way in zip(goals.milestones, goals.ways(), strict=True):
                yield f"{each.title}: {way}{goals.pace}"
        reached = [each for each in found.to_capstones() if each.is_reached]
        if reached:
            yield ""
            yield from (f"✓ {each.title}: `{each.run}`" for each in reached)

    return Answer(found.stops, shown())
