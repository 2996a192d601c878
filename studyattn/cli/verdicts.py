"""Printing what became of an attempt: the verdict, the cards it brought back, the rating."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from studyattn.grading import Report
    from studyattn.memory import Rating
    from studyattn.study.practice.drill_views import Recorded
    from studyattn.study.rules.rating_suggestion import SuggestedRating

COLOURS: dict[str, dict[str, Any]] = {
    "good": {"fg": "green"},
    "bad": {"fg": "red"},
    "quiet": {"dim": True},
    "plain": {},
}

_WIDTH = 76
"""Columns of running text."""

_BELOW = 5
"""Lines that `watch` prints below a verdict: cards that came back, a suggestion, the keys."""


def print_recorded(recorded: Recorded | None) -> None:
    """Print the cards and lessons that the mistake leads to, and what it suggests."""
    from studyattn.text.render import plain

    if recorded is None:
        return
    for card in recorded.brought_back:
        click.echo(f"  → due today: {plain(card.title)}")
    for lesson in recorded.lessons:
        for line in textwrap.wrap(f"→ {lesson.sentence}", _WIDTH, subsequent_indent="  "):
            click.echo(f"  {line}")
        click.echo(f"    `studyattn lesson {lesson.slug}` prints it.")
    for suggestion in recorded.suggestions:
        command = f"studyattn concept set {suggestion.slug} {suggestion.to_state}"
        text = f"{suggestion.reason} `{command}`"
        for line in textwrap.wrap(text, _WIDTH, break_on_hyphens=False):
            click.secho(f"  {line}", dim=True)


def print_repair(report: Report, *, shown: bool) -> None:
    """Print where a change makes the code right, and the change itself if it is to be `shown`."""
    for change in report.repair:
        for line in textwrap.wrap(f"line {change.line}: {change.hint}", _WIDTH):
            click.echo(f"  {line}")
        if shown:
            click.echo(f"    now    {change.before}\n    right  {change.after}")
    if report.repair:
        changes = "With this change" if len(report.repair) == 1 else "With these changes"
        click.secho(f"  {changes} it passes, also on fresh questions.", dim=True)
        if not shown:
            click.secho("  --mend shows what would be right; it counts as revealed.", dim=True)


def with_consequences(report: Report, recorded: Recorded | None) -> dict[str, Any]:
    """Return a report as JSON, with what a recorded attempt led to."""
    if recorded is None:
        return report.to_json()
    return {
        **report.to_json(),
        "brought_back": [each.guid for each in recorded.brought_back],
        "lessons": recorded.lessons,
    }


def ask_rating(suggested: SuggestedRating) -> Rating:
    """Ask the learner for a rating; without a terminal, return the suggestion."""
    from studyattn.memory import Rating

    click.echo(f"Suggested: {rating_name(suggested.rating)}. {suggested.reason}")
    if not sys.stdin.isatty():
        return suggested.rating
    names = [rating_name(each) for each in Rating]
    return Rating.parse(
        click.prompt("Rate it", type=click.Choice(names), default=rating_name(suggested.rating))
    )


def rating_name(rating: Rating | None) -> str:
    """Return the word for a rating, as it is typed; nothing for none."""
    return "" if rating is None else rating.name.lower()


def print_on_top(report: Report) -> None:
    """Clear the terminal and print as much of a report as leaves room for what comes below."""
    click.clear()
    print_report(report, shutil.get_terminal_size().lines - _BELOW)


def print_report(report: Report, room: int | None = None) -> None:
    """Print all of a report, or what fits: the mistake must not scroll out of sight."""
    from studyattn.grading import format_report

    lines = list(format_report(report))
    if room is not None and len(lines) > room:
        lines = list(format_report(report, brief=True))
    for line in lines:
        click.secho(line.text, **COLOURS[line.tone])
