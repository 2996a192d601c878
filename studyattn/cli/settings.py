"""`settings`: list, get and set settings; `backlog`: the overdue cards spread over several days."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from studyattn.cli.common import Answer, Invocation, Rows, opened
from studyattn.study import config_file, review, statistics
from studyattn.study.settings import SETTINGS, find_setting
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.study.profile import Profile
    from studyattn.study.statistics.planned import PlannedChange


def settings(invocation: Invocation, as_toml: bool) -> None:
    context = click.get_current_context()
    if context.invoked_subcommand is not None:
        if as_toml:
            raise click.UsageError("Use --toml without a command", context)
    elif not as_toml:
        raise click.exceptions.NoArgsIsHelpError(context)
    else:
        with opened(invocation) as profile:
            click.echo(config_file.as_toml(profile.settings), nl=False)


def list_(profile: Profile) -> Answer:
    values, config = profile.settings, profile.config
    value = [
        {
            "key": each.key,
            "value": values.text(each.key),
            "default": each.default_text,
            "range": each.kind.expected,
            "set_in": config.place(each.key),
            "help": each.help,
        }
        for each in SETTINGS
    ]
    rows = [
        (
            each.key,
            values.text(each.key),
            each.kind.expected,
            f"Set in {place}. {each.help}" if (place := config.place(each.key)) else each.help,
        )
        for each in SETTINGS
    ]
    return Answer(value, Rows(rows))


def get(profile: Profile, key: str) -> Answer:
    key = find_setting(key).key
    value = profile.settings.text(key)
    return Answer({"key": key, "value": value}, value)


def set_(profile: Profile, key: str, value: str, dry_run: bool) -> Answer:
    key = find_setting(key).key
    if dry_run:
        change = statistics.planned.planned_change(profile, key, value)
        moved = f"\n{count(change.moved, 'item')} would come due on another day."
        return Answer(change, (_days(change), moved))
    changed = profile.change_setting(key, value).text(key)
    return Answer({"key": key, "value": changed}, f"{key} is {changed or 'empty'}.")


def _days(change: PlannedChange) -> Rows:
    """Return what comes due on the days to come, before and after a change."""
    days = ((f"{each.day:%a %d %b}", f"{each.before}", f"{each.after}") for each in change.days)
    return Rows([("day", "due", "then"), *days])


def backlog(profile: Profile, days: int | None, dry_run: bool, cancel: bool) -> Answer:
    if days is not None and dry_run:
        change = statistics.planned.planned_backlog(profile, days)
        spread = f"{count(change.moved, 'card')} would be spread over {count(days, 'day')}."
        return Answer(change, (_days(change), f"\n{spread}"))
    if cancel:
        ended = review.backlog.cancel_plan(profile)
        text = "The plan is canceled." if ended else "There is no plan."
        return Answer({"cancelled": ended}, text)
    if days is not None:
        review.backlog.make_plan(profile, days)
    with profile.read() as connection:
        plan = review.backlog.read_backlog(connection, profile.settings, profile.today())
    if plan is None:
        none = "There is no plan. `studyattn backlog --days 5 --dry-run` previews one."
        return Answer(None, none)
    shown = [f"{day:%a %d %b}  {count(number, 'card')}" for day, number in plan.spread]
    until = f"{count(plan.waiting, 'overdue card')} until {plan.last}; nothing new until then."
    return Answer(plan, (*shown, until))
