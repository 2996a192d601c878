"""Check that the parts of a pack fit together: names that lead somewhere, an order that can be
followed, and nothing that is never asked.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import chain
from typing import Final

from studyattn.errors import PackError
from studyattn.memory.state import drill_guid
from studyattn.packs.check.finding import Finding
from studyattn.packs.model import Concept, Pack, SourceLocation
from studyattn.packs.model_runs import FILE, cited_runs, read_runs

KEY_POINTS: Final = range(3, 7)
"""The number of key points that a concept may have."""

POINT_WORDS: Final = 25

_Naming = tuple[str, str, Container[str], SourceLocation]
"""What is said of a name, the name, where it should be found, and where it is said."""


def check(pack: Pack) -> Iterator[Finding]:
    """All findings of this part."""
    yield from _names(pack)
    yield from _cycles(pack)
    yield from _order(pack)
    yield from _drill_order(pack)
    yield from _coverage(pack)
    yield from _key_points(pack)
    yield from _runs(pack)


def _names(pack: Pack) -> Iterator[Finding]:
    """Find references to a concept, a drill or an example that the pack does not have."""
    examples = {example.id for example in pack.examples()}
    for says, name, there, place in _named(pack, examples):
        if name not in there:
            yield Finding(place, f"{says} {name!r}, which the pack does not have")


def _named(pack: Pack, examples: Container[str]) -> Iterator[_Naming]:
    yield from _named_in_manifest(pack)
    for concept in pack.concepts.values():
        for slug in concept.requires:
            yield "requires the concept", slug, pack.concepts, concept.place
        for drill in concept.drills:
            yield "names the drill", drill, pack.drills, concept.place
    for brief in pack.drills.values():
        yield "trains the concept", brief.concept, pack.concepts, brief.place
        for drill in brief.requires:
            yield "requires the drill", drill, pack.drills, brief.place
    for bug in pack.bugs.values():
        yield "is about the concept", bug.concept, pack.concepts, bug.place
        yield "is of the drill", bug.drill, pack.drills, bug.place
    for erratum in pack.errata:
        yield "is about the concept", erratum.concept, pack.concepts, erratum.place
        if erratum.example is not None:
            yield "names the example", erratum.example, examples, erratum.place


def _named_in_manifest(pack: Pack) -> Iterator[_Naming]:
    place = SourceLocation(str(pack.folder / "pack.toml"), 1)
    for drill in chain(pack.goals, *(each.drills for each in pack.capstones)):
        yield "has among its goals the drill", drill, pack.drills, place
    for slug in chain(*pack.routes.values()):
        yield "has on a route the concept", slug, pack.concepts, place


def _runs(pack: Pack) -> Iterator[Finding]:
    """Find runs in a real model that cannot be read, fit nothing or were not recorded.

    And texts that name a run that is not there.
    """
    place = SourceLocation(str(pack.folder / FILE), 1)
    try:
        recorded = read_runs(pack.folder)
    except PackError as error:
        yield Finding(place, error.message)
        return
    seen: set[str] = set()
    for run in () if recorded is None else recorded.runs:
        if run.concept not in pack.concepts:
            message = f"is about the concept {run.concept!r}, which the pack does not have"
            yield Finding(place, f"the run {run.id!r} {message}")
        if run.id in seen:
            yield Finding(place, f"the run {run.id!r} appears twice")
        if not run.asked.is_answered:
            advice = "record it with `studyattn model runs --write`"
            yield Finding(place, f"the run {run.id!r} has no figures: {advice}")
        seen.add(run.id)
    yield from _cited(pack, seen)


def _cited(pack: Pack, recorded: Container[str]) -> Iterator[Finding]:
    texts = [(each.body, each.place) for each in pack.concepts.values()]
    texts += [(each.back, each.place) for each in pack.cards()]
    for text, where in texts:
        for name in sorted(cited_runs(text)):
            if name not in recorded:
                yield Finding(where, f"names the run {name!r}, which {FILE} does not have")


def _cycles(pack: Pack) -> Iterator[Finding]:
    """Each round of requirements, once, at the concept with which it begins along the path."""
    done: set[str] = set()
    for start in pack.concepts.values():
        round_ = _round_through(start, pack, done)
        if round_:
            yield Finding(start.place, f"requirements are circular: {' → '.join(round_)}")
            done.update(round_)
        done.add(start.slug)


def _round_through(start: Concept, pack: Pack, done: set[str]) -> list[str]:
    """The way from `start` over requirements back to it; empty when there is none."""
    open_ways = [[start.slug, slug] for slug in start.requires]
    seen: set[str] = set()
    while open_ways:
        way = open_ways.pop()
        here = way[-1]
        if here == start.slug:
            return way
        if here in seen or here in done or here not in pack.concepts:
            continue
        seen.add(here)
        open_ways.extend([*way, slug] for slug in pack.concepts[here].requires)
    return []


def _order(pack: Pack) -> Iterator[Finding]:
    place = {slug: number for number, slug in enumerate(pack.path)}
    for concept in pack.concepts.values():
        for slug in concept.requires:
            if place.get(slug, -1) > place[concept.slug]:
                yield Finding(
                    concept.place,
                    f"the path has {concept.slug!r} before {slug!r}, which it requires",
                )


def _drill_order(pack: Pack) -> Iterator[Finding]:
    """Drills that come up before one that they require."""
    guids = [item.guid for item in pack.items()]
    place = {
        each: guids.index(drill_guid(pack.id, each))
        for each in pack.drills
        if drill_guid(pack.id, each) in guids
    }
    for brief in pack.drills.values():
        for required in brief.requires:
            if place.get(required, -1) > place.get(brief.id, len(guids)):
                yield Finding(
                    brief.place,
                    f"the path has the drill {brief.id!r} before {required!r}, which it requires",
                )


def _coverage(pack: Pack) -> Iterator[Finding]:
    """Each concept has cards, each core concept a drill, each drill a concept that names it."""
    for concept in pack.concepts.values():
        if not concept.cards:
            yield Finding(concept.place, "a concept without cards")
        if not concept.body.strip():
            yield Finding(concept.place, "a concept without an explanation")
        if concept.core and not concept.drills:
            yield Finding(concept.place, "a core concept without a drill")
    for brief in pack.drills.values():
        concept_of = pack.concepts.get(brief.concept)
        if concept_of is not None and brief.id not in concept_of.drills:
            yield Finding(
                concept_of.place, f"does not name the drill {brief.id!r}, which trains it"
            )


def _key_points(pack: Pack) -> Iterator[Finding]:
    """Too few or too many key points, and points that say more than one thing."""
    for concept in pack.concepts.values():
        points = concept.key_points
        if points and len(points) not in KEY_POINTS:
            yield Finding(
                points[0].place,
                f"{len(points)} key points; a concept has {KEY_POINTS[0]} to {KEY_POINTS[-1]}",
            )
        for point in points:
            words = len(point.text.split())
            if words > POINT_WORDS:
                yield Finding(
                    point.place,
                    f"a key point of {words} words; the limit is {POINT_WORDS}, so divide it",
                )
