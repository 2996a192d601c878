"""Tags, flags, marks, pictures and sounds: from the real Anki and back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from studyattn.exchange.anki.not_taken import NotTaken, Reason
from studyattn.exchange.anki.reader import read_package
from studyattn.exchange.anki.writer import write_package
from studyattn.exchange.import_file import import_file, preview
from studyattn.exchange.registry import ANKI
from studyattn.memory import Scheduler
from studyattn.store.database import Database
from studyattn.store.queries.item_search import conditions, find_items
from studyattn.store.queries.items import ItemField
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.store.search import find
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile
from studyattn.study.review import item_actions
from studyattn.study.review.rebuild import refold
from tests.exchange.anki.real_anki import added_note, exported
from tests.exchange.homes import NOW, Homes

pytest.importorskip("anki.collection", reason="the group interop is not installed")

from anki.collection import (
    Collection,
    ImportAnkiPackageOptions,
    ImportAnkiPackageRequest,
)


def test_a_tag_of_any_length_comes_in_again(
    collection: Collection, homes: Homes, tmp_path: Path
) -> None:
    note = added_note(collection, "Basic", "one", "two", tags="short")
    path = exported(collection, tmp_path / "tags.apkg", legacy=True)
    note.tags = ["short", "x" * 5000]
    collection.update_note(note)
    again = exported(collection, tmp_path / "again.apkg", legacy=True)
    with homes.new() as database:
        import_file(database, path, ANKI, NOW, refold)
        import_file(database, again, ANKI, NOW, refold)
        with database.read() as connection:
            (item,) = load_snapshot(connection).items
        assert item.tags == ("short", "x" * 1000)


@pytest.mark.parametrize("legacy", [True, False])
def test_tags_and_flags_come_in_are_found_and_go_back(
    collection: Collection, homes: Homes, tmp_path: Path, legacy: bool
) -> None:
    first = added_note(collection, "Basic", "What is d_k?", "A width.", tags="Heads ch::2 marked")
    both = added_note(collection, "Basic (and reversed card)", "softmax", "shares", tags="Größe")
    for number, card in zip((3, 7), (first.cards()[0], both.cards()[1]), strict=True):
        collection.set_user_flag_for_cards(number, [card.id])
    path = exported(collection, tmp_path / "deck.apkg", legacy=legacy)
    expected = {
        "What is d_k?": ("ch::2", "flag:green", "Heads"),
        "softmax": ("Größe",),
        "shares": ("flag:purple", "Größe"),
    }
    with homes.new() as database:
        import_file(database, path, ANKI, NOW, refold)
        with database.read() as connection:
            held = load_snapshot(connection)
            for query, fronts in (
                ("tag:CH", {"What is d_k?"}),
                ("tag:flag", set()),
                ("tag:flag:purple shares", {"shares"}),
                ('"tag:heads"', set()),
            ):
                assert {hit.title.text for hit in find(connection, query)} == fronts
            wanted = conditions(
                connection, ["tag:größe"], now=NOW, today=NOW.date(), leech_lapses=8
            )
            found = find_items(connection, wanted)
            assert len(found) == 2
    assert {each.card.front: each.tags for each in held.items if each.card} == expected
    assert not [each for each in held.decisions if each.field == "tags"]  # no one decided here
    back, again = tmp_path / "back.apkg", tmp_path / "again.apkg"
    write_package(back, held, Scheduler())
    other = Collection(str(tmp_path / "other.anki2"))
    try:
        other.import_anki_package(
            ImportAnkiPackageRequest(
                package_path=str(back), options=ImportAnkiPackageOptions(with_scheduling=True)
            )
        )
        assert len(other.find_cards("tag:ch::2 tag:heads flag:3 tag:marked")) == 1
        assert len(other.find_cards("tag:Größe")) == 2
        assert len(other.find_cards("flag:7")) == 1
        exported(other, again, legacy=legacy)
    finally:
        other.close()
    returned = read_package(again, NOW).snapshot
    assert {each.card.front: each.tags for each in returned.items if each.card} == expected


def test_labels_changed_in_anki_are_taken_of_known_cards_unless_decided_later_here(
    collection: Collection, homes: Homes, tmp_path: Path
) -> None:
    first = added_note(collection, "Basic (and reversed card)", "one", "two", tags="a b")
    second = added_note(collection, "Basic", "three", "four", tags="a")
    path = exported(collection, tmp_path / "deck.apkg", legacy=False)
    now = datetime.now(UTC)

    def labels(database: Database) -> dict[str, tuple[str, ...]]:
        with database.read() as connection:
            items = load_snapshot(connection).items
        marks = {each.guid: ("marked",) if each.marked else () for each in items}
        return {each.card.front: each.tags + marks[each.guid] for each in items if each.card}

    with homes.new() as database:
        import_file(database, path, ANKI, now, refold)
        assert labels(database) == {"one": ("a", "b"), "two": ("a", "b"), "three": ("a",)}
        later = Profile(database.home, database, FixedClock(now + timedelta(hours=1)))
        item_actions.change(
            later,
            read_package(path, now).guids[second.card_ids()[0]],
            ItemField.TAGS,
            ("mine",),
        )
        first.tags, second.tags = ["c", "marked"], ["theirs"]
        collection.update_notes([first, second])
        collection.set_user_flag_for_cards(1, [first.card_ids()[1]])
        path = exported(collection, tmp_path / "deck.apkg", legacy=False)
        assert not import_file(database, path, ANKI, now, refold).changes_nothing
        expected = {"one": ("c", "marked"), "two": ("c", "flag:red", "marked"), "three": ("mine",)}
        assert labels(database) == expected
        assert import_file(database, path, ANKI, now, refold).changes_nothing
        assert collection.db is not None
        collection.db.execute("UPDATE notes SET mod = mod + 7200")
        path = exported(collection, tmp_path / "deck.apkg", legacy=False)
        import_file(database, path, ANKI, now, refold)
        assert labels(database) == expected  # nobody changed a tag
        collection.db.execute("UPDATE notes SET tags = ' new ' WHERE id = ?", second.id)
        path = exported(collection, tmp_path / "deck.apkg", legacy=False)
        import_file(database, path, ANKI, now, refold)
        assert labels(database) == expected | {"three": ("new",)}


@pytest.mark.parametrize("legacy", [True, False])
def test_pictures_and_sounds_are_kept_and_go_back(
    collection: Collection, homes: Homes, tmp_path: Path, legacy: bool
) -> None:
    contents = {"map 1.png": b"x" * 3000, "höre.mp3": b"y" * 812}
    for name, content in contents.items():
        collection.media.write_data(name, content)
    added_note(collection, "Basic", 'Seen? <img src="map 1.png" alt="A map">', "[sound:höre.mp3]")
    added_note(collection, "Basic", "Twice?", '<img src="map%201.png"><img src="gone.png">')
    path = exported(collection, tmp_path / "deck.colpkg", legacy=legacy)
    with homes.new() as database:
        folder = database.home.media
        weighed = preview(database, path, ANKI, NOW)
        assert not folder.exists()
        taken = import_file(database, path, ANKI, NOW, refold)
        with database.read() as connection:
            held = load_snapshot(connection)
        texts = {item.card.front: item.card.back for item in held.items if item.card}
        (picture,) = (each.name for each in folder.glob("map-1-*.png"))
        (sound,) = (each.name for each in folder.glob("hore-*.mp3"))
        assert texts == {
            f"Seen? ![A map](media/{picture})": f"[höre.mp3](media/{sound})",
            "Twice?": f"![](media/{picture})![](gone.png)",
        }
        assert (folder / picture).read_bytes() == contents["map 1.png"]
        assert (folder / sound).read_bytes() == contents["höre.mp3"]
        assert len(list(folder.iterdir())) == 2
        for result in (weighed, taken):
            assert result.not_taken == (NotTaken("Twice?", Reason.FILE, "gone.png"),)
            assert result.lines()[-1] == (
                "2 pictures and sounds in the folder media of the home (4 kB)"
            )
        (folder / sound).unlink()
        assert import_file(database, path, ANKI, NOW, refold).changes_nothing
        assert (folder / sound).is_file()
        back = tmp_path / "back.apkg"
        written = write_package(back, held, Scheduler(), folder)
        assert (written.media, written.missing) == (2, 0)
    other = Collection(str(tmp_path / "other.anki2"))
    try:
        other.import_anki_package(ImportAnkiPackageRequest(package_path=str(back)))
        files = {each.name: each.read_bytes() for each in Path(other.media.dir()).iterdir()}
        assert files == contents
        assert not other.media.check().unused
        shown = [other.get_card(number) for number in other.find_cards("Seen?")]
        assert [str(card.answer_av_tags()) for card in shown] == [
            "[SoundOrVideoTag(filename='höre.mp3')]"
        ]
        exported(other, tmp_path / "again.apkg", legacy=legacy)
    finally:
        other.close()
    again = read_package(tmp_path / "again.apkg", NOW)
    assert {e.name: e.kept for e in again.media} == {"map 1.png": picture, "höre.mp3": sound}
    assert {e.card.front for e in again.snapshot.items if e.card} == set(texts)
