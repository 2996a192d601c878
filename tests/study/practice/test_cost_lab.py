"""What is measured side by side, and how the figures are drawn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from studyattn.errors import InputError
from studyattn.grading.cost.measurements import CostSeries, Point, Quantity, Role, Stopped
from studyattn.home import Home
from studyattn.study.practice.cost_lab import CostLab, cost_lab
from studyattn.study.practice.cost_page import CostStyles, legend, plot, remarks, sign

SOLUTION = content_dir() / "attention" / "drills" / "kv-cache" / "solution_numpy.py"
NS = (64, 128, 256, 512)


def roles(lab: CostLab) -> list[Role]:
    return [subject.role for subject in lab.subjects]


def test_the_learners_own_file_is_measured_first_and_none_is_needed(tmp_path: Path) -> None:
    home = Home(tmp_path)
    lab = cost_lab(home, "kv-cache")
    assert (lab.backend, lab.yours) == ("torch", None)
    assert roles(lab) == [Role.SOLUTION, Role.CONTRAST]
    home.drills.mkdir()
    (home.drills / "kv-cache.py").write_bytes(SOLUTION.read_bytes())
    lab = cost_lab(home, "kv-cache")
    assert lab.backend == "numpy"  # as its first line says
    assert roles(lab) == [Role.YOURS, Role.SOLUTION, Role.CONTRAST]
    assert all(subject.submission.backend == "numpy" for subject in lab.subjects)
    elsewhere = tmp_path / "mine.py"
    elsewhere.write_bytes(b"x = 1")
    lab = cost_lab(home, "kv-cache", elsewhere)
    assert lab.yours is not None
    assert (lab.backend, lab.yours.submission.source) == ("torch", b"x = 1")


def test_another_drills_solution_is_measured_by_its_own_question(tmp_path: Path) -> None:
    lab = cost_lab(Home(tmp_path), "attention", backend="numpy")
    solution, linear, flash = lab.subjects
    assert [subject.drill.id for subject in lab.subjects] == [
        "attention",
        "linear-attention",
        "flash-attention",
    ]
    assert solution.at == linear.at == flash.at
    assert flash.growth.sizes(64)["block"]
    assert linear.submission.entries == ("linear_attention",)


def test_a_backend_that_the_drill_has_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be done in jax"):
        cost_lab(Home(tmp_path), "attention", backend="jax")


def series(title: str, role: Role, exponent: int, *at: int) -> CostSeries:
    points = tuple(Point(n, 3 * n**exponent, n, 1e-6 * n) for n in at or NS)
    return CostSeries(title, role, "attention", points)


def test_curves_are_told_by_their_signs_and_their_laws() -> None:
    shown = [
        series("yours", Role.YOURS, 1),
        series("solution", Role.SOLUTION, 2),
        series("one way", Role.CONTRAST, 0),
        series("another", Role.CONTRAST, 0, 64),
    ]
    assert [sign(shown, place) for place in range(4)] == ["●", "○", "×", "+"]
    styles = CostStyles()
    drawn = plot(shown, Quantity.OPERATIONS, width=70, height=14, styles=styles).plain
    assert set("●○×") <= set(drawn)
    full = legend(shown, Quantity.OPERATIONS, width=80, styles=styles).plain.splitlines()
    assert [re.split(r"\s{2,}", line, maxsplit=1) for line in full] == [
        ["● yours", "grows as n^1.00: doubling n costs 2.0 times as much"],
        ["○ solution", "grows as n^2.00: doubling n costs 4.0 times as much"],
        ["× one way", "does not grow with n"],
        ["+ another", "too few points to tell how it grows"],
    ]
    narrow = legend(shown, Quantity.OPERATIONS, width=56, styles=styles).plain.splitlines()
    assert narrow[:2] == ["● yours", "  grows as n^1.00: doubling n costs 2.0 times as much"]
    assert narrow[4] == "× one way   does not grow with n"


def test_remarks_are_wrapped_to_the_width() -> None:
    whole = series("solution", Role.SOLUTION, 2)
    stopped = CostSeries(
        "yours", Role.YOURS, "a", (), Stopped(64, "it raised E: " + "why " * 30, 3)
    )
    text = remarks([whole, stopped], width=60, styles=CostStyles()).plain
    assert text.startswith("✗ yours stopped at n = 64")
    assert text.endswith("(line 3)")
    assert all(len(line) <= 60 for line in text.splitlines())
    assert remarks([whole], width=60, styles=CostStyles()).plain == ""
