"""What leaves through a command and comes in through one, and what must not come in."""

from __future__ import annotations

import json
import sqlite3
import sys
import zipfile
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import genanki
import pytest

from studyattn.cli import run
from studyattn.exchange.anki import package
from tests.cli.conftest import Command, Result
from tests.exchange.badfiles import BAD_FILES, LIMIT_MB, NAMES, foreign_database, rows_of

CARD = "attention:softmax-axis"
OTHER = "attention:dot-product-sign"
QUESTIONS = """# Attention

## Your Current Understanding

- Softmax of a row

## Questions

### 1. What is a query?

What a position looks for, $q_i = x_i W_Q$.

### 2. What is a key?

What a position offers.
"""


@pytest.fixture
def studied(command: Command, tmp_path: Path) -> Command:
    """A home in which something of every kind was done."""
    document = tmp_path / "qa.md"
    document.write_text(QUESTIONS)
    assert command("import", str(document), "--yes").status == 0
    assert command("answer", CARD, "good", "--at", "2026-03-02T12:00:00+01:00").status == 0
    assert command("answer", CARD, "good", "--at", "2026-03-02T12:10:00+01:00").status == 0
    assert command("concept", "set", "softmax", "known", "--why", "I taught it").status == 0
    assert command("note", "add", "# Rows\n\nEach sums to 1.", "--concept", "softmax").status == 0
    return command


@pytest.fixture
def elsewhere(
    fresh_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Result]:
    """Commands in a second home, which has the pack and nothing else."""

    def carry_out(*arguments: str) -> Result:
        capsys.readouterr()
        status = run(["--home", str(tmp_path / "elsewhere"), *arguments])
        said = capsys.readouterr()
        return Result(status, said.out, said.err)

    return carry_out


def rows(home: Path) -> dict[str, list[tuple[object, ...]]]:
    """All that a home's database holds, by table."""
    return rows_of(home / "studyattn.db")


# -- out, and in again -----------------------------------------------------------------------------


def test_the_note_goes_out_and_comes_in(
    studied: Command, elsewhere: Callable[..., Result], tmp_path: Path
) -> None:
    path = tmp_path / "deep" / "note.md"
    written = studied("export", "note", "-o", str(path))
    assert (written.status, written.out) == (0, "")
    assert written.err == f"Written: {path}\n"
    assert studied("export", "note").out == path.read_text()
    weighed = elsewhere("import", str(path), "--dry-run")
    assert weighed.out.startswith(f"{path}: learning note\n")
    assert elsewhere("note", "list", "--json").json == []
    assert elsewhere("import", str(path)).status == 0
    assert elsewhere("export", "note").out == path.read_text()
    again = elsewhere("import", str(path))
    assert again.out == f"{path}: learning note\nnothing new\n"


def test_everything_goes_out_and_comes_in(
    studied: Command, elsewhere: Callable[..., Result], tmp_path: Path
) -> None:
    path = tmp_path / "all.jsonl"
    assert studied("export", "all", "-o", str(path)).err == f"Written: {path}\n"
    weighed = elsewhere("import", str(path), "--dry-run", "--json").json
    assert weighed[0]["added"]["reviews"] == 2
    taken = elsewhere("import", str(path))
    assert "2 reviews" in taken.out
    assert "1 note" in taken.out
    assert " 0 " not in taken.out
    assert elsewhere("export", "all").out.encode() == path.read_bytes()
    assert elsewhere("db", "check").status == 0


def test_cards_go_to_anki_and_come_back(
    studied: Command, elsewhere: Callable[..., Result], tmp_path: Path
) -> None:
    path = tmp_path / "cards.apkg"
    written = studied("export", "anki", "-o", str(path))
    assert written.status == 0
    assert "2 reviews" in written.err
    assert zipfile.is_zipfile(path)
    assert elsewhere("import", str(path), "--json").json[0]["added"]["reviews"] == 2
    (item,) = (each for each in elsewhere("items", "--json").json if each["guid"] == CARD)
    (there,) = (each for each in studied("items", "--json").json if each["guid"] == CARD)
    assert (item["stability"], item["difficulty"]) == (there["stability"], there["difficulty"])
    assert studied("export", "anki").status == 2


def test_the_folder_and_the_page(studied: Command, tmp_path: Path) -> None:
    folder, page = tmp_path / "vault", tmp_path / "note.html"
    written = studied("export", "note", "--format", "obsidian", "-o", str(folder))
    assert written.err == f"Written: {folder}: {len(list(folder.iterdir()))} files\n"
    assert "I taught it" in (folder / "softmax.md").read_text()
    assert studied("export", "note", "--format", "html", "-o", str(page)).status == 0
    text = page.read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert "Each sums to 1." in text
    assert "<script" not in text
    assert studied("export", "note", "--format", "html").out == text
    for arguments in (["--format", "obsidian"], ["--concept", "x"], ["--source", "x"]):
        refused = studied("export", "note", *arguments)
        assert refused.status == 2
        assert refused.err.count("\n") == 1


def test_exports_as_json(studied: Command, tmp_path: Path) -> None:
    note = studied("export", "note", "--json").json
    assert note == {"path": None, "text": studied("export", "note").out}
    every = studied("export", "all").out.splitlines()
    assert studied("export", "all", "--json").json == [json.loads(line) for line in every]
    for arguments in (["note"], ["all"], ["anki"], ["note", "--format", "obsidian"]):
        path = tmp_path / "-".join(arguments)
        told = studied("export", *arguments, "-o", str(path), "--json")
        assert told.json["path"] == str(path)
        assert told.err == ""
        assert path.exists()


def test_a_file_is_not_written_in_place_of_a_folder(studied: Command, tmp_path: Path) -> None:
    for what in ("all", "note", "anki"):
        refused = studied("export", what, "-o", f"{tmp_path}/new/")
        assert refused.status == 2
        assert refused.err.strip().endswith("new/: this is a folder. Name a file in it")
    assert studied("export", "note", "--format", "obsidian", "-o", f"{tmp_path}/new/").status == 0
    assert (tmp_path / "new" / "Learning note.md").is_file()


def test_sources_are_listed_by_the_command_that_an_unknown_one_names(studied: Command) -> None:
    (source,) = studied("search", "--kind", "source", "--json").json
    assert source["title"]["text"] == "Attention"
    assert studied("stats", "activity", "--source", source["key"]).status == 0
    refused = studied("stats", "activity", "--source", "nothing")
    assert refused.status == 2
    assert "`studyattn search --kind source` lists them." in refused.err


def test_a_part_of_the_note(studied: Command) -> None:
    part = studied("export", "note", "--concept", "softmax").out
    assert "Each sums to 1." in part
    assert "What is a key?" not in part
    late = studied("export", "note", "--since", "9000-01-01").out
    assert "Each sums to 1." not in late
    source = studied("search", "What is a key", "--kind", "source", "--json").json[0]
    of_source = studied("export", "note", "--source", source["title"]["text"]).out
    assert "What is a key?" in of_source
    assert studied("export", "note", "--source", source["key"]).out == of_source


def test_what_an_import_from_anki_does_not_take_is_shown(command: Command, tmp_path: Path) -> None:
    deck, notetype = genanki.Deck(1, "Deck"), genanki.BASIC_MODEL
    deck.add_note(genanki.Note(notetype, ['What is d_k? <img src="lost.png">', "A width."]))
    path, picture = tmp_path / "deck.apkg", tmp_path / "map.png"
    picture.write_bytes(b"x" * 3000)
    genanki.Package(deck, media_files=[str(picture)]).write_to_file(str(path))
    for options in (("--dry-run",), ()):
        shown = command("import", str(path), *options).out
        assert "not taken:\n  a picture or sound missing from the package (1 note):" in shown
        assert "What is d_k? ![](lost.png): lost.png" in shown
        assert "map.png  3 kB" in shown
    (result,) = command("import", str(path), "--json").json
    (lost,) = result["not_taken"]
    assert (lost["note"], lost["what"]) == ("What is d_k? ![](lost.png)", "lost.png")
    assert lost["reason"] == "a picture or sound missing from the package"


def test_an_import_is_told_in_words(command: Command, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "qa.md").write_text(QUESTIONS)
    detour = f"{tmp_path}/a/../qa.md"
    shown = command("import", detour, "--dry-run").out
    assert f"  {tmp_path}/qa.md\n" in shown
    assert ".." not in shown
    assert "new: 1 source, 2 cards, 2 known-unknown concepts, 1 known concept\n" in shown
    done = command("import", detour, "--yes").out
    assert done.endswith(
        "Imported: 1 source, 2 cards, 2 known-unknown concepts, 1 known concept new.\n"
    )
    again = command("import", str(tmp_path / "qa.md"), "--yes").out
    assert again.endswith("Nothing new to import.\n")
    (tmp_path / "qa.md").write_text(QUESTIONS.replace("offers.", "can be found by."))
    edited = command("import", str(tmp_path / "qa.md"), "--yes").out
    assert edited.endswith("Imported: 1 source, 1 card edited.\n")


def test_at_the_prompt_a_number_takes_an_offer(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "terms.md"
    path.write_text("# Terms\n\n## EKS\n\nManaged Kubernetes.\n\n## VPC\n\nA network.\n")
    typed = StringIO("1\ny\n")
    typed.isatty = lambda: True  # type: ignore[method-assign]  # as a terminal says
    monkeypatch.setattr("sys.stdin", typed)
    done = command("import", str(path))
    assert done.status == 0
    assert "Read as headings ##, the text below each: 2 cards." in done.out
    assert "2 cards" in done.out.split("Imported:")[1]


def test_nobody_to_ask_imports_nothing(command: Command, home: Path, tmp_path: Path) -> None:
    (tmp_path / "qa.md").write_text(QUESTIONS)
    before = rows(home)
    refused = command("import", str(tmp_path / "qa.md"))
    assert refused.status == 2
    assert refused.err == ("studyattn: nothing was imported. Add --yes to skip the prompt.\n")
    assert rows(home) == before


def test_the_learning_note_is_kept_after_a_file_of_answers(
    command: Command, tmp_path: Path
) -> None:
    note = tmp_path / "kept" / "note.md"
    assert command("settings", "set", "note_path", str(note)).status == 0
    answers = tmp_path / "log.jsonl"
    answers.write_text(json.dumps({"guid": CARD, "rating": 3, "at": "2026-03-02T12:00:00Z"}))
    assert command("answer", "--from", str(answers)).out == "1 review of 1 item.\n"
    assert note.read_text().startswith("---\ntitle: Learning note\n")
    blocked = tmp_path / "file"
    blocked.write_text("")
    command("settings", "set", "note_path", str(blocked / "note.md"))
    again = command("answer", "--from", str(answers))
    assert again.status == 0
    assert again.out == "0 reviews of 0 items.\n1 was already in the log.\n"
    assert "it cannot be written" in again.err


# -- backup and other machines ---------------------------------------------------------------------


def test_a_backup_is_made_listed_and_put_back(studied: Command, home: Path) -> None:
    made = studied("db", "backup")
    path = Path(made.out.strip()).expanduser()
    assert path.is_file()
    assert path.name in studied("db", "restore").out
    before = rows(home)
    studied("answer", OTHER, "easy")
    assert rows(home) != before
    restored = studied("db", "restore", path.name)
    assert restored.status == 0
    assert "The previous database is kept: " in restored.out
    assert rows(home)["review"] == before["review"]
    (kept,) = home.joinpath("backups").glob("*before-restore*.db")
    assert studied("db", "restore", str(kept)).status == 0
    assert len(rows(home)["review"]) == len(before["review"]) + 1


def test_two_homes_are_merged_and_conflicts_shown(
    studied: Command, elsewhere: Callable[..., Result], home: Path, tmp_path: Path
) -> None:
    everything = tmp_path / "all.jsonl"
    studied("export", "all", "-o", str(everything))
    elsewhere("import", str(everything))
    (note,) = studied("note", "list", "--json").json
    studied("note", "edit", str(note["id"]), "Here it says this.")
    elsewhere("note", "edit", "1", "There it says that.")
    elsewhere("answer", OTHER, "good", "--at", "2026-03-03T12:00:00+01:00")
    merged = studied("db", "merge", str(tmp_path / "elsewhere"))
    assert merged.status == 0
    assert "1 review, " in merged.out.split("\n")[0] or "1 review added" in merged.out
    assert "was reworded on both sides; the later wording is kept:" in merged.out
    assert "  holds: There it says that." in merged.out
    assert "  kept:  Here it says this." in merged.out
    assert "The previous database is kept: " in merged.out
    assert len(rows(home)["review"]) == 3
    assert studied("note", "show", str(note["id"])).out == "There it says that.\n"
    again = studied("db", "merge", str(tmp_path / "elsewhere"), "--json").json
    assert not any(again["taken"]["added"].values())
    assert studied("db", "check").status == 0


# -- what must not come in -------------------------------------------------------------------------


@pytest.fixture
def _small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "LARGEST", LIMIT_MB * 2**20)


@pytest.mark.usefixtures("_small_limit")
@pytest.mark.parametrize(("make", "problem"), BAD_FILES, ids=NAMES)
def test_bad_input_is_one_line_and_changes_nothing(
    studied: Command,
    home: Path,
    tmp_path: Path,
    make: Callable[[Path], Path],
    problem: str,
) -> None:
    path = make(tmp_path)
    before = rows(home)
    for arguments in (["--dry-run"], ["--yes"]):
        refused = studied("import", str(path), *arguments)
        assert refused.status == 2
        assert refused.out == ""
        assert refused.err.startswith(f"studyattn: {path}")
        assert refused.err.count("\n") == 1
        assert problem in refused.err
    assert rows(home) == before


@pytest.mark.parametrize("command_line", [["db", "merge"], ["db", "restore"]])
def test_what_is_no_database_takes_no_databases_place(
    studied: Command, home: Path, tmp_path: Path, command_line: list[str]
) -> None:
    before, kept = rows(home), sorted(home.rglob("*"))
    text = tmp_path / "text.db"
    text.write_text("no database")
    half = tmp_path / "half.db"
    half.write_bytes((home / "studyattn.db").read_bytes()[:20_000])
    newer = tmp_path / "newer.db"
    with (
        sqlite3.connect(home / "studyattn.db") as here,
        sqlite3.connect(newer) as there,
    ):
        here.backup(there)
        there.execute("UPDATE alembic_version SET version_num = '9999'")
    here.close()
    there.close()
    foreign = foreign_database(tmp_path)
    for path in (text, half, newer, foreign, tmp_path / "nowhere.db"):
        refused = studied(*command_line, str(path))
        assert refused.status == 2, path
        assert refused.err.count("\n") == 1
        assert refused.err.startswith("studyattn: ")
        assert "bug" not in refused.err
        assert rows(home) == before
    assert sorted(home.rglob("*")) == kept  # not even a backup before what was not done


def test_odd_but_honest_text_comes_in_whole_and_drives_no_terminal(
    command: Command, tmp_path: Path
) -> None:
    long = "x" * 100_000
    path = tmp_path / "odd\x1b[2J.md"
    path.write_text(
        f"# A \x1b[2Jtitle\n\n## Questions\n\n### Why \x9b\u202e{long}?\n\nB\x07{long}\n"
    )
    for arguments in (["--dry-run"], ["--yes"]):
        done = command("import", str(path), *arguments)
        assert done.status == 0
        assert "1 card" in done.out
        assert not set("\x1b\x9b\x07\u202e") & set(done.out + done.err)
    listed = command("items")
    assert not set("\x1b\x9b\x07\u202e") & set(listed.out)
    note = command("note", "add", f"bell \x07 {long}", "--json").json
    assert note["body"].startswith("bell \x07 ")
    for form in ("markdown", "html"):
        assert "\x07" not in command("export", "note", "--format", form).out
    exported = tmp_path / "all.jsonl"
    assert command("export", "all", "-o", str(exported)).status == 0
    again = command("import", str(exported))
    assert again.out.endswith("nothing new\n")


@pytest.mark.parametrize(
    ("choice", "back"),
    [("--texts here", "mine"), ("--texts there", "theirs"), ("", "theirs"), ("HERE", "mine")],
)
def test_a_card_that_both_sides_edited_gets_the_text_that_is_chosen(
    command: Command, elsewhere: Command, tmp_path: Path, choice: str, back: str
) -> None:
    assert command("add", "front", "back", "--concept", "softmax").status == 0
    path = tmp_path / "all.jsonl"
    command("export", "all", "-o", str(path))
    base = path.read_text()

    def cards(lines: list[Any]) -> list[Any]:
        found = [each.get("card") for each in lines]
        return [each for each in found if isinstance(each, dict) and each["front"] == "front"]

    def took(text: str, at: str, *options: str) -> Result:
        lines = [json.loads(line) for line in base.splitlines()]
        (card,) = cards(lines)
        card |= {"back": text, "edited_at": at}
        path.write_text("\n".join(map(json.dumps, lines)))
        return elsewhere("import", str(path), *options)

    took("mine", "2026-11-21T12:00:00+00:00")
    with pytest.MonkeyPatch.context() as patch:
        options = choice.split() if choice.startswith("--") else []
        if choice and not options:
            patch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
            patch.setattr("click.prompt", lambda *_, **__: choice)
        told = took("theirs", "2026-11-21T13:00:00+00:00", *options)
    assert "reworded on both sides" in told.out, told
    elsewhere("export", "all", "-o", str(path))
    (card,) = cards([*map(json.loads, path.read_text().splitlines())])
    assert card["back"] == back
