"""`pack new` and `pack add`: from nothing to a graded drill of one's own pack."""

from __future__ import annotations

import json
import tempfile
import zipfile
from pathlib import Path

import pytest

from studyattn.errors import InputError, PackError
from studyattn.home import Home
from studyattn.packs.scaffold import TEMPLATE, add_pack, new_pack
from tests.cli.conftest import Command, one_line, process

RIGHT = "# backend: numpy\n\ndef mean(x):\n    return x.mean(-1)\n"
OVER_ROWS = RIGHT.replace("-1", "0")


def test_a_new_pack_is_sound_is_added_and_grades(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "home"

    made = process("pack", "new", "statistics", home=home)
    assert (made.returncode, made.stderr) == (0, "")
    assert "studyattn pack add statistics" in made.stdout
    checked = process("pack", "check", "statistics", home=home)
    assert checked.returncode == 0, checked.stdout
    assert "No problems found." in checked.stdout
    added = process("pack", "add", "statistics", home=home)
    assert added.stdout.startswith("Added Statistics: 3 cards, 1 drill, in "), added.stderr
    assert "statistics:mean-why" in process("items", home=home).stdout
    again = process("pack", "new", "again", "--json", home=home)
    assert json.loads(again.stdout) == {"folder": "again"}

    (tmp_path / "mine.py").write_text(RIGHT)
    assert process("drill", "grade", "mean", "mine.py", home=home).returncode == 0
    (tmp_path / "mine.py").write_text(OVER_ROWS)
    wrong = process("drill", "grade", "mean", "mine.py", home=home)
    assert wrong.returncode == 1
    assert "The mean is taken over the rows, not over the numbers of each row." in wrong.stdout


def test_packs_are_mixed_ordered_and_put_aside(command: Command) -> None:
    def packs_of(*told: str) -> list[str]:
        """The pack of each item that is due, or of each concept on the path, in order."""
        names = [each["guid"] for each in command(*told, "--json").json]
        return [name.partition(":")[0] for name in names]

    second = "softmax-regression"
    assert command("pack", "add", str(Path(__file__).parents[1] / "packs" / second)).status == 0
    mixed = packs_of("due")
    assert mixed[0] == "attention"
    assert mixed.count(second) > 4  # both packs from the first day on
    assert "serving" not in mixed  # it says that it comes after attention

    assert command("settings", "set", "packs", f"{second}, attention").status == 0
    assert packs_of("due")[:10] == [second] * 10
    path = [each["slug"] for each in command("path", "--json").json]
    assert path[:4] == ["logits", "class-probabilities", "cross-entropy", "dot-product"]
    way = command("stats", "--simulate", "--days", "2", "--json").json
    assert [each["slug"] for each in way["concepts"]] == path
    assert second in way["days"][0]["of_packs"]
    assert command("settings", "set", "packs", f"2*{second}+attention").status == 0
    path = [each["slug"] for each in command("path", "--json").json]
    own = ["logits", "class-probabilities", "cross-entropy"]
    assert [path.index(each) for each in own] in ([0, 1, 3], [0, 2, 3], [1, 2, 4])
    way = command("stats", "--simulate", "--days", "2", "--json").json
    assert [each["slug"] for each in way["concepts"]][:5] == path[:5]
    assert {*way["days"][0]["of_packs"]} == {"attention", second}

    assert command("settings", "set", "packs", "-attention, -serving").status == 0
    assert set(packs_of("due")) == {second}
    assert len(command("path", "--json").json) == 3
    assert command("settings", "set", "packs", "").status == 0
    assert packs_of("due") == mixed

    unknown = command("settings", "set", "packs", "atention")
    assert one_line(unknown.err)
    assert "there is no pack 'atention'" in unknown.err
    for wrong in ("a+b, a", "-a+b", "A b", "0*a+b", "2*a+a"):
        assert command("settings", "set", "packs", wrong).status == 2


def test_a_pack_becomes_one_file_and_its_drills_are_graded_for_a_class(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = new_pack(tmp_path, "statistics")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"x")
    built = command("pack", "build", "statistics", "--json").json
    assert built["file"] == "statistics-0.1.0.pack.zip"
    (folder / "pack.toml").touch()
    other = command("pack", "build", "statistics", "-o", "other.zip", "--json").json
    assert other["digest"] == built["digest"]
    assert command("pack", "build", "statistics").status == 2  # the file is there already

    refused = command("pack", "add", built["file"], "--digest", "0" * 64)
    assert refused.status == 2
    assert f"its digest is {built['digest']}" in refused.err
    assert command("pack", "add", built["file"], "--digest", built["digest"]).status == 0
    for student, code in (("anna", RIGHT), ("ben", OVER_ROWS)):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / f"{student}.py").write_text(code)
    graded = command("class", "grade", "mean", "in", "--jobs", "1", "--json").json
    assert [each["passed"] for each in graded["submissions"]] == [True, False]
    assert [each["id"] for each in graded["misconceptions"]] == ["mean-over-rows"]


@pytest.mark.parametrize("name", ["../escaped.py", "/escaped.py", "pack/../../escaped.py", "lone"])
def test_a_file_that_is_no_pack_is_refused_and_writes_nothing(
    command: Command, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # where what it wrote would be found
    file = tmp_path / "bad.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "no")
    refused = command("pack", "add", str(file))
    assert refused.status == 2
    assert one_line(refused.err), refused.err
    assert not list(tmp_path.rglob("escaped.py"))


def test_a_link_in_a_pack_is_not_handed_out(command: Command, tmp_path: Path) -> None:
    folder = new_pack(tmp_path, "statistics")
    (folder / "more.py").symlink_to("/etc/passwd")
    refused = command("pack", "build", str(folder), "-o", str(tmp_path / "x.zip"))
    assert refused.status == 2
    assert "more.py: this is a link" in refused.err


def test_the_smallest_pack_has_what_its_page_promises(tmp_path: Path) -> None:
    pack = add_pack(new_pack(tmp_path, "statistics"), Home(tmp_path / "home"))
    assert (pack.id, pack.title, len(pack.concepts)) == ("statistics", "Statistics", 1)
    assert [card.kind.name for card in pack.cards()] == ["basic", "cloze", "computed"]
    assert pack.folder == tmp_path / "home" / "packs" / "statistics"


@pytest.mark.parametrize("name", ["Statistics", "a b", "../x", "-x", "x" * 41, ""])
def test_a_name_that_cannot_be_an_id_is_refused(name: str, command: Command) -> None:
    refused = command("pack", "new", "--", name)
    assert refused.status == 2
    assert one_line(refused.err)
    assert "lowercase letters" in refused.err


def test_new_refuses_a_folder_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "statistics").mkdir()
    with pytest.raises(InputError, match="already exists"):
        new_pack(tmp_path, "statistics")
    assert list((tmp_path / "statistics").iterdir()) == []


def test_add_refuses_an_id_that_is_there_and_says_what_to_do(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    folder = new_pack(tmp_path, "statistics")
    add_pack(folder, home)
    before = sorted(home.packs.rglob("*"))
    with pytest.raises(InputError, match="'statistics' is already installed") as refused:
        add_pack(folder, home)
    assert "another id" in refused.value.advice
    assert str(home.packs / "statistics") in str(refused.value)
    assert sorted(home.packs.rglob("*")) == before


def test_add_refuses_a_drill_that_another_pack_has(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    add_pack(new_pack(tmp_path, "one"), home)
    with pytest.raises(InputError, match="'one' has a drill 'mean' too") as refused:
        add_pack(new_pack(tmp_path, "other"), home)
    assert refused.value.where.endswith("drills/mean/brief.md:1")
    assert not (home.packs / "other").exists()


@pytest.mark.parametrize(
    ("file", "old", "new", "where"),
    [
        ("concepts/mean.md", "drills: [mean]", "drills: [median]", "concepts/mean.md:1"),
        ("concepts/mean.md", "{#mean-why", "{", "concepts/mean.md:33"),
        ("pack.toml", 'path = ["mean"]', 'path = ["median"]', "pack.toml:1"),
    ],
)
def test_add_checks_the_structure_and_leaves_nothing_behind(
    file: str, old: str, new: str, where: str, tmp_path: Path
) -> None:
    folder = new_pack(tmp_path, "statistics")
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new))
    with pytest.raises(PackError) as refused:
        add_pack(folder, Home(tmp_path / "home"))
    assert refused.value.where == str(folder / where)
    assert not (tmp_path / "home" / "packs").exists()


def test_add_leaves_behind_what_is_no_part_of_a_pack(tmp_path: Path) -> None:
    folder = new_pack(tmp_path, "statistics")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("x")
    (folder / "__pycache__").mkdir()
    pack = add_pack(folder, Home(tmp_path / "home"))
    assert {path.name for path in pack.folder.iterdir()} == {
        "pack.toml",
        "concepts",
        "computed.py",
        "drills",
    }
    assert [path.name for path in pack.folder.parent.iterdir()] == ["statistics"]


def test_add_says_when_there_is_no_pack(command: Command, tmp_path: Path) -> None:
    refused = command("pack", "add", str(tmp_path))
    assert refused.status == 2
    assert one_line(refused.err)
    assert "pack.toml is missing" in refused.err


def test_the_page_on_the_format_shows_the_files_as_they_are_written() -> None:
    page = (Path(__file__).parents[2] / "docs" / "pack-format.md").read_text(encoding="utf-8")
    for file in sorted(TEMPLATE.rglob("*.*")):
        if "__pycache__" not in file.parts:
            assert f"\n{file.read_text(encoding='utf-8')}```" in page, file.name
