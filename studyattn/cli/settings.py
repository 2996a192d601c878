"""`settings`: list, get and set settings."""

from __future__ import annotations

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
from studyattn.study.settings import SETTINGS, find_setting


@click.group(epilog=examples("studyattn settings list", "studyattn settings set new_per_day 20"))
def settings() -> None:
    """List, get and set settings."""


@settings.command("list", epilog=examples("studyattn settings list"))
@json_option
@pass_invocation
def list_(invocation: Invocation, as_json: bool) -> None:
    """List every setting with its value, range and meaning."""
    with opened(invocation) as profile:
        values = profile.settings
    if as_json:
        emit(
            [
                {
                    "key": each.key,
                    "value": values.text(each.key),
                    "default": each.default_text,
                    "range": each.kind.expected,
                    "help": each.help,
                }
                for each in SETTINGS
            ]
        )
        return
    table([(each.key, values.text(each.key), each.kind.expected, each.help) for each in SETTINGS])


@settings.command(epilog=examples("studyattn settings get new_per_day"))
@click.argument("key")
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
        "studyattn settings set new_per_day 20", "studyattn settings set learning_steps '1m 10m'"
    ),
)  # a value may be −1
@click.argument("key")
@click.argument("value")
@json_option
@pass_invocation
def set_(invocation: Invocation, key: str, value: str, as_json: bool) -> None:
    """Change a setting."""
    setting = find_setting(key)
    with opened(invocation) as profile:
        changed = profile.change_setting(setting.key, value).text(setting.key)
    text = f"{setting.key} is {changed or 'empty'}."
    respond({"key": setting.key, "value": changed}, text, as_json=as_json)
