"""Costs measured in real workers. Operations and array sizes are counted, so nothing is timed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from studyattn.grading.cost.lab import Subject, measure
from studyattn.grading.cost.measurements import CostSeries, Quantity, Role
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.limits import MEBIBYTE, ResourceLimits
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Backend, Submission

DRILLS = content_dir() / "attention" / "drills"
OPERATIONS, LARGEST = Quantity.OPERATIONS, Quantity.LARGEST_ARRAY
LIMITS = ResourceLimits(seconds=2.0, memory=512 * MEBIBYTE)


@pytest.fixture(scope="module", params=list(Backend))
def runner(request: pytest.FixtureRequest) -> Iterator[Runner]:
    with Runner(request.param) as runner:
        yield runner


@pytest.fixture(scope="module")
def numpy_runner() -> Iterator[Runner]:
    with Runner(Backend.NUMPY, limits=LIMITS) as runner:
        yield runner


def subject(drill: str, backend: Backend, source: bytes, *at: int) -> Subject:
    found = load_drill(DRILLS / drill)
    assert found.growth is not None
    submission = Submission("/d/mine.py", source, backend, found.entries)
    return Subject("mine", Role.YOURS, found, found.growth, submission, at or found.growth.at)


def of_file(drill: str, backend: Backend, stem: str) -> Subject:
    own = DRILLS / drill / f"{stem}_{backend}.py"
    path = own if own.is_file() else DRILLS / drill / f"{stem}.py"
    return subject(drill, backend, path.read_bytes())


def attention(body: str, *at: int) -> Subject:
    source = f"import os, time\nimport numpy as np\n\ndef attention(q, k, v):\n{body}"
    return subject("attention", Backend.NUMPY, source.encode(), *at)


def exponent(series: CostSeries, quantity: Quantity) -> float:
    law = series.law(quantity)
    assert law is not None
    return law.exponent


@pytest.mark.parametrize(
    ("drill", "stem", "operations", "largest"),
    [
        ("attention", "solution", 2, 2),
        ("flash-attention", "solution", 2, 1),
        ("linear-attention", "solution", 1, 1),
        ("linear-attention", "contrast", 2, 2),
        ("causal-linear-attention", "solution", 1, 1),
        ("kv-cache", "solution", 1, 1),  # of one more token
        ("kv-cache", "contrast", 2, 2),
        ("low-rank-value", "solution", 1, 1),
        ("low-rank-value", "contrast", 2, 2),
    ],
)
def test_exponents_are_those_of_theory(
    runner: Runner, drill: str, stem: str, operations: int, largest: int
) -> None:
    told: list[CostSeries] = []
    series = measure(of_file(drill, runner.backend, stem), runner, seed=1, told=told.append)
    assert series.is_whole, series.remark
    assert exponent(series, OPERATIONS) == pytest.approx(operations, abs=0.05)
    assert exponent(series, LARGEST) == pytest.approx(largest, abs=0.05)
    assert [len(each.points) for each in told] == list(range(1, len(series.points) + 1))
    assert all(point.seconds > 0 for point in series.points)


def test_the_whole_matrix_is_the_largest_array(runner: Runner) -> None:
    series = measure(of_file("attention", runner.backend, "solution"), runner, seed=1)
    assert series.curve(LARGEST)[-1] == (2048, 2048.0**2)
    assert series.curve(LARGEST)[0] == (64, 64.0**2)


RIGHT = """\
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
"""


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("raise ValueError('no')", r"it raised ValueError: no \(line 7\)$"),
        ("while True: pass", "it is too slow, or never returns: it did not finish within 2 s"),
        ("np.ones((n, 1 << 28))", "it needed more than 512 MiB"),
        ("os._exit(3)", "(its process ended|it closed its connection)"),
    ],
)
def test_a_runaway_ends_its_series_and_what_was_measured_stays(
    numpy_runner: Runner, does: str, why: str
) -> None:
    body = f"    n = k.shape[-2]\n    if n >= 64:\n        {does}\n{RIGHT}"
    series = measure(attention(body, 16, 32, 64, 128), numpy_runner, seed=1)
    assert re.match(f"stopped at n = 64: {why}", series.remark), series.remark
    assert [point.n for point in series.points] == [16, 32]
    assert measure(attention(RIGHT, 16, 32, 64), numpy_runner, seed=1).is_whole


def test_a_series_that_becomes_slow_ends_before_it_is_slower(
    numpy_runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.grading.cost.lab.PATIENCE", 0.5)
    body = f"    time.sleep(0.15 * (k.shape[-2] >= 32))\n{RIGHT}"
    series = measure(attention(body, 16, 32, 64), numpy_runner, seed=1)
    assert [point.n for point in series.points] == [16, 32]
    assert series.remark.endswith("s, and larger n would take longer")
    assert measure(attention(body, 16, 32), numpy_runner, seed=1).is_whole


def test_what_cannot_be_loaded_or_is_forbidden_says_why(numpy_runner: Runner) -> None:
    empty = subject("attention", Backend.NUMPY, b"x = 1")
    assert "attention" in measure(empty, numpy_runner).remark
    assert "studyattn" in measure(attention("    import studyattn\n"), numpy_runner).remark


def test_a_wrong_answer_is_measured_and_said_to_be_wrong(numpy_runner: Runner) -> None:
    wrong = RIGHT.replace("@ v", "@ v * (1 if len(v) < 64 else 2)")
    series = measure(attention(wrong, 16, 32, 64), numpy_runner, seed=1)
    assert [point.right for point in series.points] == [True, True, False]
    assert series.remark.startswith("gives wrong results from n = 64")


def test_a_file_that_is_too_large_is_told(numpy_runner: Runner) -> None:
    series = measure(attention(f"    return {'1+' * (1 << 20)}1\n"), numpy_runner)
    assert "1 MiB" in series.remark


def test_stopping_from_another_thread_ends_the_series(numpy_runner: Runner) -> None:
    body = f"    while k.shape[-2] > 16: pass\n{RIGHT}"

    def stop(series: CostSeries) -> None:
        numpy_runner.stop()

    series = measure(attention(body, 16, 32), numpy_runner, seed=1, told=stop)
    assert [point.n for point in series.points] == [16]
    assert series.stopped is not None


def test_contrasts_are_of_the_pack_and_can_grow() -> None:
    grown = {path.parent.name: load_drill(path.parent) for path in DRILLS.glob("*/checks.py")}
    growing = {name: drill.growth for name, drill in grown.items() if drill.growth is not None}
    assert {"attention", "linear-attention", "kv-cache"} <= set(growing)
    for name, growth in growing.items():
        assert growth.contrasts
        for contrast in growth.contrasts:
            folder = Path(contrast.drill or name)
            assert folder.name in growing
            assert contrast.drill or (DRILLS / name / "contrast.py").is_file()
