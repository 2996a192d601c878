"""A server that goes away in mid-session: it is said, and the same key does it again."""

from __future__ import annotations

import psycopg
import pytest
from sqlalchemy import make_url

from studyattn.address import ServerAddress
from studyattn.home import Home
from studyattn.memory import Remembered
from studyattn.store import postgresql
from studyattn.study.profile import Profile
from studyattn.study.review import browse
from tests.databases import Server
from tests.tui.conftest import OpenApp, app_of, press, text_of
from tests.tui.pack import write_pack


@pytest.fixture
def home(empty_home: Home, address: ServerAddress) -> Home:
    write_pack(empty_home.root / "packs" / "small")
    return Home(empty_home.root, address)


def unreachable(_address: ServerAddress) -> None:
    raise psycopg.OperationalError("server closed the connection unexpectedly")


def remembered(learner: Profile) -> int:
    shown = (browse.show_item(learner, each.guid) for each in browse.items(learner))
    return sum(isinstance(each.memory, Remembered) for each in shown)


async def test_an_answer_that_did_not_arrive_is_given_again(
    home: Home, server: Server, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "space", "3", "space")
        database = app_of(pilot).database
        assert await database.run_with_profile(remembered) == 1
        server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            f" WHERE datname = '{make_url(str(home.server and home.server.url)).database}'"
        )
        with monkeypatch.context() as away:
            away.setattr(postgresql, "connect", unreachable)
            await press(pilot, "3")
            assert "The connection to the server was lost." in text_of(pilot)
            assert "All confirmed answers are saved. Try again." in text_of(pilot)
        await press(pilot, "enter", "3")
        assert await database.run_with_profile(remembered) == 2
