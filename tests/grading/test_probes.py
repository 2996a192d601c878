"""Probes: that they follow from a brief, and that a probe which is caught is code that fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from studyattn.bundled import content_dir
from studyattn.grading.call_plan import Call
from studyattn.grading.domain import shapes_in
from studyattn.grading.drill import Drill, case
from studyattn.grading.drill_loader import drill_folders, load_drill
from studyattn.grading.judge import Executor, grade
from studyattn.grading.mutation_report import carriers
from studyattn.grading.probes import holes
from studyattn.grading.submission import Backend, Submission

ATTENTION = content_dir() / "attention" / "drills" / "attention"
BRIEF = (ATTENTION / "brief.md").read_text("utf-8")

FAILING = {
    "half precision": "q.dtype == torch.float16",
    "bfloat16, keys permuted": "k.dtype == torch.bfloat16 and k.ndim > 2"
    " and k.stride(-2) > k.stride(-3) > 0",
    "values expanded": "0 in v.stride() and v.numel() > v.shape[-1]",
    "five axes in front": "q.ndim == 7",
    "more than 2,048 keys": "k.shape[-2] > 2048",
    "one array for all": "q is k",
    "a gradient of v alone": "v.requires_grad and not q.requires_grad",
}


@pytest.fixture(scope="module")
def shared() -> Iterator[Executor]:
    with carriers() as both:
        yield both[Backend.TORCH]


@pytest.mark.parametrize("condition", FAILING.values(), ids=FAILING)
def test_code_that_fails_under_one_condition_is_refused(condition: str, shared: Executor) -> None:
    drill = load_drill(ATTENTION)
    solution = (ATTENTION / "solution.py").read_text("utf-8")
    wrapped = f"""import torch
{solution}
right = attention

def attention(q, k, v):
    return right(q, k, v) + 1 if {condition} else right(q, k, v)
"""
    submission = Submission("probe.py", wrapped.encode(), Backend.TORCH, drill.entries)
    report = grade(drill, submission, shared, 1)
    wrong = [each.name for each in report.cases if not each.passed]
    assert 0 < len(wrong) < len(report.cases)


def test_what_is_not_asked_is_told() -> None:
    drill = load_drill(ATTENTION)
    gradients = replace(drill, spaces=drill.spaces[1:], domain=None)
    tried, missed = holes(gradients, BRIEF, "torch", 1)
    assert tried > len(missed)
    assert "code that fails under this condition passes: float16" in missed
    excused = replace(gradients, unasked={"float16*": "", "m": ""})
    told = holes(excused, BRIEF, "torch", 1)[1]
    assert not [each for each in told if "float16" in each and "bfloat16" not in each]
    assert any("excuses 'm'" in each for each in told)


def test_a_drill_without_a_space_is_not_probed() -> None:
    drill = Drill(
        "mean",
        {"mean": lambda x: x.mean()},
        lambda draw: Call("mean", (draw.array(3),)),
        small=({},),
        misconceptions=(),
        axes=(),
        cases=(case("three"),),
    )
    assert holes(drill, BRIEF, "numpy", 1) == (0, ())


def test_shapes_are_read_from_a_brief() -> None:
    assert shapes_in(BRIEF) == {
        "q": ("...", "m", "d"),
        "k": ("...", "n", "d"),
        "v": ("...", "n", "d_v"),
    }
    text = "## Shapes\n- `split(x, h)`: `(..., n, h * d)` to\n- calling it: `(b, t)`\n\n## Example"
    assert shapes_in(text) == {"split.x": ("...", "n", "h * d"), "().x": ("b", "t")}
    for folder in drill_folders(content_dir() / "attention"):
        brief = (folder / "brief.md").read_text("utf-8")
        assert shapes_in(brief) or folder.name == "parameter-count", folder
