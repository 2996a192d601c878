"""What each command does: its JSON, its exit status, its one line of error."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime
from itertools import groupby
from pathlib import Path
from typing import NoReturn

import pytest

from studyattn.cli import run
from studyattn.store.log_values import read_stored_day, read_stored_instant
from tests.cli.conftest import Command, one_line

CARD = "attention:softmax-axis"
ITEM_KEYS = {
    "guid", "kind", "concept", "phase", "stability", "difficulty", "due", "reps", "lapses",
    "suspended",
}  # fmt: skip
CONCEPT_KEYS = {"slug", "title", "state", "pack", "source"}
QUESTIONS = """# Attention

## Your Current Understanding

- Softmax of a row

## Questions

### 1. What is a query?

What a position looks for.

### 2. What is a key?

What a position offers.
"""


def test_items_are_a_list_of_objects(command: Command) -> None:
    items = command("items", "--json").json
    assert isinstance(items, list)
    assert all(item.keys() >= ITEM_KEYS for item in items)
    assert {item["kind"] for item in items} == {"card", "drill"}
    assert all(item["due"] is None and item["phase"] == "new" for item in items)
    command("answer", CARD, "easy", "--at", "2026-03-02T12:00:00+01:00")
    (answered,) = (item for item in command("items", "--json").json if item["guid"] == CARD)
    assert answered["phase"] == "review"
    assert datetime.fromisoformat(answered["due"]).tzinfo is not None
    assert answered["reps"] == 1
    assert isinstance(answered["suspended"], bool)


def test_due_is_in_the_order_of_a_session(command: Command) -> None:
    first = command("due", "--json").json
    assert isinstance(first, list)
    assert first[0]["guid"].startswith("attention:")
    command("answer", first[0]["guid"], "again", "--at", "2026-03-02T12:00:00Z")
    assert command("due", "--at", "2026-03-02T12:00:30Z", "--json").json[0] != first[0]
    late = command("due", "--at", "2026-03-02T12:05:00Z", "--json").json
    assert late[0]["guid"] == first[0]["guid"]
    assert late[0]["phase"] == "learning"


def test_answer_then_undo_to_the_end(command: Command) -> None:
    answered = command("answer", CARD, "3", "--at", "2026-03-02T12:00:00+01:00", "--json").json
    assert answered["rating"] == "good"
    assert answered["at"] == "2026-03-02T11:00:00+00:00"
    assert answered["memory"]["phase"] == "learning"
    withdrawn = command("undo", "--json")
    assert withdrawn.status == 0
    assert withdrawn.json["review"] == answered["review"]
    nothing = command("undo", "--json")
    assert nothing.status == 1
    assert nothing.json is None


def test_the_learner_day_is_that_of_the_offset(command: Command, home: Path) -> None:
    command("answer", CARD, "good", "--at", "2026-03-02T03:30:00+05:45")
    with sqlite3.connect(home / "studyattn.db") as connection:
        ((at, offset, day),) = connection.execute("SELECT at, utc_offset, learner_day FROM review")
    connection.close()
    assert read_stored_instant(at) == datetime(2026, 3, 1, 21, 45, tzinfo=UTC)
    assert (offset, read_stored_day(day)) == (345, date(2026, 3, 1))


def test_concepts(command: Command) -> None:
    concepts = command("concept", "list", "--json").json
    assert isinstance(concepts, list)
    assert all(concept.keys() >= CONCEPT_KEYS for concept in concepts)
    slug = concepts[0]["slug"]
    done = command("concept", "set", slug, "known", "--why", "I taught it", "--json").json
    assert done == {"slug": slug, "state": "known", "changed": True}
    page = command("concept", "show", slug, "--json").json
    assert page["line"]["state"] == "known"
    assert page["changes"][-1]["reason"] == "I taught it"
    assert page["changes"][-1]["author"] == "learner"
    other = concepts[1]["slug"]
    assert command("concept", "merge", slug, "INTO", other, "--json").status == 0
    assert command("concept", "unmerge", slug, "--json").json["parted_from"] == other
    assert command("concept", "part", slug).status == 2
    assert command("concept", "merge", slug, "INTO", slug).status == 2
    assert command("concept", "set", slug, "mastered").status == 2
    assert command("concept", "show", "nonsense").status == 2


def test_path_is_a_list_in_the_order_of_learning(command: Command) -> None:
    path = command("path", "--json").json
    fields = {"slug", "title", "state", "progress", "position", "lesson", "cards", "drills"}
    assert all(fields <= stop.keys() for stop in path)
    assert [stop["position"] for stop in path] == list(range(1, len(path) + 1))
    assert {stop["progress"] for stop in path} == {"not begun"}
    command("answer", CARD, "3")
    begun = [stop["slug"] for stop in command("path", "--json").json if stop["cards"]["new"] == 0]
    told = command("path")
    assert begun == []
    assert "1 of" in told.out
    assert "the end of the path" in told.out


def test_a_learner_is_placed_by_concept(command: Command) -> None:
    assert not any(stop["placed"] for stop in command("place", "--show", "--json").json)
    changed = command("place", "--placed", "softmax", "--placed", "dot-product", "--json").json
    assert [stop["slug"] for stop in changed if stop["placed"]] == ["dot-product", "softmax"]
    told = command("place", "--not-yet", "softmax").out
    assert told.startswith("1 of 60 concepts placed")
    assert "✓ placed   dot-product" in told
    assert "there is no concept 'nothing'" in command("place", "--placed", "nothing").err


def test_a_concept_is_explained_in_own_words(command: Command) -> None:
    told = command("explain", "softmax", "--text", "Scores become shares.", "--had", "1,2,4")
    assert told.out.startswith("3 of 5 key points: hard, again ")
    assert command("note", "list", "--concept", "softmax", "--json").json[0]["body"] == (
        "Scores become shares."
    )
    done = command("explain", "softmax", "--had", "none", "--json").json
    assert (done["said"], done["points"], done["rating"]) == (0, 5, "again")
    assert "softmax has 5 key points" in command("explain", "softmax", "--had", "6").err
    assert "not a list of numbers" in command("explain", "softmax", "--had", "all").err
    assert "with --had" in command("explain", "softmax", "--text", "x").err


def test_lessons_are_listed_and_printed(command: Command) -> None:
    listed = command("lesson", "--json").json
    first, second = (len(list(lessons)) for _, lessons in groupby(listed, lambda each: each["of"]))
    numbers = [*range(1, first + 1), *range(1, second + 1)]  # of the second pack they begin anew
    assert [each["number"] for each in listed] == numbers
    name = listed[0]["name"].partition(":")[2]
    shown = command("lesson", name, "--json").json
    assert shown == listed[0]
    assert shown["pages"][0]["text"]
    assert listed[0]["name"] in command("lesson").out
    assert f"Lesson 1 of {first} · {shown['title']}" in command("lesson", name).out
    assert "there is no concept" in command("lesson", "nothing").err


def test_notes(command: Command) -> None:
    made = command(
        "note", "add", "# Rows\n\nEach sums to 1.", "--concept", "softmax", "--json"
    ).json
    assert made["title"] == "Rows"
    assert [note["id"] for note in command("note", "list", "--json").json] == [made["id"]]
    edited = command("note", "edit", str(made["id"]), "Shorter.", "--json").json
    assert edited["body"] == "Shorter."
    assert command("note", "show", str(made["id"]), "--json").json == edited
    assert command("note", "show", "99").status == 2
    assert command("note", "add", "   ").status == 2


def test_versions_and_links_of_a_note(command: Command) -> None:
    made = command("note", "add", "[[softmax]] [[nowhere]]", "--title", "Own", "--json").json
    number = str(made["id"])
    assert [link["slug"] for link in command("note", "links", number, "--json").json] == [
        "softmax",
        None,
    ]
    assert "no such concept" in command("note", "links", number).out
    command("note", "edit", number, "Other\x1b[2J")
    assert [each["body"] for each in command("note", "versions", number, "--json").json] == [
        "Other\x1b[2J",
        "[[softmax]] [[nowhere]]",
    ]
    assert command("note", "list").out.endswith("Own\n")
    assert "+Other" in command("note", "diff", number, "1").out
    assert command("note", "restore", number, "1", "--json").json["body"].startswith("[[softmax]]")
    assert len(command("note", "versions", number).out.splitlines()) == 3
    assert command("note", "restore", number, "9").status == 2
    assert command("note", "edit", number, "").status == 2
    assert command("note", "add", "x", "--item", "nowhere").status == 2
    assert command("note", "remove", number).out == f"Removed: note {number}: Own\n"
    assert command("note", "links", number).status == 2


def test_search(command: Command) -> None:
    command("note", "add", "A needle in \x1b[31m hay", "--title", "Hay")
    (found,) = command("search", "needle", "--json").json
    assert (found["kind"], found["title"]["text"]) == ("note", "Hay")
    assert found["excerpt"]["marks"] == [[2, 8]]
    said = command("search", "needle", "--kind", "note")
    assert said.out.startswith("note     1  Hay")
    assert "\x1b[31m" not in said.out
    assert command("search", "needle", "--kind", "card").status == 1
    assert command("search", "dot product", "--limit", "2", "--json").json
    assert command("search").status == 2
    assert command("search", "--kind", "note").status == 2
    assert command("search", "--kind", "source", "--json").status == 0
    assert command("search", '"(*-qqq', "--json").json == []


def test_search_finds_whatever_came_in_and_how(command: Command, tmp_path: Path) -> None:
    command("note", "add", "of the other home")
    everything, learning_note = tmp_path / "all.jsonl", tmp_path / "note.md"
    command("export", "all", "-o", str(everything))
    command("export", "note", "-o", str(learning_note))
    other = Path(shutil.copytree(tmp_path / "home", tmp_path / "other"))
    document = tmp_path / "document.md"
    document.write_text(
        "# Deck\n\n## Questions\n\n### 1. What is a zygote?\n\nA cell.\n", encoding="utf-8"
    )
    for arguments in (
        ["import", str(document), "--yes"],
        ["import", str(everything), "--yes"],
        ["import", str(learning_note), "--yes"],
        ["db", "merge", str(other)],
        ["db", "backup"],
        ["note", "edit", "1", "reworded"],
        ["db", "rebuild"],
    ):
        assert command(*arguments).status == 0, arguments
        assert command("db", "check").status == 0, arguments
    kinds = {found["kind"] for found in command("search", "zygot", "--json").json}
    assert kinds == {"card", "concept", "source"}
    assert [found["kind"] for found in command("search", "reworded", "--json").json] == ["note"]
    (backup,) = [each["path"] for each in command("db", "restore", "--json").json[:1]]
    assert command("db", "restore", backup).status == 0
    assert command("db", "check").status == 0
    assert command("search", "of the other", "--kind", "note").status == 0
    assert command("search", "reworded").status == 1


def test_settings(command: Command) -> None:
    keys = {setting["key"] for setting in command("settings", "list", "--json").json}
    assert {"desired_retention", "new_per_day", "rollover_hour"} <= keys
    assert command("settings", "set", "new-per-day", "3", "--json").json["value"] == "3"
    assert command("settings", "get", "new_per_day", "--json").json["value"] == "3"
    assert len(command("due", "--json").json) <= 4
    for key, value in (("desired_retention", "0.98"), ("learning_steps", "10m 1m"), ("no", "1")):
        refused = command("settings", "set", key, value)
        assert refused.status == 2
        assert one_line(refused.err)
    assert command("settings", "get", "learning_steps").out == "1m 10m\n"


@pytest.mark.parametrize("listing", ["items", "concept list", "note list"])
def test_a_list_is_printed_as_far_as_its_limit_and_says_so(command: Command, listing: str) -> None:
    for text in ("One", "Two", "Three"):
        command("note", "add", text)
    everything = command(*listing.split(), "--limit", "0")
    lines = everything.out.splitlines()
    assert len(lines) == len(command(*listing.split(), "--json", "--limit", "2").json) > 2
    assert not everything.err
    first = command(*listing.split(), "--limit", "2")
    words = [line.split() for line in first.out.splitlines()]
    assert words == [line.split() for line in lines[:2]]
    assert first.err == "These are the first 2. `--limit 0` lists all.\n"
    exactly = command(*listing.split(), "--limit", str(len(lines)))
    assert (exactly.out, exactly.err) == (everything.out, "")


def test_import_shows_first_and_changes_nothing_the_second_time(
    command: Command, tmp_path: Path
) -> None:
    path = tmp_path / "qa.md"
    path.write_text(QUESTIONS)
    before = len(command("items", "--json").json)
    assert command("import", str(path), "--dry-run", "--json").status == 0
    assert len(command("items", "--json").json) == before
    assert command("import", str(path), "--yes", "--json").json["new"]["cards"] == 2
    items = command("items", "--json").json
    assert len(items) == before + 2
    assert command("import", str(path), "--yes").status == 0
    assert command("items", "--json").json == items
    states = {each["slug"]: each["state"] for each in command("concept", "list", "--json").json}
    assert sorted(states.values()).count("known-unknown") == 2
    assert list(states.values()).count("known") == 1


def test_import_takes_review_logs_as_history(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({"guid": CARD, "rating": 3, "at": "2026-01-01T12:00:00Z"}))
    assert command("import", str(path), "--dry-run", "--json").json[0]["answered"] == 1
    assert command("import", str(path), "--json").json[0]["answered"] == 1
    assert command("import", str(path), "--json").json[0]["already"] == 1
    assert command("undo").status == 1


def test_stats_packs_and_doctor(command: Command) -> None:
    figures = command("stats", "--json").json
    assert figures["items"] == len(command("items", "--json").json)
    assert command("stats", "--fit", "--json").status == 1
    assert [pack["id"] for pack in command("pack", "list", "--json").json] == [
        "attention",
        "serving",
    ]
    assert command("stats").status == 0


def test_pages_of_stats_as_charts_csv_and_json(command: Command) -> None:
    card = command("items", "--json").json[0]
    command("answer", card["guid"], "good")
    told = command("stats", "activity", "--range", "30d", "--concept", card["concept_title"])
    assert "Reviews per day" in told.out
    assert max(map(len, told.out.splitlines())) <= 80
    names = [each["name"] for each in command("stats", "all", "--json").json]
    assert len(names) == len(set(names)) >= 22
    rows = list(csv.reader(command("stats", "retention", "--csv").out.splitlines()))
    assert rows[0] == ["figure", "label", "series", "unit", "value"]
    assert ["retention", "desired", "recalled", "share", "0.9"] in rows
    history = command("stats", "card", card["guid"], "--json").json[0]
    assert history["series"][0]["values"] == [3.0]
    for wrong in (
        ["nothing"],
        ["activity", "--range", "soon"],
        ["--range", "soon"],  # the page is activity then
        ["card", "nothing"],
    ):
        assert command("stats", *wrong).status == 2
    one, all_items = (
        command("stats", "memory", *filters, "--json").json[0]["series"][0]["values"]
        for filters in (["--pack", "serving"], [])
    )
    assert 0 < sum(one) < sum(all_items)
    for option in ("--concept", "--source", "--kind", "--pack"):
        assert command("stats", "answers", option, "nothing").status == 2


@pytest.mark.parametrize("arguments", [["db", "check"], ["db", "backup"], ["db", "rebuild"]])
def test_any_first_command_makes_the_database(tmp_path: Path, arguments: list[str]) -> None:
    assert run(["--home", str(tmp_path / "new"), *arguments]) == 0
    assert (tmp_path / "new" / "studyattn.db").stat().st_size > 0


def test_the_doctor_tells_what_cannot_be_had(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("studyattn.grading.grader.Grader.isolation", refused)
    monkeypatch.setattr("studyattn.study.review.rebuild.check_database", refused)
    told = command("doctor", "--json").json
    assert told["isolation"]["layers"].startswith("none: ")
    assert told["database"]["state"] == "it cannot be read (Permission denied)"


def test_database_commands(command: Command, home: Path) -> None:
    command("answer", CARD, "good")
    backup = command("db", "backup", "--json").json
    assert Path(backup["path"]).is_file()
    command("answer", CARD, "good")
    assert command("db", "check", "--json").json == {"sound": True, "findings": []}
    assert command("db", "rebuild", "--json").json["changed"] == []
    listed = command("db", "restore", "--json").json
    assert backup["path"] in {each["path"] for each in listed}
    assert command("db", "restore", Path(backup["path"]).name, "--json").status == 0
    (item,) = (each for each in command("items", "--json").json if each["guid"] == CARD)
    assert item["reps"] == 1
    assert command("db", "restore", "nothing.db").status == 2


def test_a_search_index_out_of_step_is_found_and_mended(command: Command, home: Path) -> None:
    with closing(sqlite3.connect(home / "studyattn.db")) as connection, connection:
        connection.execute("INSERT INTO card_search (card_search) VALUES ('delete-all')")
    checked = command("db", "check", "--json")
    assert checked.status == 1
    assert checked.json["findings"] == ["the search index of cards is out of sync with them"]
    assert command("db", "rebuild", "--json").json["search"] == checked.json["findings"]
    assert command("db", "check").status == 0


@pytest.mark.parametrize(("schema", "status"), [("9999", 2), ("0001", 0)])
def test_a_database_of_another_version_is_not_called_damaged(
    command: Command, home: Path, schema: str, status: int
) -> None:
    with closing(sqlite3.connect(home / "studyattn.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", [schema])
        connection.execute("ALTER TABLE item RENAME COLUMN lapses TO earlier")
    checked = command("db", "check")
    assert (checked.status, checked.err.count("\n")) == (status, int(status == 2))


def test_a_database_that_cannot_be_looked_into_is_not_called_damaged(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> list[str]:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr("studyattn.store.database_file.examine_file", refused)
    checked = command("db", "check")
    assert checked.status == 2
    assert one_line(checked.err), checked.err


def test_a_damaged_database_is_told_and_left_alone(command: Command, home: Path) -> None:
    path = home / "studyattn.db"
    damaged = path.read_bytes()[:5000] + b"\0" * 20000
    path.write_bytes(damaged)
    (home / "studyattn.db-checked").unlink(missing_ok=True)
    for arguments in (["items"], ["answer", CARD, "good"], ["undo"]):
        refused = command(*arguments)
        assert refused.status == 2
        assert one_line(refused.err)
    assert command("db", "check").status == 1
    assert path.read_bytes() == damaged
