"""One list of formats: a format that is registered has its commands, its help and its screen."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Literal

import pytest
from msgspec.structs import replace

from studyattn.cli import run
from studyattn.exchange.export_file import save_export
from studyattn.exchange.format import ExportInput, Format, Selection
from studyattn.exchange.registry import FORMATS, JSON_LINES, format_of, importable, of_command
from studyattn.home import Home
from studyattn.memory import Scheduler
from studyattn.store.database import open_database
from studyattn.store.queries.snapshot import log_row
from studyattn.store.snapshot import (
    AnkiCardRecord,
    AnkiNoteRecord,
    AnkiTypeRecord,
    AttemptRecord,
    BroughtBackRecord,
    CardRecord,
    ConceptChangeRecord,
    ConceptRecord,
    DecisionRecord,
    ItemRecord,
    MemoryStartRecord,
    NoteRecord,
    PracticeStepRecord,
    ReviewRecord,
    SettingRecord,
    Snapshot,
    SourceRecord,
    WordingRecord,
)
from tests.exchange.homes import NOW
from tests.exchange.toyformat import TITLES

Command = Callable[..., int]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, TITLES.name, TITLES)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    open_database(home, now=NOW).close()
    return home


@pytest.fixture
def command(home: Home) -> Command:
    return lambda *arguments: run(["--home", str(home.root), *arguments])


def test_a_new_format_has_its_commands_and_their_help(
    command: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "titles.txt"
    path.write_text("titles\nsoftness=Softness\n")
    assert command("import", str(path)) == 0
    assert capsys.readouterr().out == f"{path}: list of titles\n1 concept added\n"
    assert command("export", "titles") == 0
    assert capsys.readouterr().out == "titles\nsoftness=Softness\n"
    copy = tmp_path / "copy.txt"
    assert command("export", "titles", "-o", str(copy)) == 0
    assert capsys.readouterr().err == f"Written: {copy}\n"
    assert copy.read_text() == path.read_text()
    assert command("export", "--help") == 0
    assert "  titles  Export the titles of concepts.\n" in capsys.readouterr().out
    assert command("import", "--help") == 0
    assert "the names of your concepts, for a test" in capsys.readouterr().out


def test_formats_are_told_apart_by_their_names() -> None:
    assert list(FORMATS) == [each.name for each in FORMATS.values()]
    places = [(each.command, each.file_name) for each in FORMATS.values()]
    assert len(set(places)) == len(places)
    for form in FORMATS.values():
        assert form in of_command(form.command)
        assert set(form.carries) <= set(Snapshot.__struct_fields__)


def card(text: CardRecord | None) -> ItemRecord:
    guid = "own:card" if text else "attention:drill/softmax"
    kind: Literal["card", "drill"] = "card" if text else "drill"
    return ItemRecord(guid, kind, "rows", None, None, 0, NOW, False, False, False, None, text)


DAY = NOW.date()
ALL = Snapshot(
    sources=(SourceRecord("s", "qa", "Lecture", "/a.md", "# Lecture", "d", {}, NOW),),
    concepts=(ConceptRecord("rows", "Rows", "known", "", None, "s", None, 0, False, False, ()),),
    changes=(ConceptChangeRecord("rows", NOW, "unseen", "known", "I know it", "learner"),),
    items=(
        card(CardRecord("basic", "Why?", "So.", None, {}, "d", None, None)),
        card(None),
    ),
    notes=(NoteRecord("n", "Mine", "Each row sums to 1.", "rows", None, None, NOW, NOW),),
    wordings=(WordingRecord("n", None, "Mine", "Before."),),
    reviews=(
        ReviewRecord("r", "own:card", "good", None, NOW, 60, DAY, 4.0, "learner"),
        ReviewRecord("w", "own:card", None, "r", NOW, 60, DAY, 0.0, "learner"),
        ReviewRecord("x", "own:card", "hard", None, NOW, 60, DAY, 4.0, "learner"),
    ),
    starts=(MemoryStartRecord("own:card", NOW - timedelta(days=1), 60, DAY, 12.5, 2500.0),),
    anki_types=(AnkiTypeRecord("17", 5, "{}"),),
    anki_notes=(AnkiNoteRecord("g", 1, "17", 5, "a\x1fb", " t ", {"a.png": "a-12.png"}),),
    anki_cards=(AnkiCardRecord("gone", "h", 0, 2, "A::B", 5, "", "[]", "[]", 0),),
    attempts=(
        AttemptRecord(
            *("a", "attention:drill/softmax", NOW, 60, DAY, "x = 1\n", "numpy", "cpu", "passed"),
            *({}, 0, False, 60.0),
        ),
    ),
    steps=(PracticeStepRecord("t", "own:card", NOW, 60, DAY, "hint", 1, None, 2.0),),
    brought_back=(BroughtBackRecord("b", "own:card", "a", "m", "why", NOW, DAY, None),),
    settings=(SettingRecord("settings.new_per_day", "20"),),
    decisions=(DecisionRecord("item", "own:card", "marked", True, NOW, "a"),),
).ordered()


WHOLE = [form for form in importable() if form.reader and not form.reader.folders]
"""The formats that come back whole; of a folder only what was changed in it does."""


@pytest.mark.parametrize("form", WHOLE, ids=lambda form: form.name)
def test_what_a_format_carries_comes_back(form: Format, home: Home, tmp_path: Path) -> None:
    path = tmp_path / form.file_name
    save_export(path, form.write(ExportInput(ALL, Scheduler(), home, Selection())))
    assert format_of(path) is form
    assert form.reader is not None
    incoming = form.reader.read(path, NOW)
    back, log = incoming.snapshot, list(incoming.log)
    missing = [name for name in {*form.carries} - {"reviews"} if not getattr(back, name)]
    assert "reviews" not in form.carries or log
    assert not missing
    if form.name == "jsonl":
        assert back == replace(ALL, reviews=())
        assert log == [*map(log_row, ALL.reviews)]


def test_the_page_of_formats_names_functions_and_lists_that_there_are() -> None:
    page = files("studyattn.exchange").joinpath("formats.toml").read_text("utf-8")
    for name, said in tomllib.loads(page).items():
        for place in (said[key] for key in ("write", "read", "only") if key in said):
            module, function = place.split(":")
            assert callable(getattr(import_module(f"studyattn.exchange.{module}"), function)), name
        assert {*said["carries"]} <= {*Snapshot.__struct_fields__}
    assert JSON_LINES.carries == Snapshot.__struct_fields__
