"""Statistics: a summary, and pages of figures over chosen days and items.

What a page is made of is in `study.statistics.pages`; here a page is asked for and drawn. The
summary and the pages that say so are quick in any home; the others read the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from textual.containers import VerticalScroll
from textual.content import Content
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from studyattn.study import statistics
from studyattn.study.statistics.totals import Statistics
from studyattn.tui.formatting import join_lines, pad, paragraph
from studyattn.tui.screens.base import StudyScreen, queued
from studyattn.tui.widgets import charts
from studyattn.tui.widgets.figures import draw_figures
from studyattn.tui.widgets.header_footer import Offers

if TYPE_CHECKING:
    from studyattn.text.figure import Figure

_SUMMARY: Final = "summary"
_EVERYTHING: Final = "everything"
_SPANS: Final[Mapping[str, str]] = {
    "30d": "30 days",
    "90d": "90 days",
    "year": "a year",
    "all": "all days",
}


class StatsScreen(StudyScreen):
    """One page at a time, which scrolls where the terminal is small."""

    SCOPE = "Stats"
    CSS_PATH = "stats.tcss"

    def __init__(self) -> None:
        super().__init__()
        self._statistics: Statistics | None = None
        self._figures: list[Figure] = []
        self._waits = False  # for more figures of the page
        self._asked = 0  # how often something was asked for
        self._page = 0  # 0 is the summary
        self._span = 0
        self._filter = _EVERYTHING
        self._filter_name = ""

    def body(self) -> Iterable[Widget]:
        yield Static(id="pages", markup=False)
        with VerticalScroll(id="stats", classes="page"):
            yield Static(id="page", markup=False)

    def on_mount(self) -> None:
        for line in self.query("#pages, #page"):
            line.auto_links = False  # a name that can be clicked keeps its look

    async def load(self) -> None:
        self.query_one("#stats").focus()
        self._begin()
        await self._read(self._asked)

    def _begin(self) -> None:
        """Say that what is chosen now is being read; what was asked for before counts no more."""
        self._asked += 1
        self._figures, self._waits = [], True
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
            self._statistics = await self.database.run_with_profile(statistics.totals.statistics)
        else:
            rows = statistics.pages.PAGES[self._page - 1].rows
            kind, _, name = self._filter.partition(":")
            chosen = {} if self._filter == _EVERYTHING else {kind: name}
            span = list(_SPANS)[self._span]
            reading = await self.database.run_with_profile(
                lambda profile: statistics.pages.read_chosen(profile, span, **chosen)
            )
            for row in rows:
                figure = await self.database.run(partial(row.read, reading))
                if asked != self._asked:
                    return
                if figure is not None:
                    self._figures.append(figure)
                    self.draw()
        if asked == self._asked:
            self._waits = False
            self.draw()

    def draw(self) -> None:
        pages = statistics.pages.PAGES
        title = "Stats" if self._page == 0 else f"Stats: {pages[self._page - 1].title}"
        self.headline(title, self._subject() if self._page else self.date_text())
        names = ["Summary", *(each.title for each in pages)]
        self.query_one("#pages", Static).update(_page_names(names, self._page))
        shown = self.query_one("#page", Static)
        width = self.size.width - 6 - _SCROLL_BAR  # which comes once there is more than has room
        height = self.query_one("#stats").size.height - 1
        if self._page == 0 and self._statistics is not None:
            drawn = charts.draw(self._statistics, self.days().today, width, height)
            if not self._statistics.reviews:
                drawn = join_lines([drawn, Content(), *_contents(width)])
            shown.update(drawn)
        elif self._page and not self._waits:
            shown.update(draw_figures(self._figures, width, height))
        else:
            page = pages[self._page - 1].name if self._page else ""
            reads = page == "calibration" or (page and self._filter != _EVERYTHING)
            words = Content.styled("Reading the log …" if reads else "Adding up …", "$quiet")
            there = [draw_figures(self._figures, width), Content()] if self._figures else []
            shown.update(join_lines([*there, words]))

    def _subject(self) -> str:
        chosen = "" if self._filter == _EVERYTHING else f", {self._filter_name}"
        return list(_SPANS.values())[self._span] + chosen

    def action_page(self, number: int) -> None:
        """Open a page by its number; 0 is the summary."""
        self._page = number
        self.query_one("#stats", VerticalScroll).scroll_home(animate=False)
        self._ask_anew()

    def action_turn(self, by: int) -> None:
        """Open the next page, or the one before."""
        self.action_page((self._page + by) % (len(statistics.pages.PAGES) + 1))

    def action_range(self) -> None:
        """Look at the next longer span of days."""
        if self._page == 0:
            self.show_hints("the summary always covers all days")
            return
        self._span = (self._span + 1) % len(_SPANS)
        self._ask_anew()

    @queued
    async def action_filter(self) -> None:
        """Choose the items that the pages are about."""
        # Late: most visits do without.
        from studyattn.tui.dialogs.picker import PickScreen

        choices = await self.database.run_with_profile(statistics.pages.filters)
        names = {_EVERYTHING: "All items", **choices}

        async def take(chosen: str) -> None:
            self._filter, self._filter_name = chosen, names[chosen]
            if self._page == 0:
                self._page = 1
            self._ask_anew()

        self.ask(PickScreen("Filter by", names), take)

    @queued
    async def action_fit(self) -> None:
        """Fit the model to the log, and show its forecasts before and after."""
        self.show_hints("fitting the model to your reviews …")
        fitted = await self.database.run_with_profile(statistics.pages.fit_with_figures)
        if fitted is None:
            fewest = statistics.totals.FEWEST_REVIEWS
            self.show_hints(f"too few reviews: {fewest} on later days are needed")
            return
        self._page = 1 + [each.name for each in statistics.pages.PAGES].index("calibration")
        self._asked += 1  # a page that is still being read comes too late
        fit, figures = fitted
        self._figures, self._waits = list(figures), False
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
            yield row.stylize(Style.from_meta({"@click": f"screen.page({number - 1})"}))


_SCROLL_BAR: Final = 1
_NAMES: Final = 18
"""Columns of a page's number and name."""


def _page_names(names: Iterable[str], chosen: int) -> Content:
    """Numbers and names of the pages, the chosen one underlined; a click opens one."""
    parts = []
    for number, name in enumerate(names):
        style = "$accent bold underline" if number == chosen else "$quiet"
        click = Style.from_meta({"@click": f"screen.page({number})"})
        parts.append(Content.styled(f"{number + 1} {name}", style).stylize(click))
    return Content("  ").join(parts)
