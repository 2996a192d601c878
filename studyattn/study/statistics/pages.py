"""The figures of statistics, page by page, as `figures.txt` lists them.

Each line there has the function that tells a figure, its name, its title, how it is drawn, and its
series, and below it the sentence for when there are no numbers. To add one, add a line, and the
function to the module of its subject: its parameters are names of what `FigureReader` reads, it
yields rows, and it returns a sentence that is made of them. The command, CSV, JSON, the screen and
the web page show it then. Each query runs once, when a figure asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Final, NamedTuple

from studyattn.errors import InputError, NotFoundError
from studyattn.memory.fit import Fit
from studyattn.packs.card_kinds import KINDS
from studyattn.packs.locate import pack_folders
from studyattn.store.log_values import stored_day
from studyattn.store.queries.answers import AnswerGroup, By, first_not_kept
from studyattn.store.queries.chosen import Chosen
from studyattn.store.queries.concepts import all_concepts, find_concept
from studyattn.store.queries.days import day_totals
from studyattn.store.queries.items import has_item
from studyattn.store.queries.items_now import (
    Added,
    ItemNow,
    concept_titles,
    items_added,
    items_now,
    tags_of_items,
)
from studyattn.store.queries.practice import DrillEvent, drill_events
from studyattn.store.queries.sources import all_sources
from studyattn.study.notes.notes import find_source
from studyattn.study.profile import Profile
from studyattn.study.review.learner import RATED, learner_of, outcomes_in
from studyattn.study.review.pace import SECONDS, Estimator
from studyattn.study.statistics.answer_groups import answers_by, keep, uses_kept
from studyattn.study.statistics.answers import tally
from studyattn.study.statistics.calibration import Judged
from studyattn.study.statistics.items import ConceptMemory, Present, concept_memories
from studyattn.study.statistics.load import Load, loads_ahead, steady_learner
from studyattn.study.statistics.one_card import Story, read_story
from studyattn.study.statistics.tally import Tally
from studyattn.study.statistics.totals import fit_parameters
from studyattn.text.figure import Figure, Shape, Telling, sentence_of

KINDS_CHOSEN: Final = ("card", "drill", *KINDS)
"""Kinds of items that figures can be restricted to."""

_YEAR: Final = 365
_JUDGED: Final = 60_000
"""Reviews that are read to judge forecasts, about: a share of them is known to 0.2 percent."""


def first_day(span: str, today: date) -> date | None:
    """Return the first day of a span that ends today: `30d`, `year`; None for `all`.

    Raises InputError for another text.
    """
    if span == "all":
        return None
    number = str(_YEAR) if span == "year" else span.removesuffix("d")
    if not (number.isdecimal() and number.isascii() and 1 <= len(number) <= 5 and int(number)):
        advice = "Write a number of days, such as 30d, or year, or all."
        raise InputError(f"{span!r} is not a date range", advice=advice)
    return today - timedelta(days=min(int(number), today.toordinal() - 1) - 1)


def choose(
    profile: Profile,
    span: str = "all",
    *,
    concept: str | None = None,
    source: str | None = None,
    tag: str | None = None,
    kind: str | None = None,
    pack: str | None = None,
) -> Chosen:
    """Return what is chosen by names: a source by its title or guid.

    Raises NotFoundError for a concept, source, kind or pack that there is not, InputError for a
    span.
    """
    first = first_day(span, profile.today())
    if kind is not None and kind not in KINDS_CHOSEN:
        advice = f"There are: {', '.join(KINDS_CHOSEN)}."
        raise NotFoundError(f"there is no kind of item {kind!r}", advice=advice)
    if pack is not None and pack not in pack_folders(profile.home):
        raise NotFoundError(
            f"there is no pack {pack!r}", advice="`studyattn pack list` lists them."
        )
    with profile.database.read() as connection:
        if concept is not None:
            find_concept(connection, concept)
        if source is not None:
            source = find_source(connection, source).guid
    return Chosen(first, concept, source, tag, kind, pack)


def filters(profile: Profile) -> dict[str, str]:
    """Return what figures can be restricted to: names by `kind:…`, `tag:…` and so on."""
    with profile.database.read() as connection:
        named = {f"kind:{kind}": f"Kind: {kind}" for kind in KINDS_CHOSEN}
        named |= {f"pack:{name}": f"Pack: {name}" for name in pack_folders(profile.home)}
        named |= {f"tag:{tag}": f"Tag: {tag}" for tag in tags_of_items(connection)}
        named |= {f"source:{e.guid}": f"Source: {e.title}" for e in all_sources(connection)}
        named |= {f"concept:{e.slug}": f"Concept: {e.title}" for e in all_concepts(connection)}
    return named


def present_of(profile: Profile) -> Present:
    """Return the present moment of a profile."""
    moment, scheduling = profile.moment(), profile.settings.scheduling
    return Present(moment.at, moment.utc_offset, scheduling.rollover_hour, scheduling.parameters)


class FigureReader:
    """Reads what figures are of: chosen days and items, one item, or a fit.

    The parameters of a figure's function are names of these attributes.
    """

    def __init__(
        self,
        profile: Profile,
        chosen: Chosen | None = None,
        *,
        guid: str = "",
        fit: Fit | None = None,
    ) -> None:
        self._profile, self._chosen, self._guid, self._fit = profile, chosen or Chosen(), guid, fit
        self._scheduling = profile.settings.scheduling
        self.present = present_of(profile)
        self.today, self.first = self.present.today, self._chosen.first
        self.desired = self._scheduling.desired_retention

    @cached_property
    def days(self) -> dict[date, Tally]:
        """The answers of each day."""
        with self._profile.database.read() as connection:
            if not self._chosen.all_items:
                (groups,) = answers_by(connection, self._chosen, (By.DAY,))
                return tally(groups, lambda group: group.day)
            totals = day_totals(connection, SECONDS, self.first or date.min)
            return {each.day: Tally.of((each,)) for each in totals}

    @cached_property
    def by_day(self) -> list[AnswerGroup]:
        """Answers by day."""
        return self._answers(By.DAY)[0]

    @cached_property
    def by_each(self) -> list[list[AnswerGroup]]:
        """Answers by day, by hour and by kind, of one reading."""
        return self._answers(By.DAY, By.HOUR, By.KIND)

    def _answers(self, *ways: By) -> list[list[AnswerGroup]]:
        """Return the answers counted each way; those of all items are kept for the next time."""
        database, chosen = self._profile.database, self._chosen
        with database.read() as connection:
            keeps = uses_kept(connection, chosen) and database.hindrance is None
            first = first_not_kept(connection) if keeps else None
        if first is not None and first < stored_day(self.today):
            with database.write() as connection:
                keep(connection)
        with database.read() as connection:
            return answers_by(connection, chosen, ways)

    @cached_property
    def came(self) -> list[Added]:
        """Instants at which items were added."""
        with self._profile.database.read() as connection:
            return list(items_added(connection, self._chosen))

    @cached_property
    def items(self) -> list[ItemNow]:
        """The items as they are now."""
        with self._profile.database.read() as connection:
            return list(items_now(connection, self._chosen))

    @cached_property
    def active(self) -> list[ItemNow]:
        """The items that are not suspended."""
        return [each for each in self.items if not each.suspended]

    @cached_property
    def concepts(self) -> list[ConceptMemory]:
        """The memory of each concept."""
        with self._profile.database.read() as connection:
            titles = concept_titles(connection)
        return concept_memories(self.active, titles, self.present, self.desired)

    @cached_property
    def events(self) -> list[DrillEvent]:
        """The log of drills."""
        with self._profile.database.read() as connection:
            return list(drill_events(connection, self._chosen))

    @cached_property
    def judged(self) -> Judged:
        """Forecasts beside what happened: of the fit, or of the chosen reviews."""
        if self._fit is not None:
            return Judged.of_fit(self._fit)
        with self._profile.database.read() as connection:
            outcomes, share = outcomes_in(connection, self._chosen, _JUDGED)
        return Judged.of(outcomes, self._scheduling.parameters, share)

    @cached_property
    def loads(self) -> list[Load]:
        """The year to come, under the desired retention and others."""
        with self._profile.database.read() as connection:
            totals = [*day_totals(connection, SECONDS, self.today - timedelta(days=_YEAR))]
            learner = learner_of(Estimator(connection, lessons=False).pace, totals)
        year, seconds = Tally.of(totals), learner.pace.a_card
        if year.answers >= RATED:
            seconds = max(1.0, year.seconds / year.answers)
        a_day = self._profile.settings.new_per_day
        steady = steady_learner(seconds, learner.recalled)
        return loads_ahead(self.active, self.present, steady, self._scheduling, a_day)

    @cached_property
    def story(self) -> Story:
        """The reviews of the item, and its memory."""
        guid = self._guid
        with self._profile.database.read() as connection:
            if not has_item(connection, guid):
                raise NotFoundError(f"there is no card or drill {guid!r}")
            return read_story(connection, guid, self._profile.scheduler)


class FigureRow(NamedTuple):
    """One figure of the table."""

    tell: Callable[..., Telling]
    name: str
    title: str
    shape: Shape
    along: str  # the sign of the unit of its labels, where they are numbers
    series: str
    empty: str = ""  # the sentence where no number is there

    def drawn(self, *known: object) -> Figure | None:
        """Return the figure of what is known, in the order of the function's parameters.

        None where the function yields no rows: there is no such figure now.
        """
        telling = self.tell(*known)
        rows = next(telling, None)
        if rows is None:
            return None
        figure = Figure.of(self.name, self.title, self.shape, self.along, self.series, rows)
        if self.empty and figure.empty:
            return replace(figure, meaning=self.empty)
        return replace(figure, meaning=sentence_of(telling))

    def read(self, reading: FigureReader) -> Figure | None:
        """Return the figure of what there is to read."""
        return self.drawn(*(getattr(reading, name) for name in signature(self.tell).parameters))


@dataclass(frozen=True, slots=True)
class StatisticsPage:
    """Some figures of one subject, the quickest first; `about` is a few words on them."""

    name: str
    title: str
    about: str
    rows: list[FigureRow] = field(default_factory=list)

    def read(self, reading: FigureReader) -> Iterator[Figure]:
        """Yield the figures of what there is to read."""
        found = (row.read(reading) for row in self.rows)
        yield from (each for each in found if each is not None)


def _read_table() -> Iterator[StatisticsPage]:
    page = None
    for line in Path(__file__).with_name("figures.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            heading, _, about = line[1:].partition("] ")
            name, _, title = heading.partition(": ")
            page = StatisticsPage(name, title, about)
            yield page
        elif page is not None and line.startswith(" "):
            page.rows[-1] = page.rows[-1]._replace(empty=line.strip())
        elif page is not None and line:
            where, name, title, shape, series = map(str.strip, line.split("|"))
            module, _, function = where.partition(".")
            shape, _, along = shape.partition(" along ")
            tell = getattr(import_module(f"{__package__}.{module}"), function)
            page.rows.append(FigureRow(tell, name, title, Shape(shape), along, series))


*PAGES, _CARD = _read_table()
FIGURES: Final = {row.name: row for page in PAGES for row in page.rows}


def figures_of(name: str, profile: Profile, chosen: Chosen) -> tuple[Figure, ...]:
    """Return the figures of a page, or of `all`. Raises NotFoundError for an unknown one."""
    reading = FigureReader(profile, chosen)
    pages = PAGES if name == "all" else (page_named(name),)
    return tuple(figure for page in pages for figure in page.read(reading))


def page_named(name: str) -> StatisticsPage:
    """Return the page of this name. Raises NotFoundError for an unknown one."""
    for page in PAGES:
        if page.name == name:
            return page
    names = ", ".join(page.name for page in PAGES)
    raise NotFoundError(f"there is no page {name!r}", advice=f"There are: {names}.")


def card_figures(profile: Profile, guid: str) -> tuple[Figure, ...]:
    """Return the figures of one item. Raises NotFoundError where there is none."""
    return tuple(_CARD.read(FigureReader(profile, guid=guid)))


def fit_with_figures(profile: Profile) -> tuple[Fit, tuple[Figure, ...]] | None:
    """Fit the model, and return the calibration before and after on reviews that it has not seen.

    None while the log has too few reviews.
    """
    fit = fit_parameters(profile)
    if fit is None:
        return None
    return fit, tuple(page_named("calibration").read(FigureReader(profile, fit=fit)))


def shared_figures(
    profile: Profile, concept: str | None = None, source: str | None = None
) -> tuple[Figure, ...]:
    """Return the figures of a page that others read: a year's, of all or of a part."""
    reading = FigureReader(profile, Chosen(first_day("year", profile.today()), concept, source))
    pages = map(page_named, ("activity", "retention", "memory", "concepts"))
    found = (figure for page in pages for figure in page.read(reading))
    return tuple(each for each in found if each.shape is not Shape.CALENDAR)  # it has one on top
