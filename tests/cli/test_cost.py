"""`drill cost`: measured by a real worker, printed as JSON and as curves."""

from __future__ import annotations

from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from tests.cli.conftest import Command

DRILLS = content_dir() / "attention" / "drills"
HEADER = "# backend: numpy\n"


def written(folder: Path, source: str) -> str:
    path = folder / "mine.py"
    path.write_text(HEADER + source)
    return str(path)


def test_the_learners_cache_beside_the_solution_and_none(command: Command, tmp_path: Path) -> None:
    mine = written(tmp_path, (DRILLS / "kv-cache" / "solution_numpy.py").read_text())
    result = command("drill", "cost", "kv-cache", mine, "--json")
    assert result.status == 0
    measured = result.json
    assert (measured["drill"], measured["backend"], measured["counts"]) == (
        "kv-cache",
        "numpy",
        "tokens",
    )
    yours, solution, uncached = measured["series"]
    assert [yours["role"], solution["role"], uncached["role"]] == ["yours", "solution", "contrast"]
    assert [point["flops"] for point in yours["points"]] == [
        point["flops"] for point in solution["points"]
    ]
    assert yours["exponents"]["operations"] == pytest.approx(1, abs=0.05)
    assert uncached["exponents"]["operations"] == pytest.approx(2, abs=0.05)
    assert all(point["right"] for series in measured["series"] for point in series["points"])
    assert yours["stopped"] is None


def test_curves_exponents_and_where_a_file_stopped(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    source = (DRILLS / "linear-attention" / "solution_numpy.py").read_text()
    runaway = source.replace("    q = ", "    assert len(k) < 256, 'too long'\n    q = ", 1)
    result = command("drill", "cost", "linear-attention", written(tmp_path, runaway))
    assert result.status == 1
    assert "✗ yours stopped at n = 256: it raised AssertionError: too long (line " in result.out
    assert "○ solution" in result.out
    assert "grows as n^1.00: doubling n costs 2.0 times as much" in result.out
    assert "grows as n^2.00: doubling n costs 4.0 times as much" in result.out
    assert "too few points" in result.out  # of the two that were measured
    assert all(len(line) <= 80 for line in result.out.splitlines())
    assert "\x1b" not in result.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("softmax",),
            "no cost plot for the drill 'softmax'. Drills with a cost plot: attention, ",
        ),
        (("no-such-drill",), "there is no drill"),
        (("attention", "no-such-file.py"), "cannot be read"),
    ],
)
def test_what_cannot_be_measured_says_why(
    command: Command, arguments: tuple[str, ...], said: str
) -> None:
    result = command("drill", "cost", *arguments)
    assert result.status == 2
    assert said in result.err
    assert len(result.err.splitlines()) == 1
