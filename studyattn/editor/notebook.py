"""Drills and reviews in a Jupyter notebook, after `%load_ext studyattn`.

    %%drill attention    grade the cell, show the verdict, and define what passes
    %drill attention     show the task; with --hint, the next hint
    %due                 list what is due
    %review              ask the next card; `%review good` rates it and asks the next one

They work on the learner's home (`STUDYATTN_HOME`), and return what Jupyter shows.
"""

from __future__ import annotations

import ast
import atexit
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from studyattn.errors import StudyattnError
from studyattn.grading import Grader, Report, format_report
from studyattn.grading.report_text import Tone
from studyattn.home import find_home
from studyattn.memory import Rating
from studyattn.memory.order import Interleaving
from studyattn.study.practice.attempts import record_attempt
from studyattn.study.practice.drill_session import PracticeSession
from studyattn.study.practice.drill_views import RecordedAttempt
from studyattn.study.practice.drills import find_drill
from studyattn.study.practice.mine import submission_of
from studyattn.study.profile import open_profile
from studyattn.study.review import batch, queue
from studyattn.study.review.session import ReviewSession
from studyattn.text.counting import count
from studyattn.text.titles import words

_COLORS = {Tone.GOOD: "color: green", Tone.BAD: "color: #c33", Tone.QUIET: "opacity: 0.6"}
_MOST = 400
"""Entries up to which an array is drawn."""


@dataclass(frozen=True)
class MarkdownOutput:
    """Markdown that Jupyter renders, mathematics included."""

    markdown: str

    def _repr_markdown_(self) -> str:
        return self.markdown

    def __repr__(self) -> str:
        return self.markdown


@dataclass(frozen=True)
class ShownReport:
    """A verdict as Jupyter shows it: the words of `drill grade`, and the arrays as heat maps."""

    report: Report
    recorded: RecordedAttempt | None = None

    def __repr__(self) -> str:
        return "\n".join(text for text, _ in self._lines())

    def _repr_html_(self) -> str:
        rows = (f'<span style="{style}">{escape(text)}</span>' for text, style in self._lines())
        shown = self.report.counterexample
        maps = ""
        if shown is not None:
            arrays = {**shown.inputs, "expected": shown.expected, "yours": shown.got}
            maps = "".join(heat_map(name, value) for name, value in arrays.items())
        words = "<br>".join(rows)
        return f'<pre style="white-space: pre-wrap">{words}</pre><div>{maps}</div>'

    def _lines(self) -> Iterator[tuple[str, str]]:
        """Yield each line with its style."""
        for line in format_report(self.report, brief=True):
            yield line.text, _COLORS.get(line.tone, "")
        for change in self.report.repair:
            yield f"  line {change.line}: {change.hint}", ""
        for card in self.recorded.brought_back if self.recorded else ():
            yield f"  → due today: {words(card.title, gaps=True)}", ""
        for lesson in self.recorded.lessons if self.recorded else ():
            yield f"  → {lesson.sentence}", ""


def heat_map(name: str, value: Any) -> str:
    """Return an array of one or two axes as an HTML table, red above zero and blue below.

    Empty for what is no such array, or has too many entries to be read.
    """
    if not isinstance(value, list | int | float):
        return ""
    values = np.atleast_2d(np.asarray(value, dtype=float))
    if values.ndim > 2 or not 0 < values.size <= _MOST:
        return ""
    most = np.abs(values[np.isfinite(values)]).max(initial=0) or 1.0
    cells = (
        "".join(
            f'<td style="background: {_color(entry / most)}; color: #000">{entry:.3g}</td>'
            for entry in row
        )
        for row in values
    )
    rows = "".join(f"<tr>{row}</tr>" for row in cells)
    style = "display: inline-table; margin: 0 1em 1em 0"
    return f'<table style="{style}"><caption>{escape(name)}</caption>{rows}</table>'


def _color(share: float) -> str:
    """Return a color for a number from −1 to 1; gray for one that is not finite."""
    if not np.isfinite(share):
        return "#bbb"
    return f"rgba({'220, 60, 40' if share > 0 else '40, 100, 220'}, {abs(share):.2f})"


class Magics:
    """The magics of one notebook."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._home = find_home()
        self._grader = Grader(kept=self._home.counterexamples)
        self._asked = ""
        """The guid of the card that is asked."""
        self._since = 0.0
        atexit.register(self._grader.close)

    def register(self) -> None:
        """Give the notebook its magics."""
        for name, kind in (("drill", "line_cell"), ("due", "line"), ("review", "line")):
            self._shell.register_magic_function(
                partial(_carry_out, getattr(self, name)), kind, name
            )

    def drill(self, line: str, cell: str | None = None) -> object:
        """Grade a cell, or show the task of a drill."""
        name, *options = line.split() or [""]
        found = find_drill(self._home, name)
        if cell is None:
            return self._task(name, hint="--hint" in options)
        backend = next((each for each in options if not each.startswith("-")), None)
        code = f"{self._imports(cell)}\n{cell}"  # in the place of `%%drill`, so that lines count
        path = Path.cwd() / f"{name}.py"
        opened = partial(open_profile, self._home)
        submission = submission_of(opened, found.brief, path, code.encode(), backend)
        shown = display(MarkdownOutput("Grading …"))
        report = self._grader.grade(found.brief.folder, submission, told=partial(_show, shown))
        _show(shown, report)
        recorded = self._record(found.guid, code, report)
        if report.passed:
            self._shell.run_cell(cell)
        else:
            report = self._grader.mend(found.brief.folder, submission, report)
            if report.repair:
                recorded = self._record(found.guid, code, report)
        _show(shown, report, recorded)
        return None

    def _imports(self, cell: str) -> str:
        """Return what imports the modules that the cell uses and that other cells imported."""
        try:
            tree = ast.parse(cell)
        except SyntaxError:  # the verdict says where
            return ""
        used = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}
        there = {name: self._shell.user_ns.get(name) for name in sorted(used)}
        return "; ".join(
            f"import {module.__name__} as {name}"
            for name, module in there.items()
            if isinstance(module, ModuleType)
        )

    def _record(self, guid: str, code: str, report: Report) -> RecordedAttempt:
        with open_profile(self._home) as profile:
            return record_attempt(profile, guid, code, report)[0]

    def _task(self, name: str, *, hint: bool) -> MarkdownOutput:
        with (
            open_profile(self._home) as profile,
            PracticeSession(profile, name, resume=True) as session,
        ):
            if hint and session.next_hint() is None:
                return MarkdownOutput("No hints left.")
            hints = [f"**Hint {n}.** {text}" for n, text in enumerate(session.hints, 1)]
            text = "\n\n".join([f"# {session.brief.title}", session.brief.text, *hints])
        return MarkdownOutput(hints[-1] if hint else text)

    def due(self, line: str) -> MarkdownOutput:
        """List what is due."""
        del line
        with open_profile(self._home) as profile:
            items = queue.read_day(profile).items
        rows = [f"- {words(item.title, gaps=True)} ({item.kind})" for item in items]
        return MarkdownOutput("\n".join([f"**{count(len(items), 'item')} due**", "", *rows]))

    def review(self, line: str) -> MarkdownOutput:
        """Rate the card that is asked, if a rating is given, and ask the next one."""
        said = ""
        with open_profile(self._home) as profile:
            if line.strip() and self._asked:
                seconds = time.monotonic() - self._since
                rating = Rating.parse(line.strip())
                batch.answer(profile, self._asked, rating, seconds=seconds)
                said = f"*{rating.name.lower()}* · "
            with ReviewSession(profile, interleaving=Interleaving.CARDS_ONLY) as session:
                card = session.current
                left = sum(session.progress.left.values())
        self._asked, self._since = ("" if card is None else card.guid), time.monotonic()
        if card is None:
            return MarkdownOutput(f"{said}Nothing is due.")
        return MarkdownOutput(
            f"{said}{card.concept_title} · {left} to go\n\n{card.front}\n\n"
            f"<details><summary>Answer</summary>\n\n{card.back}\n\n</details>\n\n"
            "`%review again`, `hard`, `good` or `easy` rates it."
        )


def _carry_out(magic: Any, *given: str) -> object:
    """Return what a magic returns; an error of the program is one line, as in a terminal."""
    try:
        return magic(*given)
    except StudyattnError as error:
        return MarkdownOutput(str(error))


def display(what: object) -> Any:
    """Begin an output of the cell, and return what updates it."""
    from IPython.display import display as begin  # there where a notebook is

    return begin(what, display_id=True)


def _show(shown: Any, report: Report, recorded: RecordedAttempt | None = None) -> None:
    shown.update(ShownReport(report, recorded))
