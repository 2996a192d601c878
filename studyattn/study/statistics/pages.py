"""The figures of statistics, page by page, as `figures.txt` lists them.

Each line there has the function that tells a figure, its name, its title, how it is drawn, and its
series. To add one, add a line, and the function to the module of its subject: its parameters are
names of what `Reading` reads, and it returns a sentence and rows. The command, CSV, JSON, the
screen and the web page show it then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from inspect import signature
from pathlib import Path
from typing import Final

from studyattn.errors import NotFoundError
from studyattn.memory.fit import Fit
from studyattn.store.queries.chosen import Chosen
from studyattn.study.profile import Profile
from studyattn.study.statistics import answers, calibration, drills, items, load, one_card
from studyattn.study.statistics.reading import Reading, choose, filters, first_day, present_of
from studyattn.study.statistics.totals import fit_parameters
from studyattn.text.figure import Figure, Shape, Told

__all__ = ["FIGURES", "PAGES", "Page", "choose", "filters", "first_day", "present_of"]

_MODULES = {
    each.__name__.rpartition(".")[2]: each
    for each in (answers, calibration, drills, items, load, one_card)
}


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of the table. `tell` returns None where there is no such figure now."""

    tell: Callable[..., Told | None]
    name: str
    title: str
    shape: Shape
    along: str  # the sign of the unit of its labels, where they are numbers
    series: str

    def drawn(self, *known: object) -> Figure | None:
        """Return the figure of what is known, in the order of the function's parameters."""
        told = self.tell(*known)
        if told is None:
            return None
        return Figure.of(self.name, self.title, self.shape, self.along, self.series, told)

    def read(self, reading: Reading) -> Figure | None:
        """Return the figure of what there is to read."""
        return self.drawn(*(getattr(reading, name) for name in signature(self.tell).parameters))


@dataclass(frozen=True, slots=True)
class Page:
    """Some figures of one subject, the quickest first; `about` is a few words on them."""

    name: str
    title: str
    about: str
    rows: list[Row] = field(default_factory=list)

    def read(self, reading: Reading) -> Iterator[Figure]:
        """Yield the figures of what there is to read."""
        found = (row.read(reading) for row in self.rows)
        yield from (each for each in found if each is not None)

    def figures(self, profile: Profile, chosen: Chosen) -> tuple[Figure, ...]:
        """Return all figures of the chosen days and items."""
        return tuple(self.read(Reading(profile, chosen)))


def _read_table() -> Iterator[Page]:
    page = None
    for line in Path(__file__).with_name("figures.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            heading, _, about = line[1:].partition("] ")
            name, _, title = heading.partition(": ")
            page = Page(name, title, about)
            yield page
        elif page is not None and line:
            where, name, title, shape, series = map(str.strip, line.split("|"))
            module, _, function = where.partition(".")
            shape, _, along = shape.partition(" along ")
            tell = getattr(_MODULES[module], function)
            page.rows.append(Row(tell, name, title, Shape(shape), along, series))


*PAGES, _CARD = _read_table()
FIGURES: Final = {row.name: row for page in PAGES for row in page.rows}


def page_named(name: str) -> Page:
    """Return the page of this name. Raises NotFoundError for an unknown one."""
    for page in PAGES:
        if page.name == name:
            return page
    names = ", ".join(page.name for page in PAGES)
    raise NotFoundError(f"there is no page {name!r}", advice=f"There are: {names}.")


def read_chosen(profile: Profile, span: str, **filters: str) -> Reading:
    """Return what there is to read of chosen days and items, as `choose` has them."""
    return Reading(profile, choose(profile, span, **filters))


def card_figures(profile: Profile, guid: str) -> tuple[Figure, ...]:
    """Return the figures of one item. Raises NotFoundError where there is none."""
    return tuple(_CARD.read(Reading(profile, guid=guid)))


def fit_with_figures(profile: Profile) -> tuple[Fit, tuple[Figure, ...]] | None:
    """Fit the model, and return the calibration before and after on reviews that it has not seen.

    None while the log has too few reviews.
    """
    fit = fit_parameters(profile)
    if fit is None:
        return None
    return fit, tuple(page_named("calibration").read(Reading(profile, fit=fit)))


def shared_figures(
    profile: Profile, concept: str | None = None, source: str | None = None
) -> tuple[Figure, ...]:
    """Return the figures of a page that others read: a year's, of all or of a part."""
    reading = Reading(profile, Chosen(first_day("year", profile.today()), concept, source))
    pages = map(page_named, ("activity", "retention", "memory", "concepts"))
    found = (figure for page in pages for figure in page.read(reading))
    return tuple(each for each in found if each.shape is not Shape.CALENDAR)  # it has one on top
