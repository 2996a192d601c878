"""`path`: the concepts in learning order, how far each is, and how far it still is to the goals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, examples, json_option, opened, pass_invocation, say, table
from studyattn.cli.paging import paged
from studyattn.study import concepts
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.study.concepts.path import DrillOnPath, LearningPath, PathStop

_SIGNS = {"not begun": "○", "placed": "◐", "learning": "●", "held": "✓", "known": "✓"}


@click.command(epilog=examples("studyattn path", "studyattn path --json"))
@json_option
@pass_invocation
@paged()
def path(invocation: Invocation, as_json: bool) -> None:
    """Show the path: progress on each concept and distance to the goals."""
    with opened(invocation) as profile:
        found = concepts.path.read_path(profile)
        goals = None if as_json else concepts.goals.read_goals(profile, found)
    if goals is None:
        emit(found.stops)
        return
    _print(found)
    if goals.milestones:
        click.echo()
    for each, way in zip(goals.milestones, goals.ways(), strict=True):
        say(f"{each.title}: {way}{goals.pace}")


def _print(found: LearningPath) -> None:
    begun = "begun or placed" if found.placed else "begun"
    say(f"{found.begun} of {count(len(found.stops), 'concept')} {begun}, {found.held} held")
    click.echo()
    table(
        [
            (
                f"{_SIGNS[stop.progress]} {stop.slug}",
                "next" if stop.slug == found.next else stop.progress.value,
                _cards(stop),
                "  ".join(map(_drill, stop.drills)),
            )
            for stop in found.stops
        ]
    )


def _cards(stop: PathStop) -> str:
    return f"{stop.cards.held}/{stop.cards.total} held" if stop.cards.total else ""


def _drill(drill: DrillOnPath) -> str:
    return f"✎ {drill.id}" + ("" if drill.state == "new" else f" {drill.state}")
