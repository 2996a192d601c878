"""A verdict as a page: what happened, which mistake it is, the smallest input, cases, cost.

Drawn from the report as data (`Report.to_json`), so an attempt of last week looks as it did then.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.text import Text
from textual.content import Content

from studyattn.grading.number_form import form_of
from studyattn.grading.verdict import alike, headline, short, simplest
from studyattn.tui.attention_view.example import Rows
from studyattn.tui.attention_view.own_example import matrices_of
from studyattn.tui.formatting import Lines, Part, count
from studyattn.tui.widgets.heatmap import (
    Matrix,
    Panel,
    beside,
    number_rows,
    panel,
    peak_of,
)
from studyattn.tui.widgets.rendered_text import face, lines_of

if TYPE_CHECKING:
    from studyattn.study.practice.drill_views import Recorded

_MOST_COLUMNS = 16
"""Columns of a matrix that is drawn; a wider one is only described."""

_MOST_ROWS = 12

_MOST_PRINTED = 20
"""Lines of what a submission printed."""

_LONG = 10.0  # seconds from which no milliseconds are written
_NAMED = 3
"""Cases that are named in a list; how many more there are follows."""

_MESSAGES = 4
"""Messages of failed cases that are written."""


def sign(verdict: str | None) -> str:
    """✓, ✗, or nothing for code that was not graded."""
    return "" if verdict is None else "✓" if verdict == "passed" else "✗"


def reproduction(report: Mapping[str, Any] | None) -> str:
    """Return the Python that shows the difference; reports of earlier versions have none."""
    shown = (report or {}).get("counterexample") or {}
    return str(shown.get("python") or "")


def change(report: Mapping[str, Any] | None) -> str:
    """Return what makes the code right, as lines of Python; nothing where it is not known."""
    return "\n\n".join(
        f"# line {each['line']}, now\n{each['before']}\n# right\n{each['after']}"
        for each in (report or {}).get("repair", ())
    )


def draw(report: Mapping[str, Any], recorded: Recorded | None, width: int) -> Content:
    """Return the page, at most `width` columns wide, the most useful part first."""
    page = Lines(width)
    _headline(report, page)
    for part in (
        _message,
        partial(_diagnosis, recorded=recorded),
        _observations,
        _repair,
        _cost,
        _counterexample,
        _remarks,
        _printed,
        _cases,
        _footer,
    ):
        before = len(page.lines)
        part(report, page)
        if len(page.lines) > before:
            page.lines.insert(before, Content())
    return page.content


def _headline(report: Mapping[str, Any], page: Lines) -> None:
    cases, verdict = report.get("cases", ()), str(report["verdict"])
    passed = sum(bool(case["passed"]) for case in cases)
    style = "bold $right" if report["passed"] else "bold $wrong"
    tally = f"   {passed} of {count(len(cases), 'case')}" if cases else ""
    told = headline(verdict, str(report.get("message") or ""))
    text = Content.assemble((f"{sign(verdict)} {told}", style), (tally, "bold"))
    seconds = float(report["seconds"])
    time = f"{1000 * seconds:.0f} ms" if seconds < _LONG else f"{seconds:.1f} s"
    gap = " " * max(2, page.width - text.cell_length - len(time))
    page.wrap(Content.assemble(text, gap, (time, "$quiet")))


def _message(report: Mapping[str, Any], page: Lines) -> None:
    messages = [str(case["message"]) for case in report.get("cases", ()) if not case["passed"]]
    shared = "" if report.get("observations") else alike(str(report["verdict"]), messages)
    if message := str(report.get("message") or shared):
        place = f"line {report['line']}: " if report.get("line") else ""
        page.wrap(f"{place}{message}", "$wrong")


def _diagnosis(report: Mapping[str, Any], page: Lines, recorded: Recorded | None) -> None:
    diagnosis = report.get("diagnosis", ())
    if not diagnosis:
        if not report.get("complete", True):  # earlier versions reported only at the end
            page.quiet("Looking for the mistake …")
        return
    first = diagnosis[0]
    page.wrap(str(first["title"]), "bold")
    formulas = " and ".join(f"${formula}$" for formula in first.get("formulas", ()))
    if formulas:
        page.lines += lines_of(face(f"It should satisfy {formulas}", page.width))
    explained, _, failed = str(first["cases"]).partition("/")
    if explained not in {"", "0"}:
        page.wrap(f"{explained} of {failed} wrong answers match this mistake exactly.", "$quiet")
    page.wrap(_to_review(str(first["concept"]), recorded))
    for other in diagnosis[1:]:
        page.wrap(f"Or: {other['title']}", "$quiet")


def _observations(report: Mapping[str, Any], page: Lines) -> None:
    """Write facts about answers that no mistake explains; earlier reports have none."""
    for fact in report.get("observations", ()):
        page.wrap(f"· {fact['text']}")


def _repair(report: Mapping[str, Any], page: Lines) -> None:
    """Write where a change makes the code right; what it is stands on a page of its own."""
    changes = report.get("repair", ())
    for each in changes:
        page.wrap(f"line {each['line']}: {each['hint']}")
    if changes:
        what = "With this change" if len(changes) == 1 else "With these changes"
        told = f"{what} it passes, also on fresh questions. m shows what would be right."
        page.wrap(told, "$quiet")


def _to_review(concept: str, recorded: Recorded | None) -> str:
    """The concepts that the mistakes belong to, the cards that are due by now, or the lesson."""
    if recorded is None:
        return f"→ {concept}"
    if recorded.lessons and not recorded.waiting:
        return "→ " + " ".join(each.sentence for each in recorded.lessons)
    due = f"{count(len(recorded.waiting), 'card')} due" if recorded.waiting else "no card due"
    titles = " and ".join(f"“{each.title}”" for each in recorded.concepts) or f"“{concept}”"
    return f"→ {titles}   {due}"


# ── the smallest input that shows it ─────────────────────────────────────────────────────────────


def _counterexample(report: Mapping[str, Any], page: Lines) -> None:
    shown = report.get("counterexample")
    if shown is None:
        return
    where, got = str(shown.get("where") or ""), shown["got"]
    asked = f", in {shown['asked']}" if shown.get("asked") else ""
    title = f"Smallest failing input{asked}"
    if len(title) + 3 + len(where) <= page.width:
        page.add((title, "bold"), f"   {where}" if where else "")
    else:
        page.add((title, "bold"))
        page.add(where)
    page.lines += _beside([_named(name, value) for name, value in shown["inputs"].items()], page)
    page.add()
    if isinstance(got, str) and not _is_number(got):
        page.lines += _beside([_named("expected", shown["expected"])], page)
        if got not in str(report.get("message")):
            page.wrap(f"yours: {got}", "$wrong")
    else:
        _compared(shown["expected"], got, shown.get("wrong"), page)


def _remarks(report: Mapping[str, Any], page: Lines) -> None:
    """Write remarks on accepted code; reports of earlier versions have none."""
    for place, remark in enumerate(report.get("remarks", ())):
        if place:
            page.add()
        page.wrap(str(remark))


def _printed(report: Mapping[str, Any], page: Lines) -> None:
    """Write what the submission printed; reports of earlier versions have nothing."""
    rows = str(report.get("printed") or "").rstrip().splitlines()
    if not rows:
        return
    page.add(("Output for this input" if report.get("counterexample") else "It printed", "bold"))
    page.lines += (Content(row).truncate(page.width, ellipsis=True) for row in rows[:_MOST_PRINTED])
    if len(rows) > _MOST_PRINTED:
        page.add(f"… {count(len(rows) - _MOST_PRINTED, 'more line')}")


def _compared(expected: Any, got: Any, wrong: Any, page: Lines) -> None:
    """Expected, got and their difference as numbers and maps, one block of the arrays a row."""
    one, other = _blocks(expected), _blocks(got)
    peak = peak_of(*one, *other)
    if [_shape(each) for each in one] != [_shape(each) for each in other]:
        form = form_of(_flat(one) + _flat(other))
        panels = [Panel("expected", each, peak, form=form) for each in one]
        panels += [Panel("yours", each, peak, form=form) for each in other]
        page.lines += _beside(map(_drawn, panels), page)
        return
    marks = _blocks(wrong) if wrong is not None else []
    pairs = list(zip(_flat(one), _flat(other), strict=True))
    if [_shape(each) for each in marks] != [_shape(each) for each in other]:
        marks = [()] * len(other)  # a report of before there were marks
        apart = [(x, y) for x, y in pairs if x != y]
    else:
        apart = [pair for pair, bad in zip(pairs, _flat(marks), strict=True) if bad]
    form = form_of(_flat(one) + _flat(other), apart)
    differences = [_difference(mine, theirs) for mine, theirs in zip(one, other, strict=True)]
    largest = peak_of(*differences)
    for place, mine in enumerate(one):
        bad = [[bool(entry) for entry in row] for row in marks[place]]
        trio = (
            Panel("expected", mine, peak, form=form),
            Panel("yours", other[place], peak, wrong=bad, form=form),
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
    return [Text(each.title, style="bold"), _size(each.values)]


def _is_drawn(values: Matrix) -> bool:
    """Return True for a matrix that is small enough to be drawn, and not only described."""
    rows, columns = _shape(values)
    return 0 < rows <= _MOST_ROWS and 0 < columns <= _MOST_COLUMNS


def _size(values: Matrix) -> Text:
    rows, columns = _shape(values)
    return Text(f"{rows} × {columns}")


def _difference(expected: Matrix, got: Matrix) -> list[list[float]]:
    """got − expected; two equal infinities differ by nothing."""
    return [
        [0.0 if x == y else y - x for x, y in zip(one, other, strict=True)]
        for one, other in zip(expected, got, strict=True)
    ]


def _named(name: str, value: Any) -> list[Text]:
    """One input: its name, and its rows below each other."""
    if not isinstance(value, list):
        return [Text(f"{name} = {value}")]
    shape: tuple[int, ...] = ()
    inner: Any = value
    while isinstance(inner, list):
        shape += (len(inner),)
        inner = inner[0] if inner else None
    lines = [Text.assemble((name, "bold"), f"  {shape}" if len(shape) > 2 else "")]
    blocks = _blocks(value)
    form = form_of(_flat(blocks))
    for place, block in enumerate(blocks):
        if place:
            lines.append(Text())
        if _is_drawn(block):
            lines += [Text(row) for row in number_rows(block, form=form)]
        else:
            lines.append(_size(block))
    return lines


def _blocks(value: Any) -> list[Rows]:
    """Return nested lists of any depth as matrices; a number is one of 1 × 1."""
    if not isinstance(value, list):
        return [((float(value),),)]
    return matrices_of(value) or [((),)]


def _flat(blocks: Sequence[Matrix]) -> list[float]:
    return [entry for block in blocks for row in block for entry in row]


def _shape(values: Matrix) -> tuple[int, int]:
    return len(values), max((len(row) for row in values), default=0)


def _is_number(text: str) -> bool:
    """JSON has no NaN and no infinities: a report spells them."""
    try:
        return not math.isfinite(float(text))
    except ValueError:
        return False


# ── cases, cost, and how it ran ──────────────────────────────────────────────────────────────────


def _cases(report: Mapping[str, Any], page: Lines) -> None:
    """Name failed cases with what is wrong, those together that say the same; then the others."""
    failed: dict[str, list[str]] = {}
    passed: list[str] = []
    for case in report.get("cases", ()):
        names = passed if case["passed"] else failed.setdefault(str(case["message"]), [])
        names.append(str(case["name"]))
    for message, names in list(failed.items())[:_MESSAGES]:
        page.wrap(_few(names), mark=("✗ ", "$wrong"))
        if len(failed) > 1:  # told above where all say the same
            page.wrap(message, "$quiet", mark="  ")
    if rest := sum(map(len, list(failed.values())[_MESSAGES:])):
        page.wrap(f"and {count(rest, 'more case')}", mark=("✗ ", "$wrong"))
    if passed:
        page.wrap(_few(passed), "$quiet", mark=("✓ ", "$right"))


def _few(names: Sequence[str]) -> str:
    """The names that join fewest conditions, and how many there are besides."""
    more = [f"and {len(names) - _NAMED} more"] if len(names) > _NAMED else []
    return " · ".join([*map(short, simplest(names, _NAMED)), *more])


def _cost(report: Mapping[str, Any], page: Lines) -> None:
    """Write the cost beside its limits."""
    if (cost := report.get("cost")) is None:
        return
    for name, used, limit in (
        ("operations", cost["flops"], cost["limit"]),
        ("largest array", cost["largest_array"], cost["largest_allowed"]),
    ):
        within: list[Part] = []
        if limit is not None:
            within = [f"  of {limit:,} ", ("✗", "$wrong") if used > limit else ("✓", "$right")]
        page.add((f"{name:<14}", "$quiet"), f"{used:>14,}", *within)


def _footer(report: Mapping[str, Any], page: Lines) -> None:
    why = f" ({report['backend_reason']})" if report.get("backend_reason") else ""
    device = "" if report["device"] == "cuda" else ", not checked on a GPU"
    seed = "" if report["passed"] else f", seed {report['seed']}"
    page.wrap(f"{report['backend']}{why} on {report['device']}{device}{seed}", "$quiet")
