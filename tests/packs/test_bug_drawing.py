"""“Find the bug” programs are drawn anew for each review, and each has the bug of its card."""

from __future__ import annotations

import ast
import functools
from itertools import pairwise

import pytest

from studyattn.bundled import content_dir
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.grader import Grader
from studyattn.grading.submission import Backend, Submission
from studyattn.packs.bug_drawing import draw
from studyattn.packs.card_kinds import BUG, ReviewContext
from studyattn.packs.model import Bug, CardText, Pack, bug_text
from studyattn.packs.read import load_pack

FOLDER = content_dir() / "attention"
BUGS = sorted(path.stem for path in FOLDER.glob("bugs/*.md"))


@functools.cache
def pack() -> Pack:
    return load_pack(FOLDER)


def drawn(misconception: str, reviews: int) -> Bug:
    return draw(pack().bugs[misconception], FOLDER, f"attention:bug/{misconception}", reviews)


def asked(card: CardText, reviews: int) -> tuple[str, str]:
    made = BUG.ask(card, ReviewContext("attention:bug/mask-inverted", reviews, lambda: FOLDER))
    return made.front, made.back


@pytest.mark.parametrize("misconception", BUGS[::5])
def test_the_judge_finds_the_bug_of_the_card_in_what_is_drawn(misconception: str) -> None:
    bug = drawn(misconception, 3)
    assert bug.example.source != pack().bugs[misconception].example.source
    with Grader() as grader:
        drill = load_drill(pack().drills[bug.drill].folder)
        source = bug.example.source.encode()
        submission = Submission("bug.py", source, Backend.NUMPY, drill.entries)
        report = grader.grade(drill, submission, seed=1)
    assert not report.passed
    assert report.diagnosis[0].misconceptions == (misconception,)


def test_each_showing_has_another_program_and_the_same_one_when_shown_again() -> None:
    fronts = [bug_text(drawn("mask-inverted", reviews)).front for reviews in range(6)]
    assert all(before != after for before, after in pairwise(fronts))
    assert len(set(fronts)) >= 5
    assert fronts[4] == bug_text(drawn("mask-inverted", 4)).front
    assert fronts[0] == bug_text(pack().bugs["mask-inverted"]).front


def test_names_change_in_the_answer_as_in_the_program() -> None:
    for reviews in range(1, 8):
        bug = drawn("mask-inverted", reviews)
        (name,) = (
            each.targets[0].id
            for each in ast.walk(ast.parse(bug.program))
            if isinstance(each, ast.Assign)
            and isinstance(each.targets[0], ast.Name)
            and "np.where" in ast.unparse(each.value)
        )
        assert f"np.where(mask, {name}, -np.inf)" in bug.answer


def test_other_numbers_are_told_by_what_right_code_prints() -> None:
    bug = next(each for each in (drawn("groups-tiled", 1), drawn("groups-tiled", 2)))
    assert "six query heads" in bug.question
    assert "right code prints\n\n```text\n[0. 0. 0. 1. 1. 1.]" in bug.answer
    assert "query heads 0 and 1 share" not in bug.answer
    assert "[0. 1. 0. 1. 0. 1.]" in bug.example.output


def test_an_edited_card_and_one_without_its_pack_are_asked_as_they_are_kept() -> None:
    card = bug_text(pack().bugs["mask-inverted"])
    assert asked(card, 0) == (card.front, card.back)
    shown = draw(pack().bugs["mask-inverted"], FOLDER, "attention:bug/mask-inverted", 2)
    assert asked(card, 2) == (bug_text(shown).front, shown.answer)
    assert asked(card, 2) != (card.front, card.back)
    edited = CardText(BUG, f"{card.front} Mine.", card.back, None, card.extra)
    assert asked(edited, 2) == (edited.front, edited.back)
    gone = CardText(BUG, card.front, card.back, None, {**card.extra, "drill": "no-such"})
    assert asked(gone, 2) == (gone.front, gone.back)
