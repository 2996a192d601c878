"""The config file wins over the home, is told where it cannot be used, and can be printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "config" / "studyattn"
    folder.mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder.parent))
    return folder / "config.toml"


def test_the_file_wins_and_is_said_to(command: Command, config: Path) -> None:
    assert command("settings", "set", "new_per_day", "3").status == 0
    config.write_text("new_per_day = 21\n")
    assert command("settings", "get", "new_per_day").out == "21\n"
    listed = {each["key"]: each["set_in"] for each in command("settings", "list", "--json").json}
    assert listed["new_per_day"] == f"{config}:1"
    assert listed["fuzz"] is None
    assert f"Set in {config}:1. Maximum" in command("settings", "list").out

    refused = command("settings", "set", "new_per_day", "4")
    assert refused.status == 2
    assert refused.err == (
        f"studyattn: {config}:1: new_per_day is set in a file. Change it there.\n"
    )
    config.unlink()  # what the file said last stays
    assert command("settings", "get", "new_per_day").out == "21\n"
    assert command("settings", "set", "new_per_day", "4").status == 0


def test_a_scheduling_setting_reschedules(command: Command, config: Path) -> None:
    guid = "attention:softmax-axis"
    for at in ("2026-01-01", "2026-01-02", "2026-01-20"):
        assert command("answer", guid, "good", "--at", at).status == 0

    def due() -> str:
        (item,) = [each for each in command("items", "--json").json if each["guid"] == guid]
        return str(item["due"])

    before = due()
    config.write_text("desired_retention = 0.75\n")
    assert due() > before
    assert "sound" in command("db", "check").out or command("db", "check").status == 0


def test_what_cannot_be_used_is_told_and_stops_nothing(command: Command, config: Path) -> None:
    config.write_text("new_per_day = 5\nfuzzy = true\n")
    done = command("settings", "get", "new_per_day")
    assert (done.status, done.out) == (0, "5\n")
    assert done.err == (
        f"studyattn: {config}:2: there is no setting 'fuzzy'. Did you mean 'fuzz'? "
        "`studyattn settings list` lists them.\n"
    )


def test_the_settings_can_be_printed_as_such_a_file(command: Command, config: Path) -> None:
    command("settings", "set", "new_per_day", "3")
    command("settings", "set", "learning_steps", "1m 5m 10m")
    printed = command("settings", "--toml").out
    assert [line for line in printed.splitlines() if line and line[0] != "#"] == [
        "new_per_day = 3",
        'learning_steps = "1m 5m 10m"',
    ]
    command("settings", "set", "new_per_day", "15")
    config.write_text(printed)
    assert command("settings", "get", "new_per_day").out == "3\n"
    assert command("settings", "--toml", "list").status == 2
