"""The commands with a database on a server, found by option or environment."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from studyattn.address import ServerAddress
from studyattn.cli import run
from tests.cli.conftest import Result

SECRET = "s3cret"
OnServer = Callable[..., Result]


@pytest.fixture
def url(address: ServerAddress) -> str:
    """The address as someone might write it, with a password that must never be shown."""
    return address.url.replace("study@", f"study:{SECRET}@")


@pytest.fixture
def command(
    url: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> OnServer:
    """Carries out one command line in this process, on a home whose database is on the server."""
    monkeypatch.setenv("STUDYATTN_DB", url)
    monkeypatch.setenv("STUDYATTN_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: tmp_path / "no-content")
    (tmp_path / "no-content").mkdir()

    def carry_out(*arguments: str) -> Result:
        capsys.readouterr()
        status = run(list(arguments))
        said = capsys.readouterr()
        assert SECRET not in said.out + said.err
        return Result(status, said.out, said.err)

    return carry_out


def document(folder: Path) -> str:
    path = folder / "qa.md"
    path.write_text(
        "# Talk\n\n## Questions\n\n### 1. Why divide by the root?\n\nBecause scores grow.\n"
    )
    return str(path)


def test_a_way_through_the_commands(command: OnServer, tmp_path: Path) -> None:
    assert command("import", document(tmp_path), "--yes").status == 0
    (item,) = command("due", "--json").json
    guid = item["guid"]
    assert command("answer", guid, "good").status == 0
    assert command("undo").status == 0
    assert command("answer", guid, "easy").status == 0
    assert command("note", "add", "A thought on roots").status == 0
    assert command("settings", "set", "new_per_day", "3").status == 0
    assert command("settings", "get", "new_per_day").out == "3\n"
    (concept,) = command("concept", "list", "--json").json
    assert command("concept", "set", concept["slug"], "known", "--why", "I do").status == 0
    assert command("stats", "--json").json["reviews"] == 1
    assert command("db", "check", "--json").json == {"sound": True, "findings": []}
    assert command("db", "rebuild", "--json").json["changed"] == []
    everything = command("export", "all").out
    assert json.loads(everything.splitlines()[0]) == {"type": "studyattn", "schema": 2}
    assert "Because scores grow." in command("export", "note").out


def test_a_backup_and_the_way_back(command: OnServer, tmp_path: Path) -> None:
    command("import", document(tmp_path), "--yes")
    made = command("db", "backup")
    assert made.out.endswith("-manual.jsonl\n")
    assert "JSON Lines" in made.err
    name = Path(made.out.strip()).name
    (item,) = command("due", "--json").json
    command("answer", item["guid"], "good")
    assert name in command("db", "restore").out
    restored = command("db", "restore", name)
    assert restored.status == 0
    assert "before-restore.jsonl" in restored.out
    assert command("stats", "--json").json["reviews"] == 0
    wrong = tmp_path / "home" / "backups" / "file.db"
    wrong.write_bytes(b"")
    assert "db merge" in command("db", "restore", "file.db").err


def test_each_kind_of_backup_belongs_to_its_kind_of_database(
    command: OnServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    command("import", document(tmp_path), "--yes")
    made = command("db", "backup").out.strip()
    monkeypatch.delenv("STUDYATTN_DB")
    assert "studyattn import" in command("db", "restore", made).err
    merged = command("db", "merge", f"{url}&learner=study", "--json")
    assert merged.json["taken"]["added"]["items"] == 1
    assert len(command("items", "--json").json) == 1


def test_learners_share_a_database_and_nothing_in_it(command: OnServer, tmp_path: Path) -> None:
    command("--learner", "anna", "import", document(tmp_path), "--yes")
    assert len(command("--learner", "anna", "items", "--json").json) == 1
    assert command("--learner", "ben", "items", "--json").json == []


def test_what_is_wrong_with_an_address_is_one_line(command: OnServer) -> None:
    for words, said in (
        (("--db", f"mysql://u:{SECRET}@h/x"), "not a PostgreSQL address"),
        (("--db", f"postgresql://u:{SECRET}@127.0.0.1:1/x"), "cannot be reached"),
        (("--learner", "x y"), "not a valid learner name"),
    ):
        result = command(*words, "due")
        assert result.status == 2
        assert said in result.err
        assert result.err.count("\n") == 1


def test_doctor_says_which_database_there_is(
    command: OnServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for slow in ("_devices", "_isolation"):
        monkeypatch.setattr(f"studyattn.cli.doctor.{slow}", dict)
    command("--learner", "anna", "items")
    told = command("--learner", "anna", "doctor", "--json").json
    assert told["database"] == {
        "kind": "PostgreSQL",
        "schema": "studyattn_anna",
        "state": "sound",
    }
    assert told["paths"]["database"].endswith("(learner anna)")
