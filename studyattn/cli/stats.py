"""`stats`: statistics of past reviews, and the forecast."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, examples, json_option, opened, pass_invocation, table
from studyattn.memory.state import Phase
from studyattn.store.vocabulary import UNSEEN
from studyattn.study import statistics

if TYPE_CHECKING:
    from studyattn.study.statistics.totals import Statistics


@click.command(
    epilog=examples(
        "studyattn stats", "studyattn stats --fit", "studyattn stats --simulate --seed 3"
    )
)
@click.option(
    "--fit", "fits", is_flag=True, help="Fit the model to your reviews; use it if better."
)
@click.option(
    "--simulate",
    "simulates",
    is_flag=True,
    help="Simulate a new learner's path through the pack, day by day.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed of --simulate.")
@json_option
@pass_invocation
def stats(invocation: Invocation, fits: bool, simulates: bool, seed: int, as_json: bool) -> None:
    """Show study statistics and the review forecast."""
    if fits and simulates:
        raise click.UsageError("Give --fit or --simulate, not both")
    if fits:
        _fit(invocation, as_json)
        return
    if simulates:
        _simulate(invocation, seed, as_json)
        return
    with opened(invocation) as profile:
        figures = statistics.totals.statistics(profile)
    if as_json:
        emit(figures)
    else:
        _print(figures)


def _print(figures: Statistics) -> None:
    retention = (
        "not yet"
        if figures.retention is None
        else f"{figures.retention:.1%} of {figures.retention_of}"
    )
    table(
        [
            ("Items begun", f"{figures.begun} of {figures.items}"),
            *(
                (f"  {phase}", f"{figures.by_phase[phase]}")
                for phase in figures.by_phase
                if phase is not Phase.NEW
            ),
            ("Concepts begun", f"{figures.concepts_begun} of {sum(figures.concepts.values())}"),
            *(
                (f"  {state}", f"{figures.concepts[state]}")
                for state in figures.concepts
                if state != UNSEEN
            ),
            ("Reviews", f"{figures.reviews}"),
            *((f"  {rating.name.lower()}", f"{n}") for rating, n in figures.ratings.items()),
            ("Remembered, last 30 days", retention),
            ("Time", f"{figures.seconds / 60:.0f} min, {figures.seconds_a_card:.0f} s a card"),
            ("Days in a row", f"{figures.streak}"),
            ("Leeches", f"{figures.leeches}"),
        ]
    )
    click.echo("\nHeld for")
    table([(f"  {label}", f"{count}") for label, count in figures.held.items()])
    click.echo("\nNext days")
    table([(f"  {day:%a %d %b}", f"{count}") for day, count in figures.forecast])


def _simulate(invocation: Invocation, seed: int, as_json: bool) -> None:
    with opened(invocation) as profile:
        way = statistics.newcomer.simulate_newcomer(profile, seed=seed)
    if as_json:
        emit(way)
        return
    table(
        [
            ("day", "new", "reviews", "drills", "minutes", "in drills", "concepts met"),
            *(
                (
                    f"{day.day}",
                    f"{day.new}",
                    f"{day.reviews}",
                    f"{day.drills}",
                    f"{day.minutes:.1f}",
                    f"{day.drill_minutes:.1f}",
                    f"{day.met}",
                )
                for day in way.days
            ),
        ]
    )
    click.echo()
    table(
        [("concept", "met", "known"), *((c.slug, _day(c.met), _day(c.known)) for c in way.concepts)]
    )
    met = "not in these days" if way.all_met is None else f"by day {way.all_met}"
    click.echo(f"\nLongest day {way.longest:.1f} min, on average {way.average:.1f} min.")
    click.echo(f"Every concept is met {met}.")


def _day(number: int | None) -> str:
    return "later" if number is None else f"day {number}"


def _fit(invocation: Invocation, as_json: bool) -> None:
    with opened(invocation) as profile:
        result = statistics.totals.fit_parameters(profile)
    if result is None:
        if as_json:
            emit(None)
        else:
            fewest = statistics.totals.FEWEST_REVIEWS
            click.echo(f"Too few reviews: {fewest} on later days are needed to judge.")
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
