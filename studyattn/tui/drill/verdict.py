"""A verdict as a page: what happened, which mistake it is, the smallest input, cases, cost.

Drawn from the report as data (`Report.to_json`), so an attempt of last week looks as it did then.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from studyattn.grading.number_form import form_of
from studyattn.grading.verdict import short, simplest
from studyattn.tui.attention_view.example import Rows
from studyattn.tui.attention_view.own_example import matrices_of
from studyattn.tui.formatting import count
from studyattn.tui.theme import colours
from studyattn.tui.widgets.heatmap import (
    Matrix,
    Panel,
    beside,
    number_rows,
    panel,
    peak_of,
)
from studyattn.tui.widgets.rendered_text import face

if TYPE_CHECKING:
    from studyattn.study.practice.drill_views import Recorded

_HEADLINES = {
    "passed": "Passed",
    "wrong": "Not yet",
    "error": "Your code raised an error",
    "timeout": "Time limit exceeded",
    "memory": "Memory limit exceeded",
    "crashed": "Your code crashed",
    "refused": "Refused",
    "invalid": "Could not load your file",
}

_MOST_COLUMNS = 16
"""Columns of a matrix that is drawn; a wider one is only described."""

_MOST_ROWS = 12

_MOST_PRINTED = 20
"""Lines of what a submission printed."""

_LONG = 10.0  # seconds from which no milliseconds are written
_MESSAGE = 41
"""Columns that a case's message wants on one line: “168 of 168 entries are wrong, by up to 0.7”."""

_MARK = 2
"""Columns of a case's sign; as many stand behind its name."""

_NAMED = 8
"""Cases that are named in a list; how many more there are follows."""

_TOGETHER = 3
"""Failed cases of one message from which they stand together above it."""


def sign(verdict: str | None) -> str:
    """✓, ✗, or nothing for code that was not graded."""
    return "" if verdict is None else "✓" if verdict == "passed" else "✗"


def headline(verdict: str) -> str:
    """A verdict in words."""
    return _HEADLINES.get(verdict, verdict)


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


def draw(report: Mapping[str, Any], recorded: Recorded | None, width: int) -> Text:
    """Return the page, at most `width` columns wide, the most useful part first."""
    parts = [
        _headline(report, width),
        _message(report, width),
        _diagnosis(report, recorded, width),
        _observations(report, width),
        _repair(report, width),
        _cost(report.get("cost")),
        _counterexample(report, width),
        _remarks(report, width),
        _printed(report, width),
        _cases(report.get("cases", ()), width),
        _footer(report, width),
    ]
    return Text("\n\n").join(part for part in parts if part)


def _headline(report: Mapping[str, Any], width: int) -> Text:
    right, wrong = colours().right, colours().wrong
    cases = report.get("cases", ())
    passed = sum(bool(case["passed"]) for case in cases)
    verdict = str(report["verdict"])
    text = Text(
        f"{sign(verdict)} {headline(verdict)}", f"bold {right if report['passed'] else wrong}"
    )
    if cases:
        text.append(f"   {passed} of {count(len(cases), 'case')}", style="bold")
    seconds = float(report["seconds"])
    time = f"{1000 * seconds:.0f} ms" if seconds < _LONG else f"{seconds:.1f} s"
    text.append(" " * max(2, width - text.cell_len - len(time)))
    text.append(time, style=colours().quiet)
    return text


def _message(report: Mapping[str, Any], width: int) -> Text:
    message = str(report.get("message") or "")
    if not message:
        return Text()
    line = report.get("line")
    place = f"line {line}: " if line else ""
    return _wrapped(f"{place}{message}", width, colours().wrong)


def _diagnosis(report: Mapping[str, Any], recorded: Recorded | None, width: int) -> Text:
    diagnosis = report.get("diagnosis", ())
    if not diagnosis:
        looking = not report.get("complete", True)  # earlier versions reported only at the end
        return Text("Looking for the mistake …", colours().quiet) if looking else Text()
    first, quiet = diagnosis[0], colours().quiet
    lines = [_wrapped(str(first["title"]), width, "bold")]
    formulas = " and ".join(f"${formula}$" for formula in first.get("formulas", ()))
    if formulas:
        lines.append(face(f"It should satisfy {formulas}", width))
    explained, _, failed = str(first["cases"]).partition("/")
    if explained not in {"", "0"}:
        what = f"{explained} of {failed} wrong answers match this mistake exactly."
        lines.append(_wrapped(what, width, quiet))
    lines.append(_to_review(str(first["concept"]), recorded, width))
    lines += [_wrapped(f"Or: {other['title']}", width, quiet) for other in diagnosis[1:]]
    return Text("\n").join(lines)


def _observations(report: Mapping[str, Any], width: int) -> Text:
    """Return facts about answers that no mistake explains; earlier reports have none."""
    facts = report.get("observations", ())
    return Text("\n").join(_wrapped(f"· {fact['text']}", width) for fact in facts)


def _repair(report: Mapping[str, Any], width: int) -> Text:
    """Return where a change makes the code right; what it is stands on a page of its own."""
    changes = report.get("repair", ())
    if not changes:
        return Text()
    lines = [_wrapped(f"line {each['line']}: {each['hint']}", width) for each in changes]
    what = "With this change" if len(changes) == 1 else "With these changes"
    told = f"{what} it passes, also on fresh questions. m shows what would be right."
    return Text("\n").join([*lines, _wrapped(told, width, colours().quiet)])


def _to_review(concept: str, recorded: Recorded | None, width: int) -> Text:
    """The concepts that the mistakes belong to, the cards that are due by now, or the lesson."""
    if recorded is None:
        return _wrapped(f"→ {concept}", width)
    due = f"{count(len(recorded.waiting), 'card')} due" if recorded.waiting else "no card due"
    titles = " and ".join(f"“{each.title}”" for each in recorded.concepts) or f"“{concept}”"
    if recorded.lessons and not recorded.waiting:
        return _wrapped("→ " + " ".join(each.sentence for each in recorded.lessons), width)
    return _wrapped(f"→ {titles}   {due}", width)


# ── the smallest input that shows it ─────────────────────────────────────────────────────────────


def _counterexample(report: Mapping[str, Any], width: int) -> Text:
    shown = report.get("counterexample")
    if shown is None:
        return Text()
    inputs = [_named(name, value) for name, value in shown["inputs"].items()]
    where, got = str(shown.get("where") or ""), shown["got"]
    asked = f", in {shown['asked']}" if shown.get("asked") else ""
    title = Text(f"Smallest failing input{asked}", "bold")
    if where:
        gap = "   " if title.cell_len + 3 + len(where) <= width else "\n"
        title.append(f"{gap}{where}", style=f"not bold {colours().quiet}")
    lines = [title, *beside(inputs, width), Text()]
    if isinstance(got, str) and not _is_number(got):
        lines += _named("expected", shown["expected"])
        if got not in str(report.get("message")):
            lines.append(_wrapped(f"yours: {got}", width, colours().wrong))
    else:
        lines += _compared(shown["expected"], got, shown.get("wrong"), width)
    return Text("\n").join(lines)


def _remarks(report: Mapping[str, Any], width: int) -> Text:
    """Return remarks on accepted code; reports of earlier versions have none."""
    remarks = report.get("remarks", ())
    return Text("\n\n").join(_wrapped(str(remark), width) for remark in remarks)


def _printed(report: Mapping[str, Any], width: int) -> Text:
    """Return what the submission printed; reports of earlier versions have nothing."""
    rows = str(report.get("printed") or "").rstrip().splitlines()
    if not rows:
        return Text()
    title = "Output for this input" if report.get("counterexample") else "It printed"
    lines = [Text(title, "bold")]
    for row in rows[:_MOST_PRINTED]:
        lines.append(Text(row))
        lines[-1].truncate(width, overflow="ellipsis")
    if len(rows) > _MOST_PRINTED:
        lines.append(Text(f"… {count(len(rows) - _MOST_PRINTED, 'more line')}"))
    return Text("\n").join(lines)


def _compared(expected: Any, got: Any, wrong: Any, width: int) -> list[Text]:
    """Expected, got and their difference as numbers and maps, one block of the arrays a row."""
    one, other = _blocks(expected), _blocks(got)
    peak = peak_of(*one, *other)
    if [_shape(each) for each in one] != [_shape(each) for each in other]:
        form = form_of(_flat(one) + _flat(other))
        panels = [Panel("expected", each, peak, form=form) for each in one]
        panels += [Panel("yours", each, peak, form=form) for each in other]
        return _panels(panels, width)
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
    lines: list[Text] = []
    for mine, theirs, bad, between in zip(one, other, marks, differences, strict=True):
        trio = (
            Panel("expected", mine, peak, form=form),
            Panel(
                "yours",
                theirs,
                peak,
                wrong=[[bool(entry) for entry in row] for row in bad],
                form=form,
            ),
            Panel("difference", between, largest, fine=True),
        )
        lines += [*([Text()] if lines else []), *_panels(trio, width)]
    return lines


def _panels(panels: Sequence[Panel], width: int) -> list[Text]:
    drawn = []
    for each in panels:
        rows, columns = _shape(each.values)
        if rows == 0 or columns == 0 or columns > _MOST_COLUMNS or rows > _MOST_ROWS:
            drawn.append([Text(each.title, style="bold"), Text(f"{rows} × {columns}")])
        else:
            drawn.append(panel(each))
    return beside(drawn, width)


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
        rows, columns = _shape(block)
        if columns > _MOST_COLUMNS or rows > _MOST_ROWS or not columns:
            lines.append(Text(f"{rows} × {columns}"))
        else:
            lines += [Text(row) for row in number_rows(block, form=form)]
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


def _cases(cases: Sequence[Mapping[str, Any]], width: int) -> Text:
    """Failed cases with why, one a line, or together where they say the same; then the others."""
    if not cases:
        return Text()
    right, wrong = colours().right, colours().wrong
    failed: dict[str, list[str]] = {}
    for case in cases:
        if not case["passed"]:
            failed.setdefault(str(case["message"]), []).append(str(case["name"]))
    passed = [str(case["name"]) for case in cases if case["passed"]]
    shown = [name for names in (*failed.values(), passed) for name in _few(names)]
    column = min(max(map(len, shown)), max(width - _MESSAGE - 2 * _MARK, width // 4)) + 2 * _MARK
    lines: list[Text] = []
    for message, names in failed.items():
        if len(names) < _TOGETHER:
            for name in names:
                lines += _failed(short(name), message, column, width)
        else:
            lines += _in_columns(_few(names), column, width, "✗", wrong)
            lines.append(_wrapped(f"  {message}", width, colours().quiet))
    return Text("\n").join([*lines, *_in_columns(_few(passed), column, width, "✓", right)])


def _few(names: Sequence[str]) -> list[str]:
    """The names that join fewest conditions, and how many there are besides."""
    more = [f"and {len(names) - _NAMED} more"] if len(names) > _NAMED else []
    return [*map(short, simplest(names, _NAMED)), *more]


def _failed(name: str, message: str, column: int, width: int) -> Iterator[Text]:
    """`✗ name  message`, the message from `column` on, on as many lines as it needs."""
    head = Text.assemble(("✗ ", colours().wrong), name)
    if head.cell_len > column - _MARK:
        yield head
        head = Text()
    for line in textwrap.wrap(message, max(8, width - column)) or [""]:
        head.append(" " * (column - head.cell_len))
        head.append(line, style=colours().quiet)
        yield head
        head = Text()


def _in_columns(
    names: Sequence[str], column: int, width: int, mark: str, style: str
) -> Iterator[Text]:
    """`✓ name` side by side in columns of that width; a name that is longer has its own line."""
    line = Text()
    for name in names:
        entry = Text.assemble((f"{mark} ", style), name)
        at = -(-(line.cell_len + _MARK) // column) * column if line else 0
        if line and at + entry.cell_len > width:
            yield line
            line, at = Text(), 0
        line.append(" " * (at - line.cell_len))
        line.append_text(entry)
    if line:
        yield line


def _cost(cost: Mapping[str, Any] | None) -> Text:
    """Return the cost beside its limits."""
    if cost is None:
        return Text()
    rows = [("operations", cost["flops"], cost["limit"])]
    rows.append(("largest array", cost["largest_array"], cost["largest_allowed"]))
    lines = []
    for name, used, limit in rows:
        over = limit is not None and used > limit
        right, wrong = colours().right, colours().wrong
        line = Text.assemble((f"{name:<14}", colours().quiet), f"{used:>14,}")
        if limit is not None:
            line.append(f"  of {limit:,} ")
            line.append("✗" if over else "✓", style=wrong if over else right)
        lines.append(line)
    return Text("\n").join(lines)


def _footer(report: Mapping[str, Any], width: int) -> Text:
    why = f" ({report['backend_reason']})" if report.get("backend_reason") else ""
    device = "" if report["device"] == "cuda" else ", not checked on a GPU"
    seed = "" if report["passed"] else f", seed {report['seed']}"
    return _wrapped(
        f"{report['backend']}{why} on {report['device']}{device}{seed}", width, colours().quiet
    )


def _wrapped(text: str, width: int, style: str = "") -> Text:
    """`text` broken between words; a word longer than a line is broken too."""
    paragraphs = [textwrap.fill(line, max(8, width)) for line in text.splitlines()]
    return Text("\n".join(paragraphs), style=style)
