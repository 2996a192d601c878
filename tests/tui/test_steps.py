"""A long drill in steps in the app, with a real worker: the next step and its verdict."""

from __future__ import annotations

import pytest

from studyattn.home import Home
from studyattn.tui.screens.drill import DrillScreen
from studyattn.tui.screens.review import ReviewScreen
from tests.steps import written
from tests.tui.conftest import OpenApp, last_line, press, text_of, until, until_shown
from tests.tui.drills import CONTENT, editor, graded, open_drill

DRILL = "multi-head-attention"
GUID = f"attention:drill/{DRILL}"


@pytest.fixture(autouse=True)
def built_in_pack(no_builtin_pack: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)


async def test_the_screen_shows_the_step_that_comes_next(
    stocked_home: Home, open_app: OpenApp
) -> None:
    async with open_app(stocked_home) as pilot:
        screen = await open_drill(pilot, DRILL)
        assert f"{DRILL}   1/5 project the tokens" in text_of(pilot).splitlines()[0]
        editor(screen).text = written(2)
        await press(pilot, "ctrl+s")
        await until(pilot, graded(screen, "step"))
        shown = text_of(pilot)
        assert "✓ Right so far, step 2 of 5" in shown
        assert "Next is step 3 of 5: weigh the keys" in shown
        assert "✓ 2 split into heads" in shown
        await until(pilot, lambda: "3/5 weigh the keys" in text_of(pilot).splitlines()[0])
        editor(screen).text = written(3).replace(" / math.sqrt(q.shape[-1])", "")
        await press(pilot, "ctrl+s")
        await until(pilot, graded(screen, "wrong"))
        assert "✗ Not yet, step 3 of 5" in text_of(pilot)
        await until(pilot, lambda: "The scores are not divided by √d." in text_of(pilot))
        editor(screen).text = written(5)
        await press(pilot, "ctrl+s")
        await until(pilot, graded(screen, "passed"))
        assert "weigh the keys" not in text_of(pilot).splitlines()[0]


async def test_a_session_goes_on_after_a_step(stocked_home: Home, open_app: OpenApp) -> None:
    async with open_app(stocked_home) as pilot:
        pilot.app.push_screen(ReviewScreen(only=(GUID,), ahead=True))
        await until_shown(pilot, "step 1/5 project the tokens")
        await press(pilot, "space")
        screen = pilot.app.screen
        assert isinstance(screen, DrillScreen)
        editor(screen).text = written(1)
        await press(pilot, "ctrl+s")
        await until(pilot, graded(screen, "step"))
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, ReviewScreen)
        assert "one step more of the drill" in last_line(pilot)
        assert "project the tokens" not in text_of(pilot)  # the session went on
