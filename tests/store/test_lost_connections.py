"""A server that goes away, or keeps its lock too long: no answer is lost, and none counts twice."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from studyattn.address import ServerAddress
from studyattn.errors import StoreError
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.store import postgresql
from studyattn.store.database import open_database
from studyattn.study.profile import Profile
from studyattn.study.review.card_loader import CardLoader
from studyattn.study.review.rebuild import check_database
from studyattn.study.review.recorder import ReviewRecorder
from tests.databases import Server
from tests.store.conftest import NOW, add_review, reviews


@pytest.fixture
def home(tmp_path: Path, address: ServerAddress) -> Home:
    return Home(tmp_path / "home", address)


def cut(server: Server, learner: Profile) -> None:
    """End every connection to the learner's database from the server's side."""
    name = make_url(str(learner.home.server and learner.home.server.url)).database
    server.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        f" WHERE datname = '{name}' AND pid <> pg_backend_pid()"
    )


def test_a_lock_that_is_held_too_long(
    home: Home, learner: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "PATIENCE", 0.1)
    with (
        learner.database.write(),
        open_database(home, now=NOW) as impatient,
        pytest.raises(StoreError, match="kept it locked"),
        impatient.write(),
    ):
        pass


def test_after_waiting_too_long_an_answer_is_taken_again(
    home: Home, learner: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "PATIENCE", 0.1)
    with (
        open_database(home, now=NOW) as impatient,
        ReviewRecorder(Profile(home, impatient, learner.clock)) as recorder,
    ):
        with learner.database.write(), pytest.raises(StoreError, match="kept it locked"):
            recorder.take("card-0", Rating.GOOD, learner.moment())
        recorder.take("card-0", Rating.GOOD, learner.moment())
    assert reviews(learner.database) == 1


def test_an_answer_survives_that_the_connection_was_cut(server: Server, learner: Profile) -> None:
    with ReviewRecorder(learner) as recorder:
        recorder.take("card-0", Rating.GOOD, learner.moment())
        cut(server, learner)
        recorder.take("card-1", Rating.GOOD, learner.moment())
    assert reviews(learner.database) == 2


def test_a_commit_whose_acknowledgement_was_lost_counts_once(
    server: Server, learner: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ReviewRecorder(learner) as recorder:
        driver, commit = recorder.driver, recorder.driver.commit
        assert isinstance(driver, postgresql.PostgresDriver)

        def lose() -> None:
            monkeypatch.undo()
            commit()
            cut(server, learner)
            postgresql.PostgresDriver.do(driver, "SELECT 1")  # what the commit would have met

        monkeypatch.setattr(driver, "commit", lose)
        answered = recorder.take("card-0", Rating.EASY, learner.moment())
        assert answered.review.rating is Rating.EASY
        again = recorder.take("card-1", Rating.GOOD, learner.moment())
    assert again.review.item_guid == "card-1"
    assert reviews(learner.database) == 2
    assert check_database(learner.home) == []


def test_an_answer_that_arrived_is_not_counted_again_when_it_is_given_again(
    server: Server, learner: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ReviewRecorder(learner) as recorder:
        driver, commit = recorder.driver, recorder.driver.commit
        assert isinstance(driver, postgresql.PostgresDriver)

        def lose() -> None:
            commit()
            cut(server, learner)
            postgresql.PostgresDriver.do(driver, "SELECT 1")

        with monkeypatch.context() as away:
            away.setattr(driver, "commit", lose)
            away.setattr(postgresql, "connect", unreachable)
            with pytest.raises(StoreError, match="connection to the server was lost"):
                recorder.take("card-0", Rating.EASY, learner.moment())
        again = recorder.take("card-0", Rating.GOOD, learner.moment())
    assert again.review.rating is Rating.EASY  # as it was taken
    assert reviews(learner.database) == 1


def test_a_server_that_stays_away_is_said_and_the_answer_can_be_given_again(
    server: Server, learner: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ReviewRecorder(learner) as recorder:
        cut(server, learner)
        with monkeypatch.context() as away:
            away.setattr(postgresql, "connect", unreachable)
            with pytest.raises(StoreError, match=r"confirmed answers are saved\. Try again"):
                recorder.take("card-0", Rating.GOOD, learner.moment())
        recorder.take("card-0", Rating.GOOD, learner.moment())
    assert reviews(learner.database) == 1


def unreachable(_address: ServerAddress) -> None:
    raise psycopg.OperationalError("server closed the connection unexpectedly")


def test_a_card_is_shown_after_the_connection_was_cut(
    server: Server, learner: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ReviewRecorder(learner) as recorder:
        faces = CardLoader(recorder.driver, learner)
        cut(server, learner)
        assert faces.read("card-0") is not None
        cut(server, learner)
        with monkeypatch.context() as away:
            away.setattr(postgresql, "connect", unreachable)
            with pytest.raises(StoreError, match="connection to the server was lost"):
                faces.read("card-0")
        assert faces.read("card-0") is not None


def test_reading_goes_on_after_the_connection_was_cut(server: Server, learner: Profile) -> None:
    assert reviews(learner.database) == 0
    cut(server, learner)
    assert reviews(learner.database) == 0


def test_a_cut_within_a_write_leaves_nothing_and_is_said(server: Server, learner: Profile) -> None:
    def write() -> None:
        with learner.database.write() as connection:
            add_review(connection, "half")
            cut(server, learner)
            add_review(connection, "other half")

    with pytest.raises(StoreError, match="connection to the server was lost"):
        write()
    assert reviews(learner.database) == 0
