"""`db clock`: answers under a clock that was ahead are told, shown, and dated anew on request."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.cli.conftest import Command, one_line

CARD = "attention:softmax-axis"


def test_answers_dated_after_now_are_told_and_dated_anew(command: Command) -> None:
    assert command("db", "clock").out == "No answer is dated in the future.\n"
    at = datetime.now(UTC) + timedelta(days=364, hours=12)
    assert command("answer", CARD, "good", "--at", at.isoformat()).status == 0
    told = f"studyattn: 1 answer is dated in the future, up to {at:%Y-%m-%d}: the clock was ahead."
    assert command("due").err.startswith(told)
    assert command("due", "--at", at.isoformat()).err == ""
    checked = command("db", "check")
    assert (checked.status, checked.out) == (0, "The database is intact.\n")
    assert checked.err.startswith(told)
    assert "365 days earlier they would be" in command("db", "clock").out
    assert "would be" in command("db", "clock", "--days", "400", "--dry-run").out
    refused = command("db", "clock", "--days", "364")
    assert refused.status == 2
    assert one_line(refused.err)
    assert "at least --days 365" in refused.err
    assert command("due").err.startswith(told)
    done = command("db", "clock", "--days", "365", "--json").json
    assert done["changed"]
    assert Path(done["backup"]["path"]).exists()
    assert command("due").err == ""
    (item,) = (each for each in command("items", "--json").json if each["guid"] == CARD)
    assert abs(datetime.fromisoformat(item["due"]) - datetime.now(UTC)) < timedelta(days=1)
    assert command("db", "check").err == ""
