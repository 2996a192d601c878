"""Search for the small changes of a submission that make it right.

The change that passes is the diagnosis: its line, what stands there and what would be right. It is
true by construction, because the changed code answers every question of the attempt and of a fresh
draw. Candidates are `edits`'; they run many to a worker. A look at one question tells of each how
much of the answer is right there; those that come nearer are the first of two. No mistake is named
of code that was changed: without its wrong part it has the mistake of lacking it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, zip_longest
from typing import Protocol

import numpy as np

from studyattn.grading.call_plan import CallPlan, Outcome
from studyattn.grading.compare import wrong_entries
from studyattn.grading.diagnosis.edits import (
    Edit,
    EditKind,
    applied,
    both,
    edits_of,
    in_fewer_places,
)
from studyattn.grading.judged_case import JudgedCase, fingerprint, plainness
from studyattn.grading.submission import Submission

SECONDS = 2.0
"""Time for a repair by one edit, by the clock."""

SECONDS_FOR_TWO = 10.0
"""Time for a repair by one edit or two."""

AT_ONCE = 256
"""Candidates of one worker."""

PANELS = (6, 24)
"""Questions that a candidate is asked in turn, before it is asked all of the attempt."""

PATIENCE = 0.25
"""Seconds for the answer to one question: a candidate may loop without end."""

PROMISING = 12
"""Edits that are tried as the first of two."""


class Bench(Protocol):
    """Runs and judges candidates, for one submission to one drill."""

    def run(
        self, sources: Sequence[bytes], programs: Sequence[CallPlan], seconds: float
    ) -> Iterator[tuple[Outcome, ...]]:
        """Yield what each source answers to the programs; see `Runner.variants`."""

    def judge(self, asked: JudgedCase, outcome: Outcome) -> JudgedCase:
        """Compare an outcome with the right answer to a question."""

    def ask(self, source: bytes) -> tuple[JudgedCase, ...]:
        """Ask a source all questions of the attempt."""

    def passes(self, source: bytes) -> bool:
        """Return whether a source passes on all questions of the attempt and of a fresh draw."""


def find(
    submission: Submission,
    answers: Sequence[JudgedCase],
    bench: Bench,
    seconds: float = SECONDS,
    *,
    in_two: bool = False,
) -> tuple[Edit, ...]:
    """Return the edits that make a submission right: the plainest one, or else two if `in_two`.

    There are none where none is found in `seconds`, and where no edit can help: only the cost is
    over a limit.
    """
    search = _Search(submission, bench, time.monotonic() + seconds)
    try:
        return search.repair(answers, in_two=in_two)
    except (SyntaxError, ValueError, RecursionError):  # of a file that is no longer Python then
        return ()


@dataclass(frozen=True, slots=True)
class _Questions:
    """The answers of one source: the one that is looked at, and those asked after it."""

    telling: JudgedCase
    panels: tuple[tuple[JudgedCase, ...], ...]

    @classmethod
    def of(cls, answers: Sequence[JudgedCase]) -> _Questions | None:
        """Return the questions to ask about `answers`; None where nothing of them is wrong."""
        asked = [entry for entry in answers if not entry.question.case.costed]
        asked.sort(key=lambda entry: entry.question.elements)
        wrong = [entry for entry in asked if entry.wrong or entry.changed]
        if not wrong:
            return None
        # In turn: a change that mends one kind of question often breaks the other.
        in_turn = zip_longest(_varied(wrong), _varied(entry for entry in asked if entry.passed))
        panel = tuple(filter(None, chain.from_iterable(in_turn)))
        parts = (panel[begin:end] for begin, end in pairwise((0, *PANELS)))
        return cls(min(wrong, key=plainness), tuple(filter(None, parts)))


@dataclass(frozen=True, slots=True)
class _Look:
    """An edit with what it answers to one question.

    `share` of the entries is right, -1 where there is no answer; `print` is the same for edits that
    answer alike.
    """

    edit: Edit
    share: float
    print: bytes


class _Search:
    """The search for one submission."""

    def __init__(self, submission: Submission, bench: Bench, deadline: float) -> None:
        self._submission = submission
        self._bench = bench
        self._deadline = deadline

    def repair(self, answers: Sequence[JudgedCase], *, in_two: bool) -> tuple[Edit, ...]:
        """Return the edit that mends it; else one that helps, and one that mends the rest."""
        questions = _Questions.of(answers)
        if questions is None:
            return ()
        nothing = Edit(EditKind.EXTRA, 0, "", ())
        base = next(self._looks([nothing], questions.telling), None)
        found, looks = self._mend(edits_of(self._submission.source), questions)
        if found:
            return (found,)
        for first in _promising(looks, base) if base and in_two else ():
            second = self._second(first.edit, looks)
            if second is not None:
                return first.edit, second
        return ()

    def _second(self, first: Edit, looks: Sequence[_Look]) -> Edit | None:
        """Return the edit that mends what the first one leaves wrong."""
        if self._is_over():
            return None
        left = self._bench.ask(applied(self._submission.source, first))
        questions = _Questions.of(left)
        if questions is None:
            return None
        made = ((both(first, look.edit), look.edit) for look in looks if look.share >= 0)
        pairs = {joined: second for joined, second in made if joined}
        found, _ = self._mend(list(pairs), questions)
        return pairs[found] if found else None

    def _mend(
        self, edits: Sequence[Edit], questions: _Questions
    ) -> tuple[Edit | None, list[_Look]]:
        """Return the first of `edits` with which it passes, and a look at each."""
        looks: list[_Look] = []
        for begin in range(0, len(edits), AT_ONCE):
            seen = list(self._looks(edits[begin : begin + AT_ONCE], questions.telling))
            looks += seen
            found = self._first([look.edit for look in seen if look.share == 1], questions)
            if found is not None or self._is_over():
                return found, looks
        return None, looks

    def _first(self, edits: Sequence[Edit], questions: _Questions) -> Edit | None:
        """Return the first of `edits` with which it passes all that there is to ask."""
        source = self._submission.source
        for panel in questions.panels:
            if not edits or self._is_over():
                return None
            sources = [applied(source, edit) for edit in edits]
            programs = [entry.question.program for entry in panel]
            answered = self._bench.run(sources, programs, PATIENCE * len(panel))
            edits = [
                edit
                for edit, outcomes in zip(edits, answered, strict=True)
                if all(map(self._is_right, panel, outcomes))
            ]
        found = next(filter(self._passes, edits), None)
        less = found
        while less:  # told are only places of which each has to be changed
            found, less = less, next(filter(self._passes, in_fewer_places(source, less)), None)
        return found

    def _passes(self, edit: Edit) -> bool:
        source = applied(self._submission.source, edit)
        return not self._is_over() and self._bench.passes(source)

    def _is_right(self, asked: JudgedCase, outcome: Outcome) -> bool:
        with np.errstate(all="ignore"):
            return self._bench.judge(asked, outcome).passed

    def _looks(self, edits: Sequence[Edit], asked: JudgedCase) -> Iterator[_Look]:
        """Yield a look at each of `edits`, until time is up."""
        if self._is_over():
            return
        sources = [applied(self._submission.source, edit) for edit in edits]
        answered = self._bench.run(sources, [asked.question.program], PATIENCE)
        for edit, (outcome,) in zip(edits, answered, strict=False):
            with np.errstate(all="ignore"):
                judged = self._bench.judge(asked, outcome)
            yield _Look(edit, _share(judged), fingerprint(judged))
            if self._is_over():
                return

    def _is_over(self) -> bool:
        return time.monotonic() > self._deadline


def _promising(looks: Sequence[_Look], base: _Look) -> list[_Look]:
    """Return edits that bring the answer nearer, the best first; one of those that answer alike."""
    alike: dict[bytes, _Look] = {}
    for look in looks:
        if look.share > base.share and look.print not in alike:
            alike[look.print] = look
    return sorted(alike.values(), key=lambda look: (-look.share, look.edit.kind.rank))[:PROMISING]


def _share(judged: JudgedCase) -> float:
    """Return the share of the entries that are right; -1 where there is no answer."""
    if judged.passed:
        return 1.0
    shares = [
        0.0
        if not isinstance(part.values, np.ndarray) or part.values.shape != part.leaf.values.shape
        else 1.0 - float(np.mean(wrong_entries(part.values, part.leaf)))
        for part in judged.comparisons
    ]
    return 0.99 * float(np.mean(shares)) if shares else -1.0


def _varied(entries: Iterable[JudgedCase]) -> list[JudgedCase]:
    """Return the entries, the first one of each case before all others."""
    asked = list(entries)
    first = {id(each) for each in {each.question.case.name: each for each in asked[::-1]}.values()}
    return sorted(asked, key=lambda each: id(each) not in first)
