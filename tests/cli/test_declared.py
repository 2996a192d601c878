"""The table of commands beside the functions that carry them out."""

from __future__ import annotations

import inspect

import click
import pytest

from studyattn.cli.app import studyattn
from studyattn.cli.declared import command_named, declared


@pytest.mark.parametrize("path", [path for path, entry in declared().items() if entry.help])
def test_a_function_takes_what_its_command_gives(path: str) -> None:
    entry, command = declared()[path], command_named(path)
    assert command is not None
    if isinstance(command, click.Group) and command.callback is None:
        return
    function = entry.function()
    takes = inspect.signature(function).parameters
    given = {each.name for each in command.params}
    wanted = {name for name, each in takes.items() if each.kind is not each.VAR_KEYWORD}
    assert wanted - {"profile", "invocation"} <= given
    if all(each.kind is not each.VAR_KEYWORD for each in takes.values()):
        assert given - {"as_json"} <= wanted


def test_a_group_lists_its_commands_by_name() -> None:
    group = studyattn.get_command(click.Context(studyattn), "note")
    assert isinstance(group, click.Group)
    names = group.list_commands(click.Context(group))
    assert names == sorted(names)
    assert {"add", "edit", "restore"} <= set(names)
