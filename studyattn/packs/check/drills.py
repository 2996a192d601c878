"""Whether a pack's drills are whole and judge rightly, and whether its cards name real mistakes.

The judging itself is tried by `studyattn.grading.selfcheck`: starters fail, solutions pass, every
misconception is rejected and told by its name. What it counted is kept, to be published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Final

from studyattn.errors import PackError
from studyattn.grading.drill import Drill
from studyattn.grading.judge import Carrier
from studyattn.grading.load import load_drill
from studyattn.grading.runner import Runner
from studyattn.grading.selfcheck import Figure, check_files, check_mutants
from studyattn.grading.submission import Backend
from studyattn.packs.check.finding import Finding
from studyattn.packs.model import DrillBrief, Pack, Place

SEED: Final = 20_170_612
"""The same inputs in every check, so that a finding can be looked into."""


def check(pack: Pack) -> Iterator[Finding]:
    """What can be found without running a submission."""
    drills: dict[str, Drill] = {}
    for brief in pack.drills.values():
        yield from _files(brief)
        try:
            drills[brief.id] = load_drill(brief.folder)
        except PackError as error:
            yield Finding.at(error.where, error.message)
            continue
        yield from _same_names(brief, drills[brief.id])
    yield from _misconceptions(pack, drills)


def try_out(pack: Pack) -> tuple[list[Finding], Figure]:
    """What is found by grading: starters, solutions and every misconception of every drill.

    Drills that are not whole are left out; `check` tells of them. Raises GradingError when the
    sandbox cannot be had.
    """
    findings: list[Finding] = []
    total = Figure()
    with ExitStack() as stack:
        carriers: dict[str, Carrier] = {
            backend: stack.enter_context(Runner(backend)) for backend in Backend
        }
        for brief in pack.drills.values():
            try:
                drill = load_drill(brief.folder)
                figure = check_mutants(drill, SEED)
                if not list(_files(brief)):
                    figure += check_files(brief.folder, carriers, SEED)
            except PackError:
                continue
            total += figure
            place = Place(str(brief.folder / "checks.py"), 1)
            findings.extend(Finding(place, problem) for problem in figure.problems)
    return findings, total


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
            yield Finding(brief.place, f"the brief says {what} {said}, the checks {judged}")


def _misconceptions(pack: Pack, drills: Mapping[str, Drill]) -> Iterator[Finding]:
    """Cards name misconceptions that some drill knows; these name concepts of the pack."""
    known = {mistake.id: mistake for drill in drills.values() for mistake in drill.misconceptions}
    for card in pack.cards():
        for identifier in card.misconceptions:
            if identifier not in known:
                yield Finding(card.place, f"no drill knows the misconception {identifier!r}")
    for identifier, mistake in known.items():
        if mistake.concept not in pack.concepts:
            place = Place(str(pack.folder / "drills"), 1)
            yield Finding(
                place,
                f"the misconception {identifier!r} sends to the concept {mistake.concept!r}, "
                "which the pack does not have",
            )
