"""A pack on layer normalisation, written by the documentation alone, through a whole practice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from studyattn.grading.judge import grade
from studyattn.grading.run.runner import Runner
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.packs.check import examine_pack
from studyattn.packs.scaffold import add_pack
from studyattn.study.clock import FixedClock
from studyattn.study.practice.drill_session import PracticeSession
from studyattn.study.practice.drill_views import RecordedAttempt
from studyattn.study.profile import open_profile
from studyattn.study.review.batch import answer
from studyattn.study.review.queue import due_items

LAYERNORM = Path(__file__).resolve().parents[2] / "packs" / "layernorm"
MINE = """# backend: numpy
import numpy as np

def layer_norm(x, gain, bias, eps):
    centred = x - x.mean({axis}, keepdims=True)
    variance = centred.var({axis}, {ddof}keepdims=True)
    return gain * centred / {deviation} + bias
"""
RIGHT = {"axis": "-1", "ddof": "", "deviation": "np.sqrt(variance + eps)"}
MISTAKES = {
    "variance-unbiased": (
        {"ddof": "ddof=min(1, x.shape[-1] - 1), "},
        {"layernorm:variance-defaults", "layernorm:variance-by-hand"},
    ),
    "epsilon-outside-root": (
        {"deviation": "(np.sqrt(variance) + eps)"},
        {"layernorm:norm-epsilon"},
    ),
    "normalised-over-tokens": ({"axis": "0"}, {"layernorm:norm-axis"}),
}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home to which the pack was added."""
    home = Home(tmp_path / "home")
    add_pack(LAYERNORM, home)
    return home


def hand_in(
    session: PracticeSession, runner: Runner, clock: FixedClock, code: str
) -> RecordedAttempt:
    session.save(code)
    submission = session.submission()
    report = grade(session.drill, submission, runner, seed=1)
    clock.advance(timedelta(seconds=60))
    return session.record(submission, report)


def test_the_pack_is_sound() -> None:
    assert examine_pack(LAYERNORM).findings == ()


@pytest.mark.parametrize("misconception", MISTAKES)
def test_a_mistake_is_named_and_its_cards_come_back(
    misconception: str, home: Home, runner: Runner
) -> None:
    change, cards = MISTAKES[misconception]
    clock = FixedClock(datetime(2026, 3, 2, 12, tzinfo=UTC))
    with open_profile(home, clock) as profile:
        assert profile.problems == ()
        for card in cards:
            answer(profile, card, Rating.EASY)
        clock.advance(timedelta(minutes=1))
        with PracticeSession(profile, "normalise-tokens") as session:
            wrong = hand_in(session, runner, clock, MINE.format(**{**RIGHT, **change}))
            assert wrong.misconceptions == (misconception,)
            assert cards <= {each.guid for each in wrong.brought_back}
            assert cards <= {each.guid for each in due_items(profile) if each.brought_back}
            assert hand_in(session, runner, clock, MINE.format(**RIGHT)).verdict == "passed"
            assert session.rate().review.item_guid == "layernorm:drill/normalise-tokens"
