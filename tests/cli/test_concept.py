"""`concept`: it says and does what the board does, in words and in JSON."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

from tests.cli.conftest import Command

CARD = "attention:scaling-why"


def of(command: Command, slug: str) -> dict[str, object]:
    """The concept's entry in the list."""
    found: dict[str, object] = next(
        each for each in command("concept", "list", "--json").json if each["slug"] == slug
    )
    return found


def test_the_list_counts_what_the_board_counts(command: Command) -> None:
    before = of(command, "scaling")
    assert (before["held"], before["due"], before["new"]) == (0, 0, before["cards"])
    long_ago = datetime.now(UTC) - timedelta(days=300)
    for ago in (0, 10, 40):
        command("answer", CARD, "good", "--at", (long_ago + timedelta(days=ago)).isoformat())
    after = of(command, "scaling")
    assert (after["held"], after["due"]) == (1, 1)
    assert isinstance(after["cards"], int)
    assert after["new"] == after["cards"] - 1
    assert re.search(rf"1/{after['cards']} held\s+1 due", command("concept", "list").out)


def test_a_page_shows_requirements_as_a_tree(command: Command) -> None:
    page = command("concept", "show", "scaling", "--json").json
    lines = command("concept", "show", "scaling").out.splitlines()
    at = lines.index(f"○ {page['line']['title']}")
    assert lines[at - 1].startswith("├─ ○ ")
    assert lines[at + 1].startswith(("├─ ○ ", "└─ ○ "))
    assert "scaling" in page["graph"]["nodes"]
    assert page["items"][0]["retrievability"] is None
    assert page["evidence"][0]["weight"] == "missing"
    assert page["errata"]


def test_a_page_sets_its_mathematics(command: Command) -> None:
    page = command("concept", "show", "scaling", "--json").json
    assert any("$" in erratum["right"] for erratum in page["errata"])
    shown = command("concept", "show", "scaling").out
    assert "$" not in shown
    assert "The scores are divided by √dₖ" in " ".join(shown.split())


def test_a_move_is_taken_back(command: Command) -> None:
    assert command("concept", "set", "scaling", "known", "--why", "read of it").status == 0
    undone = command("concept", "undo", "--json").json
    assert (undone["slug"], undone["from_state"], undone["to_state"]) == (
        "scaling",
        "known",
        "unseen",
    )
    assert of(command, "scaling")["state"] == "unseen"
    refused = command("concept", "undo")
    assert (refused.status, refused.out) == (1, "There is no move to undo.\n")


def test_a_suggestion_is_accepted_or_put_off(command: Command) -> None:
    long_ago = datetime.now(UTC) - timedelta(days=300)
    page = command("concept", "show", "limits", "--json").json
    cards = [item["guid"] for item in page["items"]]
    for ago in (0, 10, 40, 120):
        for guid in cards:
            command("answer", guid, "good", "--at", (long_ago + timedelta(days=ago)).isoformat())
    suggestion = of(command, "limits")["suggestion"]
    assert json.dumps(suggestion).count("Every card is stable for 21 days or more") == 1
    assert "→ known?" in command("concept", "list").out
    assert command("concept", "accept", "limits", "--json").json["state"] == "known"
    assert command("concept", "show", "limits", "--json").json["changes"][-1]["reason"]
    assert command("concept", "undo").out == "limits is unseen again.\n"
    assert command("concept", "later", "limits").status == 0
    assert of(command, "limits")["suggestion"] is None
    refused = command("concept", "accept", "limits")
    assert refused.status == 2
    assert refused.err.startswith("studyattn: nothing is suggested for limits today")
