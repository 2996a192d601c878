"""`stats`: statistics of past reviews, and the forecast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, examples, json_option, opened, pass_invocation, table
from studyattn.memory.state import Phase, drill_id
from studyattn.store.vocabulary import UNSEEN
from studyattn.study import statistics

if TYPE_CHECKING:
    from studyattn.study.statistics.totals import Statistics
    from studyattn.study.statistics.workload_simulation import Simulation


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
@click.option(
    "--seeds",
    type=click.IntRange(1, 100),
    default=1,
    help="Simulate so many learners, with the seeds from --seed on, and show the ranges.",
)
@click.option(
    "--days",
    type=click.IntRange(1, 365),
    default=120,
    show_default=True,
    help="Days of --simulate.",
)
@json_option
@pass_invocation
def stats(  # noqa: PLR0917 - one argument an option
    invocation: Invocation,
    fits: bool,
    simulates: bool,
    seed: int,
    seeds: int,
    days: int,
    as_json: bool,
) -> None:
    """Show study statistics and the review forecast."""
    if fits and simulates:
        raise click.UsageError("Give --fit or --simulate, not both")
    if fits:
        _fit(invocation, as_json)
        return
    if simulates:
        with opened(invocation) as profile:
            ways = statistics.newcomer.simulate_newcomers(
                profile, days=days, seeds=range(seed, seed + seeds)
            )
        if as_json:
            emit(ways[0] if seeds == 1 else ways)
            return
        if seeds == 1:
            _show_days(ways[0])
        _show_path(ways)
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


def _show_days(way: Simulation) -> None:
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
    click.echo()


def _show_path(ways: Sequence[Simulation]) -> None:
    """Show the days of the drills, and what is checked on the way; of several learners, ranges."""
    drills = dict.fromkeys(guid for way in ways for guid in way.drills)
    written = {guid: [way.drills.get(guid) for way in ways] for guid in drills}
    ordered = sorted(
        written, key=lambda guid: max(day or len(ways[0].days) for day in written[guid])
    )
    table(
        [
            ("drill", "first written on day"),
            *((drill_id(guid), _days(written[guid])) for guid in ordered),
        ]
    )
    averages = [way.average for way in ways]
    average = f"{min(averages):.1f}"
    average += f" to {max(averages):.1f}" if len(ways) > 1 else ""
    click.echo(f"\ncards before their lesson: {sum(len(way.before_lesson) for way in ways)}")
    click.echo(f"terms before their concept: {len(ways[0].before_concept)}")
    click.echo(f"longest day: {max(way.longest for way in ways):.1f} min, average {average} min")
    click.echo(f"every concept met: day {_days([way.all_met for way in ways])}")


def _days(days: Sequence[int | None]) -> str:
    """Return the first and last of some days; None is later than the simulation."""
    known = sorted(day for day in days if day is not None)
    later = ["later"] if len(known) < len(days) else []
    return " to ".join(dict.fromkeys([*(f"{day}" for day in (known[:1] + known[-1:])), *later]))


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
