"""`model serve-sim`: traces, what a step takes, and schedulers that are right, slow or wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from studyattn.errors import InputError
from studyattn.study.practice import serve_sim as sim
from studyattn.study.practice.mine import MyModule, MyPackage
from studyattn.study.profile import Profile
from tests.cli.conftest import Command


def test_a_step_waits_for_memory_until_the_roofline_s_ridge() -> None:
    weights = 2 * sim.WEIGHTS / sim.BANDWIDTH
    assert sim.seconds(1, 0) == sim.seconds(200, 0) == pytest.approx(weights)
    assert sim.seconds(1000, 0) == pytest.approx(2 * sim.WEIGHTS * 1000 / sim.COMPUTE)
    assert sim.seconds(1, 1000) - weights == pytest.approx(
        1000 * sim.TOKEN_BYTES / sim.BANDWIDTH, rel=1e-6
    )


def test_a_trace_is_drawn_again_from_its_seed_and_read_from_a_file(tmp_path: Path) -> None:
    assert sim.drawn(9, 1) == sim.drawn(9, 1) != sim.drawn(9, 2)
    file = tmp_path / "trace.txt"
    file.write_text("# arrival prompt output\n0 4 2\n\n3, 10, 1\n")
    assert sim.read(file) == [sim.Request(0, 4, 2), sim.Request(3, 10, 1)]
    for wrong in ("0 4", "0 0 2", "-1 4 2", "a b c", "", "0 4 2\n" * 61):
        file.write_text(wrong)
        with pytest.raises(InputError):
            sim.read(file)
    with pytest.raises(InputError, match="cannot be read"):
        sim.read(tmp_path / "none")


def test_the_lent_parts_agree_with_the_reference(command: Command, tmp_path: Path) -> None:
    lent, right = command("model", "serve-sim", "--requests", "6", "--json").json
    assert (lent.pop("whose"), right.pop("whose")) == ("lent", "reference")
    assert lent == right
    file = tmp_path / "trace.txt"
    file.write_text("0 20 3\n0 30 1\n")
    alone, _ = command("model", "serve-sim", str(file), "--slots", "1", "--json").json
    assert alone["steps"] == 4
    assert alone["peak_blocks"] == 2  # 30 tokens in blocks of 16
    both, _ = command("model", "serve-sim", str(file), "--json").json
    assert both["steps"] == 3
    assert both["peak_blocks"] == 4
    assert both["first_token"][1] < alone["first_token"][1]
    assert "first token, ms" in command("model", "serve-sim", str(file)).out
    never = command("model", "serve-sim", str(file), "--blocks", "1")
    assert never.status == 2
    assert "never fits" in never.err


def test_a_mistake_of_the_drills_is_shown_beside_the_reference(command: Command) -> None:
    static, right = command("model", "serve-sim", "--with", "batch-static", "--json").json
    assert (static["whose"], right["whose"]) == ("batch-static", "reference")
    assert static["first_token"][0] > right["first_token"][0]
    kept, _ = command("model", "serve-sim", "--with", "paged-never-freed", "--blocks", "400").out, 0
    assert "paged-never-freed" in kept
    short = command("model", "serve-sim", "--with", "paged-never-freed")
    assert (short.status, "fails on this trace" in short.err) == (2, True)
    none = command("model", "serve-sim", "--with", "batch-statik")
    assert (none.status, "batch-static" in none.err) == (2, True)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("def schedule(a, p, o, slots, capacity):\n    raise ValueError('no')\n", "ValueError"),
        (
            "def schedule(a, p, o, slots, capacity):\n    return a + 0, a + o\n",
            "another number of tokens",
        ),
    ],
)
def test_a_scheduler_that_fails_or_is_wrong_is_told(
    code: str, told: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(_profile: Profile, backend: str, **_: Any) -> MyPackage:
        module = MyModule(sim.SCHEDULER, ("schedule",), f"# backend: {backend}\n{code}", None)
        return MyPackage(backend, (module,))

    monkeypatch.setattr(sim, "my_package", wrong)
    found = command("model", "serve-sim", "--requests", "3")
    assert found.status != 0
    assert told in found.out + found.err
