"""The table of commands beside the functions that carry them out."""

from __future__ import annotations

import inspect
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

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


def test_rules_of_what_goes_together_name_parameters_of_their_command() -> None:
    for path, entry in declared().items():
        command = command_named(path)
        assert command is not None
        given = {each.name for each in command.params}
        for rule in entry.refused:
            terms, _, told = rule.partition("  ")
            named = {name for term in terms.split() for name in term.removeprefix("-").split("|")}
            assert named <= given, path
            assert told


@pytest.mark.parametrize(
    "words",
    [
        "answer",
        "answer t:1",
        "answer t:1 good --from FILE",
        "due --count --at now",
        "backlog --dry-run",
    ],
)
def test_a_wrong_usage_makes_no_database(words: str, tmp_path: Path) -> None:
    (tmp_path / "reviews.jsonl").write_text("")
    home = tmp_path / "home"
    given = words.replace("FILE", str(tmp_path / "reviews.jsonl")).split()
    result = CliRunner().invoke(studyattn, ["--home", str(home), *given])
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code == 2
    assert not home.exists()
