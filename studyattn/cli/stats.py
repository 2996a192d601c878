"""`stats`: looking back, and ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, json_option, opened, pass_invocation, table

if TYPE_CHECKING:
    from studyattn.study.statistics import Statistics


@click.command()
@click.option(
    "--fit", "fits", is_flag=True, help="Fit the model to your reviews; use it if better."
)
@json_option
@pass_invocation
def stats(invocation: Invocation, fits: bool, as_json: bool) -> None:
    """How much you studied, how well you remember, and what comes."""
    if fits:
        _fit(invocation, as_json)
        return
    from studyattn.study.statistics import statistics

    with opened(invocation) as learner:
        figures = statistics(learner)
    if as_json:
        emit(figures)
    else:
        _print(figures)


def _print(figures: Statistics) -> None:
    retention = "not yet" if figures.retention is None else f"{figures.retention:.1%}"
    table(
        [
            ("Items", f"{figures.items}"),
            *((f"  {phase}", f"{count}") for phase, count in figures.by_phase.items()),
            *((f"Concepts {state}", f"{count}") for state, count in figures.concepts.items()),
            ("Reviews", f"{figures.reviews}"),
            *((f"  {rating.name.lower()}", f"{n}") for rating, n in figures.ratings.items()),
            ("Remembered, last 30 days", f"{retention} of {figures.retention_of}"),
            ("Time", f"{figures.seconds / 60:.0f} min, {figures.seconds_a_card:.0f} s a card"),
            ("Days in a row", f"{figures.streak}"),
            ("Leeches", f"{figures.leeches}"),
        ]
    )
    click.echo("\nHeld for")
    table([(f"  {label}", f"{count}") for label, count in figures.held.items()])
    click.echo("\nNext days")
    table([(f"  {day:%a %d %b}", f"{count}") for day, count in figures.forecast])


def _fit(invocation: Invocation, as_json: bool) -> None:
    from studyattn.study.statistics import FEWEST_REVIEWS, fit_parameters

    with opened(invocation) as learner:
        result = fit_parameters(learner)
    if result is None:
        if as_json:
            emit(None)
        else:
            click.echo(f"Too few reviews: {FEWEST_REVIEWS} on later days are needed to judge.")
        click.get_current_context().exit(1)
    if as_json:
        emit({"adopted": result.adopted, "fit": result})
        return
    click.echo(
        f"Fitted on {result.fitted_on} reviews, judged on the {result.judged_on} after them."
    )
    table(
        [
            ("", "log loss", "RMSE(bins)"),
            *(
                (name, f"{each.log_loss:.4f}", f"{each.rmse_bins:.4f}")
                for name, each in (
                    ("own", result.own),
                    ("defaults", result.defaults),
                    ("always the average", result.average),
                )
            ),
        ]
    )
    used = "your own" if result.adopted else "the default"
    click.echo(f"From now on {used} parameters are used.")
