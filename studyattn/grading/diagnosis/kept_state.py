"""Find answers that depend on the calls before them, by asking again in fresh workers.

A cache that knows an input by its shape, a default argument that grows, or a counter answers
rightly at first. Code that draws at random is told apart: asked all of it again, it answers
otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from studyattn.grading.drawn_case import AGAIN, DrawnCase
from studyattn.grading.judged_case import JudgedCase, fingerprint


class Ask(Protocol):
    """Asks a submission these questions, in a worker that was asked nothing before."""

    def __call__(
        self, questions: Sequence[DrawnCase], changed: Callable[[bytes], bytes] = bytes, /
    ) -> Sequence[JudgedCase]:
        """Ask it with its code `changed` so."""


def keeps_state(answers: Sequence[JudgedCase], ask_again: Ask) -> bool:
    """Return whether the first wrong answer is right when asked alone, and the same when not.

    A call that is repeated within one question needs no asking alone: it was right before.
    """
    place = next((place for place, entry in enumerate(answers) if entry.wrong), None)
    if place is None:
        return False
    first = answers[place]
    if not _wrong_when_repeated_alone(first):
        if place == 0:
            return False
        (alone,) = ask_again([first.question])
        if not alone.passed or fingerprint(first) == fingerprint(
            alone
        ):  # the same may pass alone, as a variant
            return False
    *_, again = ask_again([entry.question for entry in answers[: place + 1]])
    return fingerprint(first) == fingerprint(again)


def _wrong_when_repeated_alone(entry: JudgedCase) -> bool:
    """Return whether only the second of two equal calls, with others in between, is wrong."""
    wrong = [part.leaf.register for part in entry.comparisons if part.fault]
    return bool(wrong) and not entry.changed and all(name.endswith(AGAIN) for name in wrong)
