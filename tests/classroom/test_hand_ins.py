"""Whose file answers which drill: folders, archives, notebooks, names that platforms give."""

from __future__ import annotations

import io
import json
import os
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from studyattn.classroom.formats.gradebook import fill
from studyattn.classroom.hand_ins import (
    AskedDrill,
    HandIns,
    Student,
    hand_ins,
    missing,
    read_roster,
    student_of,
)
from studyattn.classroom.results import Result
from studyattn.errors import DocumentError, NotFoundError
from tests.classroom.codes import GLOBAL, RIGHT

SOFTMAX = AskedDrill("softmax", ("softmax",))
SPLIT = AskedDrill("split-heads", ("split_heads", "merge_heads"))


def look(
    folder: Path,
    asked: Sequence[AskedDrill] = (SOFTMAX,),
    *,
    student: str = "",
    roster: Sequence[Student] = (),
) -> tuple[HandIns, dict[tuple[str, str], str]]:
    """What was found, and the text of each student's file for each drill."""
    with hand_ins(folder, asked, student=student, roster=roster) as found:
        return found, {(each.student, each.drill): each.path.read_text() for each in found.files}


def write(path: Path, text: str = RIGHT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def notebook(*cells: tuple[str, str]) -> str:
    made: list[dict[str, object]] = [
        {"cell_type": kind, "metadata": {}, "source": source} for kind, source in cells
    ]
    for cell in made:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 4})


def test_a_student_is_a_file_or_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "anna.py")
    write(tmp_path / "ben" / "work" / "softmax.py", GLOBAL)
    write(tmp_path / "ben" / "notes.py", "x = 1\n")
    write(tmp_path / "carl" / "first-try.py")
    write(tmp_path / "dora" / "split_heads.py", "def split_heads(x): ...\n")
    write(tmp_path / "__MACOSX" / "eve" / "softmax.py")
    found, texts = look(tmp_path, (SOFTMAX, SPLIT))
    assert texts == {
        ("anna", "softmax"): RIGHT,
        ("ben", "softmax"): GLOBAL,
        ("carl", "softmax"): RIGHT,
        ("dora", "split-heads"): "def split_heads(x): ...\n",
    }
    assert list(missing(found, [SPLIT])) == [
        (each, "split-heads") for each in ("anna", "ben", "carl")
    ]
    assert found.problems == ()


def test_a_file_with_the_name_of_one_drill_answers_no_other(tmp_path: Path) -> None:
    both = RIGHT + "def split_heads(x): ...\ndef merge_heads(x): ...\n"
    write(tmp_path / "anna" / "softmax.py", both)
    write(tmp_path / "ben" / "all.py", both)
    write(tmp_path / "carl_12_345_split_heads-1.py", both)
    _, texts = look(tmp_path, (SOFTMAX, SPLIT))
    assert texts.keys() == {
        ("anna", "softmax"), ("ben", "softmax"), ("ben", "split-heads"), ("carl", "split-heads"),
    }  # fmt: skip


def test_the_newest_of_several_files_counts_and_links_are_not_followed(tmp_path: Path) -> None:
    old = write(tmp_path / "class" / "anna" / "one" / "softmax.py", GLOBAL)
    os.utime(old, (1, 1))
    write(tmp_path / "class" / "anna" / "two" / "softmax (2).py")
    secret = write(tmp_path / "secret.py", "secret\n")
    (tmp_path / "class" / "ben.py").symlink_to(secret)
    found, texts = look(tmp_path / "class")
    assert texts == {("anna", "softmax"): RIGHT}
    assert found.problems == (
        "ben.py: symbolic links are not followed",
        "anna has 2 files for softmax: the newest, anna/two/softmax (2).py, counts",
    )


def test_a_file_that_may_not_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "anna" / "softmax.py")
    write(tmp_path / "ben.py")

    opened = Path.open

    def refuse(path: Path, *given: Any, **named: Any) -> Any:
        if path.parent.name == "anna":
            raise PermissionError(13, "Permission denied")
        return opened(path, *given, **named)

    monkeypatch.setattr(Path, "open", refuse)
    found, texts = look(tmp_path)
    assert texts == {("ben", "softmax"): RIGHT}
    assert found.problems == ("anna/softmax.py: it cannot be read",)


def test_archives_are_unpacked_and_nothing_leaves_their_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    inner = io.BytesIO()
    with tarfile.open(fileobj=inner, mode="w:gz") as tar:
        absolute = f"{tmp_path}/scratch/escaped.py"
        escaping = (("../../escaped.py", "no\n"), (absolute, "no\n"))
        for name, text in (("softmax.py", GLOBAL), *escaping):
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
        link = tarfile.TarInfo("link.py")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    with zipfile.ZipFile(tmp_path / "week.zip", "w") as zipped:
        zipped.writestr("week/anna/softmax.py", RIGHT)
        zipped.writestr("week/ben/work.tar.gz", inner.getvalue())
        zipped.writestr("week/carl/softmax.txt", RIGHT)
        zipped.writestr("week/dora/broken.zip", b"PK nonsense")
    found, texts = look(tmp_path / "week.zip")
    assert texts == {("anna", "softmax"): RIGHT, ("ben", "softmax"): GLOBAL}
    assert [each.id for each in found.students] == ["anna", "ben"]
    assert any("broken.zip: this archive cannot be read" in each for each in found.problems)
    assert not list(tmp_path.rglob("escaped.py"))


def test_a_notebook_is_its_code_cells(tmp_path: Path) -> None:
    pytest.importorskip("nbformat", reason="nbformat is not installed")
    magic = "%matplotlib inline\n!pip install numpy\nx = (5\n     % 3)"
    cells = (("markdown", "# softmax"), ("code", magic), ("code", "%%bash\nls"), ("code", RIGHT))
    write(tmp_path / "anna.ipynb", notebook(*cells))
    write(tmp_path / "ben.ipynb", "{")
    found, texts = look(tmp_path)
    code = texts["anna", "softmax"]
    names: dict[str, object] = {}
    exec(code, names)
    assert names["x"] == 2
    assert "softmax" in names
    assert "# cell 4\n# backend: numpy" in code
    assert found.problems == ("ben.ipynb: this notebook cannot be read",)


def test_names_of_platforms_and_a_roster(tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name,github\ns1,Anna A.,anna-a\n\ns2,Ben,bb\ns3,Carl,cc\n")
    students = read_roster(roster)
    assert student_of("Anna A._12345_assignsubmission_file", students) == "s1"
    assert student_of("attention-anna-a", students) == "s1"
    assert student_of("muster_LATE_12_345_softmax", ()) == "muster"
    write(tmp_path / "in" / "softmax-bb" / "softmax.py")
    write(tmp_path / "in" / "zoe.py")
    found, texts = look(tmp_path / "in", roster=students)
    assert texts.keys() == {("s2", "softmax"), ("zoe", "softmax")}
    assert [each.id for each in found.students] == ["s1", "s2", "s3", "zoe"]
    assert list(missing(found, [SOFTMAX])) == [("s1", "softmax"), ("s3", "softmax")]
    assert found.problems == ("zoe is not in the roster",)
    roster.write_text("id\ns1\ns1\n")
    with pytest.raises(DocumentError, match=r"roster\.csv:3: 's1' is listed twice"):
        read_roster(roster)
    roster.write_text('id\ns1\n"s2\ns3\n')  # a quote that would take in all that follows
    with pytest.raises(DocumentError, match=r"roster.csv:4: this is not CSV"):
        read_roster(roster)


MOODLE = """\
First name,Surname,ID number,Email address,Assignment: A stable softmax (Real),Last downloaded
Anna,Berg,s1,anna@x.org,-,1764300000
Anna,Cole,s2,cole@x.org,0.5,1764300000
Ben,Berg,s3,ben@x.org,-,1764300000
"""
CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Quiz (17)
    Points Possible,,,,,10
"Berg, Anna",101,u1,aberg,One,7
"Cole, Ben",102,u2,bcole,One,
"""


@pytest.mark.parametrize(
    ("text", "names", "filled"),
    [
        (
            MOODLE,
            ["Anna Cole_77_assignsubmission_file_", "Ben Berg_78_assignsubmission_file_"],
            {"Anna,Berg": "-,1764300000", "Anna,Cole": "0,1764300000", "Ben,Berg": "1,1764300000"},
        ),
        (
            CANVAS,
            ["coleben_102_9_softmax", "bergjane_104_9_softmax"],
            {"Student": ",A stable softmax", "Points": "10,1", '"Cole, Ben"': ",,0"},
        ),
    ],
)
def test_an_exported_grade_book_is_a_roster_and_comes_back_with_points(
    tmp_path: Path, text: str, names: Sequence[str], filled: Mapping[str, str]
) -> None:
    book = tmp_path / "gradebook.csv"
    book.write_text(text)
    students = read_roster(book)
    whose = [student_of(name, students) for name in names]
    results = [
        Result(student, "softmax", "passed" if score else "wrong", score=score)
        for score, student in enumerate(whose)
    ]
    written = fill(book, students, results, lambda _: "A stable softmax").splitlines()
    assert len(written) == len(text.splitlines())
    for start, end in filled.items():
        assert any(line.startswith(start) and line.endswith(end) for line in written), written
    assert not any("Jane" in line for line in written)  # she is not in it


def test_one_student_has_the_whole_folder_and_a_folder_has_to_be_there(tmp_path: Path) -> None:
    write(tmp_path / "softmax.py")
    write(tmp_path / "other" / "x.py", "x = 1\n")
    found, texts = look(tmp_path, student="anna")
    assert texts.keys() == {("anna", "softmax")}
    assert [each.id for each in found.students] == ["anna"]
    for number in (10, 9, 1):
        write(tmp_path / "class" / f"s{number}.py")
    found, _ = look(tmp_path / "class")
    assert [each.id for each in found.students] == ["s1", "s9", "s10"]
    with pytest.raises(NotFoundError, match="there is no such folder or archive"):
        look(tmp_path / "nowhere")


def zipped(path: Path, files: Sequence[tuple[str, str]]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files:
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), text)
    return path


def test_what_is_wrong_with_one_file_of_an_archive_costs_that_file_alone(tmp_path: Path) -> None:
    """Too long a name, a file in the place of a folder, folders without end; then a right one."""
    wrong = (f"{'a' * 300}.py", "x.py", "x.py/y.py", f"{'a/' * 1500}z.py")
    zipped(tmp_path / "anna.zip", [*((name, "x = 1\n") for name in wrong), ("softmax.py", RIGHT)])
    found, texts = look(tmp_path)
    assert texts == {("anna", "softmax"): RIGHT}
    assert [problem.rpartition(": ")[2] for problem in found.problems] == [
        "it cannot be read", "it cannot be read", "folders nested too deeply, skipped",
    ]  # fmt: skip


def test_an_archive_without_times_is_read(tmp_path: Path) -> None:
    """As Go's library writes it: month 0 and day 0."""
    content = bytearray(zipped(tmp_path / "anna.zip", [("softmax.py", RIGHT)]).read_bytes())
    local, central = content.find(b"PK\x03\x04"), content.find(b"PK\x01\x02")
    content[local + 10 : local + 14] = content[central + 12 : central + 16] = bytes(4)
    (tmp_path / "anna.zip").write_bytes(content)
    found, texts = look(tmp_path)
    assert (texts, found.problems) == ({("anna", "softmax"): RIGHT}, ())


@pytest.mark.parametrize("kind", ["zip", "tar.gz", "pax"])
def test_an_archive_that_unpacks_to_too_much_is_left_in_time(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first files count; what comes after the limit is neither kept nor passed over."""
    monkeypatch.setattr("studyattn.classroom.hand_ins.MAX_UNPACKED", 100_000)
    if kind == "zip":
        big = [(f"{number}.py", "#" * 30_000) for number in range(9)]
        zipped(tmp_path / "anna.zip", [("softmax.py", RIGHT), *big])
    else:
        with tarfile.open(tmp_path / "anna.tar.gz", "w:gz") as tar:
            for name, size in (("softmax.py", len(RIGHT)), ("big.bin", 200_000), ("x.py", 1)):
                member = tarfile.TarInfo(name)
                member.size = size if kind == "tar.gz" or name != "big.bin" else 0
                member.pax_headers = {"comment": "x" * 200_000} if name == "big.bin" else {}
                tar.addfile(member, io.BytesIO(RIGHT.encode().ljust(size, b"#")))
    write(tmp_path / "ben.py")
    found, texts = look(tmp_path)
    assert texts == {("anna", "softmax"): RIGHT, ("ben", "softmax"): RIGHT}
    assert len(found.problems) == 1
    assert found.problems[0].endswith(": too large, the rest is skipped")


def test_folders_without_end_are_left(tmp_path: Path) -> None:
    write(tmp_path / "anna" / "/".join("b" * 60) / "softmax.py")
    write(tmp_path / "ben.py")
    found, texts = look(tmp_path)
    assert texts.keys() == {("ben", "softmax")}
    assert found.problems[0].endswith("b/b: folders nested too deeply, skipped")


def test_a_name_that_is_not_utf8_can_be_written_down(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"j\xf6rg")
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this file system has names in UTF-8 alone")
    (folder / "softmax.py").write_text(RIGHT)
    (folder / "broken.zip").write_bytes(b"PK nonsense")
    found, texts = look(tmp_path)
    assert texts == {("j\\udcf6rg", "softmax"): RIGHT}
    told = [found.files[0].file, *found.problems, *(each.id for each in found.students)]
    assert "".join(told).encode()
