"""`class`: from a folder of hand-ins to the files that a teacher takes away."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.classroom.codes import GLOBAL, RIGHT
from tests.cli.conftest import Command, one_line

GRADESCOPE: dict[str, Any] = {  # what its specification of results.json allows
    "top": {
        *("score", "execution_time", "output", "output_format", "test_output_format"),
        *("test_name_format", "visibility", "stdout_visibility", "extra_data", "tests"),
        "leaderboard",
    },
    "test": {
        *("score", "max_score", "status", "name", "name_format", "number", "output"),
        *("output_format", "tags", "visibility", "extra_data"),
    },
    "formats": {"text", "html", "simple_format", "md", "ansi"},
    "visibility": {"hidden", "after_due_date", "after_published", "visible"},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "week1"
    for student, code in {"anna": RIGHT, "ben": GLOBAL, "carl": RIGHT}.items():
        (folder / student).mkdir(parents=True)
        (folder / student / "softmax.py").write_text(code)
    return folder


def test_a_class_is_graded_and_written_out(command: Command, folder: Path, tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name\nanna,Anna <A>\nben,=1+1\ncarl,Carl\ndora,Dora\n")
    earlier = tmp_path / "before.jsonl"
    out = tmp_path / "out"
    options = [f"--{each}={out / each}" for each in ("csv", "jsonl", "html", "gradescope")]
    graded = command(
        *("class", "grade", "softmax", str(folder), "--jobs", "2", "--roster", str(roster)),
        *("--score", "60 * passed + 40 * cases", *options, "--json"),
    )
    assert graded.status == 0, graded.err
    rows = {each["student"]: each for each in graded.json["submissions"]}
    assert {name: each["verdict"] for name, each in rows.items()} == {
        "anna": "passed", "ben": "wrong", "carl": "passed", "dora": "missing",
    }  # fmt: skip
    assert (rows["anna"]["score"], rows["dora"]["score"]) == (100, 0)
    assert 0 < rows["ben"]["score"] < 40
    assert rows["ben"]["diagnosis"][0]["misconceptions"] == ["softmax-global"]
    (mistake,) = graded.json["misconceptions"]
    assert (mistake["id"], mistake["count"], mistake["students"]) == ("softmax-global", 1, ["ben"])

    table = list(csv.DictReader((out / "csv").read_text().splitlines()))
    assert [(each["student"], each["name"]) for each in table][1] == ("ben", "'=1+1")
    page = (out / "html").read_text()
    assert_is_whole(page)
    assert "Anna &lt;A&gt;" in page
    assert "softmax-global" in page
    assert f"<td>{round(rows['ben']['score'], 2):g}/100</td>" in page
    assert not re.search(r"https?://(?!www\.w3\.org)|src=|@import|url\(", page)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page
    assert page.count("softmax-global)\n") == 1  # the report of the one who made it
    for student in rows:
        assert_is_for_gradescope(json.loads((out / "gradescope" / f"{student}.json").read_text()))

    (out / "jsonl").rename(earlier)
    (folder / "ben" / "softmax.py").write_text(RIGHT)
    html = tmp_path / "later.html"
    again = command(
        *("class", "grade", "softmax", str(folder), "--jobs", "1", "--earlier", str(earlier)),
        *("--html", str(html)),
    )
    assert again.status == 0
    assert "softmax  3 passed  0 not yet  0 missing" in again.out
    assert "Hand-ins so far" in html.read_text()


def test_a_week_of_a_teacher_as_the_documentation_tells_it(folder: Path, home: Path) -> None:
    (folder.parent / "gradebook.csv").write_text("Student,ID\nanna,1\nben,2\ncarl,3\n")
    shutil.copytree(folder, folder.parent / "lecture")
    shutil.copytree(folder, folder.parent / "week2")
    text = Path("docs/class.md").read_text("utf-8")
    week = re.findall(r"^\$ studyattn (class .+)$", text.partition("## A week")[2], re.MULTILINE)
    assert len(week) == 3
    for line in week:
        subprocess.run(
            [sys.executable, "-m", "studyattn", "--home", str(home), *line.split()],
            cwd=folder.parent,
            env={**os.environ, "PYTHONPATH": str(Path.cwd())},
            input=b"q",  # ends what is watched
            check=True,
        )
    points = (folder.parent / "points.csv").read_text().splitlines()
    assert points == ["Student,ID,A stable softmax", "anna,1,1", "ben,2,0", "carl,3,1"]
    live = (folder.parent / "live.html").read_text()
    assert_is_whole(live)
    assert "softmax-global" in live
    assert not re.search("anna|ben|carl", live)
    assert 'http-equiv="refresh"' in live


def test_grading_goes_on_after_it_was_killed(folder: Path, home: Path) -> None:
    for number in range(30):
        (folder / f"s{number}.py").write_text(f"{RIGHT}# {number}\n")
    grade = [sys.executable, "-m", "studyattn", "--home", str(home), "class", "grade", "softmax"]
    with subprocess.Popen([*grade, str(folder), "--jobs", "1"]) as running:
        while len(kept := _reports(home)) < 5:
            assert running.poll() is None
            time.sleep(0.02)
        running.kill()
    ended = subprocess.run(
        [*grade, str(folder), "--jobs", "1", "--jsonl", str(home / "results")], check=True
    )
    assert ended.returncode == 0
    results = [json.loads(line) for line in (home / "results").read_text().splitlines()]
    assert len(results) == 33
    assert {each["seed"] for each in results} == {json.loads(kept[0])["seed"]}
    assert not _reports(home)


def _reports(home: Path) -> list[str]:
    """The whole lines of the journal of an interrupted run."""
    files = list((home / "class").glob("*.jsonl"))
    return files[0].read_text().splitlines() if files else []


def assert_is_whole(page: str) -> None:
    """Every element of a page that has an end is ended, in order."""
    opened: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag not in {"meta", "br", "mspace", "input"}:
                opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert opened.pop() == tag

    Reader().feed(page)
    assert opened == []


def assert_is_for_gradescope(results: dict[str, Any]) -> None:
    assert results.keys() <= GRADESCOPE["top"]
    assert results["visibility"] in GRADESCOPE["visibility"]
    assert isinstance(results["execution_time"], float | int)
    for test in results["tests"]:
        assert test.keys() <= GRADESCOPE["test"]
        assert 0 <= test["score"] <= test["max_score"]
        assert test["status"] in {"passed", "failed"}
        assert test["output_format"] in GRADESCOPE["formats"]
        assert test["visibility"] in GRADESCOPE["visibility"]
        assert all(isinstance(each, str) for each in [test["number"], *test["tags"]])


def test_results_that_cannot_be_written_are_not_lost(
    command: Command, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long run whose table has no place is told so, and the next one writes it at once."""
    if sys.platform == "linux":  # a folder's name is bytes there, in whatever encoding
        folder = folder.rename(folder.with_name(os.fsdecode(b"w\xf6che")))
    options = ("class", "grade", "softmax", str(folder), "--jobs", "1", "--csv")
    (tmp_path / "file").touch()
    refused = command(*options, str(tmp_path / "file" / "points.csv"))
    assert refused.status == 2
    assert one_line(refused.err)
    monkeypatch.setattr("studyattn.grading.Grader.grade_each", lambda *_, **__: iter(()))
    assert command(*options, str(tmp_path / "points.csv")).status == 0
    rows = list(csv.DictReader((tmp_path / "points.csv").read_text().splitlines()))
    assert [row["verdict"] for row in rows] == ["passed", "wrong", "passed"]


def test_a_message_that_no_file_takes_costs_nobody_the_results(
    command: Command, folder: Path, tmp_path: Path
) -> None:
    """Half a character, in the message of an exception."""
    (folder / "dora.py").write_text('def softmax(x):\n    raise ValueError("\\ud800")\n')
    files = [f"--{each}={tmp_path / each}" for each in ("csv", "jsonl", "html", "gradescope")]
    graded = command("class", "grade", "softmax", str(folder), "--jobs", "1", "--json", *files)
    assert graded.status == 0, graded.err
    message = {each["student"]: each["message"] for each in graded.json["submissions"]}["dora"]
    assert message == "ValueError: ?"


def test_students_whose_names_no_file_can_have_keep_their_own_results(
    command: Command, tmp_path: Path
) -> None:
    for student in ("a?", "a*", "A_"):
        (tmp_path / "in" / student).mkdir(parents=True)
        (tmp_path / "in" / student / "softmax.py").write_text(RIGHT)
    out = tmp_path / "out"
    graded = command(
        *("class", "grade", "softmax", str(tmp_path / "in"), "--jobs", "1"),
        *("--gradescope", str(out)),
    )
    assert graded.status == 0
    assert sorted(each.name for each in out.iterdir()) == ["A_-3.json", "a_-2.json", "a_.json"]


def test_one_student_in_a_workflow(command: Command, folder: Path, tmp_path: Path) -> None:
    summary, output, results = (tmp_path / name for name in ("summary", "output", "results.json"))
    summary.write_text("# before\n")
    graded = command(
        *("class", "grade", "softmax", str(folder / "ben"), "--student", "ben", "--jobs", "1"),
        *("--summary", str(summary), "--output", str(output), "--gradescope", str(results)),
    )
    assert graded.status == 1
    assert "| ❌ wrong |" in summary.read_text()
    assert summary.read_text().startswith("# before\n| drill |")
    name, _, value = output.read_text().rstrip("\n").partition("=")
    reported = json.loads(base64.b64decode(value))
    assert name == "result"
    assert (reported["status"], reported["max_score"]) == ("fail", 1)
    assert [each["status"] for each in reported["tests"]] == ["fail"]
    assert reported["tests"][0]["score"] == 0
    assert_is_for_gradescope(json.loads(results.read_text()))


def test_templates_name_the_drills_and_overwrite_nothing(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for kind in ("github", "gradescope", "container"):
        assert command("class", "template", kind, "softmax", "attention").status == 0
    workflow = yaml.safe_load(Path(".github/workflows/grade.yml").read_text())
    steps = workflow["jobs"]["grade"]["steps"]
    (graded,) = [each for each in steps if each.get("id") == "grade"]
    assert graded["run"].startswith("studyattn class grade softmax attention . --student")
    (reported,) = [each for each in steps if "autograding-grading-reporter" in each.get("uses", "")]
    assert reported["with"] == {"runners": "grade"}
    assert list(reported["env"]) == ["GRADE_RESULTS"]  # the step's id in capitals
    autograder = Path("run_autograder")
    assert autograder.stat().st_mode & 0o111
    assert "class grade softmax attention /autograder/submission" in autograder.read_text()
    for script in ("run_autograder", "setup.sh"):
        subprocess.run(["bash", "-n", script], check=True)
    container = Path("Containerfile").read_text()
    assert container.index("pip install") < container.index("USER grader")
    refused = command("class", "template", "container", "softmax")
    assert refused.status == 2
    assert one_line(refused.err)


@pytest.mark.parametrize(
    "arguments",
    [
        ["template", "github", "sotfmax"],
        ["grade", "sotfmax", "."],
        ["grade", "softmax", "nowhere"],
        ["grade", "softmax", "."],
        ["grade", "softmax", ".", "--score", "points"],
        ["grade", "softmax", ".", "--summary", "file"],
        ["grade", "softmax", ".", "--jobs", "2", "--dask", "tcp://host:1"],
        ["grade", "softmax", ".", "--earlier", "nowhere.jsonl"],
    ],
)
def test_what_cannot_be_used_is_one_line(
    command: Command, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = command("class", *arguments)
    assert refused.status == 2
    assert one_line(refused.err), refused.err
