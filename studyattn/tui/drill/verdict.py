"""A verdict as a page: what happened, which mistake it is, the smallest input, cases, cost.

The sentences are those of the command; what stands here is what a page has beside them: maps of
the smallest input, formulas, and the cards that come back. Drawn from the report as it was kept,
so an attempt of last week looks as it did then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from rich.text import Text
from textual.content import Content

from studyattn.errors import InputError
from studyattn.grading import report_text
from studyattn.grading.number_form import Rows, blocks_of, flat, form_beside, form_of, shape_of
from studyattn.grading.report_text import Line, Tone
from studyattn.grading.verdict import Counterexample, Report
from studyattn.study.practice.drill_views import CodeVersion, RecordedAttempt
from studyattn.tui.formatting import Lines, count, flow
from studyattn.tui.widgets.heatmap import Panel, beside, number_rows, panel, peak_of
from studyattn.tui.widgets.rendered_text import face, lines_of

_MOST_COLUMNS = 16  # columns of a matrix that is drawn; a wider one is only described
_MOST_ROWS = 12


_STYLES = {Tone.GOOD: "$right", Tone.BAD: "$wrong", Tone.QUIET: "$quiet", Tone.PLAIN: ""}


def kept(version: CodeVersion | None) -> Report | None:
    """Return the report of a version that was graded; none where it cannot be read any more."""
    if version is None or not version.report:
        return None
    with suppress(InputError):
        return Report.from_json(version.report)
    return None


def reproduction(report: Report | None) -> str:
    """Return the Python that shows the difference; nothing where there is none."""
    return report.counterexample.python if report and report.counterexample else ""


def change(report: Report | None) -> str:
    """Return what makes the code right, as lines of Python; nothing where it is not known."""
    changes = () if report is None else report.repair
    return "\n\n".join(
        f"# line {each.line}, now\n{each.before}\n# right\n{each.after}" for each in changes
    )


def draw(report: Report, recorded: RecordedAttempt | None, width: int) -> Content:
    """Return the page, at most `width` columns wide, the most useful part first."""
    page = Lines(width)
    _headline(report, page)
    shown = report.counterexample
    inner = width + len(_INDENT)
    places = {f"Line {each.line}: {each.hint}" for each in report.repair}
    facts = [each for each in report.observations if each.text not in places]
    told = " ".join([report.message, *(each.text for each in facts)])
    for part in (
        _styled(report_text.format_message(report, inner)),
        _styled(report_text.format_steps(report)),
        _mistake(report, recorded, width),
        _styled(report_text.format_facts(facts, inner)),
        _styled(report_text.format_repair(report.repair, "f shows what would be right.", inner)),
        _styled(() if report.cost is None else report_text.format_cost(report.cost)),
        () if shown is None else _counterexample(shown, told, width),
        *(_styled(report_text.wrapped(remark, width=inner)) for remark in report.remarks),
        _styled(report_text.format_printed(report, inner)),
        _styled(report_text.format_cases(report.cases, inner)),
        _styled(report_text.wrapped(report_text.how_graded(report), Tone.QUIET, inner)),
    ):
        lines = list(part)
        page.lines += [Content(), *lines] if lines else []
    return page.content


_INDENT = "  "  # begins each line of the command; the page has a margin of its own


def _styled(lines: Iterable[Line]) -> Iterator[Content]:
    """Give lines the color of their tone; of a list of cases only the signs have it."""
    listed: Tone | None = None
    for line in lines:
        text, style = line.text.removeprefix(_INDENT), _STYLES[line.tone]
        if text[:1] in {"✗", "✓"} or line.tone is listed:
            listed = line.tone
            yield Content.assemble((text[:1], style), text[1:])
        else:
            yield Content.styled(text, style)


def _headline(report: Report, page: Lines) -> None:
    right = sum(case.passed for case in report.cases)
    style = f"bold {_STYLES[report_text.tone_of(report.verdict)]}"
    tally = f"   {right} of {count(len(report.cases), 'case')}" if report.cases else ""
    text = Content.assemble((report_text.signed(report), style), (tally, "bold"))
    time = report_text.duration(report.seconds)
    gap = " " * max(2, page.width - text.cell_length - len(time))
    page.wrap(Content.assemble(text, gap, (time, "$quiet")))


def _mistake(report: Report, recorded: RecordedAttempt | None, width: int) -> list[Content]:
    page = Lines(width)
    if not report.diagnosis:
        if not report.complete:
            page.quiet(report_text.SEARCHING.strip())
        return page.lines
    first, *others = report.diagnosis
    page.wrap(first.title, "bold")
    if formulas := " and ".join(f"${formula}$" for formula in first.formulas if formula):
        page.lines += lines_of(face(f"It should satisfy {formulas}", width))
    page.wrap(report_text.explained(first), "$quiet")
    if recorded is not None:
        page.wrap(_to_review(first.concept, recorded))
    for other in others:
        page.wrap(f"Or: {other.title}", "$quiet")
    return page.lines


def _to_review(concept: str, recorded: RecordedAttempt) -> str:
    """The concepts that the mistakes belong to, the cards that are due by now, or the lesson."""
    if recorded.lessons and not recorded.waiting:
        return "→ " + " ".join(each.sentence for each in recorded.lessons)
    due = f"{count(len(recorded.waiting), 'card')} due" if recorded.waiting else "no card due"
    titles = " and ".join(f"“{each.title}”" for each in recorded.concepts) or f"“{concept}”"
    return f"→ {titles}   {due}"


# ── the smallest input that shows it ─────────────────────────────────────────────────────────────


def _counterexample(shown: Counterexample, told: str, width: int) -> list[Content]:
    page = Lines(width)
    asked = f", in {shown.asked}" if shown.asked else ""
    title = Content.styled(f"Smallest failing input{asked}", "bold")
    where = "" if shown.where == shown.got else shown.where
    page.lines += flow([title, *([Content(where)] if where else [])], width, "   ")
    page.lines += _beside([_named(name, value) for name, value in shown.inputs.items()], page)
    page.add()
    if isinstance(shown.got, str):
        page.lines += _beside([_named("expected", shown.expected)], page)
        if shown.got not in told:
            page.wrap(f"yours: {shown.got}", "$wrong")
    else:
        _compared(shown, page)
    return page.lines


def _compared(shown: Counterexample, page: Lines) -> None:
    """Expected, got and their difference as numbers and maps, one block of the arrays a row."""
    form = form_beside(shown.expected, shown.got, shown.wrong)
    one, other = blocks_of(shown.expected), blocks_of(shown.got)
    peak = peak_of(*one, *other)
    if shape_of(shown.expected) != shape_of(shown.got):
        panels = [Panel("expected", each, peak, form=form) for each in one]
        panels += [Panel("yours", each, peak, form=form) for each in other]
        page.lines += _beside(map(_drawn, panels), page)
        return
    marks: list[Rows] = [()] * len(one) if shown.wrong is None else blocks_of(shown.wrong)
    differences = [_difference(mine, theirs) for mine, theirs in zip(one, other, strict=True)]
    largest = peak_of(*differences)
    for place, mine in enumerate(one):
        trio = (
            Panel("expected", mine, peak, form=form),
            Panel("yours", other[place], peak, wrong=marks[place], form=form),
            Panel("difference", differences[place], largest, fine=True),
        )
        if place:
            page.add()
        page.lines += _beside(map(_drawn, trio), page)


def _beside(blocks: Iterable[list[Text]], page: Lines) -> Iterable[Content]:
    return map(Content.from_rich_text, beside(list(blocks), page.width))


def _drawn(each: Panel) -> list[Text]:
    if _is_drawn(each.values):
        return panel(each)
    return [Text(each.title, style="bold"), Text(_size(each.values))]


def _is_drawn(values: Rows) -> bool:
    """Return True for a matrix that is small enough to be drawn, and not only described."""
    return 0 < len(values) <= _MOST_ROWS and 0 < len(values[0]) <= _MOST_COLUMNS


def _size(values: Rows) -> str:
    return f"{len(values)} × {len(values[0]) if values else 0}"


def _difference(expected: Rows, got: Rows) -> list[list[float]]:
    """got − expected; two equal infinities differ by nothing."""
    return [
        [0.0 if x == y else y - x for x, y in zip(one, other, strict=True)]
        for one, other in zip(expected, got, strict=True)
    ]


def _named(name: str, value: Any) -> list[Text]:
    """One input: its name, and its rows below each other."""
    if not isinstance(value, list):
        return [Text(f"{name} = {value}")]
    shape = shape_of(value)
    lines = [Text.assemble((name, "bold"), f"  {shape}" if len(shape) > 2 else "")]
    form = form_of(flat(value))
    for place, block in enumerate(blocks_of(value)):
        lines += [Text()] if place else []
        drawn = number_rows(block, form=form) if _is_drawn(block) else [_size(block)]
        lines += map(Text, drawn)
    return lines
