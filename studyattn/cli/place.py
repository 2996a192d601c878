"""`place`: questions that find out which concepts of the packs one knows already, and the map."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, examples, json_option, opened, pass_invocation, rendered, say
from studyattn.cli.names import CONCEPT, slug_of
from studyattn.errors import NotFoundError
from studyattn.study import concepts
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.study.concepts.placement import MapStop, PlacementTest
    from studyattn.study.review.views import RenderedCard

_DONT_KNOW = "Answer (empty = I don't know)"


@click.command(
    epilog=examples(
        "studyattn place",
        "studyattn place --show",
        "studyattn place --placed softmax --not-yet masking",
    )
)
@click.option("--show", "shows", is_flag=True, help="Show the map without questions.")
@click.option(
    "--placed", multiple=True, type=CONCEPT, metavar="CONCEPT", help="Place a concept. Repeatable."
)
@click.option(
    "--not-yet",
    multiple=True,
    type=CONCEPT,
    metavar="CONCEPT",
    help="Unplace a concept. Repeatable.",
)
@json_option
@pass_invocation
def place(
    invocation: Invocation,
    shows: bool,
    placed: tuple[str, ...],
    not_yet: tuple[str, ...],
    as_json: bool,
) -> None:
    """Find your place on the path with at most twelve questions.

    Placed concepts skip their lessons; their cards come as reviews over two weeks. With --placed
    and --not-yet, only those concepts change. With --json, the map is printed as JSON and questions
    go to standard error.
    """
    with opened(invocation) as profile:
        stops = concepts.placement.read_placement(profile)
        if placed or not_yet:
            placed = tuple(slug_of(profile, each) for each in placed)
            not_yet = tuple(slug_of(profile, each) for each in not_yet)
            there = {stop.slug for stop in stops}
            for slug in (*placed, *not_yet):
                if slug not in there:
                    raise NotFoundError(
                        f"no pack has the concept {slug!r}",
                        advice="`studyattn path` lists the concepts of the packs.",
                    )
            slugs = {stop.slug for stop in stops if stop.placed} | set(placed)
            concepts.placement.keep(profile, slugs - set(not_yet))
        elif not shows:
            test = concepts.placement.PlacementTest(profile)
            _ask(test, err=as_json)
            stops = test.result()
            if not as_json:
                _print(stops)
            if click.confirm("Keep this map?", default=True, err=as_json):
                concepts.placement.keep(profile, {stop.slug for stop in stops if stop.placed})
                if not as_json:
                    return
        stops = concepts.placement.read_placement(profile)
    if as_json:
        emit(stops)
    else:
        _print(stops)


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


def _print(stops: Collection[MapStop]) -> None:
    number = sum(stop.placed for stop in stops)
    say(f"{number} of {count(len(stops), 'concept')} placed\n")
    for stop in stops:
        sign, word = ("✓", "placed") if stop.placed else ("○", "not yet")
        say(f"{sign} {word:<8} {stop.slug}")
