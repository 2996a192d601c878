"""`explain`: a concept in one's own words, compared with its key points."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from studyattn.cli.common import Answer, local, say, words_of, written
from studyattn.cli.names import POINTS
from studyattn.study import concepts

if TYPE_CHECKING:
    from studyattn.study.profile import Profile


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
