"""The app and its sync folder: it takes in at its start what is there, and writes at its end."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from studyattn.exchange.sync import SyncReport, sync
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile, open_profile
from studyattn.study.review.batch import answer
from studyattn.study.review.rebuild import refold
from tests.tui.conftest import OpenApp, app_of, press, until_shown
from tests.tui.pack import write_pack

CARD = "small:softmax-sum"


def meet(profile: Profile, folder: Path) -> SyncReport:
    return sync(profile.database, folder, refold)


def other_machine(tmp_path: Path) -> Home:
    home = Home(tmp_path / "other")
    write_pack(home.root / "packs" / "small")
    return home


async def test_the_app_syncs_at_its_start_and_at_its_end(
    home: Home, clock: FixedClock, tmp_path: Path, open_app: OpenApp
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with open_profile(home, clock) as profile:
        profile.change_setting("sync_folder", str(folder))
    with open_profile(other_machine(tmp_path), clock) as there:
        answer(there, CARD, Rating.EASY)
        meet(there, folder)
        async with open_app(home) as pilot:
            again = partial(meet, folder=folder)
            taken = await app_of(pilot).database.run_with_profile(again)
            assert not taken.changed  # it was taken in by itself
            await press(pilot, "space", "space", "4", "escape")
            assert not meet(there, folder).changed
        assert meet(there, folder).changed  # what the app wrote when it ended


async def test_a_folder_that_is_gone_is_told_and_stops_nothing(
    home: Home, clock: FixedClock, tmp_path: Path, open_app: OpenApp
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with open_profile(home, clock) as profile:
        profile.change_setting("sync_folder", str(folder))
    shutil.rmtree(folder)
    async with open_app(home) as pilot:
        await until_shown(pilot, "there is no folder")  # the path before it may end a line
        await press(pilot, "space", "space", "4", "escape")
    with open_profile(home, clock) as profile, profile.database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM review").scalar_one() == 1
