"""`backlog`: the overdue cards spread over several days."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, examples, json_option, opened, pass_invocation, respond, say
from studyattn.cli.settings import show_days
from studyattn.study import review, statistics
from studyattn.study.rules.days_ahead import MOST_DAYS
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.study.profile import Profile


@click.command(
    epilog=examples(
        "studyattn backlog",
        "studyattn backlog --days 5 --dry-run",
        "studyattn backlog --days 5",
        "studyattn backlog --cancel",
    )
)
@click.option(
    "--days",
    type=click.IntRange(1, MOST_DAYS),
    help="Number of days, from today, to spread the backlog over.",
)
@click.option("--dry-run", is_flag=True, help="Preview; show the coming days before and after.")
@click.option("--cancel", is_flag=True, help="End the plan: everything overdue is due today.")
@json_option
@pass_invocation
def backlog(
    invocation: Invocation, days: int | None, dry_run: bool, cancel: bool, as_json: bool
) -> None:
    """Spread the overdue cards over several days.

    Each day shows part of the backlog, relatively most overdue first, with the cards due that day.
    No new cards come until the backlog is cleared. No due date changes. Without --days, show the
    current plan.
    """
    if cancel and (days is not None or dry_run):
        raise click.UsageError("Give --days or --cancel")
    if dry_run and days is None:
        raise click.UsageError("Give --days with --dry-run")
    with opened(invocation) as profile:
        if days is not None and dry_run:
            _show_change(profile, days, as_json=as_json)
        elif cancel:
            ended = review.backlog.cancel_plan(profile)
            text = "The plan is canceled." if ended else "There is no plan."
            respond({"cancelled": ended}, text, as_json=as_json)
        else:
            if days is not None:
                review.backlog.make_plan(profile, days)
            _show_plan(profile, as_json=as_json)


def _show_change(profile: Profile, days: int, *, as_json: bool) -> None:
    change = statistics.planned.planned_backlog(profile, days)
    if as_json:
        emit(change)
        return
    show_days(change)
    say(f"\n{count(change.moved, 'card')} would be spread over {count(days, 'day')}.")


def _show_plan(profile: Profile, *, as_json: bool) -> None:
    with profile.read() as connection:
        plan = review.backlog.read_backlog(connection, profile.settings, profile.today())
    if as_json:
        emit(plan)
    elif plan is None:
        say("There is no plan. `studyattn backlog --days 5 --dry-run` previews one.")
    else:
        for day, number in plan.spread:
            click.echo(f"{day:%a %d %b}  {count(number, 'card')}")
        say(f"{count(plan.waiting, 'overdue card')} until {plan.last}; nothing new until then.")
