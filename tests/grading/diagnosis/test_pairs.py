"""Which pairs are tried: never without the two that were made, and few of those there are."""

from __future__ import annotations

import itertools

import pytest

from studyattn.bundled import content_dir
from studyattn.grading.diagnosis.search import likely_pairs
from studyattn.grading.drill import Drill
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.judge import ask, draw
from studyattn.grading.judged_case import JudgedCase, most_telling
from studyattn.grading.misconception import Mistake, pairs
from studyattn.grading.mutation_report import ReferenceCarrier
from studyattn.grading.submission import Backend, Submission


def answered(drill: Drill, mistake: Mistake) -> tuple[JudgedCase, ...]:
    """What code with `mistake` answers, as the judge sees it."""
    carrier = ReferenceCarrier(drill, mistake.change())
    submission = Submission("pair.py", b"", Backend.NUMPY, drill.entries)
    return ask(drill, submission, carrier, draw(drill, "numpy", "cpu", 7).questions)


@pytest.mark.parametrize("name", ["causal-attention", "kv-cache"])
def test_the_two_that_were_made_are_among_those_tried(name: str) -> None:
    drill = load_drill(content_dir() / "attention" / "drills" / name)
    every = list(pairs(drill.misconceptions))
    tried = lost = 0
    for made in itertools.islice(every, 0, None, 1 + len(every) // 9):
        judged = [entry for entry in answered(drill, made) if entry.about_values]
        likely = [(pair.ids, pair.ways) for pair in likely_pairs(drill, judged)]
        assert len(likely) < len(every)
        tried += 1
        lost += (made.ids, made.ways) not in likely
    assert tried > 3
    assert lost == 0, f"{lost} of {tried}"


def test_one_of_each_size_is_asked_before_several_of_one() -> None:
    drill = load_drill(content_dir() / "attention" / "drills" / "causal-attention")
    nothing = next(iter(pairs(drill.misconceptions)))
    judged = answered(drill, nothing)
    ordered = most_telling(judged)
    assert len(ordered) == len(judged)
    assert {*ordered} == {*judged}
    wrong = [entry for entry in ordered if entry.off and entry.question.elements <= 64]
    assert ordered[: len(wrong)] == wrong
    rest = [str(entry.question.case.sizes) + entry.question.case.name for entry in ordered]
    rest = rest[len(wrong) :]
    first_repeat = next(i for i, size in enumerate(rest) if size in rest[:i])
    assert set(rest[first_repeat:]) <= set(rest[:first_repeat])
