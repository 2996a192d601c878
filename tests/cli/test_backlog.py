"""`backlog` and `settings set --dry-run`: the days to come, before and after."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.cli.conftest import Command, one_line

CARD = "attention:softmax-axis"


def test_a_backlog_is_shown_spread_and_cancelled(command: Command) -> None:
    refused = command("backlog", "--days", "3", "--dry-run")
    assert refused.status == 2
    assert one_line(refused.err)
    assert "no card is overdue" in refused.err
    long_ago = datetime.now(UTC) - timedelta(days=90)
    assert command("answer", CARD, "easy", "--at", long_ago.isoformat()).status == 0
    shown = command("backlog", "--days", "3", "--dry-run")
    assert "1 card would be spread over 3 days." in shown.out
    assert "There is no plan. `studyattn backlog --days 5" in command("backlog").out
    made = command("backlog", "--days", "3", "--json").json
    assert made["waiting"] == 1
    assert [number for _, number in made["spread"]] == [1, 0, 0]
    assert "1 overdue card until" in command("backlog").out
    assert command("backlog", "--cancel").out == "The plan is canceled.\n"
    assert command("backlog", "--cancel").out == "There is no plan.\n"
    for wrong in (("--cancel", "--days", "2"), ("--dry-run",)):
        assert command("backlog", *wrong).status == 2


def test_a_setting_is_tried_without_being_changed(command: Command) -> None:
    tried = command("settings", "set", "easy_days", "sun=0", "--dry-run")
    assert "0 items would come due on another day." in tried.out
    assert command("settings", "get", "easy_days").out.strip() == ""
    change = command("settings", "set", "vacation", "2030-01-01", "--dry-run", "--json").json
    assert (change["moved"], len(change["days"])) == (0, 14)
