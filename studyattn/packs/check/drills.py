"""Check that a pack's drills are whole and judge rightly, and that its cards name real mistakes.

`studyattn.grading.mutation_report` tries the judging itself: starters fail, solutions pass, every
misconception is rejected and named. What it counted is kept, to be published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from studyattn.errors import PackError
from studyattn.grading.drill import Drill
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.mutation_report import Tally, check_drills
from studyattn.packs.check.finding import Finding
from studyattn.packs.model import DrillBrief, Pack, SourceLocation

SEED: Final = 20_170_612
"""The same inputs in every check, so that a finding can be looked into."""

CONTRAST_TITLE: Final = 18
"""Columns that the name of a contrast has beside what is said of it, at 80."""


def check(pack: Pack) -> Iterator[Finding]:
    """Yield the findings that need no run of a submission."""
    drills: dict[str, Drill] = {}
    for brief in pack.drills.values():
        yield from _files(brief)
        try:
            drills[brief.id] = load_drill(brief.folder)
        except PackError as error:
            yield Finding.of(error)
            continue
        yield from _same_names(brief, drills[brief.id])
        yield from _contrasts(brief, drills[brief.id])
    names = ("brief.md", "checks.py")
    folders = {file.parent for name in names for file in pack.folder.glob(f"drills/*/{name}")}
    if len(drills) == len(folders):  # otherwise cards seem to name what no drill knows
        yield from _labs(pack, drills)
        yield from _misconceptions(pack, drills)


def try_out(pack: Pack, submissions: Path | None = None) -> tuple[list[Finding], Tally, Tally]:
    """Yield the findings of grading, with figures of the drills' own files and `submissions`.

    The own files are starters, solutions and every misconception of every drill. That a mistake is
    told by another's name is a finding only when it happens more often than is promised. Drills
    that are not whole are left out; `check` tells of them. Raises GradingError when the sandbox
    cannot be had.
    """
    whole = [brief.folder for brief in pack.drills.values() if _whole(brief)]
    own = corpus = Tally()
    findings: list[Finding] = []
    for figures in check_drills(whole, submissions, SEED):
        if figures.error is not None:
            findings.append(Finding.at(figures.error.where, figures.error.message))
        for problem in (*figures.own.problems, *figures.corpus.problems):
            file = figures.folder / problem.partition(":")[0]  # the file graded, if it has one
            place = SourceLocation(str(file if file.is_file() else figures.folder / "checks.py"), 1)
            findings.append(Finding(place, problem))
        own += figures.own
        corpus += figures.corpus
    for figure in (own, corpus):
        if not figure.named_as_promised:
            place = SourceLocation(str(pack.folder / "drills"), 1)
            findings.append(Finding(place, f"too few mistakes are named: {figure}"))
    return findings, own, corpus


def _whole(brief: DrillBrief) -> bool:
    try:
        load_drill(brief.folder)
    except PackError:
        return False
    return not list(_files(brief))


def _files(brief: DrillBrief) -> Iterator[Finding]:
    for backend in brief.backends:
        for file in (brief.starter(backend), brief.solution(backend)):
            if not file.is_file():
                yield Finding(brief.place, f"there is no {file.name} for {backend}")


def _same_names(brief: DrillBrief, drill: Drill) -> Iterator[Finding]:
    """The brief tells the learner what the checks will ask for."""
    pairs = (
        ("id", brief.id, drill.id),
        ("entry", sorted(brief.entry), sorted(drill.entries)),
        ("backends", sorted(brief.backends), sorted(drill.backends)),
    )
    for what, said, judged in pairs:
        if said != judged:
            yield Finding(brief.place, f"the brief says {what} {said}, but the checks say {judged}")


def _contrasts(brief: DrillBrief, drill: Drill) -> Iterator[Finding]:
    """Check that the programs beside which a drill's cost is shown exist and can grow with it."""
    for contrast in drill.growth.contrasts if drill.growth else ():
        if len(contrast.title) > CONTRAST_TITLE:
            message = f"the title of a contrast has at most {CONTRAST_TITLE} columns"
            yield Finding(brief.place, f"{message}, not {contrast.title!r}")
        if contrast.drill is None:
            for backend in brief.backends:
                if not brief.contrast(backend).is_file():
                    yield Finding(brief.place, f"there is no contrast.py for {backend}")
            continue
        try:
            other = load_drill(brief.folder.parent / contrast.drill)
        except PackError as error:
            yield Finding(brief.place, f"its contrast {contrast.drill!r}: {error.message}")
            continue
        if other.growth is None:
            yield Finding(brief.place, f"its contrast {contrast.drill!r} does not say how it grows")


def _labs(pack: Pack, drills: Mapping[str, Drill]) -> Iterator[Finding]:
    """The cost lab of a card is that of a drill which says how it grows."""
    for card in pack.cards():
        if card.lab is not None and (card.lab not in drills or drills[card.lab].growth is None):
            yield Finding(card.place, f"no drill {card.lab!r} defines how its cost grows")


def _misconceptions(pack: Pack, drills: Mapping[str, Drill]) -> Iterator[Finding]:
    """Cards name misconceptions that some drill knows; these name concepts of the pack."""
    known = {mistake.id: mistake for drill in drills.values() for mistake in drill.misconceptions}
    for card in pack.cards():
        for identifier in card.misconceptions:
            if identifier not in known:
                yield Finding(card.place, f"no drill knows the misconception {identifier!r}")
    for identifier, mistake in known.items():
        if mistake.concept not in pack.concepts:
            yield Finding.at(
                mistake.place,
                f"the misconception {identifier!r} refers to the concept {mistake.concept!r}, "
                "which the pack does not have",
            )
