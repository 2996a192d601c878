"""SIGKILL at random moments loses no answer that was acknowledged."""

from __future__ import annotations

from pathlib import Path

from benchmarks.crash import run

RUNS = 30  # `python -m benchmarks.crash --runs 1000` for more


def test_no_acknowledged_answer_is_lost_to_a_kill(tmp_path: Path) -> None:
    outcome = run(RUNS, tmp_path, seed=20_261_121)
    assert outcome.lost == ()
    assert outcome.findings == ()
    assert outcome.acknowledged >= RUNS // 3  # half of the reviewers got to answer before the kill
