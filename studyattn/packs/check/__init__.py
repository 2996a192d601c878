"""Check that a pack keeps its promises: everything that `studyattn pack check` demands.

    read        what the files say, strictly          (studyattn.packs.read)
    structure   names that lead somewhere, order, coverage
    wording     links, formulas, duplicates, what fits on a screen
    lessons     pages short enough, each before its cards
    terms       nothing used before it is introduced
    cards       one thing asked, and not given away     (prompts)
    errata      nothing taught that they correct        (contradictions)
    computed    computed cards, drawn fifty times
    figures     numeric answers that an example prints
    running     examples, run in the sandbox
    statements  what a check proves, run in the sandbox
    bugs        bugs: judged as what they are, seen in what they print
    drills      each drill's own check                (studyattn.grading.mutation_report)

Each part yields findings; none of them stops the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from studyattn.grading.mutation_report import Tally
from studyattn.packs.check import (
    bugs,
    computed,
    contradictions,
    drills,
    figures,
    lessons,
    prompts,
    run_examples,
    statements,
    structure,
    terms,
    wording,
)
from studyattn.packs.check.finding import Finding
from studyattn.packs.model import Pack
from studyattn.packs.read import read_pack

__all__ = ["CheckReport", "Finding", "examine_pack"]

_PARTS: tuple[tuple[str, Callable[[Pack], Iterator[Finding]]], ...] = (
    ("structure", structure.check),
    ("wording", wording.check),
    ("lessons", lessons.check),
    ("terms", terms.check),
    ("cards", prompts.check),
    ("errata", contradictions.check),
    ("computed cards", computed.check),
    ("figures", figures.check),
    ("examples", run_examples.check),
    ("statements", statements.check),
    ("bugs", bugs.check),
    ("drills", drills.check),
)


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All that is wrong with a pack, by file and line, and how its drills judge."""

    findings: tuple[Finding, ...]
    figure: Tally
    """The drills' own files and mutants rejected, accepted and diagnosed, of those tried."""

    corpus: Tally
    """The same of whole submissions that were given."""


def examine_pack(
    folder: Path,
    told: Callable[[str], None] | None = None,
    submissions: Path | None = None,
) -> CheckReport:
    """All checks of the pack in `folder`, and what grading its drills counted.

    `submissions` has labelled submissions to grade as well, in a folder a drill. `told` is called
    with the name of each part as it begins. Raises PackError when there is no pack.toml that can
    be read, GradingError when the sandbox cannot be had.
    """
    reading = read_pack(folder)
    findings = [Finding.of(problem) for problem in reading.problems]
    for name, part in _PARTS:
        if told is not None:
            told(name)
        findings.extend(part(reading.pack))
    if told is not None:
        told("grading")
    graded, figure, corpus = drills.try_out(reading.pack, submissions)
    findings.extend(graded)
    in_order = sorted(set(findings), key=lambda finding: (finding.place, finding.message))
    return CheckReport(tuple(in_order), figure, corpus)
