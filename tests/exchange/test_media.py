"""Pictures and sounds of cards: named by their content, kept in the home, carried with exports."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from studyattn.exchange.export_file import save_export, write_export
from studyattn.exchange.import_file import import_file
from studyattn.exchange.merge.merge_into import merge_into
from studyattn.exchange.registry import FORMATS
from studyattn.exchange.sync import sync
from studyattn.memory import Scheduler
from studyattn.store.database import Database
from studyattn.store.snapshot import CardRecord, ConceptRecord, ItemRecord, Snapshot
from studyattn.study.review.rebuild import refold
from studyattn.text.media import media_name, named_media, picture_type
from tests.exchange.homes import NOW, Homes

PICTURE, SOUND = "map-0123456789ab.png", "say-ba9876543210.mp3"
CONTENTS = {PICTURE: b"a picture", SOUND: b"a sound"}


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("map 1.PNG", "map-1-0123456789ab.png"),
        ("höre (2).mp3", "hore-2-0123456789ab.mp3"),
        ("日本.jpg", "0123456789ab.jpg"),
        ("no suffix", "no-suffix-0123456789ab"),
        ("a.tar.gz", "a-tar-0123456789ab.gz"),
        ("map-0123456789ab.png", PICTURE),
        ("..", "0123456789ab"),
        ("x" * 300 + ".png", f"{'x' * 60}-0123456789ab.png"),
    ],
)
def test_a_name_says_the_content_and_leads_nowhere(name: str, kept: str) -> None:
    assert media_name(name, "0123456789abcdef") == kept
    assert media_name(kept, "0123456789abcdef") == kept
    assert named_media(f"![x](media/{kept}) [y](media/{kept})") == (kept,)


def test_only_files_of_the_folder_are_named() -> None:
    assert named_media("![](media/../x.png) ![](other/x.png) media/x.png ![](media/a/b)") == ()
    assert picture_type(SOUND) is None


def with_media(database: Database, *, files: bool = True) -> Database:
    """Give a home a card with a picture and a sound."""
    concept = ConceptRecord("maps", "Maps", "unseen", "", None, None, None, 0, False, False, ())
    front, back = f"Where? ![a map](media/{PICTURE})", f"[say](media/{SOUND})"
    card = CardRecord("basic", front, back, None, {}, "", None, None)
    item = ItemRecord("own:1", "card", "maps", None, None, 0, NOW, False, False, False, None, card)
    merge_into(database, Snapshot(concepts=(concept,), items=(item,)), refold)
    for name, content in CONTENTS.items() if files else ():
        database.home.media.mkdir(exist_ok=True)
        (database.home.media / name).write_bytes(content)
    return database


def files_in(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir()} if folder.is_dir() else {}


@pytest.mark.parametrize("name", ["markdown", "jsonl", "obsidian"])
def test_texts_have_their_pictures_beside_them_and_bring_them_back(
    homes: Homes, tmp_path: Path, name: str
) -> None:
    form, path = FORMATS[name], tmp_path / "out" / FORMATS[name].file_name
    with homes.new() as first, homes.new() as second:
        written = write_export(with_media(first), Scheduler(), form)
        save_export(path, written)
        folder = path / "media" if name == "obsidian" else path.parent / "media"
        assert files_in(folder) == CONTENTS
        if form.reader is not None and not form.reader.folders:  # a page brings what it changes
            import_file(second, path, form, NOW, refold)
            assert files_in(second.home.media) == CONTENTS


def test_the_page_for_a_browser_has_the_picture_in_it(homes: Homes) -> None:
    with homes.new() as database:
        page = write_export(with_media(database), Scheduler(), FORMATS["html"]).content
    assert isinstance(page, str)
    data = base64.b64encode(CONTENTS[PICTURE]).decode()
    assert f'<img src="data:image/png;base64,{data}" alt="a map"' in page
    assert "media/" not in page


def test_a_package_says_which_files_are_missing(homes: Homes) -> None:
    with homes.new() as database:
        with_media(database, files=False)
        summary = write_export(database, Scheduler(), FORMATS["anki"]).summary
        assert summary.endswith("; 2 pictures and sounds not there")


def test_machines_that_sync_have_each_others_files(homes: Homes, tmp_path: Path) -> None:
    with homes.new() as first, homes.new() as second:
        sync(with_media(first), tmp_path, refold)
        sync(second, tmp_path, refold)
        assert files_in(second.home.media) == CONTENTS
