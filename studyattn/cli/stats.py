"""`stats`: pages of figures about past reviews and days to come, and the fit of the model."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from studyattn.cli.common import Answer, Rows, Shown, terminal_size
from studyattn.memory.state import Phase, drill_id
from studyattn.store.vocabulary import UNSEEN
from studyattn.study import statistics
from studyattn.text.characters import printable

if TYPE_CHECKING:
    from studyattn.study.profile import Profile
    from studyattn.study.rules.evenings import SimulatedDay
    from studyattn.study.statistics.newcomer import NewcomersWay
    from studyattn.study.statistics.totals import Statistics
    from studyattn.text.figure import Figure

_WIDEST = 100  # columns of a chart
_RANGE = "90d"
_CHOSEN = ("concept", "source", "tag", "kind", "pack")


def stats(
    profile: Profile, page: str | None, guid: str | None, span: str | None, **options: Any
) -> Answer:
    filters = {name: options[name] for name in _CHOSEN}
    if (page == "card") != (guid is not None):
        raise click.UsageError("Write `stats card GUID`; other pages take no GUID")
    if options["fits"]:
        return _fitted(profile)
    if options["simulates"]:
        return _simulated(profile, options)
    if not any((page, span, options["as_csv"], *filters.values())):
        found = statistics.totals.statistics(profile)
        return Answer(found, _summary(found))
    pages = statistics.pages
    if guid is not None:
        figures = pages.card_figures(profile, guid)
    else:
        chosen = pages.choose(profile, span or _RANGE, **filters)
        figures = pages.figures_of(page or "activity", profile, chosen)
    return Answer(figures, partial(_csv if options["as_csv"] else _charts, figures))


def _simulated(profile: Profile, options: Mapping[str, Any]) -> Answer:
    ways = statistics.newcomer.simulate_newcomers(
        profile,
        days=options["days"],
        seeds=range(options["seed"], options["seed"] + options["seeds"]),
        drill_pace=options["drill_pace"],
        minutes=options["minutes"],
    )
    if len(ways) > 1:
        return Answer(ways, _path(ways))
    return Answer(ways[0], (_days_of(ways[0]), _path(ways)))


def _csv(figures: Sequence[Figure]) -> None:
    from studyattn.text.figure import figure_rows  # late, as below: help does without

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("figure", "label", "series", "unit", "value"))
    writer.writerows(figure_rows(figures))


def _charts(figures: Sequence[Figure]) -> None:
    from studyattn.text.chart import chart_lines

    width = min(_WIDEST, terminal_size().columns)
    for number, figure in enumerate(figures):
        if number:
            click.echo()
        for line in chart_lines(figure, width):
            click.echo(printable(line.plain))


def _summary(figures: Statistics) -> Iterator[Shown]:
    retention = "not yet"
    if figures.retention is not None:
        retention = f"{figures.retention:.1%} of {figures.retention_of}"
    phases = {str(each): n for each, n in figures.by_phase.items() if each is not Phase.NEW}
    states = {each: n for each, n in figures.concepts.items() if each != UNSEEN}
    yield Rows(
        (
            ("Items begun", f"{figures.begun} of {figures.items}"),
            *_below(phases),
            ("Concepts begun", f"{figures.concepts_begun} of {sum(figures.concepts.values())}"),
            *_below(states),
            ("Reviews", f"{figures.reviews}"),
            *_below({rating.name.lower(): n for rating, n in figures.ratings.items()}),
            ("Retention, last 30 days", retention),
            ("Time", f"{figures.seconds / 60:.0f} min, {figures.seconds_a_card:.0f} s per card"),
            ("Streak", f"{figures.streak}"),
            ("Leeches", f"{figures.leeches}"),
        )
    )
    yield ("\nStability", Rows(_below(figures.held)))
    yield ("\nForecast", Rows(_below({f"{day:%a %d %b}": n for day, n in figures.forecast})))
    if figures.meaning:
        yield ("", figures.meaning)


def _below(numbers: Mapping[str, int]) -> list[tuple[str, str]]:
    """Return the rows of numbers that belong to a heading."""
    return [(f"  {name}", f"{number}") for name, number in numbers.items()]


def _days_of(way: NewcomersWay) -> Iterator[Shown]:
    packs = list(dict.fromkeys(pack for each in way.days for pack in each.of_packs))
    rows = [
        (each.day, each.new, each.reviews, each.drills, *minutes, each.met, *own)
        for each in way.days
        for minutes in [(f"{each.minutes:.1f}", f"{each.drill_minutes:.1f}")]
        for own in [map(_of_pack, packs, [each] * len(packs)) if len(packs) > 1 else ()]
    ]
    names = ["day", "new", "reviews", "drills", "minutes", "in drills", "concepts met"]
    names += packs if len(packs) > 1 else []
    yield (Rows([names, *(tuple(map(str, row)) for row in rows)]), "")
    concepts = ((each.slug, _day(each.met), _day(each.known)) for each in way.concepts)
    yield (Rows([("concept", "met", "known"), *concepts]), "")


def _drills(ways: Sequence[NewcomersWay]) -> Rows:
    drills = dict.fromkeys(guid for way in ways for guid in way.drills)
    written = [(guid, [way.drills.get(guid) for way in ways]) for guid in drills]
    written.sort(key=lambda row: max(day or len(ways[0].days) for day in row[1]))
    rows = ((drill_id(guid), _days(days)) for guid, days in written)
    return Rows([("drill", "first written on day"), *rows])


def _path(ways: Sequence[NewcomersWay]) -> Iterator[Shown]:
    """Show the days of the drills, and what is checked on the way; of several learners, ranges."""
    yield _drills(ways)
    averages = sorted(way.average for way in ways)
    average = _range(f"{averages[0]:.1f}", f"{averages[-1]:.1f}")
    yield f"\nlongest wait of a drill: {max(way.longest_wait for way in ways)} days"
    yield f"longest day: {max(way.longest for way in ways):.1f} min, average {average} min"
    for pack in dict.fromkeys(each.pack for each in ways[0].concepts):
        met = [way.met_of({pack}) for way in ways]
        yield f"every concept of {pack} met: day {_days(met)}"


def _of_pack(pack: str, day: SimulatedDay) -> str:
    """Return what a pack has of a day: `9 new, 14.2 min`."""
    own = day.of_packs.get(pack)
    return "" if own is None else f"{own.new} new, {own.minutes:.1f} min"


def _days(days: Sequence[int | None]) -> str:
    """Return the first and last of some days; None is later than the simulation."""
    known = sorted(day for day in days if day is not None)
    if not known:
        return "later"
    if len(known) < len(days):
        return f"{known[0]} or later"
    return _range(f"{known[0]}", f"{known[-1]}")


def _range(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"


def _day(number: int | None) -> str:
    return "later" if number is None else f"day {number}"


def _fitted(profile: Profile) -> Answer:
    found = statistics.pages.fit_with_figures(profile)
    if found is None:
        fewest = statistics.totals.FEWEST_REVIEWS
        told = f"Too few reviews: {fewest} on later days are needed to judge."
        return Answer(None, told, failed=True)
    fit, figures = found
    judged = {"own": fit.own, "defaults": fit.defaults, "always the average": fit.average}
    rows = [(name, f"{e.log_loss:.4f}", f"{e.rmse_bins:.4f}") for name, e in judged.items()]
    used = "your own" if fit.adopted else "the default"
    shown = (
        f"Fitted on {fit.fitted_on} reviews, judged on the {fit.judged_on} after them.",
        Rows([("", "log loss", "RMSE(bins)"), *rows]),
        "",
        partial(_charts, figures),
        f"Now using {used} parameters.",
    )
    return Answer({"adopted": fit.adopted, "fit": fit}, shown)
