"""`explain`: a concept in one's own words, compared with its key points."""

from __future__ import annotations

import sys

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, examples, json_option, local, opened, pass_invocation, say
from studyattn.cli.names import CONCEPT, slug_of
from studyattn.cli.written import written
from studyattn.study import concepts


class _Points(click.ParamType[frozenset[int]]):
    """Numbers of key points as they are printed, from 1: `1,3,4`; `none` for none."""

    name = "points"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> frozenset[int]:
        """Return the numbers from 0. Raises UsageError for text that has others."""
        words = str(value).replace(",", " ").split()
        if words == ["none"]:
            return frozenset()
        if not words or not all(each.isdecimal() and int(each) > 0 for each in words):
            self.fail(f"{value!r} is not a list of numbers. Write 1,3,4 or none.", param, ctx)
        return frozenset(int(each) - 1 for each in words)


@click.command(
    epilog=examples(
        "studyattn explain softmax",
        "studyattn explain softmax --text 'Scores become weights …' --had 1,2,5",
    )
)
@click.argument("slug", metavar="CONCEPT", type=CONCEPT)
@click.option("--text", help="The explanation.  [default: standard input, or your editor]")
@click.option("--had", type=_Points(), help="Key points you covered: 1,3,4 or none.")
@json_option
@pass_invocation
def explain(
    invocation: Invocation,
    slug: str,
    text: str | None,
    had: frozenset[int] | None,
    as_json: bool,
) -> None:
    """Explain a concept in your own words and rate it by key points.

    The text is saved as a note on the concept. Then the key points are printed, and you say which
    ones you covered.
    """
    with opened(invocation) as profile:
        slug = slug_of(profile, slug)
        found = concepts.explaining.read_explanation(profile, slug)
        if text is None and had is not None:
            text = ""  # given aloud
        elif text is None:
            text = written("")
        if had is None:
            _show(found.title, found.points, err=as_json)
            if not sys.stdin.isatty():
                raise click.UsageError("Give the key points you covered with --had")
            had = click.prompt("Which did you cover", type=_Points(), err=as_json)
        if had and max(had) >= len(found.points):
            raise click.UsageError(f"{found.slug} has {len(found.points)} key points")
        done = concepts.explaining.explain(profile, slug, text, had)
    if as_json:
        emit({name: getattr(done, name) for name in ("slug", "said", "points", "rating", "due")})
    else:
        rating = done.rating.name.lower()
        say(f"{done.said} of {done.points} key points: {rating}, again {local(done.due)}")


def _show(title: str, points: tuple[str, ...], *, err: bool) -> None:
    # Late: few commands print Markdown, and its reader takes as long as click.
    from studyattn.text.render import plain

    say(f"A good explanation of “{title}” has these key points:", err=err)
    for number, point in enumerate(points, start=1):
        say(f"  {number}  {plain(point)}", err=err, hang=5)
