"""The teacher's rule for points."""

from __future__ import annotations

import pytest

from studyattn.classroom.score import Score
from studyattn.errors import InputError


@pytest.mark.parametrize(
    ("rule", "most", "half"),
    [
        ("passed", 1, 0),
        ("60 * passed + 40 * cases", 100, 20),
        ("max(0, 10 * cases - 2 * mistakes)", 10, 3),
        ("round(7 * cases) / -(-1)", 7, 4),
    ],
)
def test_a_rule_is_arithmetic_and_knows_its_most(rule: str, most: float, half: float) -> None:
    score = Score(rule)
    assert score.most == most
    assert score.of(passed=False, cases=0.5, mistakes=1) == half


@pytest.mark.parametrize(
    "rule",
    ["", "passed +", "points", "__import__('os')", "cases.real", "1 / mistakes", "0", "9 ** 9",
     "'a' * 9", "1e999", "max()"],
)  # fmt: skip
def test_what_is_no_rule_says_what_to_write(rule: str) -> None:
    with pytest.raises(InputError, match=r"--score: .*Write arithmetic with passed, cases"):
        Score(rule)
