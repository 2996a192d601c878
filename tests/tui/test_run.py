"""The page of a recorded run: its figures without a model, and measured again with one."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from studyattn.bundled import content_dir
from studyattn.home import Home
from studyattn.lm.llama.kept import Models
from studyattn.packs.model_runs import Guessed, ModelRun, read_runs
from studyattn.tui.screens.base import StudyScreen
from studyattn.tui.screens.model import ModelScreen
from tests.llama_models import models
from tests.tui.conftest import OpenApp, children, last_line, press, settle, text_of

__all__ = ["models"]

CONTENT = content_dir()
ASKED = ModelRun("the", "context", "A guess after each layer", "What *the* brings.", Guessed("the"))


@pytest.fixture(autouse=True)
def drills_of_the_pack(no_builtin_pack: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)


async def opened(pilot: Pilot[None], run: ModelRun) -> ModelScreen:
    before = pilot.app.screen
    assert isinstance(before, StudyScreen)
    before.go("run", run)
    await settle(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, ModelScreen)
    return screen


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_every_recorded_run_is_told_without_a_model(
    stocked_home: Home,
    open_app: OpenApp,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    size: tuple[int, int],
) -> None:
    monkeypatch.setenv("STUDYATTN_CACHE", str(tmp_path / "none"))
    recorded = read_runs(CONTENT / "attention")
    assert recorded is not None
    kinds = {type(run.asked): run for run in recorded.runs}
    async with open_app(stocked_home, size) as pilot:
        for run in kinds.values():
            screen = await opened(pilot, run)
            shown = " ".join(text_of(pilot).split())
            assert run.title in shown
            assert run.asked.command[:40] in shown
            assert "recorded with SmolLM2 135M" in shown
            await press(pilot, "end")
            assert "`studyattn model get`" in " ".join(text_of(pilot).split())
            assert screen.run_now is None
            await press(pilot, "escape")
            assert not isinstance(pilot.app.screen, ModelScreen)
        screen = await opened(pilot, recorded.runs[0])
        assert "heads" in last_line(pilot)
        await press(pilot, "H")
        assert screen.tab == "heads"


@pytest.mark.usefixtures("own_servers")
async def test_a_run_is_measured_again_and_the_worker_ends_with_the_page(
    stocked_home: Home, open_app: OpenApp, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDYATTN_CACHE", str(models.folder.parent))
    before = children()
    async with open_app(stocked_home, (100, 40)) as pilot:
        screen = await opened(pilot, ASKED)
        now = screen.run_now
        assert now is not None
        assert now.asked.is_answered
        assert "measured now: it differs" in text_of(pilot)
        assert children() - before
        await press(pilot, "escape")
        assert not children() - before

        screen = await opened(pilot, now)
        assert "and measured now: the same" in text_of(pilot)
        assert screen.run_now == now
