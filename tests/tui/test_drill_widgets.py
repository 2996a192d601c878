"""Heatmaps, verdict pages and the editor's keys, without a worker."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text
from textual.app import App, ComposeResult

from studyattn.grading.report_text import format_report
from studyattn.grading.verdict import (
    NOT_WRITTEN,
    CaseResult,
    Cost,
    Counterexample,
    Diagnosis,
    NamedMistake,
    Observation,
    Verdict,
)
from studyattn.study.practice.drill_views import CardBack, MistakenConcept, RecordedAttempt
from studyattn.tui.drill import pages
from studyattn.tui.drill.pages import DrillPage, draw_code, draw_tabs
from studyattn.tui.theme import Look, theme_named, wear
from studyattn.tui.widgets.heatmap import (
    Panel,
    beside,
    map_row,
    number,
    number_rows,
    panel,
    peak_of,
    shade,
)
from studyattn.tui.widgets.text_areas import CodeEditor, next_indent, shifted
from tests.grading.test_report_text import REPORT as TOLD
from tests.tui.conftest import NOON

numbers = st.floats(allow_nan=True, allow_infinity=True, width=32)
matrices = st.integers(1, 6).flatmap(
    lambda width: st.lists(
        st.lists(numbers, min_size=width, max_size=width), min_size=1, max_size=6
    )
)


@given(matrices)
def test_an_entry_takes_two_cells_whatever_it_is(values: list[list[float]]) -> None:
    peak = peak_of(values)
    for row in values:
        assert map_row(row, peak).cell_len == 2 * len(row)
    assert len({Text(row).cell_len for row in number_rows(values)}) == 1


@given(numbers.filter(math.isfinite), numbers.filter(math.isfinite))
def test_a_larger_size_is_never_lighter(one: float, other: float) -> None:
    peak = max(abs(one), abs(other))
    small, large = sorted((one, other), key=abs)
    shades = " ░▒▓█"
    assert shades.index(shade(small, peak)[0]) <= shades.index(shade(large, peak)[0])


def test_signs_are_told_without_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [shade(x, 1.0) for x in (1, -1, 0.5, -0.2, 0)] == ["██", "█-", "▓▓", "▒-", "  "]
    assert [shade(x, 1.0) for x in (math.nan, math.inf, -math.inf)] == ["??", "∞∞", "-∞"]
    colours = [str(map_row([x], 1.0).spans[0].style) for x in (1, -1)]
    assert colours[0] != colours[1]
    monkeypatch.setenv("NO_COLOR", "1")
    wear(theme_named(Look.TERMINAL))
    assert not map_row([1.0], 1.0).spans


def test_numbers_are_short_and_line_up() -> None:
    values = (0.314, -0.314, 1, 12.34, 123.4, 0, 0.999, 1e7)
    shown = [number(x) for x in values]
    assert shown == [".31", "-.31", "1.00", "12.3", "123", ".00", "1.00", "1e+07"]
    assert number_rows([[1, -2], [10, 0]]) == [" 1  -2", "10   0"]
    assert number_rows([[0.0001, 0]]) == ["1e-04    .00"]
    assert number_rows([[-0.0001, 2.5]], fine=True) == ["-1e-04    2.50"]


def plain(shown: Panel) -> list[str]:
    return [line.plain for line in panel(shown)]


def test_a_wide_matrix_is_a_map_alone_and_one_entry_a_number() -> None:
    assert plain(Panel("w", [[0.5] * 12], 0.5)) == ["w", "█" * 24]
    assert plain(Panel("w", [[0.5]], 0.5)) == ["w", ".50"]
    few = Panel("w", [[0.2, 1.0]], 1.0, labels=("I",), top=("a", "bc"))
    assert plain(few) == ["w", "     a    bc", "I  .20  1.00", "I ▒▒██"]
    across = Panel("w", [[0.2, 1.0]], 1.0, labels=("I",), top=("a", "bc"), across=True)
    assert plain(across) == ["w", "     a    bc", "I  .20  1.00   ▒▒██"]


def test_wrong_entries_are_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    marked = Panel("yours", [[0.2, 1.0], [0.2, 1.0]], 1.0, wrong=[[True, False], [False, False]])
    assert plain(marked)[1:3] == [" .20* 1.00 ", " .20  1.00 "]
    assert any(span.style for span in panel(marked)[1].spans)
    monkeypatch.setenv("NO_COLOR", "1")
    wear(theme_named(Look.DARK))
    assert not any(span.style for span in panel(marked)[1].spans)


@given(st.integers(10, 120))
def test_blocks_stand_beside_each_other_within_the_width(width: int) -> None:
    block = [Text("x" * 10), Text("y" * 3)]
    lines = beside([block] * 4, width)
    assert all(line.cell_len <= max(10, width) for line in lines)
    assert sum(line.plain.count("x" * 10) for line in lines) == 4


SCALE = NamedMistake(
    "scale-missing",
    "The scores are not divided by √d.",
    r"\frac{QK^T}{\sqrt{d}}",
    "scaling",
)
REPORT = dataclasses.replace(
    TOLD,
    cases=(
        CaseResult("square", True),
        CaseResult("fewer queries", False, "3 entries are off"),
    ),
    diagnosis=(Diagnosis((SCALE,), 3, 3),),
    counterexample=Counterexample(
        inputs={"q": [[1.0, 2.0]], "heads": 2},
        expected=[[0.25, 0.75]],
        got=[[math.nan, 0.75]],
        where="query 1 of 1",
        wrong=[[True, False]],
    ),
    cost=Cost(1200, 1000, 16),
)


def page_of(width: int = 72, **changes: Any) -> str:
    return pages.draw_report(dataclasses.replace(REPORT, **changes), None, width).plain


@pytest.mark.parametrize(
    ("width", "mark", "line"),
    [
        (60, "✗", "1 code  2 brief  3 hints 0/3  4 history 12  5 verdict ✗"),
        (42, "✗", "1 code 2 brief 3 hints 4 history 5 ✗"),
        (42, "", "1 code 2 brief 3 hints 4 history 5 verdict"),
    ],
)
def test_the_pages_of_a_drill_are_named_on_one_line(width: int, mark: str, line: str) -> None:
    remarks = {DrillPage.HINTS: "0/3", DrillPage.HISTORY: "12", DrillPage.VERDICT: mark}
    pages = [(page, remarks.get(page, "")) for page in DrillPage]
    assert draw_tabs(pages, DrillPage.CODE, width).plain == line


def test_a_starter_has_the_headline_of_the_command() -> None:
    page = page_of(80, verdict=Verdict.ERROR, message=f"{NOT_WRITTEN}: three lines")
    assert page.startswith("✗ Not written yet")
    assert "Your code raised" not in page


def test_what_a_fact_says_is_not_said_before_it() -> None:
    fact = Observation("kind", "It returned a tuple or list, expected a torch.Tensor.")
    cases = tuple(CaseResult(each, False, fact.text[3:-1]) for each in "ab")
    for facts in ((), (fact,)):
        page = page_of(
            80, diagnosis=(), counterexample=None, cases=cases, cost=None, observations=facts
        )
        assert page.count("It returned") == 1


def test_facts_are_listed_where_no_mistake_is_known() -> None:
    facts = (Observation("factor", "Every wrong answer is 1/d times the correct one."),)
    text = page_of(diagnosis=(), observations=facts)
    assert "· Every wrong answer is 1/d times the correct one." in text.splitlines()


@pytest.mark.parametrize("width", [30, 40, 72])
def test_a_verdict_says_what_to_do_first(width: int) -> None:
    card = CardBack("attention:a", "Why?", "scaling", "scale-missing", "Back because …", NOON)
    concepts = (MistakenConcept("scaling", "Scaling"),)
    recorded = RecordedAttempt(2, "wrong", ("scale-missing",), concepts, (card,), (card, card))
    lines = pages.draw_report(REPORT, recorded, width).plain.splitlines()
    assert lines[0].startswith("✗ Not yet   1 of 2 cases") or width < 36
    text = "\n".join(lines)
    assert text.index("not divided") < text.index("expected") < text.index("✗ fewer queries")
    assert "→ “Scaling”   2 cards due" in text
    assert "It should satisfy QKᵀ/√d" in text
    assert "nan*" in text
    assert "difference" in text
    assert "??" in text
    assert "1,200  of 1,000 ✗" in text
    assert all(len(line) <= width for line in lines) or width < 36


def test_numbers_are_written_as_the_command_writes_them() -> None:
    """Digits that differ are shown, and all decimals of an input."""
    shown = Counterexample(
        inputs={"x": [[0.125, 3.0]]},
        expected=[[0.15430001, 1.0]],
        got=[[0.15430002, 1.0]],
        where="",
        wrong=[[True, False]],
    )
    report = dataclasses.replace(TOLD, counterexample=shown)
    page = pages.draw_report(report, None, 72).plain
    told = "\n".join(line.text for line in format_report(report))
    for number_shown in ("0.15430001", "0.15430002*", "0.125", "3.000"):
        assert number_shown in page
        assert number_shown in told


def test_what_it_printed_stands_after_the_input_and_no_wider_than_the_page() -> None:
    printed = "scores (1, 2)\n" + "x" * 90 + "\n" + "again\n" * 30
    lines = page_of(printed=printed).splitlines()
    at = lines.index("Output for this input")
    assert any("difference" in line for line in lines[:at])
    assert any("fewer queries" in line for line in lines[at:])
    assert lines[at + 1] == "  scores (1, 2)"
    assert lines[at + 2] == "  " + "x" * 69 + "…"
    assert "  … and 12 more" in lines
    assert "It printed" not in page_of()


def test_remarks_stand_on_the_page_of_a_verdict() -> None:
    remark = "The result is float64 where the inputs are float32; that passes. " + "Why. " * 20
    drawn = page_of(40, remarks=(remark, "Another."))
    assert " ".join(remark.split()) in " ".join(drawn.split())
    assert "Another." in drawn
    assert drawn.index("The result is") < drawn.index("fewer queries")
    assert max(map(len, drawn.splitlines())) <= 40


def test_cases_that_say_the_same_stand_together() -> None:
    failed = tuple(CaseResult(f"case {n}", False, "raised ValueError") for n in range(5))
    shown = page_of(40, cases=failed, counterexample=None)
    assert shown.count("raised ValueError") == 1
    assert "✗ case 0 · case 1 · case 2 · and 2 more" in shown


def test_a_long_line_of_code_goes_on_further_in() -> None:
    code = "def f(x):\n    return first(x) + second(x)  # a remark as long as the line is\n"
    lines = draw_code(code, 40).plain.splitlines()
    assert lines == [
        "def f(x):",
        "    return first(x) + second(x)",
        " " * 12 + "# a remark as long as the",
        " " * 12 + "line is",
    ]


@pytest.mark.parametrize("width", [40, 56, 72])
def test_each_message_stands_below_its_cases(width: int) -> None:
    """Nothing of a message is cut."""
    names = ("one", "a name of thirty-one characters", "strided in memory")
    failed = [
        CaseResult(name, False, f"{n}68 of 168 entries are wrong, by up to 0.{n}3")
        for n, name in enumerate(names)
    ]
    passed = [CaseResult(name, True) for name in ("two", "three", "four")]
    shown = page_of(width, cases=(*failed, *passed))
    lines = shown.splitlines()
    for n, name in enumerate(names):
        beside, below = f"✗ {name}   {n}68 of 168", f"{n}68 of 168"
        assert any(line.startswith(beside) for line in lines) or (
            lines[lines.index(f"✗ {name}") + 1].strip().startswith(below)
        )
    assert "…" not in shown
    assert all(f"0.{n}3" in shown for n in range(3))
    assert max(map(len, lines)) <= width
    assert "✓ two · three · four" in lines


def test_an_answer_of_another_shape_and_no_answer_are_shown_too() -> None:
    smallest = REPORT.counterexample
    assert smallest is not None
    shape = dataclasses.replace(smallest, got=[[[1.0], [2.0]], [[3.0], [4.0]]], wrong=None)
    shown = page_of(counterexample=shape)
    assert shown.count("yours") == 2
    assert "difference" not in shown
    raised = dataclasses.replace(smallest, got="raised ValueError: no", wrong=None)
    shown = page_of(counterexample=raised)
    assert "yours: raised ValueError: no" in shown
    single = dataclasses.replace(smallest, expected=1.0, got=math.inf, wrong=True)
    assert "∞" in page_of(counterexample=single)


def test_the_indent_follows_the_code() -> None:
    assert next_indent("def f(q):") == 4
    assert next_indent("    if m:  # causal") == 8
    assert next_indent("    x = 1") == 4
    assert next_indent("        return x") == 4
    assert next_indent("    returned = 1") == 4
    assert shifted("      x", -4) == "  x"
    assert shifted("  x", -4) == "x"
    assert shifted("", 4) == ""


class _Editing(App[None]):
    def compose(self) -> ComposeResult:
        yield CodeEditor(id="code")


async def test_keys_of_the_editor() -> None:
    async with _Editing().run_test() as pilot:
        code = pilot.app.query_one(CodeEditor)
        code.wear()
        code.focus()
        await pilot.press(*"def f():", "enter", *"return 1", "enter", "x")
        assert code.text == "def f():\n    return 1\nx"
        await pilot.press("home", "tab", "tab", "backspace")
        assert code.text.endswith("\n    x")
        await pilot.press("shift+tab")
        assert code.text.endswith("\nx")
        code.select_all()
        await pilot.press("tab")
        assert code.text == "    def f():\n        return 1\n    x"
        code.take("other")
        await pilot.press("ctrl+z")
        assert code.text == "    def f():\n        return 1\n    x"
