"""“Find the bug” cards and cards that a mistake brought back, in the review and among the cards."""

from __future__ import annotations

import sqlite3

import pytest
from textual.pilot import Pilot

from studyattn.home import Home
from studyattn.tui.screens.example import ExampleScreen
from studyattn.tui.screens.review import ReviewScreen
from tests.tui.conftest import OpenApp, Typed, last_line, press, settle, text_of, until_shown

BUG = """\
---
misconception: softmax-missing
concept: softmax
drill: softmax
question: "Find the bug: a softmax of two numbers"
---

```python given
numbers = [1, 2]
```

```python faulty
def softmax(x):
    return x

print(softmax(numbers))
```

```output
[1, 2]
```

**Wrong:** nothing is exponentiated, nothing divided.
"""
GUID = "small:bug/softmax-missing"
REASON = "Re-queued by your drill softmax: The scores stay as they are."


@pytest.fixture
def home(home: Home) -> Home:
    folder = home.root / "packs" / "small" / "bugs"
    folder.mkdir()
    (folder / "softmax-missing.md").write_text(BUG, encoding="utf-8")
    return home


async def see_it_run(pilot: Pilot[None]) -> None:
    await press(pilot, "x")
    screen = pilot.app.screen
    assert isinstance(screen, ExampleScreen)
    while screen.run_of_example is None:
        await pilot.pause(0.05)
    await settle(pilot)
    assert "numbers = [1, 2]" in text_of(pilot)  # what the program is given
    assert "✓" in text_of(pilot)
    await press(pilot, "escape")


async def test_the_program_is_read_and_can_be_run(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space")
        while "Find the bug" not in text_of(pilot):
            await press(pilot, "minus")
        assert "def softmax(x):" in text_of(pilot)
        assert "[1, 2]" in text_of(pilot)
        assert "numbers = [1, 2]" not in text_of(pilot)
        assert "nothing divided" not in text_of(pilot)
        assert "x example" in last_line(pilot)
        await see_it_run(pilot)
        assert isinstance(pilot.app.screen, ReviewScreen)
        await press(pilot, "space")
        assert "nothing divided" in text_of(pilot)
        assert "▸ run" not in text_of(pilot)  # it stands above


async def test_the_program_can_be_edited_and_run_again(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "b", *"is:bug", "enter", "x")
        await until_shown(pilot, "✓")
        await press(pilot, "e", Typed("print(7 * 6)"), "enter", "ctrl+s")
        await until_shown(pilot, "42")
        await until_shown(pilot, "✓")
        await press(pilot, "e", Typed("nothing"), "enter", "ctrl+s")
        await until_shown(pilot, "NameError")
        await press(pilot, "escape", "x")
        await until_shown(pilot, "✓")
        assert "7 * 6" not in text_of(pilot)  # the card is as it was


async def test_it_is_found_among_the_cards_and_runs_from_there(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "b", *"is:bug", "enter")
        assert "1 item" in text_of(pilot)
        await see_it_run(pilot)
        await press(pilot, "enter")
        assert "def softmax(x):" in text_of(pilot)


async def test_a_card_that_is_back_says_for_what_and_can_be_let_go(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home):
        pass  # the pack is taken over
    with sqlite3.connect(home.database) as connection:
        connection.execute(
            "INSERT INTO brought_back (uuid, item_guid, attempt_uuid, misconception, reason, at,"
            " learner_day) VALUES ('u', ?, 'a', 'softmax-missing', ?, '2026-11-21 10:00:00.000000',"
            " '2026-11-21')",
            (GUID, REASON),
        )
    async with open_app(home) as pilot:
        await press(pilot, "space")
        assert "↩ back for softmax" in text_of(pilot)
        assert "Find the bug" in text_of(pilot)
        assert "stay as they are" not in text_of(pilot)  # it is the answer
        assert "D dismiss" in last_line(pilot)
        await press(pilot, "space")
        assert "↩ The scores stay as they are." in text_of(pilot)
        await press(pilot, "D")
        assert "↩" not in text_of(pilot)
        assert "dismissed" in last_line(pilot)
        await press(pilot, "D")
        assert "this card was not re-queued by a mistake" in last_line(pilot)
        await press(pilot, "u")
        assert "↩ back for softmax" in text_of(pilot)
        await press(pilot, "i")
        assert "Re-queued by your drill softmax" in text_of(pilot)
