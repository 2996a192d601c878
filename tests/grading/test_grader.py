"""The library's face: drills by name, warm workers, many submissions in any executor."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from pathlib import Path
from typing import Any, ClassVar

import pytest

import studyattn.grading
from studyattn.bundled import content_dir
from studyattn.errors import GradingError, InputError, NotFoundError
from studyattn.grading import (
    Backend,
    Drill,
    Grader,
    Report,
    ResourceLimits,
    StoppedError,
    Verdict,
    batch,
    judge,
    load_drill,
)
from studyattn.grading.grader import Code, DrillName
from studyattn.packs.locate import installed_packs

PACK = content_dir() / "attention"
RIGHT = """
# backend: numpy
import numpy as np

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
"""
GLOBAL = RIGHT.replace("axis=-1, keepdims=True", "")
FOREVER = RIGHT.replace("    e = ", "    while True: pass\n    e = ")


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader() as grader:
        yield grader


def test_code_is_graded_by_the_name_of_its_drill(grader: Grader, tmp_path: Path) -> None:
    report = grader.grade("softmax", RIGHT)
    assert (report.verdict, report.backend) == (Verdict.PASSED, "numpy")
    wrong = grader.grade("softmax", GLOBAL.encode(), seed=3)
    assert wrong.diagnosis[0].misconceptions == ("softmax-global",)
    assert wrong.seed == 3
    file = tmp_path / "mine.py"
    file.write_text(RIGHT)
    assert grader.grade(PACK / "drills" / "softmax", file).passed
    assert grader.grade(load_drill(PACK / "drills" / "softmax"), RIGHT).passed


def test_a_file_may_import_those_beside_it_and_text_may_not(grader: Grader, tmp_path: Path) -> None:
    (tmp_path / "soft-max.py").write_text(RIGHT)
    file = tmp_path / "mine.py"
    file.write_text("# backend: numpy\nfrom soft_max import softmax\n")
    assert grader.grade("softmax", file).passed
    report = grader.grade("softmax", file.read_text())
    assert (report.verdict, report.line) == (Verdict.INVALID, 2)
    assert report.message == (
        "it imports `soft_max`, which is not installed, and no soft_max.py can be imported: "
        "it was graded as text, without a folder"
    )
    report = grader.grade("softmax", "# backend: numpy\nfrom mine import softmax\n")
    assert "`studyattn drill mine --dir FOLDER` writes it there" in str(report.message)


def test_workers_are_kept_warm(grader: Grader) -> None:
    grader.grade("softmax", RIGHT)
    started = time.monotonic()
    grader.grade("softmax", RIGHT)
    assert time.monotonic() - started < 0.5  # a fork server alone takes longer to start
    assert sum(map(len, grader._idle.values())) == 1


def test_prepared_questions_are_asked_once(grader: Grader) -> None:
    grader.prepare("softmax", Backend.NUMPY)
    (drawn,) = (drawn for (_, _, seed), (_, drawn) in grader._drawn.items() if seed is None)
    assert grader.grade("softmax", RIGHT).seed == drawn.seed
    assert grader.grade("softmax", RIGHT).seed != drawn.seed
    grader.prepare("softmax", Backend.NUMPY)
    assert grader.grade("softmax", RIGHT, seed=5).seed == 5


def test_a_drill_that_is_nowhere_is_named_with_its_nearest(grader: Grader) -> None:
    with pytest.raises(NotFoundError, match=r"no drill 'sotfmax'\. Did you mean 'softmax'\?"):
        grader.grade("sotfmax", RIGHT)
    with Grader([]) as nothing, pytest.raises(NotFoundError, match="no drill 'softmax'"):
        nothing.grade("softmax", RIGHT)


def test_what_cannot_be_graded_says_why(grader: Grader, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="cannot be read"):
        grader.grade("softmax", tmp_path / "nothing.py")
    with pytest.raises(InputError, match=r"'softmax' cannot be done in jax\. Use torch or numpy"):
        grader.grade("softmax", RIGHT, backend="jax")
    with pytest.raises(NotFoundError, match="numpy has no device 'cuda'"):
        Grader(device="cuda").grade("softmax", RIGHT)


def test_packs_of_ones_own_come_first(tmp_path: Path) -> None:
    folder = tmp_path / "drills" / "softmax"
    folder.mkdir(parents=True)
    checks = (PACK / "drills" / "softmax" / "checks.py").read_text()
    (tmp_path / "misconceptions").symlink_to(PACK / "misconceptions")
    for shared in ("conditions.py", "probes.py", "shared.py", "variants.py"):
        (tmp_path / shared).symlink_to(PACK / shared)
    (folder / "checks.py").write_text(checks.replace('case("the same call twice"', 'case("mine"'))
    with Grader([tmp_path, PACK]) as grader:
        assert any(each.name == "mine" for each in grader.grade("softmax", RIGHT).cases)
        assert grader.drill("attention").id == "attention"


@pytest.mark.parametrize("kind", ["none", "threads", "processes"])
def test_many_are_graded_in_order_in_any_executor(kind: str, grader: Grader) -> None:
    submissions: list[tuple[str | Path, str]] = [
        ("softmax", RIGHT),
        ("softmax", GLOBAL),
        (PACK / "drills" / "softmax", RIGHT),
    ]
    context = multiprocessing.get_context("spawn")
    executors: dict[str, Executor | None] = {
        "none": None,
        "threads": ThreadPoolExecutor(2),
        "processes": ProcessPoolExecutor(2, context),
    }
    executor = executors[kind]
    try:
        found = dict(grader.grade_each(submissions, executor=executor, seed=2))
    finally:
        for each in executors.values():
            if each is not None:
                each.shutdown()
    reports = [report for _, report in sorted(found.items()) if isinstance(report, Report)]
    assert [report.passed for report in reports] == [True, False, True]
    assert all(report.seed == 2 for report in reports)


def killed_by(marker: Path, submission: tuple[str, str]) -> tuple[str, str]:
    """A submission, after the death of the process that reads it while `marker` is not there."""
    if submission[1].startswith("# kill") or not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return submission


def make_pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(2, multiprocessing.get_context("spawn"))


def test_a_task_that_kills_its_process_costs_itself_alone(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.touch()
    tasks = [(there, (str(number), "# kill" if number == 3 else "")) for number in range(8)]
    results = dict(batch.carry_out(killed_by, tasks, make_pool, in_flight=4))
    lost = results.pop(3)
    assert isinstance(lost, batch.LostError)
    assert results == {number: task[1] for number, task in enumerate(tasks) if number != 3}


def test_a_worker_that_is_killed_once_loses_nothing(tmp_path: Path) -> None:
    tasks = [(tmp_path / "later", (str(number), "")) for number in range(4)]
    results = dict(batch.carry_out(killed_by, tasks, make_pool))
    assert results == {number: task[1] for number, task in enumerate(tasks)}


class Breaking(Executor):
    """An executor of which one task breaks the pool before the others are told of it."""

    broken: ClassVar[list[str]] = []

    def submit(self, function: Any, /, *given: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if given[0] == "kills" and not self.broken:
            self.broken.append("kills")
            future.set_exception(BrokenExecutor("gone"))
        elif self.broken:
            future.set_result(given[0])
        return future  # before the break a task stays unfinished


def test_what_was_running_when_the_pool_broke_is_tried_again() -> None:
    Breaking.broken.clear()
    results = dict(batch.carry_out(str, [("first",), ("second",), ("kills",)], Breaking))
    assert results == {0: "first", 1: "second", 2: "kills"}


def test_an_executor_that_breaks_and_is_not_made_here_says_so(tmp_path: Path) -> None:
    with make_pool() as pool, pytest.raises(GradingError, match="function that creates one"):
        list(batch.carry_out(killed_by, [(tmp_path / "no", ("", "# kill"))], pool))


def test_equal_submissions_are_graded_once_and_what_cannot_be_is_told(
    grader: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    graded: list[object] = []
    grade = grader.grade

    def counted(drill: DrillName, code: Code, *, seed: int | None = None) -> Report:
        graded.append(drill)
        return grade(drill, code, seed=seed)

    monkeypatch.setattr(grader, "grade", counted)
    many: list[tuple[str, Code]] = [
        ("softmax", RIGHT),
        ("softmax", GLOBAL),
        ("softmax", Path("no.py")),
        ("softmax", RIGHT),
    ]
    results = dict(grader.grade_each(many, seed=4))
    assert graded == ["softmax", "softmax"]
    assert isinstance(results[2], NotFoundError)
    assert results[0] is results[3]
    assert "no.py" in str(results[2])


def test_the_questions_of_a_seed_are_drawn_once(
    grader: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int | None] = []
    draw = judge.draw

    def counted(drill: Drill, backend: str, device: str, seed: int | None = None) -> judge.Drawn:
        drawn.append(seed)
        return draw(drill, backend, device, seed)

    monkeypatch.setattr(judge, "draw", counted)
    apart = [grader.grade("softmax", GLOBAL, seed=seed) for seed in (70, 70, 71)]
    assert len(drawn) == 2
    assert apart[0].cases == apart[1].cases
    assert apart[0].diagnosis == apart[1].diagnosis


def test_an_attempt_is_stopped_from_another_thread() -> None:
    stop = threading.Event()
    with Grader(limits=ResourceLimits(seconds=60.0)) as grader:
        grader.isolation()  # so that it is warm

        def end() -> None:
            stop.set()
            while grader._busy:  # until the attempt has begun and is ended
                grader.stop()
                time.sleep(0.05)

        timer = threading.Timer(0.5, end)
        timer.start()
        started = time.monotonic()
        with pytest.raises(StoppedError):
            grader.grade("softmax", FOREVER, stop=stop)
        assert time.monotonic() - started < 20
        timer.join()
        assert grader.grade("softmax", RIGHT).passed


def test_an_operation_that_torch_lacks_is_not_called_unwritten(grader: Grader) -> None:
    code = "import torch\ndef softmax(x):\n    return torch.bincount(x)\n"
    message = grader.grade("softmax", code).message
    assert message.startswith("NotImplementedError: ")


@pytest.mark.usefixtures("own_servers")
def test_no_process_is_left_when_a_grader_is_closed() -> None:
    with Grader() as grader:
        grader.grade("softmax", RIGHT)
        (runner,) = grader._idle[Backend.NUMPY]
        server = runner._server
        assert server is not None
    assert server._process.poll() is not None
    assert grader.grade("softmax", RIGHT).passed  # it can be used again
    grader.close()


def test_the_shipped_packs_are_those_that_the_program_finds() -> None:
    assert {folder.resolve() for folder in studyattn.grading.shipped_packs()} == {
        folder.resolve() for folder in installed_packs()
    }


def test_every_public_name_is_there_and_the_face_is_cheap() -> None:
    names = studyattn.grading.__all__
    assert all(getattr(studyattn.grading, name) is not None for name in names)
    assert set(studyattn.grading._HOMES) == set(names)
    assert set(names) <= set(dir(studyattn.grading))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(studyattn.grading, "not" + "hing")
    code = (
        "import sys, studyattn.grading as g; assert 'numpy' not in sys.modules; g.Grader;"
        "assert 'torch' not in sys.modules and 'studyattn.attention' not in sys.modules;"
        "assert not {'sqlalchemy', 'textual'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_example_of_the_documentation_runs() -> None:
    text = studyattn.grading.__doc__ or ""
    example = text.split("```python\n")[1].split("```")[0]
    lines = [line.removeprefix("    ") for line in example.splitlines()]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("wrong [")
