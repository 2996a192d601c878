"""`drill cost`: how the cost of a drill's implementations grows, as curves and exponents."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from studyattn import grading
from studyattn.cli.common import Answer, Invocation
from studyattn.grading.cost.measurements import CostSeries, Quantity, Role
from studyattn.study.practice import cost_page
from studyattn.study.practice.cost_lab import CostLab, cost_lab

WIDEST = 100
"""Columns of a plot, at most."""

HEIGHT = 12


def cost(invocation: Invocation, identifier: str, file: Path | None, backend: str | None) -> Answer:
    lab = cost_lab(invocation.home, identifier, file, backend)
    series = []
    with grading.Grader() as grader:
        grader.start(lab.backend)
        for subject in lab.subjects:
            if sys.stderr.isatty():
                click.echo(f"measuring {subject.title} …", err=True)
            series.append(grader.measure(subject))
    value = {
        "drill": lab.brief.id,
        "backend": lab.backend,
        "counts": lab.counts,
        "series": [each.to_json() for each in series],
    }
    is_whole = all(each.is_whole for each in series if each.role is Role.YOURS)
    return Answer(value, partial(_print, lab, series), failed=not is_whole)


def _print(lab: CostLab, series: Sequence[CostSeries]) -> None:
    # Late: JSON is printed without them.
    from rich.console import Console
    from rich.text import Text

    width = min(WIDEST, shutil.get_terminal_size().columns)
    styles = cost_page.CostStyles(("cyan", "blue", "yellow", "magenta"), quiet="dim", wrong="red")
    texts = [Text(f"{lab.brief.title}, {lab.backend}, n = {lab.counts}", style="bold")]
    for quantity in Quantity:
        texts.append(Text.assemble(f"\n{quantity}", (f"  {cost_page.UNITS[quantity]}", "dim")))
        texts.append(
            cost_page.plot(series, quantity, width=width - 2, height=HEIGHT, styles=styles)
        )
        texts.append(cost_page.legend(series, quantity, width=width - 2, styles=styles))
    remarks = cost_page.remarks(series, width=width - 2, styles=styles)
    if remarks:
        texts.append(Text("\n").append_text(remarks))
    console = Console(width=width, highlight=False)
    for text in texts:
        if text:
            console.print(text, no_wrap=True)
