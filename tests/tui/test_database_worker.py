"""The database's thread: what another process changes holds at once, here too."""

from __future__ import annotations

from functools import partial

import pytest

from studyattn.address import ServerAddress
from studyattn.errors import StoreError
from studyattn.home import Home
from studyattn.memory import Rating, Remembered
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile, open_profile
from studyattn.study.review import browse
from studyattn.study.review.recorder import ReviewRecorder
from studyattn.tui.database_worker import DatabaseWorker
from tests.tui.pack import write_pack

CARDS = ("small:softmax-sum", "small:scaling-typed")


def days_until_due(profile: Profile, guid: str) -> int:
    memory = browse.show_item(profile, guid).memory
    assert isinstance(memory, Remembered)
    return (profile.day_of(profile.moment(memory.due)) - profile.today()).days


async def test_a_session_goes_by_settings_that_another_process_changes_meanwhile(
    empty_home: Home, clock: FixedClock, either: ServerAddress | None
) -> None:
    write_pack(empty_home.root / "packs" / "small")
    home = Home(empty_home.root, either)
    with open_profile(home, clock) as before:
        before.change_setting("fuzz", "no")
        before.change_setting("load_balance", "no")
    worker = DatabaseWorker(home, clock)
    recorder = await worker.run_with_profile(ReviewRecorder)
    moment = await worker.run_with_profile(Profile.moment)
    await worker.run(lambda: recorder.take(CARDS[0], Rating.EASY, moment))
    with open_profile(home, clock) as elsewhere:
        elsewhere.change_setting("desired_retention", "0.8")
    await worker.run(lambda: recorder.take(CARDS[1], Rating.EASY, moment))
    await worker.run(recorder.close)
    first, second = [
        await worker.run_with_profile(partial(days_until_due, guid=guid)) for guid in CARDS
    ]
    await worker.close()
    assert first == second > 9  # days at a retention of 0.9


async def test_a_draft_is_kept_while_the_database_cannot_be_read(
    empty_home: Home, clock: FixedClock, address: ServerAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(_: Profile) -> None:
        raise StoreError("the connection to the server was lost")

    worker = DatabaseWorker(Home(empty_home.root, address), clock)
    await worker.open()
    monkeypatch.setattr(Profile, "reload", unreachable)
    draft = empty_home.root / "draft.txt"
    await worker.run(lambda: draft.write_text("kept", encoding="utf-8"))
    await worker.close()
    assert draft.read_text(encoding="utf-8") == "kept"
