"""`path`: the concepts in learning order, how far each is, and how far it still is to the goals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from studyattn.cli.common import Answer, Rows, Shown
from studyattn.study import concepts
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.study.concepts.path import DrillOnPath, PathStop
    from studyattn.study.profile import Profile

_SIGNS = {"not begun": "○", "placed": "◐", "learning": "●", "held": "✓", "known": "✓"}


def path(profile: Profile, as_json: bool) -> Answer:
    found = concepts.path.read_path(profile)
    goals = None if as_json else concepts.goals.read_goals(profile, found)

    def shown() -> Iterator[Shown]:
        begun = "begun or placed" if found.placed else "begun"
        stops = found.stops
        yield f"{found.begun} of {count(len(stops), 'concept')} {begun}, {found.held} held\n"
        yield Rows(
            (
                f"{_SIGNS[stop.progress]} {stop.slug}",
                "next" if stop.slug == found.next else stop.progress.value,
                _cards(stop),
                "  ".join(map(_drill, stop.drills)),
            )
            for stop in stops
        )
        if goals is not None and goals.milestones:
            yield ""
            for each, way in zip(goals.milestones, goals.ways(), strict=True):
                yield f"{each.title}: {way}{goals.pace}"

    return Answer(found.stops, shown())


def _cards(stop: PathStop) -> str:
    return f"{stop.cards.held}/{stop.cards.total} held" if stop.cards.total else ""


def _drill(drill: DrillOnPath) -> str:
    return f"✎ {drill.id}" + ("" if drill.state == "new" else f" {drill.state}")
