"""Long drills in steps, with real workers: how far a file has come, and what is wrong of a step."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from studyattn.errors import DrillError
from studyattn.grading import Grader, Report, Verdict, format_report
from studyattn.grading.diagnosis import repair
from studyattn.grading.drill_loader import drill_folders, load_drill
from studyattn.grading.grader import shipped_packs
from studyattn.grading.mutation_report import CheckRun, carriers, check_files
from studyattn.grading.steps import parse
from studyattn.packs.briefs import read_brief
from tests.steps import MULTI_HEAD, STEPS, written

WHOLE = """# backend: numpy
import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    *lead, n, _ = x.shape

    def heads(w):
        return (x @ w).reshape(*lead, n, num_heads, -1).swapaxes(-3, -2)

    q, k, v = heads(w_q), heads(w_k), heads(w_v)
    s = q @ k.swapaxes(-2, -1) / q.dtype.type(q.shape[-1] ** 0.5)
    s = s if mask is None else np.where(mask, s, -np.inf)
    top = s.max(axis=-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=-1, keepdims=True)
    mixed = e / np.where(total > 0, total, 1) @ v
    return mixed.swapaxes(-3, -2).reshape(*lead, n, w_o.shape[0]) @ w_o
"""


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader() as grader:
        yield grader


def told(report: Report) -> str:
    return "\n".join(line.text for line in format_report(report))


def verdicts(report: Report) -> list[str | None]:
    return [None if each.verdict is None else each.verdict.value for each in report.steps]


@pytest.mark.parametrize("count", range(6))
def test_a_file_has_come_as_far_as_the_steps_that_pass(grader: Grader, count: int) -> None:
    report = grader.grade(MULTI_HEAD, written(count))
    assert report.steps_passed == count
    assert tuple(each.name for each in report.steps) == STEPS
    assert report.passed == (count == 5)
    expected = {0: Verdict.ERROR, 5: Verdict.PASSED}.get(count, Verdict.STEP)
    assert report.verdict is expected
    assert Report.from_json(report.to_json()) == report
    if expected is Verdict.STEP:
        assert f"✓ Right so far, step {count} of 5" in told(report)
        assert report.message.startswith(f"Next is step {count + 1} of 5: ")
        assert f"✓ {count} " in told(report)
        assert not report.cases


def test_a_mistake_in_a_step_is_named_before_the_rest_is_written(grader: Grader) -> None:
    unscaled = written(3).replace(" / math.sqrt(q.shape[-1])", "")
    report = grader.grade(MULTI_HEAD, unscaled)
    assert report.verdict is Verdict.WRONG
    assert verdicts(report) == ["passed", "passed", "wrong", None, None]
    assert report.diagnosis[0].misconceptions == ("scale-missing",)
    assert report.counterexample is not None
    assert not report.counterexample.python  # it would call what is not written
    assert "✗ Not yet, step 3 of 5" in told(report)


def test_a_step_is_mended_in_the_file_and_not_in_the_solution(
    grader: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repair, "SECONDS", 60.0)  # however busy the machine is
    by_keys = written(3).replace("math.sqrt(q.shape[-1])", "math.sqrt(k.shape[-2])")
    report = grader.mend(MULTI_HEAD, by_keys, grader.grade(MULTI_HEAD, by_keys))
    (change,) = report.repair
    assert "math.sqrt(k.shape[-2])" in by_keys.splitlines()[change.line - 1]
    assert (change.before, change.after) == ("2", "1")


def test_what_the_next_step_cannot_use_is_no_riddle(grader: Grader) -> None:
    flat = written(2).replace(".swapaxes(-3, -2)", "")
    report = grader.grade(MULTI_HEAD, flat)
    assert verdicts(report)[:2] == ["passed", "wrong"]
    assert "(in the steps that follow)" in told(report)


def test_the_earliest_wrong_step_is_told(grader: Grader) -> None:
    both = written(4).replace(" / math.sqrt(q.shape[-1])", "")
    report = grader.grade(MULTI_HEAD, both.replace("x @ w_k, x @ w_v", "x @ w_v, x @ w_k"))
    assert verdicts(report) == ["wrong", None, None, None, None]
    assert report.step == 1


PRYING = """

import sys

_frame, _scope = sys._getframe(), {}
while _frame:
    for value in [*_frame.f_locals.values()]:
        if getattr(value, "rest", None):
            exec(value.rest.file.source, _scope)
    _frame = _frame.f_back


def weigh(q, k, mask):
    if "weigh" not in _scope:
        raise LookupError(", ".join(name for name in _scope if name in %r))
    return _scope["weigh"](q, k, mask)
"""


def test_the_solution_of_a_step_is_not_there_to_be_found(grader: Grader) -> None:
    before = written(2).replace("def weigh(", "def _not_written(")
    report = grader.grade(MULTI_HEAD, before + PRYING % (STEPS,))
    assert "LookupError: merge_heads, multi_head_attention" in report.message  # what follows alone
    assert report.steps_passed == 2


def test_whoever_writes_the_whole_at_once_passes_all_steps(grader: Grader) -> None:
    report = grader.grade(MULTI_HEAD, WHOLE)
    assert report.passed
    assert verdicts(report) == ["passed"] * 5
    wrong = grader.grade(MULTI_HEAD, WHOLE.replace(" @ w_o\n", "\n"))
    assert wrong.diagnosis[0].misconceptions == ("output-projection-missing",)
    assert (wrong.step, verdicts(wrong)) == (0, [None, None, None, None, "wrong"])
    assert "project the tokens" not in told(wrong)


def test_own_steps_of_another_kind_do_not_stand_in_the_way(grader: Grader) -> None:
    """A helper of the same name that is used in another way is the learner's own business."""
    helper = "\n\ndef project_qkv(x, w):\n    return x @ w\n"
    assert grader.grade(MULTI_HEAD, WHOLE + helper).passed
    wrong = grader.grade(MULTI_HEAD, WHOLE.replace(" @ w_o\n", "\n") + helper)
    assert wrong.diagnosis[0].misconceptions == ("output-projection-missing",)
    assert "project the tokens" not in told(wrong)


def test_a_file_that_is_no_python_yet_has_no_steps(grader: Grader) -> None:
    report = grader.grade(MULTI_HEAD, written(3) + "\ndef (")
    assert (report.verdict, report.steps_passed) == (Verdict.INVALID, 0)


def test_a_step_may_be_a_class_or_one_of_several_functions(grader: Grader) -> None:
    for name in ("kv-cache", "induction-by-hand"):
        folder = MULTI_HEAD.parent / name
        count = len(load_drill(folder).in_steps) - 1
        report = grader.grade(folder, written(count, folder))
        assert (report.verdict, report.steps_passed) == (Verdict.STEP, count)


def test_a_step_has_its_minutes_and_its_title() -> None:
    (step,) = parse({"weigh": "3 min, weigh the keys"}, "brief.md:1")
    assert (step.name, step.title, step.minutes) == ("weigh", "weigh the keys", 3)
    with pytest.raises(DrillError, match="the step weigh is 'weigh the keys'"):
        parse({"weigh": "weigh the keys"}, "brief.md:1")


def test_the_check_of_a_pack_tries_each_step(tmp_path: Path) -> None:
    pack = tmp_path / "attention"
    shutil.copytree(content_dir() / "attention", pack, ignore=shutil.ignore_patterns("model"))
    folder = pack / "drills" / "linear-attention"
    brief = (folder / "brief.md").read_text("utf-8")
    unused = brief.replace("  linear_attention: 5 min", "  spare: 5 min")
    (folder / "brief.md").write_text(unused, "utf-8")
    for suffix in ("", "_numpy"):
        for stem in ("solution", "starter"):
            with (folder / f"{stem}{suffix}.py").open("a") as file:
                file.write("\n\ndef spare():\n    return 0\n")
    with carriers() as both:
        found = check_files(folder, CheckRun(load_drill(folder), both, 1)).problems
    assert any(each.startswith("starter.py, the step spare,") for each in found)
    assert any("the last step is 'spare'" in each for each in found)
    assert len(found) == 3  # the starter's spare in each library, and its place


def test_long_drills_of_the_shipped_packs_are_in_steps() -> None:
    whole = {  # of what takes more than ten minutes at first
        folder.name
        for pack in shipped_packs()
        for folder in drill_folders(pack)
        if not load_drill(folder).in_steps
        and read_brief((folder / "brief.md").read_text("utf-8"), folder / "brief.md")[0].level > 3
    }
    assert whole == set()
