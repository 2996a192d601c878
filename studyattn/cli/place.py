"""`place`: questions that find out which concepts of the packs one knows already, and the map."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import click

from studyattn.cli.common import Answer, rendered, say
from studyattn.errors import NotFoundError
from studyattn.study import concepts
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.study.concepts.placement import MapStop, PlacementTest
    from studyattn.study.profile import Profile
    from studyattn.study.review.views import RenderedCard

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
        there = {stop.slug for stop in stops}
        for slug in (*placed, *not_yet):
            if slug not in there:
                raise NotFoundError(
                    f"no pack has the concept {slug!r}",
                    advice="`studyattn path` lists the concepts of the packs.",
                )
        slugs = {stop.slug for stop in stops if stop.placed} | set(placed)
        placement.keep(profile, slugs - set(not_yet))
    elif not shows:
        test = placement.PlacementTest(profile)
        _ask(test, err=as_json)
        stops = test.result()
        if not as_json:
            say("\n".join(_lines(stops)))
        if click.confirm("Keep this map?", default=True, err=as_json):
            placement.keep(profile, {stop.slug for stop in stops if stop.placed})
            if not as_json:
                return Answer(None)
    stops = placement.read_placement(profile)
    return Answer(stops, _lines(stops))


def _ask(test: PlacementTest, *, err: bool) -> None:
    while (card := test.card) is not None:
        say(f"\nQuestion {test.number} of at most {test.most} · {card.concept_title}", err=err)
        say(f"\n{rendered(card.front)}\n", err=err)
        right = _compared(card, err=err) if card.takes_input else None
        if right is None:
            click.prompt("Press Enter to show the answer", default="", show_default=False, err=err)
        say(f"\n{rendered(card.back)}\n", err=err)
        if right is None:
            right = click.confirm("Did you know it?", default=False, err=err)
        test.answer(right=right)


def _compared(card: RenderedCard, *, err: bool) -> bool:
    """Return whether the answer that is typed is right, and say so."""
    from studyattn.study.review.card_loader import compare

    given = click.prompt(_DONT_KNOW, default="", show_default=False, err=err).strip()
    comparison = compare(card, given) if given else None
    right = comparison is not None and comparison.correct
    say("✓ right" if right else "✗ not yet", err=err)
    return right


def _lines(stops: Collection[MapStop]) -> list[str]:
    number = sum(stop.placed for stop in stops)
    lines = [f"{number} of {count(len(stops), 'concept')} placed\n"]
    for stop in stops:
        sign, word = ("✓", "placed") if stop.placed else ("○", "not yet")
        lines.append(f"{sign} {word:<8} {stop.slug}")
    return lines
