"""The domain of a brief: what is read and shown of it, and that all of it can be asked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from studyattn.bundled import content_dir
from studyattn.errors import DrillError
from studyattn.grading import deep, judge
from studyattn.grading.domain import FORMS, Domain, parse
from studyattn.grading.drawn_case import draw_case, draw_cases, held
from studyattn.grading.drill import Drill
from studyattn.grading.drill_loader import drill_folders, load_drill
from studyattn.grading.judge import Executor
from studyattn.grading.mutation_report import carriers
from studyattn.grading.submission import Backend, Submission
from studyattn.grading.verdict import Report
from studyattn.packs.briefs import read_brief

DRILLS = content_dir() / "attention" / "drills"

DECLARED = {
    "m": "1 to 64, at most n",
    "n": "1 to 4096, seldom above 1000",
    "d": "2 to 512, even",
    "h_kv": "1 to 4",
    "h": "1 to 64, a multiple of h_kv",
    "temperature": "0.01 to 100.0",
    "k, v": "may be all zero or tiny",
    "dtype": "float32 or float64",
    "axes": "0 to 3",
}

SHAPES = """
## Shapes

- `q`: `(..., h, m, d)`, `k`: `(..., h_kv, n, d)`
"""

USUAL = {"m": 4, "n": 5, "d": 6, "h": 4, "h_kv": 2, "batch": (2,)}


@pytest.fixture(scope="module", name="torch_carrier")
def shared() -> Iterator[Executor]:
    with carriers() as both:
        yield both[Backend.TORCH]


def domain() -> Domain:
    return parse(DECLARED, SHAPES, "brief.md:1")


def test_the_declaration_is_what_the_learner_reads() -> None:
    lines = domain().lines()
    assert "- `n`: 1 to 4,096, seldom above 1000".replace("1000", "1,000") in lines
    assert "- `k`, `v`: may be all zero or tiny" in lines
    assert lines[-2:] == ["- dtype: float32 or float64", "- axes in front: 0 to 3"]
    brief, _ = read_brief(
        (DRILLS / "attention" / "brief.md").read_text("utf-8"), DRILLS / "attention" / "brief.md"
    )
    assert "- `n`: 1 to 8,192" in brief.text


@pytest.mark.parametrize(
    "wrong",
    [{"n": "many"}, {"n": "1 to 9, at most z"}, {"x": "may be odd"}, {"n": "1 to 9, round"}],
)
def test_a_line_that_cannot_be_read_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(DrillError, match="domain"):
        parse(wrong, SHAPES, "brief.md:1")


def test_both_ends_of_each_range_and_each_form_are_asked() -> None:
    asked = dict(domain().corners(USUAL))
    ends = {"m": 64, "d": 512, "h": 64, "temperature": 100.0}
    for name, end in ends.items():
        assert any(settings.get(name) == end for settings in asked.values())
    assert any(settings.get("temperature") == 0.01 for settings in asked.values())
    assert {"m": 1, "n": 1, "d": 2}.items() <= asked["everything smallest"].items()
    assert asked["v tiny"]["forms"] == {"v": "tiny"}
    assert max(settings["n"] for settings in asked.values()) == 1000
    assert max(settings["n"] for _, settings in domain().corners(USUAL, deep=True)) == 4096


def test_a_domain_has_a_range() -> None:
    with pytest.raises(DrillError, match="no range"):
        parse({"x": "may be all zero"}, "", "brief.md:1")


def test_whatever_is_drawn_lies_in_the_domain() -> None:
    generator = np.random.default_rng(1)
    seen: dict[str, set[float]] = {name: set() for name in ("m", "n", "d", "h", "temperature")}
    for _ in range(3000):
        _, drawn = domain().drawn(generator, USUAL, USUAL, deep=True)
        assert 1 <= drawn["m"] <= min(64, drawn["n"]) <= drawn["n"] <= 4096
        assert drawn["d"] % 2 == 0 < drawn["d"] <= 512
        assert drawn["h"] % drawn["h_kv"] == 0 < drawn["h"] <= 64
        assert drawn["dtype"] in {"float32", "float64"}
        for name, numbers in seen.items():
            numbers.update({drawn[name]} if name in drawn else set())
    assert max(seen["n"]) > 3000
    assert min(seen["temperature"]) < 0.05
    assert max(seen["temperature"]) > 50
    assert {1, 2, 3, 4, 5, 6, 8} <= seen["h"]
    assert max(seen["h"]) > 32


@pytest.mark.parametrize("form", FORMS)
def test_a_form_leaves_the_shape(form: str) -> None:
    values = np.arange(1.0, 13.0).reshape(2, 2, 3)
    changed = FORMS[form](values)
    assert changed.shape == values.shape
    assert (changed != values).any()
    assert np.isfinite(changed).any(axis=-1).all()


@pytest.mark.parametrize(
    "folder", drill_folders(content_dir() / "attention"), ids=lambda it: it.name
)
def test_every_drill_declares_a_domain_that_it_can_be_asked(folder: Path) -> None:
    drill = load_drill(folder)
    assert drill.domain is not None
    one, other = (
        [question.case.name for question in draw_cases(drill, drill.backends[0], "cpu", seed)]
        for seed in (1, 2)
    )
    assert one[:-2] == other[:-2]
    assert one[-2:] != other[-2:]
    generator = np.random.default_rng(3)
    for number in range(12):
        case = drill.case_anywhere(generator, deep=number < 4)
        assert draw_case(drill, held(case, drill.backends[0]), (number,)).expected


# ── the deep pass ────────────────────────────────────────────────────────────────────────────────

RIGHT = (DRILLS / "attention" / "solution.py").read_text("utf-8")
WRONG_AT_777 = f"""{RIGHT}
right = attention

def attention(q, k, v):
    return right(q, k, v) * (1.5 if k.shape[-2] == 777 else 1.0)
"""


def passed(drill: Drill, code: str, carrier: Executor) -> tuple[Submission, Report]:
    submission = Submission("attention.py", code.encode(), Backend.TORCH, drill.entries)
    report = judge.grade(drill, submission, carrier, 1)
    assert report.passed
    return submission, report


def test_a_number_in_the_code_is_asked_and_the_question_kept(
    torch_carrier: Executor, tmp_path: Path
) -> None:
    drill = load_drill(DRILLS / "attention")
    submission, report = passed(drill, WRONG_AT_777, torch_carrier)
    told, question = deep.search(drill, submission, torch_carrier, report, 60)
    assert not told.passed
    assert question is not None
    assert "n = 777" in told.cases[-1].name
    kept = deep.Kept(tmp_path)
    assert kept.questions(drill, "torch") == ()
    kept.add(drill, question)
    (again,) = kept.questions(drill, "torch")
    for before, now in pairwise([*question.program.arrays(), *again.program.arrays()][::3]):
        assert np.array_equal(before.values, now.values)
    drawn = judge.draw(drill, "torch", "cpu", 2)
    drawn = judge.Drawn(2, (*drawn.questions, again))
    assert not judge.grade(drill, submission, torch_carrier, drawn=drawn).passed


def test_right_code_keeps_its_pass(torch_carrier: Executor) -> None:
    drill = load_drill(DRILLS / "attention")
    submission, report = passed(drill, RIGHT, torch_carrier)
    assert deep.search(drill, submission, torch_carrier, report, 3) == (report, None)


def test_the_numbers_of_a_program_are_found() -> None:
    assert deep.numbers_in(b"x = 5000 if y > 1e-4 else 1 + 2") == [1e-4, 5000]
    assert deep.numbers_in(b"def broken(") == []


@pytest.mark.parametrize("form", [form for form in FORMS if form != "partly -inf"])
@pytest.mark.parametrize("hidden", [[0], [1], [0, 2]])
def test_a_form_of_what_is_partly_hidden_is_no_nan(form: str, hidden: list[int]) -> None:
    values = np.array([[1.0, 2.0, 3.0]] * 2)
    values[:, hidden] = -np.inf
    formed = FORMS[form](values)
    assert not np.isnan(formed).any()
    assert np.isfinite(formed).any(axis=-1).all()


def test_a_row_that_is_hidden_but_for_its_end_can_be_seen_there() -> None:
    values = np.array([[1.0, 2.0], [3.0, -np.inf]])
    assert np.isfinite(FORMS["partly -inf"](values)).any(axis=-1).all()
