"""The first model: better with each part, made of the learner's code, and code that fails."""

from __future__ import annotations

import dataclasses
import itertools
from datetime import date
from pathlib import Path

import pytest

from studyattn.home import Home
from studyattn.lm import questions
from studyattn.study.practice.drills import find_drill
from studyattn.study.practice.first_model import CHANGES, FirstModelRun, FirstModelText, kept_text
from studyattn.study.practice.mine import MyModule, MyPackage

PASSED = date(2026, 11, 20)
SAME_TEXT = {
    "weighted-sum",
    "causal-attention",
    "multi-head-attention",
    "block",
    "next-token-loss",
    "sample",
}
"""Drills whose code makes no difference to the loss: it does what the program did."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def package(home: Home, *drills: str, backend: str = "numpy", **codes: str) -> MyPackage:
    """The pack's solutions as the learner's own code, and what `codes` put in their place."""
    briefs = [find_drill(home, drill).brief for drill in drills]
    return MyPackage(
        backend,
        tuple(
            MyModule(
                brief.id,
                brief.entry,
                codes.get(brief.entry[0]) or brief.solution(backend).read_text(),
                PASSED,
            )
            for brief in briefs
        ),
    )


def written(
    home: Home, digest: str, own: MyPackage, last: FirstModelText | None = None
) -> FirstModelText:
    shown = FirstModelRun(home, digest, [own]).write(last)
    assert shown is not None
    return shown


def test_the_loss_falls_with_the_code_of_each_drill(home: Home) -> None:
    order = list(CHANGES)
    last = None
    losses: dict[str, float] = {}
    for count in range(1, len(order) + 1):
        last = written(home, f"{count}", package(home, *order[:count]), last)
        assert last.added == (order[count - 1],)
        assert last.before is not None
        assert last.now.loss is not None
        assert last.before.loss is not None
        losses.setdefault("", last.before.loss)
        losses[order[count - 1]] = last.now.loss
    told = list(losses.items())
    for (_, before), (drill, now) in itertools.pairwise(told):
        if drill in SAME_TEXT:
            assert now == pytest.approx(before, abs=1e-3), drill
        else:
            assert now < before, drill
    assert losses["sample"] < losses[""] / 2


def test_both_libraries_write_the_same_and_the_one_with_more_parts_is_used(home: Home) -> None:
    drills = ("dot-product", "softmax")
    both = [package(home, *drills[:1]), package(home, *drills, backend="torch")]
    in_torch = FirstModelRun(home, "torch", both).write(None)
    assert in_torch is not None
    in_numpy = written(home, "numpy", package(home, *drills))
    assert in_torch.now.parts == in_numpy.now.parts == drills
    assert in_torch.now.text == in_numpy.now.text
    assert in_torch.now.loss == pytest.approx(in_numpy.now.loss, abs=1e-4)
    assert in_torch.now.text != (in_torch.before or in_torch.now).text


def test_code_that_fails_or_never_ends_is_named_and_the_text_stays(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "TELL", dataclasses.replace(questions.TELL, seconds=2.0))
    monkeypatch.setattr("studyattn.study.practice.running.RunningModel.diagnosis", lambda *_: "")
    right = written(home, "right", package(home, "dot-product"))
    for body, told in (("raise ValueError('gone')", "gone"), ("while True: pass", "too slow")):
        code = f"def softmax(x):\n    {body}\n"
        wrong = package(home, "dot-product", "softmax", softmax=code)
        shown = written(home, told, wrong, right)
        assert shown.now == right.now
        assert told in shown.fault
        assert "softmax" in shown.fault
        assert kept_text(home) == shown


def test_a_run_that_is_stopped_keeps_nothing(home: Home) -> None:
    run = FirstModelRun(home, "stopped", [package(home, "dot-product")])
    run.stop()
    assert run.write(None) is None
    assert kept_text(home) is None
