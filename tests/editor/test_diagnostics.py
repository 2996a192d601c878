"""Where a report stands in an editor, and what is read first."""

from __future__ import annotations

import dataclasses

from lsprotocol.types import DiagnosticSeverity

from studyattn.editor.diagnostics import definition, diagnostics_of
from studyattn.editor.hover import hover_text
from studyattn.grading import shipped_packs
from studyattn.grading.verdict import (
    CaseResult,
    Change,
    Diagnosis,
    NamedMistake,
    Report,
    Verdict,
)
from studyattn.packs.briefs import read_brief

CODE = """import numpy as np

def softmax(x):
    e = np.exp(x)   # "é𝑥"
    return e / e.sum()
"""
WRONG = Report(
    drill="softmax",
    verdict=Verdict.WRONG,
    backend="numpy",
    device="cpu",
    cases=(CaseResult("ordinary inputs", False, "2 of 2 entries are wrong"),),
    diagnosis=(),
    counterexample=None,
    cost=None,
    isolation=(),
    seconds=0.1,
    seed=1,
)
NAMED = dataclasses.replace(
    WRONG,
    diagnosis=(Diagnosis((NamedMistake("m", "It sums over everything.", "", "softmax"),), 1, 1),),
    repair=(Change(5, "An axis is missing in `e.sum()`.", "e.sum()", "e.sum(-1)"),),
)


def test_a_mistake_stands_on_the_line_that_a_change_mends() -> None:
    (shown,) = diagnostics_of(NAMED, CODE, ["softmax"])
    assert shown.message.startswith("It sums over everything.\nAn axis is missing in `e.sum()`.")
    assert (shown.range.start.line, shown.range.start.character) == (4, 4)
    assert shown.severity is DiagnosticSeverity.Error
    assert shown.code == "m"


def test_what_would_be_right_is_shown_on_request_alone() -> None:
    (hidden,) = diagnostics_of(NAMED, CODE, ["softmax"])
    (shown,) = diagnostics_of(NAMED, CODE, ["softmax"], revealed=True)
    assert "e.sum(-1)" not in hidden.message
    assert "Right: `e.sum(-1)`" in shown.message


def test_each_change_of_two_has_its_line() -> None:
    other = Change(4, "The largest entry is not subtracted.", "x", "x - x.max()")
    both = dataclasses.replace(NAMED, repair=(*NAMED.repair, other))
    first, second = diagnostics_of(both, CODE, ["softmax"])
    assert (first.range.start.line, second.range.start.line) == (4, 3)
    assert second.range.end.character == len('    e = np.exp(x)   # "é𝑥"') + 1  # 𝑥 is two units


def test_what_has_no_line_stands_at_the_function() -> None:
    (shown,) = diagnostics_of(WRONG, CODE, ["softmax"])
    assert shown.range.start.line == 2
    assert definition("def broken(:", ["broken"]) == 1
    raised = dataclasses.replace(WRONG, verdict=Verdict.ERROR, line=99, message="it raised")
    assert diagnostics_of(raised, CODE, ["softmax"])[0].range.start.line == 4


def test_a_pass_is_no_error() -> None:
    passed = dataclasses.replace(WRONG, verdict=Verdict.PASSED)
    (shown,) = diagnostics_of(passed, CODE, ["softmax"])
    assert shown.severity is DiagnosticSeverity.Information
    assert shown.message == "✓ Passed, 1 case."


def test_names_show_what_the_brief_says_of_them() -> None:
    (pack,) = [each for each in shipped_packs() if each.name == "attention"]
    file = pack / "drills" / "attention" / "brief.md"
    brief, _ = read_brief(file.read_text("utf-8"), file)
    line = "def attention(q, k, v):"

    def over(name: str) -> str | None:
        return hover_text(line, line.index(name) + 1, brief, None, ["Think of shapes."])

    assert "√d" in str(over("attention"))
    assert "Hint 1: Think of shapes." in str(over("attention"))
    assert "`v`: `(..., n, d_v)`" in str(over("v"))
    assert over("def") is None
    assert hover_text("", 0, brief, None, []) is None
