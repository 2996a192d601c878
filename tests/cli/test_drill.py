"""The drill commands, graded by a real worker."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from tests.cli.conftest import Command, one_line, process
from tests.steps import written

DRILLS = content_dir() / "attention" / "drills"
WRONG = """# backend: numpy
import numpy as np

def attention(q, k, v):
    s = q @ np.swapaxes(k, -1, -2)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
"""


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(WRONG)
    return path


def test_list_has_every_drill(command: Command) -> None:
    lines = command("drill", "list", "--json").json
    assert {line["id"] for line in lines} == {
        path.parent.name for path in content_dir().glob("*/drills/*/brief.md")
    }
    assert all(set(line) == {"id", "title", "concept", "level", "state", "step"} for line in lines)
    assert {line["state"] for line in lines} == {"new"}


def test_a_long_drill_is_graded_step_by_step(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(written(2))
    graded = command("drill", "grade", "multi-head-attention", str(path))
    assert graded.status == 1
    assert graded.out.startswith("✓ Right so far, step 2 of 5 · multi-head-attention\n")
    assert "Next is step 3 of 5: weigh the keys (`weigh`)." in graded.out
    (line,) = (
        each
        for each in command("drill", "list", "--json").json
        if each["id"] == "multi-head-attention"
    )
    assert (line["state"], line["step"]) == ("tried", "3/5 weigh the keys")
    assert "3/5 weigh the keys" in command("drill", "list").out
    report = command("drill", "grade", "multi-head-attention", str(path), "--json").json
    assert (report["verdict"], report["passed"]) == ("step", False)
    assert [each["verdict"] for each in report["steps"]] == ["passed", "passed", None, None, None]


def test_start_writes_the_starter_and_never_overwrites(command: Command, home: Path) -> None:
    path = home / "drills" / "attention.py"
    assert command("drill", "start", "attention").status == 0
    written = path.read_text()
    assert written == (DRILLS / "attention" / "starter.py").read_text()
    path.write_text("mine")
    again = command("drill", "start", "attention", "--backend", "numpy")
    assert again.status == 2
    assert "not overwritten" in again.err
    assert path.read_text() == "mine"


def test_a_wrong_submission_is_told_its_mistake(command: Command, wrong: Path) -> None:
    result = command("drill", "grade", "attention", str(wrong), "--json")
    assert result.status == 1
    report = result.json
    assert (report["verdict"], report["backend"], report["device"]) == ("wrong", "numpy", "cpu")
    assert report["diagnosis"][0]["misconceptions"] == ["scale-missing"]
    assert report["counterexample"]["where"].startswith("query")
    states = {line["id"]: line["state"] for line in command("drill", "list", "--json").json}
    assert states["attention"] == "tried"
    told = command("drill", "grade", "attention", str(wrong), "--seed", str(report["seed"]))
    assert told.status == 1
    assert "The scores are not divided by √d." in told.out
    assert "not checked on a GPU" in told.out


def test_the_code_cells_of_a_notebook_are_graded(command: Command, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    cells = nbformat.v4
    path = tmp_path / "attention.ipynb"
    notebook = cells.new_notebook(
        cells=[
            cells.new_markdown_cell("# My attention\n\nWith $\\sqrt d$ forgotten."),
            cells.new_code_cell("%matplotlib inline\nimport numpy as np"),
            cells.new_code_cell(WRONG.partition("import numpy as np\n")[2]),
        ]
    )
    nbformat.write(notebook, path)
    result = command("drill", "grade", "attention", str(path), "--json", "--no-record")
    assert result.json["diagnosis"][0]["misconceptions"] == ["scale-missing"]
    assert result.json["backend_reason"] == "the file imports it"
    path.write_text("{}")
    assert "this notebook cannot be read" in command("drill", "grade", "attention", str(path)).err


def test_a_quiet_verdict_is_one_line(command: Command, wrong: Path) -> None:
    result = command("drill", "grade", "attention", str(wrong), "-q", "--no-record")
    assert result.status == 1
    assert re.fullmatch(r"✗ Not yet · attention · \d+ of \d+ cases\n", result.out)


def test_repro_prints_a_program_that_shows_the_difference(command: Command, wrong: Path) -> None:
    result = command("drill", "grade", "attention", str(wrong), "--repro", "--no-record")
    assert result.status == 1
    program = [sys.executable, "-c", result.out]
    done = subprocess.run(program, cwd=wrong.parent, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert [line for line in done.stdout.splitlines() if "[" not in line] == [
        "expected",
        "yours",
        "yours - expected",
    ]
    wrong.write_text(WRONG.replace("(k, -1, -2)", "(k, -1, -2) / q.shape[-1] ** 0.5"))
    passed = command("drill", "grade", "attention", str(wrong), "--repro", "--no-record")
    assert (passed.status, passed.out) == (0, "")
    assert passed.err == "There is no failing input to show. Verdict: passed.\n"


def test_a_stream_gives_the_verdict_before_the_mistake(command: Command, wrong: Path) -> None:
    result = command("drill", "grade", "attention", str(wrong), "--stream", "--no-record")
    first, *between, last = map(json.loads, result.out.splitlines())
    assert not any(each["complete"] for each in between)
    assert (first["verdict"], first["diagnosis"], first["complete"]) == ("wrong", [], False)
    assert last["diagnosis"][0]["misconceptions"] == ["scale-missing"]
    assert last["complete"]
    assert first["cases"] == last["cases"]
    assert result.status == 1


def test_the_learners_other_files_can_be_imported(command: Command, tmp_path: Path) -> None:
    (tmp_path / "single-query.py").write_text("import numpy as np\nroot = np.sqrt\n")
    path = tmp_path / "attention.py"
    path.write_text(WRONG.replace(" -2)", " -2) / root(q.shape[-1])"))
    assert command("drill", "grade", "attention", str(path)).status == 1
    path.write_text(path.read_text().replace("as np", "as np\nfrom single_query import root", 1))
    assert command("drill", "grade", "attention", str(path)).status == 0


ON_MINE = """# backend: numpy
from mine import softmax

def attend(q, k, v):
    return softmax(k @ q / q.shape[-1] ** 0.5) @ v
"""


def test_a_drill_builds_on_passed_code_and_on_what_is_lent(
    command: Command, home: Path, tmp_path: Path
) -> None:
    assert command("drill", "mine").status == 1  # nothing has passed
    (home / "drills").mkdir(exist_ok=True)
    path = home / "drills" / "single-query.py"
    path.write_text(ON_MINE)
    lent = "It uses `softmax`, which comes from the reference because yours has not passed yet."
    report = command("drill", "grade", "single-query", str(path), "--json").json
    assert (report["passed"], report["remarks"]) == (True, [lent])

    own = home / "drills" / "softmax.py"
    own.write_text((DRILLS / "softmax" / "solution_numpy.py").read_text())
    assert command("drill", "grade", "softmax", str(own)).status == 0
    report = command("drill", "grade", "single-query", str(path), "--json").json
    assert (report["passed"], report["remarks"]) == (True, [])
    elsewhere = tmp_path / "single-query.py"
    elsewhere.write_text(ON_MINE)
    report = command("drill", "grade", "single-query", str(elsewhere), "--json").json
    assert (report["passed"], report["remarks"]) == (True, [])
    own.write_text("# backend: numpy\nfrom mine import softmax\n")
    refused = command("drill", "grade", "softmax", str(own))
    assert refused.status == 1
    assert "it imports the drill's own solution" in " ".join(refused.out.split())

    written = command("drill", "mine", "--dir", str(tmp_path), "--json").json
    assert [each["drill"] for each in written["modules"]] == ["single-query", "softmax"]
    program = (
        "import numpy as np; from mine import attend, softmax; from mine import softmax as again\n"
        "print(attend(np.zeros(2), np.zeros((2, 2)), np.array([1.0, 3.0])), again is softmax)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ran.stdout, ran.stderr) == ("2.0 True\n", "")


def test_the_package_of_passed_code_says_what_it_lacks_and_spares_other_code(
    command: Command, home: Path, tmp_path: Path
) -> None:
    (home / "drills").mkdir(exist_ok=True)
    path = home / "drills" / "single-query.py"
    path.write_text(ON_MINE)
    assert command("drill", "grade", "single-query", str(path)).status == 0
    written = command("drill", "mine", "--dir", str(tmp_path))
    assert written.status == 0
    assert written.err == "single-query needs softmax, which has not passed.\n"
    start = tmp_path / "mine" / "__init__.py"
    start.write_text("my = 'own'\n")
    assert command("drill", "mine", "--dir", str(tmp_path)).status == 2
    assert start.read_text() == "my = 'own'\n"


def test_the_solution_passes_but_counts_as_revealed(command: Command, tmp_path: Path) -> None:
    shown = command("drill", "solution", "attention", "--backend", "numpy", "--yes")
    assert shown.status == 0
    path = tmp_path / "copied.py"
    path.write_text(shown.out)
    assert command("drill", "grade", "attention", str(path), "--json").json["passed"]
    states = {line["id"]: line["state"] for line in command("drill", "list", "--json").json}
    assert states["attention"] == "revealed"


@pytest.mark.parametrize(
    "arguments",
    [
        ("grade", "no-such-drill", "FILE"),
        ("grade", "attention", "no-such-file.py"),
        ("grade", "attention", "FILE", "--device", "cuda"),
        ("grade", "../attention", "FILE"),
        ("start", "no-such-drill"),
    ],
)
def test_what_cannot_be_graded_exits_2_with_one_line(
    command: Command, wrong: Path, arguments: tuple[str, ...]
) -> None:
    result = command("drill", *(str(wrong) if part == "FILE" else part for part in arguments))
    assert result.status == 2
    assert result.out == ""
    assert len(result.err.splitlines()) == 1


def test_a_folder_is_not_called_missing(command: Command, tmp_path: Path) -> None:
    result = command("drill", "grade", "attention", str(tmp_path))
    assert result.status == 2
    assert "this is a folder" in result.err
    assert str(tmp_path / "attention.py") in result.err


def test_an_attempt_feeds_the_memory_and_the_drill_is_rated(command: Command, wrong: Path) -> None:
    assert command("drill", "grade", "attention", str(wrong), "--no-record").status == 1
    assert command("drill", "history", "attention", "--json").json == []
    command("answer", "attention:scaling-score", "good")  # its concept is begun
    graded = command("drill", "grade", "attention", str(wrong))
    assert "→ due today:" in graded.out
    due = [each for each in command("due", "--json").json if each["brought_back"]]
    assert due
    assert "not divided by √d" in due[0]["brought_back"]
    (seen,) = command("concept", "show", "scaling", "--json").json["mistakes"]
    assert (seen["misconception"], seen["drill"]) == ("scale-missing", "attention")
    shown = command("concept", "show", "scaling").out
    assert "not divided by √d. (scale-missing, 1× in attention, last 20" in shown
    (version,) = command("drill", "history", "attention", "--json").json
    assert (version["number"], version["verdict"]) == (1, "wrong")
    assert command("drill", "history", "attention", "--show", "1").out == WRONG
    assert command("drill", "hint", "attention", "--json").json["number"] == 1
    rated = command("drill", "rate", "attention", "--json").json
    assert rated["suggested"]["rating"] == "again"
    assert command("drill", "undo", "attention", "--json").json == {"undone": "again"}
    assert command("drill", "undo", "attention", "--json").json == {"undone": "cards brought back"}
    assert command("drill", "undo", "attention").status == 1
    assert not any(each["brought_back"] for each in command("due", "--json").json)
    assert command("db", "check").status == 0


def test_a_mistake_from_a_concept_that_was_never_begun_offers_its_lesson(
    command: Command, wrong: Path
) -> None:
    path = [each["guid"] for each in command("due", "--json").json]
    assert path[0].startswith("attention:dot-product-")
    told = " ".join(command("drill", "grade", "attention", str(wrong)).out.split())
    assert "→ due today:" not in told
    assert "→ Scaling by 1/√dₖ is explained in lesson 8 of 60: Dot product as similarity," in told
    assert "and 4 more come before it. `studyattn lesson scaling` prints it." in told
    assert [each["guid"] for each in command("due", "--json").json] == path
    shown = command("lesson", "scaling").out.splitlines()
    assert shown[1].startswith("Dot product as similarity, The weighted sum")
    command("answer", "attention:softmax-whole", "good")
    graded = command("drill", "grade", "attention", str(wrong), "--json").json
    assert graded["brought_back"] == []
    (lesson,) = graded["lessons"]
    assert (lesson["slug"], lesson["number"], lesson["of"]) == ("scaling", 8, 60)
    assert len(lesson["before"]) == 5
    assert {"Softmax", "The weighted sum of values"}.isdisjoint(lesson["before"])
    command("answer", "attention:scaling-score", "good")
    assert command("drill", "grade", "attention", str(wrong), "--json").json["lessons"] == []


def test_files_and_code_as_json(command: Command, wrong: Path, home: Path) -> None:
    path = str(home / "drills" / "attention.py")
    made = command("drill", "start", "attention", "--backend", "numpy", "--json").json
    assert made == {"drill": "attention", "backend": "numpy", "path": path}
    command("drill", "grade", "attention", str(wrong))
    version = command("drill", "history", "attention", "--show", "1", "--json").json
    assert version["code"] == WRONG
    restored = command("drill", "history", "attention", "--restore", "1", "--json").json
    assert restored == {"restored": 1, "path": path}
    shown = command("drill", "solution", "attention", "--yes", "--json").json
    assert "def attention(" in shown["code"]


def test_history_restores_a_version(command: Command, wrong: Path, home: Path) -> None:
    command("drill", "grade", "attention", str(wrong), "--json")
    assert command("drill", "history", "attention", "--restore", "1").status == 0
    assert (home / "drills" / "attention.py").read_text() == WRONG
    assert command("drill", "history", "attention", "--restore", "7").status == 2


def test_starting_begins_the_work_and_goes_on_after_a_rating(command: Command, home: Path) -> None:
    path = home / "drills" / "attention.py"
    assert command("drill", "start", "attention").status == 0
    with sqlite3.connect(home / "studyattn.db") as database:
        assert database.execute("SELECT kind FROM practice_step").fetchall() == [("began",)]
    assert command("drill", "rate", "attention", "easy").status == 0
    path.unlink()
    assert command("drill", "start", "attention", "--backend", "numpy").status == 0
    starter = (DRILLS / "attention" / "starter_numpy.py").read_text()
    assert path.read_text().endswith(starter.partition("\n")[2])


def test_in_a_terminal_the_rating_is_confirmed_or_changed(
    command: Command, wrong: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    command("drill", "grade", "attention", str(wrong))
    for typed, rated in (("\n", "again"), ("hard\n", "hard"), ("so so\ngood\n", "good")):
        monkeypatch.setattr("sys.stdin", Terminal(typed))
        done = command("drill", "rate", "attention")
        assert done.status == 0
        assert "Suggested: again. Not passed." in done.out
        assert f"Rated {rated};" in done.out
        assert command("drill", "undo", "attention").status == 0


def test_without_torch_start_writes_a_numpy_starter_and_says_so(home: Path, tmp_path: Path) -> None:
    done = without_torch(tmp_path, home, "drill", "start", "attention")
    path = home / "drills" / "attention.py"
    assert done.returncode == 0
    assert done.stdout == f"{path}\n"
    assert done.stderr == "torch is not installed, so this is the starter for numpy.\n"
    starter = (DRILLS / "attention" / "starter_numpy.py").read_text()
    assert path.read_text().endswith(starter.partition("\n")[2])


def test_start_says_what_to_install_where_only_torch_will_do(home: Path, tmp_path: Path) -> None:
    write_torch_only(home / "packs" / "small")
    for arguments in (["only-torch"], ["attention", "--backend", "torch"]):
        refused = without_torch(tmp_path, home, "drill", "start", *arguments)
        assert refused.returncode == 2
        assert one_line(refused.stderr), refused.stderr
        assert "torch is not installed" in refused.stderr
        assert 'pip install "studyattn[torch]"' in refused.stderr
        assert not (home / "drills").exists()


def test_without_torch_a_torch_file_is_refused_in_one_line(home: Path, tmp_path: Path) -> None:
    for command_of in (("grade", "attention"), ("cost", "attention")):
        refused = without_torch(
            tmp_path, home, "drill", *command_of, str(DRILLS / "attention" / "solution.py")
        )
        assert refused.returncode == 2
        assert one_line(refused.stderr), refused.stderr
        assert "torch is not installed" in refused.stderr
        assert 'pip install "studyattn[torch]"' in refused.stderr
        assert "numpy" in refused.stderr
        assert "server" not in refused.stderr
        assert refused.stdout == ""


def test_without_torch_a_numpy_file_is_graded_without_a_word_of_torch(
    home: Path, tmp_path: Path
) -> None:
    path = tmp_path / "mine.py"
    code = (DRILLS / "attention" / "solution_numpy.py").read_text()
    path.write_text(code.partition("# backend: numpy\n")[2])
    done = without_torch(tmp_path, home, "drill", "grade", "attention", str(path))
    assert done.returncode == 0, done.stdout
    assert done.stderr == ""
    assert "numpy (the file imports it) on cpu" in done.stdout
    assert "torch" not in done.stdout


def test_without_torch_no_model_is_trained_and_one_line_says_why(
    home: Path, tmp_path: Path
) -> None:
    refused = without_torch(tmp_path, home, "gpt", "train", "--seconds", "1")
    assert refused.returncode == 2
    assert one_line(refused.stderr), refused.stderr
    assert "torch is not installed, but models need it" in refused.stderr
    assert 'pip install "studyattn[torch]"' in refused.stderr


def test_start_does_not_import_torch_to_find_out(home: Path) -> None:
    probe = (
        "import sys; from studyattn.cli import run;"
        f"status = run(['--home', {str(home)!r}, 'drill', 'start', 'attention']);"
        "sys.exit(status or 'torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def write_torch_only(folder: Path) -> None:
    """A pack with one drill, `only-torch`, which has no numpy form."""
    drill = shutil.copytree(DRILLS / "softmax", folder / "drills" / "only-torch")
    brief = (drill / "brief.md").read_text().split("---", 2)[2]
    fields = "id: only-torch\ntitle: Softmax\nconcept: one\nlevel: 1\nentry: [softmax]\n"
    (drill / "brief.md").write_text(f"---\n{fields}backends: [torch]\n---{brief}")
    (folder / "concepts").mkdir()
    (folder / "concepts" / "one.md").write_text("---\nslug: one\ntitle: One\n---\n\nOne idea.\n")
    (folder / "pack.toml").write_text(
        'id = "small"\ntitle = "Small"\nversion = "1.0.0"\nlanguage = "en"\npath = ["one"]\n'
    )


def without_torch(folder: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command in a process that has no torch to import."""
    (folder / "sitecustomize.py").write_text("import sys; sys.modules['torch'] = None")
    return process(*arguments, home=home, environment={"PYTHONPATH": str(folder)})


def test_a_device_is_not_called_a_file_that_does_not_exist(command: Command) -> None:
    told = command("drill", "grade", "softmax", "/dev/null")
    assert told.status == 2
    assert told.err.startswith("studyattn: /dev/null: this is a pipe or a device, not a file.")
