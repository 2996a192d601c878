"""Grading a class: equal files once, an interrupted run that goes on, processes and a cluster."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from studyattn.classroom import executors
from studyattn.classroom.course import Assignment, Graded, assignment, grade_class
from studyattn.classroom.hand_ins import hand_ins
from studyattn.classroom.marking import Journal, journal_path
from studyattn.classroom.results import Result, read_lines, to_lines
from studyattn.classroom.score import Score
from studyattn.errors import DocumentError, InputError, NotFoundError
from studyattn.grading import Grader
from studyattn.home import Home
from tests.classroom.codes import GLOBAL, RIGHT
from tests.corpus import submissions

LATER = GLOBAL + "# later\n"


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader() as grader:
        yield grader


@cache
def softmax() -> Assignment:
    return assignment(Home(Path("nowhere")), ["softmax"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "hand-ins"
    folder.mkdir()
    codes = {"anna": RIGHT, "ben": GLOBAL, "carl": RIGHT, "dora": "def softmax(:\n", "eve": LATER}
    for student, code in codes.items():
        (folder / f"{student}.py").write_text(code)
    return folder


def graded(
    folder: Path,
    grader: Grader,
    *,
    workers: executors.Workers | None = None,
    journal: Journal | None = None,
    told: Callable[[int], None] = lambda _: None,
) -> Graded:
    given = softmax()
    folders = {drill: brief.folder for drill, brief in given.briefs.items()}
    journal = journal or Journal(None, folders, 7)
    workers = workers or executors.processes(1)
    with hand_ins(folder, given.asked) as found:
        return grade_class(
            found, given, grader, workers, journal, score=Score("10 * passed"), told=told
        )


def verdicts(graded: Graded) -> dict[str, str]:
    return {each.student: each.verdict for each in graded.results}


EXPECTED = {
    "anna": "passed",
    "ben": "wrong",
    "carl": "passed",
    "dora": "invalid",
    "eve": "wrong",
}


def test_each_student_has_a_result_and_equal_files_share_it(folder: Path, grader: Grader) -> None:
    found = graded(folder, grader)
    assert verdicts(found) == EXPECTED
    by_student = {each.student: each for each in found.results}
    assert by_student["ben"].mistakes == ("softmax-global",)
    assert (by_student["anna"].score, by_student["ben"].score) == (10, 0)
    assert {each.seed for each in found.results} == {7}
    reports = found.reports
    assert reports["anna", "softmax"] is reports["carl", "softmax"]
    assert by_student["anna"].code == by_student["carl"].code != by_student["ben"].code


def test_a_hand_in_without_a_name_has_the_line_of_what_mends_it(
    folder: Path, grader: Grader
) -> None:
    (folder / "ben.py").write_text(RIGHT.replace("x.max(", "-x.max("))
    ben = next(each for each in graded(folder, grader).results if each.student == "ben")
    assert ben.verdict == "wrong"
    assert not ben.mistakes
    assert ben.message.startswith(f"line {ben.line}: ")
    assert "-x.max(" in ben.message


def test_a_class_that_writes_in_numpy_passes_where_torch_is_installed(
    tmp_path: Path, grader: Grader
) -> None:
    """No file has a line that names the library: what it imports does."""
    folder = tmp_path / "hand-ins"
    folder.mkdir()
    sources = {
        f"{drill}-{path.stem}": (drill, path.read_text().partition("# backend: numpy\n"))
        for drill in ("softmax", "attention")
        for path in sorted((submissions(drill) / "right").glob("*.py"))
    }
    in_numpy = {name: each for name, each in sources.items() if each[1][1] and not each[1][0]}
    assert len(in_numpy) >= 12
    for student, (drill, (_before, _line, code)) in in_numpy.items():
        (folder / student).mkdir()
        (folder / student / f"{drill}.py").write_text(code)
    given = assignment(Home(Path("nowhere")), ["softmax", "attention"])
    folders = {drill: brief.folder for drill, brief in given.briefs.items()}
    with hand_ins(folder, given.asked) as found:
        done = grade_class(
            found,
            given,
            grader,
            executors.processes(1),
            Journal(None, folders, 7),
            score=Score("10 * passed"),
        )
    assert {(each.student, each.verdict) for each in done.results if each.code} == {
        (student, "passed") for student in in_numpy
    }
    assert {each.backend_reason for each in done.reports.values()} == {"the file imports it"}


def test_an_interrupted_run_goes_on_with_its_seed(folder: Path, grader: Grader) -> None:
    path = journal_path(folder, folder.parent / "journals", ["softmax"])
    folders = {"softmax": Path(str(grader.drill("softmax").place).rpartition("/")[0])}
    done: list[int] = []

    def interrupt(more: int) -> None:
        done.append(more)
        if sum(done) == 2:
            raise KeyboardInterrupt

    with Journal(path, folders, None) as first, pytest.raises(KeyboardInterrupt):
        graded(folder, grader, journal=first, told=interrupt)
    with path.open("ab") as file:
        file.write(b'{"key": "cut o')  # as a run that was killed leaves it
    with Journal(path, folders, None) as second:
        assert second.seed == first.seed
        assert second.known == 1
        found = graded(folder, grader, journal=second)
        second.end()
    assert verdicts(found) == EXPECTED
    assert {each.seed for each in found.results} == {first.seed}
    assert not path.exists()


def test_a_journal_of_other_drills_or_another_seed_is_begun_anew(
    folder: Path, grader: Grader, tmp_path: Path
) -> None:
    place = tmp_path / "journal.jsonl"
    checks = tmp_path / "pack" / "drills" / "softmax"
    checks.mkdir(parents=True)
    with Journal(place, {"softmax": checks}, 5) as journal:
        graded(folder, grader, journal=journal)
    with Journal(place, {"softmax": checks}, 5) as journal:
        assert journal.known == 4  # of five: two are equal
    (checks / "checks.py").write_text("changed\n")
    with Journal(place, {"softmax": checks}, 5) as journal:
        assert journal.known == 0
        graded(folder, grader, journal=journal)
    with Journal(place, {"softmax": checks}, 6) as journal:
        assert (journal.known, journal.seed) == (0, 6)


def test_a_journal_that_cannot_be_read_is_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Path) -> bytes:
        raise PermissionError

    place = tmp_path / "journal.jsonl"
    place.write_bytes(b"what another run wrote\n")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with Journal(place, {}, 5) as journal:
        assert (journal.known, journal.seed) == (0, 5)
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot write the journal"):
        Journal(tmp_path / "folder", {}, 5)


def test_a_cluster_comes_to_the_same(folder: Path, grader: Grader) -> None:
    apart = graded(folder, grader).results
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Dask, at its start and end
        options = {"processes": False, "n_workers": 1, "dashboard_address": None}
        with (
            distributed.LocalCluster(**options, threads_per_worker=2) as cluster,
            executors.dask(cluster.scheduler_address) as workers,
        ):
            assert workers.count == 2
            assert graded(folder, grader, workers=workers).results == apart


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    monkeypatch.setattr(executors, "WAIT", 0.2)
    with (
        pytest.raises(NotFoundError, match=r"tcp://127\.0\.0\.1:1: no Dask scheduler responded"),
        executors.dask("tcp://127.0.0.1:1"),
    ):
        pass


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("nonsense", "nonsense: this is not the address of a scheduler"),
        ("host:port", "host:port: this is not the address of a scheduler"),
        ("nfs://host:1", "nfs://host:1: this is not the address of a scheduler"),
        ("nowhere.json", "nowhere.json: this is not a scheduler file"),
        ("broken.json", "broken.json: this is not a scheduler file"),
        ("empty.json", "empty.json: this is not a scheduler file"),
    ],
)
def test_what_names_no_scheduler_is_told_before_a_client_waits_for_it(
    address: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(distributed, "Client", pytest.fail)  # it would not end
    Path("broken.json").write_text("{")
    Path("empty.json").write_text("[]")
    with pytest.raises(InputError, match=told), executors.dask(address):
        pass


def test_results_are_read_back_as_they_were_written(
    folder: Path, grader: Grader, tmp_path: Path
) -> None:
    results = graded(folder, grader).results
    file = tmp_path / "results.jsonl"
    file.write_text(to_lines(results))
    assert read_lines(file) == results
    file.write_text(to_lines([Result("anna", "softmax", "passed")]) + '{"student": 1}\n')
    with pytest.raises(DocumentError, match=r"results\.jsonl:2: this is not a class result"):
        read_lines(file)
