"""`stats`: pages of figures about past reviews and days to come, and the fit of the model."""

from __future__ import annotations

import csv
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import (
    emit,
    examples,
    json_option,
    opened,
    pass_invocation,
    say,
    table,
)
from studyattn.cli.names import CONCEPT, slug_of
from studyattn.cli.paging import paged
from studyattn.memory.state import Phase, drill_id
from studyattn.store.vocabulary import UNSEEN
from studyattn.study import statistics
from studyattn.text.characters import printable

if TYPE_CHECKING:
    from studyattn.study.profile import Profile
    from studyattn.study.statistics.newcomer import NewcomersWay
    from studyattn.study.statistics.totals import Statistics
    from studyattn.text.figure import Figure

_WIDEST = 100  # columns of a chart
_RANGE = "90d"


@click.command(
    epilog=examples(
        "studyattn stats",
        "studyattn stats retention --range year",
        "studyattn stats activity --concept softmax --json",
        "studyattn stats all --csv > figures.csv",
        "studyattn stats card GUID",
        "studyattn stats --fit",
        "studyattn stats --simulate --seed 3",
        "studyattn stats --simulate --drill-pace 2 --minutes 30 --seeds 5",
    )
)
@click.argument("page", required=False)
@click.argument("guid", required=False)
@click.option(
    "--range",
    "span",
    metavar="DAYS",
    help=f"Date range of a page's figures: 30d, year, all.  [default: {_RANGE}]",
)
@click.option("--concept", type=CONCEPT, metavar="CONCEPT", help="Only items of this concept.")
@click.option("--source", metavar="TITLE", help="Only items from this source.")
@click.option("--tag", help="Only items with this tag or a subtag.")
@click.option("--kind", help="Only items of this kind: card, drill, or a card's own kind.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the figures of a page as CSV.")
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
    help="Number of learners to simulate, with seeds from --seed on; show the ranges.",
)
@click.option(
    "--days",
    type=click.IntRange(1, 365),
    default=120,
    show_default=True,
    help="Days of --simulate.",
)
@click.option(
    "--drill-pace",
    type=click.FloatRange(0.1, 10),
    default=1.0,
    show_default=True,
    metavar="F",
    help="A learner of --simulate takes F times the usual time for a drill.",
)
@click.option(
    "--minutes",
    type=click.IntRange(0, 600),
    help="Minutes per day of --simulate (0 = no limit).  [default: your setting]",
)
@json_option
@pass_invocation
@paged()
def stats(  # noqa: PLR0917 - one argument an option
    invocation: Invocation,
    page: str | None,
    guid: str | None,
    span: str | None,
    concept: str | None,
    source: str | None,
    tag: str | None,
    kind: str | None,
    as_csv: bool,
    fits: bool,
    simulates: bool,
    seed: int,
    seeds: int,
    days: int,
    drill_pace: float,
    minutes: int | None,
    as_json: bool,
) -> None:
    """Show study statistics and the review forecast.

    PAGE is activity, answers, retention, calibration, forecast, memory, drills, concepts, or all;
    `card GUID` shows the history of one card or drill. Without PAGE, show a summary.
    """
    _refuse_both("--fit", fits, "--simulate", simulates)
    _refuse_both("--csv", as_csv, "--json", as_json)
    filters = {"concept": concept, "source": source, "tag": tag, "kind": kind}
    if page is None and (as_csv or span is not None or any(filters.values())):
        page = "activity"
    if page is not None:
        if fits or simulates:
            raise click.UsageError("--fit and --simulate do not apply to a page")
        if (page == "card") != (guid is not None):
            raise click.UsageError("Write `stats card GUID`; other pages take no GUID")
        with opened(invocation) as profile:
            if concept is not None:
                filters["concept"] = slug_of(profile, concept)
            figures = _figures(profile, page, guid, span or _RANGE, filters)
        _show_figures(figures, as_csv=as_csv, as_json=as_json)
    elif fits:
        _fit(invocation, as_json)
    elif simulates:
        with opened(invocation) as profile:
            ways = statistics.newcomer.simulate_newcomers(
                profile,
                days=days,
                seeds=range(seed, seed + seeds),
                drill_pace=drill_pace,
                minutes=minutes,
            )
        _show_ways(ways, as_json)
    else:
        with opened(invocation) as profile:
            figures_now = statistics.totals.statistics(profile)
        if as_json:
            emit(figures_now)
        else:
            _print(figures_now)


def _refuse_both(one: str, given: bool, other: str, also: bool) -> None:
    if given and also:
        raise click.UsageError(f"Give {one} or {other}, not both")


def _show_ways(ways: Sequence[NewcomersWay], as_json: bool) -> None:
    if as_json:
        emit(ways[0] if len(ways) == 1 else ways)
        return
    if len(ways) == 1:
        _show_days(ways[0])
    _show_path(ways)


def _figures(
    profile: Profile,
    page: str,
    guid: str | None,
    span: str,
    filters: Mapping[str, str | None],
) -> list[Figure]:
    pages = statistics.pages
    if guid is not None:
        return list(pages.card_figures(profile, guid))
    wanted = pages.PAGES if page == "all" else (pages.page_named(page),)
    chosen = pages.choose(profile, span, **filters)
    return [figure for each in wanted for figure in each.figures(profile, chosen)]


def _show_figures(figures: Sequence[Figure], *, as_csv: bool, as_json: bool) -> None:
    # Late: help does without.
    from studyattn.text.chart import chart_lines
    from studyattn.text.figure import figure_rows

    if as_json:
        emit(figures)
    elif as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(("figure", "label", "series", "unit", "value"))
        writer.writerows(figure_rows(figures))
    else:
        width = min(_WIDEST, shutil.get_terminal_size().columns)
        for number, figure in enumerate(figures):
            if number:
                click.echo()
            for line in chart_lines(figure, width):
                click.echo(printable(line.plain))


def _print(figures: Statistics) -> None:
    retention = f"{figures.retention or 0:.1%} of {figures.retention_of}"
    phases = [(f"  {each}", n) for each, n in figures.by_phase.items() if each is not Phase.NEW]
    states = [(f"  {each}", n) for each, n in figures.concepts.items() if each != UNSEEN]
    rows = [
        ("Items begun", f"{figures.begun} of {figures.items}"),
        *phases,
        ("Concepts begun", f"{figures.concepts_begun} of {sum(figures.concepts.values())}"),
        *states,
        ("Reviews", figures.reviews),
        *((f"  {rating.name.lower()}", n) for rating, n in figures.ratings.items()),
        ("Retention, last 30 days", "not yet" if figures.retention is None else retention),
        ("Time", f"{figures.seconds / 60:.0f} min, {figures.seconds_a_card:.0f} s per card"),
        ("Streak", figures.streak),
        ("Leeches", figures.leeches),
    ]
    table([(name, str(value)) for name, value in rows])
    click.echo("\nStability")
    table([(f"  {label}", f"{count}") for label, count in figures.held.items()])
    click.echo("\nForecast")
    table([(f"  {day:%a %d %b}", f"{count}") for day, count in figures.forecast])
    if figures.meaning:
        click.echo()
    for sentence in figures.meaning:
        say(sentence)


def _show_days(way: NewcomersWay) -> None:
    rows = [
        (each.day, each.new, each.reviews, each.drills, *minutes, each.met)
        for each in way.days
        for minutes in [(f"{each.minutes:.1f}", f"{each.drill_minutes:.1f}")]
    ]
    names = ("day", "new", "reviews", "drills", "minutes", "in drills", "concepts met")
    table([names, *(tuple(map(str, row)) for row in rows)])
    click.echo()
    table(
        [("concept", "met", "known"), *((c.slug, _day(c.met), _day(c.known)) for c in way.concepts)]
    )
    click.echo()


def _show_path(ways: Sequence[NewcomersWay]) -> None:
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
    click.echo(f"longest wait of a new drill: {max(way.longest_wait for way in ways)} days")
    click.echo(f"longest day: {max(way.longest for way in ways):.1f} min, average {average} min")
    click.echo(f"every concept met: day {_days([way.all_met for way in ways])}")


def _days(days: Sequence[int | None]) -> str:
    """Return the first and last of some days; None is later than the simulation."""
    known = sorted(day for day in days if day is not None)
    if not known:
        return "later"
    if len(known) < len(days):
        return f"{known[0]} or later"
    return " to ".join(dict.fromkeys(f"{day}" for day in (known[0], known[-1])))


def _day(number: int | None) -> str:
    return "later" if number is None else f"day {number}"


def _fit(invocation: Invocation, as_json: bool) -> None:
    with opened(invocation) as profile:
        fitted = statistics.pages.fit_with_figures(profile)
    if fitted is None:
        if as_json:
            emit(None)
        else:
            fewest = statistics.totals.FEWEST_REVIEWS
            say(f"Too few reviews: {fewest} on later days are needed to judge.")
        click.get_current_context().exit(1)
    result, figures = fitted
    if as_json:
        emit({"adopted": result.adopted, "fit": result})
        return
    say(f"Fitted on {result.fitted_on} reviews, judged on the {result.judged_on} after them.")
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
    click.echo()
    _show_figures(figures, as_csv=False, as_json=False)
    used = "your own" if result.adopted else "the default"
    click.echo(f"Now using {used} parameters.")
