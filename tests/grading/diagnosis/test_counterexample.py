"""The input that shows a mistake: it fits in the hand, and its Python shows the same difference."""

from __future__ import annotations

import dataclasses
import functools
import math
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from studyattn.bundled import content_dir
from studyattn.grading import Grader
from studyattn.grading.call_plan import ArrayInput, ArrayOutput, Finished
from studyattn.grading.compare import compare
from studyattn.grading.diagnosis import counterexample
from studyattn.grading.drawn_case import draw_case, small_cases
from studyattn.grading.drill import arguments
from studyattn.grading.drill_loader import drill_folders, load_drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.report_text import format_report
from studyattn.grading.verdict import Counterexample, Report
from tests.corpus import submissions

FOLDERS = drill_folders(content_dir() / "attention")
MOST = 9
SEED = 7

NUMPY = (
    "attention/naive_exp_numpy",
    "grouped-query/naive_exp",
    "parameter-count/no_output",
    "softmax/all_entries",
    "softmax/naive_float64",
)
TORCH = (
    "attention/always_float32",
    "attention/backward_without_the_sum",
    "kv-cache/half_cache",
    "kv-cache/reset_deletes",
    "softmax/detached",
    "softmax/hidden_entries_get_a_share",
    "softmax/permuted_along_another_axis",
)
LARGE = ("softmax/limited_to_1024_entries",)


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader(ahead=True) as grader:
        yield grader


@functools.cache  # several tests look at one report
def graded(grader: Grader, name: str) -> tuple[Report, Path]:
    drill, _, file = name.partition("/")
    path = submissions(drill) / "wrong" / f"{file}.py"
    return grader.grade(drill, path, seed=SEED), path


def shown_by(grader: Grader, name: str) -> Counterexample:
    shown = graded(grader, name)[0].counterexample
    assert shown is not None
    return shown


def numbers_in(text: str) -> list[float]:
    """Every number of printed arrays, row by row."""
    plain = re.sub(r"dtype=[\w.]+|\[\d+\]\s*$", "", text)
    return [float(each) for each in re.findall(r"nan|-?inf|-?\d+\.?\d*(?:e[+-]?\d+)?", plain)]


def flat(value: Any) -> list[float]:
    return np.asarray(value, float).reshape(-1).tolist()


def alike(printed: Any, shown: Any) -> bool:
    """Whether numbers are the same in the digits that a report shows."""
    return np.allclose(printed, shown, rtol=2e-3, atol=1e-4, equal_nan=True)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_small_questions_fit_in_the_hand(folder: Path) -> None:
    drill = load_drill(folder)
    for number, case in enumerate(small_cases(drill)):
        for call in draw_case(drill, case, (1, number)).calls:
            for given in arguments(call):
                if isinstance(given, ArrayInput):
                    assert given.values.size <= MOST, case.sizes
                    assert np.array_equal(given.values, np.round(given.values))


@pytest.mark.timeout(60)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_own_case_of_a_drill_can_be_cut_down(folder: Path) -> None:
    """A drill that draws until its numbers tell something apart may find none at small sizes."""
    drill = load_drill(folder)
    for case in drill.cases:
        if case.costed:
            continue
        question = draw_case(drill, case, (SEED,))
        no_answer = JudgedCase(question, Finished({}), ())
        assert counterexample.simpler(drill, [no_answer], SEED), case.name


@pytest.mark.parametrize("name", [*NUMPY, *TORCH])
def test_what_is_shown_fits_in_the_hand(grader: Grader, name: str) -> None:
    for value in shown_by(grader, name).inputs.values():
        if isinstance(value, list):
            entries = np.array(flat(value))
            finite = entries[np.isfinite(entries)]
            assert entries.size <= MOST
            assert np.allclose(10 * finite, np.round(10 * finite), atol=1e-9)


def test_what_an_earlier_call_returned_is_told_in_words(grader: Grader) -> None:
    inputs = shown_by(grader, "induction-by-hand/same_token_numpy").inputs
    assert inputs["result: qk_2"] == "part 3 of what induction_weights returned"


@pytest.mark.parametrize(
    ("name", "x"),
    [
        ("softmax/naive", [1000, 0]),
        ("softmax/subtracts_abs_max", [-1000, 0]),
        ("softmax/floor_of_zero", [-1000, -1000]),
        ("softmax/clamped", [1000, 1001]),
        ("softmax/one_max_for_all", [[1000, 0], [0, 0]]),
    ],
)
def test_what_only_large_numbers_bring_out_is_shown_by_round_ones(
    grader: Grader, name: str, x: list[float]
) -> None:
    shown = shown_by(grader, name)
    assert (dict(shown.inputs), shown.asked) == ({"x": x}, "")


@pytest.mark.parametrize("seed", range(1, 5))
def test_round_numbers_are_shown_whatever_was_drawn(grader: Grader, seed: int) -> None:
    """Large numbers of a few bfloat16 entries are whole, and would fit in the hand, too."""
    shown = grader.grade("softmax", submissions("softmax") / "wrong/naive.py", seed=seed)
    assert shown.counterexample is not None
    assert shown.counterexample.inputs == {"x": [1000, 0]}


@pytest.mark.parametrize("name", ["attention/naive_exp", "attention/subtracts_max_of_abs"])
def test_one_large_array_is_enough_for_large_scores(grader: Grader, name: str) -> None:
    inputs = shown_by(grader, name).inputs
    assert set(flat(inputs["q"])) == {1}
    assert set(map(abs, flat(inputs["k"]))) == {0, 1000}


def test_digits_are_shown_until_wrong_entries_differ(grader: Grader) -> None:
    """What is computed in float32 differs from float64 in its eighth digit."""
    report, _ = graded(grader, "attention/always_float32")
    shown = report.counterexample
    assert shown is not None
    assert shown.asked.startswith("float64")
    lines = [line.text for line in format_report(report)]
    assert f"  Smallest failing input, in {shown.asked}" in lines
    row = next(line for line in lines if "*" in line and "[" in line)
    expected, yours = re.findall(r"\[([^]]+)]", row)
    assert expected.split() != yours.replace("*", "").split()


@pytest.mark.parametrize("names", [NUMPY, (*TORCH, *LARGE)], ids=["numpy", "torch"])
def test_the_printed_python_shows_the_same_difference(
    grader: Grader, names: tuple[str, ...], tmp_path: Path
) -> None:
    """All of one library in one process: importing it takes seconds."""
    shown, scripts = [], []
    for position, name in enumerate(names):
        report, path = graded(grader, name)
        assert report.counterexample is not None
        folder = tmp_path / str(position)
        folder.mkdir()
        shutil.copy(path, folder)
        (folder / "shows.py").write_text(report.counterexample.python)
        shown.append(report.counterexample)
        scripts.append(folder)
    output = run_each(scripts)
    for name, found, text in zip(names, shown, output, strict=True):
        if isinstance(found.got, str):
            assert found.got in text, name
            continue
        parts = re.split(r"^(?:expected|yours - expected|yours)\n", text, flags=re.MULTILINE)
        expected, yours, between = (numbers_in(part) for part in parts[1:])
        wrong = np.array(flat(found.wrong), bool)
        right, got = np.array(flat(found.expected)), np.array(flat(found.got))
        if len(yours) < len(got):  # one entry stands for very many
            right, got, wrong = right[wrong][:1], got[wrong][:1], np.array([True])
        assert alike(expected, right), name
        assert alike(yours, got), name
        assert alike(between, got - right), name
        assert np.all(np.array(between)[wrong] != 0), name


RUN = """
import os, runpy, sys
for folder in sys.argv[1:]:
    os.chdir(folder)
    sys.path[0] = folder
    library = sys.modules.get("torch") or sys.modules.get("numpy")
    if library:
        library.set_printoptions(precision=8 if library.__name__ == "numpy" else 4)
    try:
        runpy.run_path("shows.py", run_name="__main__")
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
    print("-- end --", flush=True)
"""


def run_each(folders: list[Path]) -> list[str]:
    """Run the program in each folder, as a learner does; return what each printed."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *map(str, folders)], capture_output=True, text=True, check=True
    )
    return done.stdout.split("-- end --\n")[:-1]


@pytest.mark.parametrize(
    ("expected", "got", "wrong"),
    [
        ([math.nan, 1.0], [math.nan, 1.0], None),
        ([math.inf, 1.0], [math.inf, 1.0], None),
        ([math.nan, 1.0], [math.nan, 2.0], [False, True]),
        ([1.0, 2.0], [math.nan, 2.0], [True, False]),
        ([math.inf, 1.0], [-math.inf, 1.0], [True, False]),
    ],
)
def test_equal_answers_show_nothing_wrong(
    expected: list[float], got: list[float], wrong: list[bool] | None
) -> None:
    drill = load_drill(content_dir() / "attention" / "drills" / "softmax")
    question = draw_case(drill, small_cases(drill)[0], (SEED,))
    leaf = dataclasses.replace(question.expected[0], values=np.array(expected))
    output = ArrayOutput(np.array(got), "float64", "cpu", "numpy.ndarray")
    entry = compare({"result": output}, leaf, backend="numpy", device="cpu", dtype="float64")
    answered = JudgedCase(question, Finished({"result": output}), (entry,))
    found = counterexample.find(drill, [answered])
    assert (None if found is None else counterexample.write(drill, found).wrong) == wrong


@pytest.mark.parametrize(
    "name",
    ["attention/always_float32", "attention/half_precision_in_full", "split-heads/list_of_heads"],
)
def test_no_counterexample_has_equal_sides(grader: Grader, name: str) -> None:
    shown = shown_by(grader, name)
    assert shown.got != shown.expected
