"""What briefs demand and ban, and what a pack demands of every submission, is caught if broken.

A brief lists in its front matter what breaks it; a wrong submission says `# breaks:` which of these
it does, and `test_drills` sees it rejected. What breaks the contract is added to each drill's own
solution here.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from studyattn.grading.call_plan import Layout, Raised
from studyattn.grading.drawn_case import SMALL_CASE, DrawnCase
from studyattn.grading.drill import Drill
from studyattn.grading.drill_loader import drill_folders, load_drill
from studyattn.grading.judge import ask, draw
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Backend, Submission
from studyattn.packs.model import DrillBrief
from studyattn.packs.read import load_pack
from tests.corpus import submissions
from tests.grading.shared_worker import SharedWorker

BREAKS = re.compile(r"^# breaks: (\S+)$", re.MULTILINE)
PACK = content_dir() / "attention"
FOLDERS = drill_folders(PACK)

WRAPPED = """

import torch as _torch

def _of(value, change):
    if isinstance(value, tuple | list):
        return tuple(_of(part, change) for part in value)
    is_array = isinstance(value, _torch.Tensor) and value.dtype is not _torch.bool
    return change(value) if is_array else value

def _breaking(entry):
    if isinstance(entry, type):
        class Breaking(entry):
            def __call__(self, *args):
                return _break(super().__call__, *args)
        return Breaking
    return lambda *args, **named: _break(entry, *args, **named)
"""

COARSER = "_torch.float32 if t.dtype is _torch.float64 else _torch.bfloat16"
BROKEN = {
    "any-layout": """
    def in_order(t):
        assert t.is_contiguous()
        return t
    return entry(*_of(args, in_order), **named)""",
    "dtype": "return _of(entry(*args, **named), lambda t: t.to(_torch.float16))",
    "precision": f"return _of(entry(*args, **named), lambda t: t.to({COARSER}).to(t.dtype))",
    "inputs-unchanged": """
    result = _of(entry(*args, **named), lambda t: t.clone())
    with _torch.no_grad():
        _of(args, lambda t: t.mul_(2))
    return result""",
    "results-kept": """
    def kept(t):
        buffer = _break.__dict__.setdefault(str((t.dtype, t.shape, t.stride())), t.clone())
        return buffer.copy_(t)
    return _of(entry(*args, **named), kept)""",
    "repeatable": """
    result = entry(*args, **named)
    asked = [each for each in args if not callable(each)]  # a model is another one each time
    _of((args, result), lambda t: asked.append(t.tolist()))
    again = _break.__dict__.setdefault(str((asked, named)), entry) is not entry
    _break.__dict__[str((asked, named))] = None
    return result + 1 if isinstance(result, int) and again else _of(result, lambda t: t + again)""",
    "gradients": "return _of(entry(*args, **named), lambda t: t.detach())",
    "exact": "return _of(entry(*args, **named), lambda t: t * (1 + 1e-9))",
    "ready-made-attention": """
    one = _torch.ones(1, 1, 1)
    _torch.nn.functional.scaled_dot_product_attention(one, one, one)
    return entry(*args, **named)""",
    "ready-made-import": "import transformers\n    return entry(*args, **named)",
    "reference-import": "import studyattn\n    return entry(*args, **named)",
}
"""By what is broken, the body of `_break(entry, *args, **named)`."""

SHOWN_BY: dict[str, Callable[[DrawnCase], bool]] = {
    "any-layout": lambda question: question.case.layout is not Layout.CONTIGUOUS,
    "repeatable": lambda question: question.case.twice,
    "gradients": lambda question: question.case.gradients,
    "exact": lambda question: question.case.dtype == "float64" and not question.case.gradients,
}
"""The questions that must show it, where these are not the first few."""

FIRST = 4


@pytest.fixture(scope="module")
def runner() -> Iterator[SharedWorker]:
    with Runner() as runner, contextlib.closing(SharedWorker(runner)) as shared:
        yield shared


@pytest.fixture(scope="module")
def drills() -> Mapping[str, DrillBrief]:
    return load_pack(PACK).drills


def test_every_demand_and_ban_of_a_contract_can_be_broken_here(
    drills: Mapping[str, DrillBrief],
) -> None:
    first = next(iter(drills.values())).contract
    assert first is not None
    assert {*first.demands, *first.bans} == set(BROKEN)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_demand_and_ban_of_a_brief_has_a_submission_that_breaks_it(
    folder: Path, drills: Mapping[str, DrillBrief]
) -> None:
    brief = drills[folder.name]
    labels = [
        label
        for path in (submissions(brief.id) / "wrong").rglob("*.py")
        for label in BREAKS.findall(path.read_text("utf-8", "replace"))
    ]
    assert set(labels) == {*brief.demands, *brief.bans}


def _breaking(brief: DrillBrief, drill: Drill, body: str) -> Submission:
    """Return the drill's solution, which breaks the contract by `body`."""
    source = f"{brief.solution('torch').read_text()}{WRAPPED}"
    source += f"\ndef _break(entry, *args, **named):\n    {body.strip()}\n\n"
    source += "".join(f"{entry} = _breaking({entry})\n" for entry in brief.entry)
    return Submission("mine.py", source.encode(), Backend.TORCH, drill.entries, drill.forbidden)


def _shown(questions: list[DrawnCase], name: str) -> list[DrawnCase]:
    """Return the questions that must show that `name` is broken."""
    shows = SHOWN_BY.get(name)
    if shows is not None:
        return [each for each in questions if shows(each)]
    return questions if name == "results-kept" else questions[:FIRST]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_breaks_the_contract_is_caught_and_what_is_waived_is_not(
    folder: Path, drills: Mapping[str, DrillBrief], runner: SharedWorker
) -> None:
    brief = drills[folder.name]
    drill = load_drill(brief.folder)
    drawn = draw(drill, "torch", "cpu", seed=1).questions
    questions = [each for each in drawn if each.case.name != SMALL_CASE]  # whole numbers
    missed, refused = [], []
    broken_by = {
        name: [
            each
            for each in ask(drill, _breaking(brief, drill, body), runner, _shown(questions, name))
            if not each.passed
        ]
        for name, body in BROKEN.items()
    }
    for name, broken in broken_by.items():
        if name in brief.waives:
            refused += [name] if broken else []
        elif not broken:
            missed.append(name)
        elif name in (brief.contract.bans if brief.contract else ()):
            assert all(isinstance(each.outcome, Raised) for each in broken)
            assert all(each.outcome.forbidden for each in broken)  # type: ignore[union-attr]  # seen to above
    assert missed == []
    assert refused == []
