"""The pages of a drill: brief, hints, code, history of versions and verdict, and their panes.

The sentences of a verdict are those of the command; what stands here is what a page has beside
them: maps of the smallest input, formulas, and the cards that come back. Drawn from the report as
it was kept, so an attempt of last week looks as it did then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import partial
from textwrap import indent
from typing import Any

from rich.text import Text
from textual.content import Content

from studyattn.errors import InputError
from studyattn.grading import report_text
from studyattn.grading.number_form import Rows, blocks_of, flat, form_beside, form_of, shape_of
from studyattn.grading.report_text import Line, Tone, sign
from studyattn.grading.verdict import Counterexample, Report, headline
from studyattn.study.practice.drill_views import (
    CodeVersion,
    FileState,
    RecordedAttempt,
    VersionKind,
)
from studyattn.text.lines import join, prefixed, wrap
from studyattn.tui.actions import action_named
from studyattn.tui.dialogs.dialog import PageScreen
from studyattn.tui.drill.controller import DrillState, FileChange
from studyattn.tui.formatting import Days, Lines, count, flow, tabs, time_of_day
from studyattn.tui.widgets.heatmap import Panel, beside, number_rows, panel, peak_of
from studyattn.tui.widgets.rendered_text import face, lines_of, palette

NO_VERSIONS = "No graded versions yet. Each graded version is kept here."
_GOES_ON = " " * 8
_SHORTEST_LINE = 20
_NOT_GRADED = "not graded; kept because it was replaced"

_OLDER = "An earlier version of this program kept this verdict in a form that is not read here."

CODE_WIDTH = 100  # columns of code, where there are so many; a line of the pack's own has no more


def draw_code(source: str, width: int) -> Text:
    """Python, in its colours; what is longer than a line goes on below it, further in."""
    from studyattn.text.highlight import set_code  # late: it takes a lexer with it

    lines: list[Text] = []
    for line in set_code(source.rstrip("\n"), "python", palette()):
        if line.cell_len <= width:
            lines.append(line)
            continue
        indent = len(line.plain) - len(line.plain.lstrip())
        broken = wrap(line[indent:], max(_SHORTEST_LINE, width - indent - len(_GOES_ON)))
        lines += prefixed(broken, Text(" " * indent), Text(" " * indent + _GOES_ON))
    return join(lines)


def code_page(title: str, source: str) -> PageScreen:
    return PageScreen(title, partial(draw_code, source), CODE_WIDTH)


def draw_verdict(version: CodeVersion, width: int) -> Content:
    """Draw the verdict of that time."""
    if not version.report:
        return Content(f"Version {version.number} {_NOT_GRADED}.")
    report = kept(version)
    return Content(_OLDER) if report is None else draw_report(report, None, width)


def draw_version(version: CodeVersion, width: int) -> Content:
    """Its code, and what was said of it."""
    code = Content.from_rich_text(draw_code(version.code, width))
    return Content("\n\n").join([code, draw_verdict(version, width)])


def version_row(version: CodeVersion, days: Days) -> Content:
    """Number, when, how it ended, and with how much help."""
    is_today = days.of(version.at) == days.today
    day = time_of_day(version.at, days.utc_offset) if is_today else days.date_of(version.at)
    help_had = [count(version.hints, "hint")] if version.hints else []
    help_had += ["solution seen"] if version.revealed else []
    mark, said = sign(version.verdict), "kept"
    if version.kind is not VersionKind.KEPT:
        headed = headline(version.verdict or "", version.message)
        said = " ".join(version.misconceptions) or headed
    return Content.assemble(
        (f"{version.number:>3}  ", "$quiet"),
        (f"{mark or ' '} ", "$right" if mark == "✓" else "$wrong"),
        (f"{day:<8}", "$quiet" if not version.current else ""),
        f"{said:<32}",
        (", ".join(help_had), "$quiet"),
    )


class DrillPage(StrEnum):
    """The pages of the drill screen: in its left pane, or one at a time where it is narrow."""

    CODE = "code"
    BRIEF = "brief"
    HINTS = "hints"
    HISTORY = "history"
    VERDICT = "verdict"


TROUBLES = {
    FileState.MISSING: "the file was deleted; ^s writes it again",
    FileState.FOLDER: "a folder has the file's name; move it, then press ^s",
    FileState.UNREADABLE: "cannot read the file; check its permissions",
}
"""What to say of a file that is not as it should be."""


CHANGES = {
    FileChange.CHANGED: "the file changed on disk",
    FileChange.REPLACED: ("the file changed on disk; your unsaved changes are in the history"),
    FileChange.BESIDE: "a file that this one imports was changed",
}
"""What to say of what another program wrote; each of them is graded."""


REVEALS = "The drill then counts as revealed, and “again” is suggested. Your code is kept."

RECALLED = "restored changes that were unsaved when the app ended"


def names(state: DrillState, verdict: str | None) -> list[tuple[DrillPage, str]]:
    """Return the pages in order, each with a remark; the verdict's page only with its sign."""
    listed = [
        (DrillPage.CODE, ""),
        (DrillPage.BRIEF, ""),
        (DrillPage.HINTS, f"{len(state.hints)}/{len(state.brief.hints)}"),
        (DrillPage.HISTORY, str(len(state.history) or "")),
    ]
    if verdict is not None:
        listed.append((DrillPage.VERDICT, verdict))
    return listed


def draw_tabs(pages: Sequence[tuple[DrillPage, str]], present: DrillPage, width: int) -> Content:
    """Return keys, names and remarks of the pages, the present one marked. A click opens one.

    Where that is wider than a line, counts are left out, which the pages tell, and the sign of a
    verdict stands for the word.
    """
    known = {page: action_named(f"drill.{page.value}") for page in DrillPage}
    whole = {page: f"{page.value} {remark}".rstrip() for page, remark in pages}
    short = {
        page: remark if remark and page is DrillPage.VERDICT else page.value
        for page, remark in pages
    }
    drawn = Content()
    for names, gap in ((whole, 2), (short, 1)):
        keyed = {known[page].call: f"{known[page].shown_key} {names[page]}" for page in names}
        drawn = tabs(keyed, known[present].call, gap)
        if drawn.cell_length <= width:
            break
    return drawn


def about(state: DrillState, dirty: bool, waits: bool) -> str:
    """The right end of the first line: what goes on, and attempts."""
    parts = ["grading …"] if waits else []
    parts += ["● not saved"] if dirty else []
    parts += [f"attempt {state.attempts}"] if state.attempts else []
    return "   ".join(parts)


def brief(state: DrillState, width: int, backend: str) -> Text:
    """Task, formula, shapes, and an example in that library."""
    return face(f"# {state.brief.title}\n\n{state.brief.text_in(backend)}", width)


def hints(state: DrillState, width: int) -> Text:
    """The hints that were revealed, and how to get the next."""
    parts = [
        f"{number}. {indent(text, '   ').lstrip()}"
        for number, text in enumerate(state.hints, start=1)
    ]
    left = len(state.brief.hints) - len(state.hints)
    if not left:
        parts.append("*There are no more hints. `!` shows the solution.*")
    elif state.hints:
        parts.append(f"*`h` reveals the next one, {left} left.*")
    else:
        parts.append(
            f"There are {left} hints, from vague to nearly the answer. `h` reveals the first."
            "\n\n*Each one lowers the suggested rating.*"
        )
    return face("\n\n".join(parts), width)


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


def draw_report(report: Report, recorded: RecordedAttempt | None, width: int) -> Content:
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
