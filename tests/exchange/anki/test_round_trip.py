"""A collection with a past, made by the real Anki and its own scheduler: in, out, and in again.

The same with thousands of notes is `python -m benchmarks.anki_round_trip`.
"""

from __future__ import annotations

from collections.abc import Collection as SomeOf
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from studyattn.exchange.anki.reader import read_package
from studyattn.exchange.anki.writer import write_package
from studyattn.exchange.import_file import import_file
from studyattn.exchange.registry import ANKI
from studyattn.memory import Remembered, Scheduler, SchedulingSettings, elapsed_days, learner_day
from studyattn.memory.intervals import retrievability
from studyattn.store.database import Connection
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.study.review.rebuild import refold
from studyattn.study.review.recompute import recompute
from tests.exchange.homes import Homes

pytest.importorskip("anki.collection", reason="the group interop is not installed")

from anki.collection import Collection

from benchmarks._anki import Groups, export_package, import_package, make_collection
from benchmarks.anki_round_trip import compare, states_of

NOTES = 54


@dataclass(frozen=True, slots=True)
class Past:
    """The collection and its package."""

    collection: Collection
    groups: Groups
    package: Path


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Past]:
    folder = tmp_path_factory.mktemp("past")
    collection, groups = make_collection(folder / "first.anki2", NOTES)
    with closing(collection):
        yield Past(collection, groups, export_package(collection, folder / "first.apkg"))


def test_cards_that_were_reset_or_lack_their_beginning_are_remembered_as_in_anki(
    past: Past, homes: Homes, tmp_path: Path
) -> None:
    now = datetime.now(UTC)
    read = read_package(past.package, now)
    started = {each.item_guid for each in read.snapshot.starts}
    groups = past.groups
    assert past.collection.find_cards('"note:Image Occlusion"')
    assert read.guids.keys() == set(past.collection.find_cards(""))
    assert read.not_taken == ()
    for number in {*groups.truncated, *groups.without_log}:
        assert read.guids[number] in started
    assert any(read.guids[number] in started for number in groups.forgotten)
    with homes.new() as database:
        import_file(database, past.package, ANKI, now, refold)
        first = compare(past.collection, read, states_of(database))
        assert (first.compared, first.apart) == (past.collection.card_count(), ())
        with database.read() as connection:
            held = load_snapshot(connection)
        back, again = tmp_path / "ours.apkg", tmp_path / "again.apkg"
        media = database.home.media
        write_package(back, held, Scheduler(), media)
        with closing(Collection(str(tmp_path / "second.anki2"))) as second:
            import_package(second, back)
            files = {each.name: each.read_bytes() for each in Path(second.media.dir()).iterdir()}
            folder = Path(past.collection.media.dir())
            assert files == {name: (folder / name).read_bytes() for name in files} != {}
            # Besides them the home has pictures with covered parts.
            assert {*files.values()} < {each.read_bytes() for each in media.iterdir()}
            assert not second.media.check().missing
            export_package(second, again)
            second_read = read_package(again, now)
            assert second.card_count() == past.collection.card_count()
            flags = [f"flag:{number}" for number in range(1, 8)]  # a few cards have some of them
            states = ("is:buried", "is:suspended", "tag:marked", "tag:chapter*", "mp3", "png")
            for state in (*states, *flags):
                found = set(past.collection.find_cards(state))
                theirs = {read.guids[each] for each in found}
                shown = set(second.find_cards(state)) & second_read.guids.keys()
                ours = {second_read.guids[each] for each in shown}
                assert ours == theirs
                assert theirs or state in flags
            assert compare(second, second_read, states_of(database)).apart == ()
        assert import_file(database, again, ANKI, now, refold).changes_nothing


def test_anki_forecasts_as_we_do_by_the_learners_own_settings(
    past: Past, homes: Homes, tmp_path: Path
) -> None:
    parameters = [each * 1.05 for each in SchedulingSettings().parameters]
    parameters[20] = 0.3
    scheduler = Scheduler(
        SchedulingSettings(parameters=tuple(parameters), desired_retention=0.85, leech_lapses=5)
    )
    now = datetime.now(UTC)

    def refold_so(
        connection: Connection, guids: SomeOf[str] | None, new: Any = None, starts: Any = None
    ) -> Any:
        if guids:
            recompute(connection, scheduler)
        return {}

    with homes.new() as database:
        import_file(database, past.package, ANKI, now, refold_so)
        states = states_of(database)
        with database.read() as connection:
            held = replace(load_snapshot(connection), anki_notes=(), anki_cards=())  # all ours
    back = tmp_path / "ours.apkg"
    write_package(back, held, scheduler)
    with closing(Collection(str(tmp_path / "second.anki2"))) as second:
        second.set_config("fsrs", True)
        import_package(second, back)
        options = second.decks.config_dict_for_deck_id(second.decks.by_name("studyattn")["id"])  # type: ignore[index]  # it is there
        assert options["fsrsParams6"] == pytest.approx(parameters, rel=1e-6)
        assert options["desiredRetention"] == pytest.approx(0.85)
        assert options["lapse"]["leechFails"] == 5
        read = read_package(export_package(second, tmp_path / "again.apkg"), now)
        today = learner_day(now, 0)
        compared = 0
        for number, guid in read.guids.items():
            state = states[guid]
            told = second.card_stats_data(number)  # type: ignore[arg-type]  # a number of a card
            if not isinstance(state, Remembered):
                assert not told.HasField("fsrs_retrievability")
                continue
            ours = retrievability(
                state.stability, elapsed_days(state.last_day, today), scheduler.settings.parameters
            )
            assert told.fsrs_retrievability == pytest.approx(ours, abs=1e-3)
            assert told.desired_retention == pytest.approx(0.85)
            compared += 1
        assert compared > NOTES
