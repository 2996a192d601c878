"""`due`, `items`, `answer`, `undo`: the daily review without the app."""

from __future__ import annotations

from pathlib import Path

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import (
    emit,
    examples,
    json_option,
    local,
    opened,
    pass_invocation,
    say,
    table,
    title,
)
from studyattn.cli.names import RATINGS, words
from studyattn.cli.paging import paged
from studyattn.memory.state import Rating
from studyattn.study import review
from studyattn.study.clock import parse_moment
from studyattn.text.counting import count


@click.command(
    epilog=examples("studyattn due", "studyattn due --at 2026-12-01T09:00", "studyattn due --count")
)
@click.option("--at", metavar="TIME", help="Show what is due at TIME (ISO 8601).")
@click.option("--count", "only_count", is_flag=True, help="Print how many items are due now.")
@json_option
@pass_invocation
@paged()
def due(invocation: Invocation, at: str | None, only_count: bool, as_json: bool) -> None:
    """Show what is due, in review order."""
    if only_count:
        if at is not None:
            raise click.UsageError("Give --at or --count")
        with opened(invocation) as profile:
            click.echo(str(review.due_count.count_due(profile)))
        return
    with opened(invocation) as profile:
        moment = None if at is None else parse_moment(at, profile.clock)
        day = review.queue.read_day(profile, moment)
        if at is None:
            for problem in review.redate.told_ahead(profile):
                say(f"studyattn: {problem}", err=True)
    if as_json:
        emit(
            [
                {
                    "guid": item.guid,
                    "kind": item.kind,
                    "concept": item.concept_slug,
                    "phase": item.phase,
                    "due": item.due,
                    "title": item.title,
                    "brought_back": item.brought_back or None,
                }
                for item in day.items
            ]
        )
        return
    rows = [
        (item.guid, "back" if item.brought_back else item.phase, item.title) for item in day.items
    ]
    table(rows, title)
    for reason in dict.fromkeys(item.brought_back for item in day.items if item.brought_back):
        say(reason)
    if day.long_drill:
        say(f"{day.long_drill.capitalize()}.")
    if not day.items:
        click.echo("Nothing is due.")
    if day.later:
        later = count(len(day.later), "item")
        click.echo(f"Later today: {later}, the first at {local(day.later[0][0])}.")


@click.command(epilog=examples("studyattn items", "studyattn items --all --json"))
@click.option(
    "--all", "retired", is_flag=True, help="Include items removed from their pack or source."
)
@json_option
@pass_invocation
@paged()
def items(invocation: Invocation, retired: bool, as_json: bool) -> None:
    """List every item with its memory state."""
    with opened(invocation) as profile:
        rows = review.browse.items(profile, retired=retired)
    if as_json:
        emit(rows)
        return
    table(
        [
            (
                row.guid,
                "suspended" if row.suspended else row.phase,
                "" if row.stability is None else f"{row.stability:.1f} d",
                local(row.due),
                row.title,
            )
            for row in rows
        ],
        title,
    )


@click.command(
    epilog=examples(
        "studyattn answer attention:softmax-axis good", "studyattn answer --from reviews.jsonl"
    )
)
@click.argument("guid", required=False)
@click.argument("rating", required=False, shell_complete=words(*RATINGS))
@click.option(
    "--at",
    metavar="TIME",
    help="Time of the review (ISO 8601); local time unless it has an offset.",
)
@click.option(
    "--from",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE.jsonl",
    help='One {"guid", "rating", "at"} per line. All are recorded, or none.',
)
@json_option
@pass_invocation
def answer(  # noqa: PLR0917 - click gives one argument an option
    invocation: Invocation,
    guid: str | None,
    rating: str | None,
    at: str | None,
    file: Path | None,
    as_json: bool,
) -> None:
    """Record one review, or a file of them.

    RATING is again, hard, good or easy (1 to 4).
    """
    if file is not None:
        if guid is not None or at is not None:
            raise click.UsageError("With --from, give GUID, RATING and --at in the file")
        _answer_many(invocation, file, as_json)
    elif guid is None or rating is None:
        raise click.UsageError("Give GUID and RATING, or --from FILE.jsonl")
    else:
        _answer_one(invocation, guid, rating, at, as_json)


def _answer_one(
    invocation: Invocation, guid: str, rating: str, at: str | None, as_json: bool
) -> None:
    parsed = Rating.parse(rating)
    with opened(invocation) as profile:
        moment = None if at is None else parse_moment(at, profile.clock)
        answered = review.batch.answer(profile, guid, parsed, moment)
        is_ahead = answered.review.at > profile.clock.now()
    if as_json:
        emit(
            {
                "review": answered.review.uuid,
                "guid": guid,
                "rating": parsed,
                "at": answered.review.at,
                "memory": answered.after,
                "leech": answered.leech,
                "replayed": answered.replayed,
            }
        )
        return
    after = answered.after
    next_due = "" if after.phase == "new" else f", next on {local(getattr(after, 'due', None))}"
    click.echo(f"{guid}: {parsed.name.lower()}{next_due}.")
    if answered.replayed:
        click.echo("It is earlier than the item's last review, so the history was replayed.")
    if is_ahead:
        click.echo("Its date is in the future.")


def _answer_many(invocation: Invocation, file: Path, as_json: bool) -> None:
    # Late: they load SQLAlchemy.
    from studyattn.exchange.learning_note.autosave import autosave_note
    from studyattn.study.after_session import after_session

    with opened(invocation) as profile:
        result = review.batch.answer_many(profile, file)
        unwritten = after_session(profile, autosave_note)
    if unwritten is not None:
        say(f"studyattn: {unwritten}", err=True)
    if as_json:
        emit(result)
        return
    click.echo(f"{count(result.answered, 'review')} of {count(result.items, 'item')}.")
    if result.already:
        were = "was" if result.already == 1 else "were"
        click.echo(f"{result.already} {were} already in the log.")
    if result.replayed:
        later = f"{count(result.replayed, 'item')} had later reviews"
        click.echo(f"{later}: memory states were recomputed.")


@click.command(epilog=examples("studyattn undo"))
@json_option
@pass_invocation
def undo(invocation: Invocation, as_json: bool) -> None:
    """Undo the last review; repeat to go back further."""
    with opened(invocation) as profile:
        withdrawn = review.batch.undo(profile)
    if as_json:
        emit(
            None
            if withdrawn is None
            else {
                "review": withdrawn.review.uuid,
                "guid": withdrawn.review.item_guid,
                "rating": withdrawn.review.rating,
                "at": withdrawn.review.at,
                "memory": withdrawn.after,
            }
        )
    elif withdrawn is None:
        click.echo("No review to undo.")
    else:
        undone = withdrawn.review
        rating = "" if undone.rating is None else undone.rating.name.lower()
        click.echo(f"{undone.item_guid}: {rating} of {local(undone.at)} withdrawn.")
    if withdrawn is None:
        click.get_current_context().exit(1)
