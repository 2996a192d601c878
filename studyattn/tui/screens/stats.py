"""Statistics: a summary, and pages of figures over chosen days and items.

What a page is made of is in `study.statistics.pages`; here a page is asked for and drawn. The
summary and the pages that say so are quick in any home; the others read the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Final

from textual.content import Content
from textual.widgets import Static

from studyattn.memory.state import Phase, Rating
from studyattn.store.vocabulary import KNOWN, KNOWN_UNKNOWN
from studyattn.study import statistics
from studyattn.study.statistics.pages import FIGURES
from studyattn.study.statistics.tally import Tally
from studyattn.study.statistics.totals import Statistics
from studyattn.text.figure import Figure, Row, Shape
from studyattn.tui.dialogs.dialog import PickScreen
from studyattn.tui.formatting import Lines, clickable, count, join_lines, pad, paragraph, tabs
from studyattn.tui.screens.base import ReadingScreen, need
from studyattn.tui.widgets.concept_state import NAMES, sign
from studyattn.tui.widgets.figures import draw_figures, weeks
from studyattn.tui.widgets.header_footer import Offers

_EVERYTHING: Final = "everything"
_SPANS: Final[Mapping[str, str]] = {
    "30d": "30 days",
    "90d": "90 days",
    "year": "a year",
    "all": "all days",
}


class StatsScreen(ReadingScreen):
    """One page at a time, which scrolls where the terminal is small."""

    SCOPE = "Stats"
    TABS = True
    _statistics: Statistics | None = None
    _figures: tuple[Figure, ...] = ()
    _waits = False  # for more figures of the page
    _asked = 0  # how often something was asked for
    _page = 0  # 0 is the summary
    _span = 0
    _filter = _EVERYTHING
    _filter_name = ""

    async def load(self) -> None:
        self._begin()
        await self._read(self._asked)

    def _begin(self) -> None:
        """Say that what is chosen now is being read; what was asked for before counts no more."""
        self._asked += 1
        self._figures, self._waits = (), True
        self.draw()

    def _ask_anew(self) -> None:
        """Read what is chosen now, at once: keys go on acting, and the last of them counts."""
        self._begin()
        self.show_hints()
        self.do(partial(self._read, self._asked))

    async def _read(self, asked: int) -> None:
        """Read and draw what was chosen then, for as long as nothing else is asked for."""
        if asked != self._asked:
            return
        if self._page == 0:
            self._statistics = await self.study(statistics.totals.statistics)
        else:
            pages = statistics.pages
            rows = pages.PAGES[self._page - 1].rows
            kind, _, name = self._filter.partition(":")
            chosen = {} if self._filter == _EVERYTHING else {kind: name}
            span = list(_SPANS)[self._span]
            reading = await self.study(
                lambda profile: pages.FigureReader(profile, pages.choose(profile, span, **chosen))
            )
            for row in rows:
                figure = await self.database.run(row.read, reading)
                if asked != self._asked:
                    return
                if figure is not None:
                    self._figures += (figure,)
                    self.draw()
        if asked == self._asked:
            self._waits = False
            self.draw()

    def draw(self) -> None:
        pages = statistics.pages.PAGES
        title = "Stats" if self._page == 0 else f"Stats: {pages[self._page - 1].title}"
        filtered = "" if self._filter == _EVERYTHING else f", {self._filter_name}"
        subject = list(_SPANS.values())[self._span] + filtered
        self.headline(title, subject if self._page else self.date_text())
        names = ["Summary", *(each.title for each in pages)]
        self.query_one("#tabs", Static).update(_page_names(names, self._page, self.width))
        height = self.reading.size.height - 1
        if self._page == 0 and self._statistics is not None:
            drawn = draw_totals(self._statistics, self.days().today, self.width, height)
            if not self._statistics.reviews:
                drawn = join_lines([drawn, Content(), *_contents(self.width)])
            self.read(drawn)
        elif self._page and not self._waits:
            self.read(draw_figures(self._figures, self.width, height))
        else:
            self.read(self._so_far())

    def _so_far(self) -> Content:
        """Return the figures that are there already, and that others are on their way."""
        page = statistics.pages.PAGES[self._page - 1].name if self._page else ""
        reads = page == "calibration" or (page and self._filter != _EVERYTHING)
        words = Content.styled("Reading the log …" if reads else "Adding up …", "$quiet")
        there = [draw_figures(self._figures, self.width), Content()] if self._figures else []
        return join_lines([*there, words])

    def action_page(self, number: int) -> None:
        """Open a page by its number; 0 is the summary."""
        self._page = number
        self.reading.scroll_home(animate=False)
        self._ask_anew()

    def action_turn(self, by: int) -> None:
        self.action_page((self._page + by) % (len(statistics.pages.PAGES) + 1))

    def action_range(self) -> None:
        need(self._page, "the summary always covers all days")
        self._span = (self._span + 1) % len(_SPANS)
        self._ask_anew()

    async def action_filter(self) -> None:
        choices = await self.study(statistics.pages.filters)
        names = {_EVERYTHING: "All items", **choices}

        async def take(chosen: str) -> None:
            self._filter, self._filter_name = chosen, names[chosen]
            if self._page == 0:
                self._page = 1
            self._ask_anew()

        self.ask(PickScreen("Filter by", names), take)

    async def action_fit(self) -> None:
        self.show_hints("fitting the model to your reviews …")
        told = f"too few reviews: {statistics.totals.FEWEST_REVIEWS} on later days are needed"
        fitted = need(await self.study(statistics.pages.fit_with_figures), told)
        self._page = 1 + [each.name for each in statistics.pages.PAGES].index("calibration")
        self._asked += 1  # a page that is still being read comes too late
        fit, figures = fitted
        self._figures, self._waits = tuple(figures), False
        self.draw()
        used = "your own" if fit.adopted else "the default"
        self.show_hints(f"{used} parameters are now in use")

    def hints(self) -> Offers:
        days = bool(self._page) and "range"
        others = "filter go.today go.concepts go.cards go.settings"
        return "back next", ("page.1", "pages", "1-9"), days, others


def _contents(width: int) -> Iterable[Content]:
    """Yield a line for each page, with what it will show; a click opens one."""
    for number, page in enumerate(statistics.pages.PAGES, start=2):
        about = paragraph(Content.styled(page.about, "$quiet"), max(24, width - _NAMES))
        for place, line in enumerate(about):
            name = Content.styled(f"{number}", "$accent bold") if place == 0 else ""
            title = page.title if place == 0 else ""
            row = Content.assemble(pad(name, 3), pad(title, _NAMES - 3), line)
            yield clickable(row, f"screen.page({number - 1})")


_NAMES: Final = 18  # columns of a page's number and name


def _page_names(names: list[str], chosen: int, width: int) -> Content:
    """Numbers of the pages, and the names that fit, nearest first; a click opens one."""
    for far in sorted(range(len(names)), key=lambda number: -abs(number - chosen)):
        if len("  ".join(f"0 {name}".rstrip() for name in names)) > width:
            names[far] = ""
    shown = {
        f"screen.page({number})": f"{number + 1} {name}".rstrip()
        for number, name in enumerate(names)
    }
    return tabs(shown, f"screen.page({chosen})")


_BLOCK = 34  # the least columns of a figure of the summary
_LABEL = 16
_DAYS = 30  # of the reviews per day


def draw_totals(statistics: Statistics, today: date, width: int, height: int) -> Content:
    """Draw the summary: sentences, amounts, and figures, which take what is left of the height."""
    page = Lines(width)
    if not statistics.reviews:
        page.add("No reviews yet. Figures appear after your first card.")
        return page.content
    for told in statistics.meaning:
        page.wrap(told)
    page.add()
    retention = statistics.retention
    recalled = "—" if retention is None else f"{100 * retention:.0f}%"
    asked = count(statistics.retention_of, "review") if statistics.retention_of else "no review"
    hours = statistics.seconds / 3600
    spent = f"{hours:.1f} h" if hours >= 1 else f"{statistics.seconds / 60:.0f} min"
    amounts = (
        ("Retention", recalled, f"of {asked} in 30 days"),
        ("Answers", f"{statistics.reviews:,}", f"in {spent}"),
        ("Per card", f"{statistics.seconds_a_card:.0f} s", "on average"),
        ("Streak", count(statistics.streak, "day"), ""),
    )
    for label, value, remark in amounts:
        page.add((f"{label:<{_LABEL}}", "$quiet"), (value, "bold"), (f"  {remark}", "$quiet"))
    page.add()
    figures = draw_figures(_figures(statistics, today), width, height - len(page.lines), _BLOCK)
    return join_lines([*page.lines, figures])


def _figures(statistics: Statistics, today: date) -> list[Figure]:
    """The figures of the summary, from what it holds."""

    def figure(title: str, series: str, rows: Sequence[Row], shape: Shape = Shape.BARS) -> Figure:
        return Figure.of("", title, shape, "", series, rows)

    days = {
        day: Tally(statistics.by_day.get(day, 0), 60 * minutes)
        for day, minutes in statistics.minutes.items()
    }
    first = today - timedelta(days=_DAYS - 1)
    past = (FIGURES[name].drawn(days, first, today) for name in ("reviews", "minutes"))
    months = [(month, each.share, each.asked) for month, each in statistics.months.items()]
    phases = statistics.by_phase
    learning = phases.get(Phase.LEARNING, 0) + phases.get(Phase.RELEARNING, 0)
    concepts = sum(statistics.concepts.values())
    states = ((state, statistics.concepts.get(state, 0)) for state in (KNOWN_UNKNOWN, KNOWN))
    items: list[Row] = [
        ("Items begun", statistics.begun, statistics.items),
        ("Learning", learning, None),
        ("In review", phases.get(Phase.REVIEW, 0), None),
        ("Suspended", statistics.suspended, None),
        ("Leeches", statistics.leeches, None),
        ("Concepts begun", statistics.concepts_begun, concepts),
        *((f"{sign(state).plain} {NAMES[state]}", number, None) for state, number in states),
    ]
    ratings = [(each.name.lower(), statistics.ratings.get(each, 0)) for each in Rating]
    ahead = [(f"{day:%a} {day.day}", number) for day, number in statistics.forecast]
    return [
        figure("Answers", "answers", ratings),
        figure("Stability", "items", [*statistics.held.items()]),
        figure("Forecast", "due", ahead),
        figure("Items and concepts", "now, of", items, Shape.TABLE),
        figure("Retention by month", "recalled:%, of", months),
        weeks(statistics.by_day, today, "Reviews, week by week"),
        *filter(None, past),
    ]
