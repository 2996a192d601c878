"""`drill cost`: how the cost of a drill's implementations grows, as curves and exponents."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studyattn import grading
from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, examples, json_option, pass_invocation
from studyattn.cli.names import drill_argument
from studyattn.grading.cost.measurements import Quantity, Role

if TYPE_CHECKING:
    from studyattn.grading.cost.measurements import CostSeries
    from studyattn.study.practice.cost_lab import CostLab

WIDEST = 100
"""Columns of a plot, at most."""

HEIGHT = 12


@click.command(
    epilog=examples(
        "studyattn drill cost attention",
        "studyattn drill cost attention attention.py --backend numpy",
    )
)
@drill_argument
@click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[FILE]")
@click.option(
    "--backend",
    type=click.Choice(["torch", "numpy"]),
    help="Array library.  [default: the one that FILE names or imports]",
)
@json_option
@pass_invocation
def cost(
    invocation: Invocation,
    identifier: str,
    file: Path | None,
    backend: str | None,
    as_json: bool,
) -> None:
    """Plot the cost of FILE and of the solution as n grows.

    FILE defaults to the one written by `drill start`. Nothing is recorded. Exit status 1 if FILE
    times out or fails.
    """
    # Late: it loads SQLAlchemy and numpy, which help does without.
    from studyattn.study.practice.cost_lab import cost_lab

    lab = cost_lab(invocation.home, identifier, file, backend)
    series = _measured(lab)
    if as_json:
        measured = [each.to_json() for each in series]
        emit(
            {
                "drill": lab.brief.id,
                "backend": lab.backend,
                "counts": lab.counts,
                "series": measured,
            }
        )
    else:
        _print(lab, series)
    if not all(each.is_whole for each in series if each.role is Role.YOURS):
        click.get_current_context().exit(1)


def _measured(lab: CostLab) -> list[CostSeries]:
    series = []
    with grading.Grader() as grader:
        grader.start(lab.backend)
        for subject in lab.subjects:
            if sys.stderr.isatty():
                click.echo(f"measuring {subject.title} …", err=True)
            series.append(grader.measure(subject))
    return series


def _print(lab: CostLab, series: Sequence[CostSeries]) -> None:
    # Late: JSON is printed without them.
    from rich.console import Console
    from rich.text import Text

    from studyattn.study.practice import cost_page

    width = min(WIDEST, shutil.get_terminal_size().columns)
    styles = cost_page.Styles(("cyan", "blue", "yellow", "magenta"), quiet="dim", wrong="red")
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
