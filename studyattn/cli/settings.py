"""`settings`: list, get and set settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import (
    emit,
    examples,
    json_option,
    opened,
    pass_invocation,
    respond,
    table,
)
from studyattn.cli.paging import paged
from studyattn.study import statistics
from studyattn.study.settings import SETTINGS, find_setting
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.study.statistics.planned import PlannedChange


def _keys(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    return [each.key for each in SETTINGS if each.key.startswith(begun)]


def _choices(context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    key = context.params["key"]
    choices = next((each.kind.choices for each in SETTINGS if each.key == key), ())
    return [each for each in choices if each.startswith(begun)]


@click.group(
    epilog=examples(
        "studyattn settings list",
        "studyattn settings set new_per_day 20",
        "studyattn settings --toml > ~/.config/studyattn/config.toml",
    ),
    invoke_without_command=True,
)
@click.option("--toml", "as_toml", is_flag=True, help="Print the settings as a config file.")
@click.pass_context
def settings(context: click.Context, as_toml: bool) -> None:
    """List, get and set settings.

    Settings can also be set in ~/.config/studyattn/config.toml ($XDG_CONFIG_HOME), with the names
    and values shown by `settings list`. Settings in that file take precedence and can only be
    changed there.
    """
    if context.invoked_subcommand is not None:
        if as_toml:
            raise click.UsageError("Use --toml without a command", context)
    elif not as_toml:
        raise click.exceptions.NoArgsIsHelpError(context)
    else:
        # Late: help does without it.
        from studyattn.study import config_file

        with opened(context.ensure_object(Invocation)) as profile:
            click.echo(config_file.as_toml(profile.settings), nl=False)


@settings.command("list", epilog=examples("studyattn settings list"))
@json_option
@pass_invocation
@paged()
def list_(invocation: Invocation, as_json: bool) -> None:
    """List every setting with its value, range and meaning."""
    with opened(invocation) as profile:
        values, config = profile.settings, profile.config
    if as_json:
        emit(
            [
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
        )
        return
    table(
        [
            (
                each.key,
                values.text(each.key),
                each.kind.expected,
                f"Set in {place}. {each.help}" if (place := config.place(each.key)) else each.help,
            )
            for each in SETTINGS
        ]
    )


@settings.command(epilog=examples("studyattn settings get new_per_day"))
@click.argument("key", shell_complete=_keys)
@json_option
@pass_invocation
def get(invocation: Invocation, key: str, as_json: bool) -> None:
    """Print the value of a setting."""
    setting = find_setting(key)
    with opened(invocation) as profile:
        value = profile.settings.text(setting.key)
    respond({"key": setting.key, "value": value}, value, as_json=as_json)


@settings.command(
    "set",
    context_settings={"ignore_unknown_options": True},
    epilog=examples(
        "studyattn settings set new_per_day 20",
        "studyattn settings set learning_steps '1m 10m'",
        "studyattn settings set easy_days sat=0.5,sun=0 --dry-run",
        "studyattn settings set vacation 2026-12-20..2027-01-03",
    ),
)  # a value may be −1
@click.argument("key", shell_complete=_keys)
@click.argument("value", shell_complete=_choices)
@click.option("--dry-run", is_flag=True, help="Preview; show the coming days before and after.")
@json_option
@pass_invocation
def set_(invocation: Invocation, key: str, value: str, dry_run: bool, as_json: bool) -> None:
    """Change a setting."""
    setting = find_setting(key)
    if dry_run:
        _show_change(invocation, setting.key, value, as_json=as_json)
        return
    with opened(invocation) as profile:
        changed = profile.change_setting(setting.key, value).text(setting.key)
    text = f"{setting.key} is {changed or 'empty'}."
    respond({"key": setting.key, "value": changed}, text, as_json=as_json)


def _show_change(invocation: Invocation, key: str, value: str, *, as_json: bool) -> None:
    with opened(invocation) as profile:
        change = statistics.planned.planned_change(profile, key, value)
    if as_json:
        emit(change)
        return
    show_days(change)
    click.echo(f"\n{count(change.moved, 'item')} would come due on another day.")


def show_days(change: PlannedChange) -> None:
    """Print what comes due on the days to come, before and after a change."""
    table(
        [
            ("day", "due", "then"),
            *((f"{each.day:%a %d %b}", f"{each.before}", f"{each.after}") for each in change.days),
        ]
    )
