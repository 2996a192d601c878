"""Today: what is due now and later, what is known and what is not, the days ahead, one suggestion.

This is the first frame, and nothing that loads SQLAlchemy is imported for it. The modules of
`study` are imported when the database's thread first uses them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from studyattn.errors import DamagedDatabaseError, StudyattnError
from studyattn.store.vocabulary import KNOWN
from studyattn.study import concepts, review, statistics
from studyattn.tui.screens.base import StudyScreen, need
from studyattn.tui.services import BESIDE
from studyattn.tui.widgets.header_footer import Offers

if TYPE_CHECKING:
    from studyattn.study.practice.first_model import FirstModelText
    from studyattn.study.profile import Profile
    from studyattn.study.recovery import Recovery
    from studyattn.study.rules.evidence import Suggestion
    from studyattn.study.statistics.ahead import Ahead
    from studyattn.study.statistics.day import Today
    from studyattn.tui.attention_view.example import Rows
    from studyattn.tui.dialogs.editor import Written
    from studyattn.tui.widgets.first_model import FirstModelWriter

CHANGED = "changed outside the app: ^r reloads"
"""Said where another process has written to the home since it was read."""

_LOOK_OUTSIDE = 2.0  # seconds

_WIDEST = 150
_COLUMN = 100  # of a page with one column
_FRAME = 7  # columns around the page: its padding, and a scroll bar


class TodayScreen(StudyScreen):
    """Always at the bottom of the stack of screens."""

    SCOPE = "Today"
    EARLY = StudyScreen.EARLY | {"action_in_words", "action_retry", "action_start"}

    def __init__(self, ahead: Ahead | None = None) -> None:
        """`ahead` reads the numbers meanwhile; without it they are read after the first frame."""
        super().__init__()
        self._ahead = ahead
        self._today: Today | None = None
        self._failed = False
        self._problems: tuple[StudyattnError, ...] = ()
        self._moved: tuple[Suggestion, ...] = ()  # concepts that the program moved since the start
        self._weights: Rows = ()  # of the picture of a first start
        self._model: FirstModelText | None = None
        self._writer: FirstModelWriter | None = None
        self._damage: DamagedDatabaseError | None = None
        self._recovery: Recovery | None = None

    def body(self) -> Iterable[Widget]:
        with VerticalScroll(id="day", classes="page"):
            yield Static(Content.styled("Opening your cards …", "$quiet"), id="page", markup=False)

    def on_mount(self) -> None:
        self.set_interval(_LOOK_OUTSIDE, self._look_outside)
        if self._ahead is not None and self._ahead.is_there():
            self._today = self._glance()

    async def _look_outside(self) -> None:
        """Say that another process changed something; what is on the screen stays as it is."""
        if self.is_current and self.database.is_open and await self.database.is_changed_outside():
            self.show_hints(CHANGED)

    async def load(self) -> None:
        try:
            first = not self.database.is_open
            if first:
                if self._today is None:
                    self._today = await self.database.run(self._glance)
                    self.redraw()
                await self.painted()  # opening the home imports a lot
                await self.services.open_home()
            await self._read()
        except DamagedDatabaseError as error:
            await self._offer_recovery(error)
            return
        except Exception:
            self._failed, self._damage = True, None
            self.redraw()
            raise
        self._failed, self._damage = False, None
        self.redraw()
        self.run_worker(self._write_model(), group=BESIDE, exit_on_error=False)
        if not first:
            return
        await self._read_picture()
        # What this machine knows is on the screen; other machines may know more.
        try:
            changed = await self.services.sync_folder()
        except StudyattnError as error:
            self._problems = (*self._problems, error)
        else:
            if not changed:
                return
            await self._read()
        self.draw()

    async def _write_model(self) -> None:
        """Show what the first model writes now; nothing waits for it."""
        from studyattn.tui.widgets.first_model import FirstModelWriter  # late: as in `draw`

        def told(model: FirstModelText) -> None:
            self._model = model
            if self.is_attached:
                self.draw()

        if self._writer is None:
            self._writer = FirstModelWriter()
            self.ends.push_async_callback(self._writer.stop)
        await self._writer.write(self, told)

    async def _read_picture(self) -> None:
        from studyattn.tui.widgets import first_start, today_view  # late: the first frame

        if self._today is not None and today_view.is_first_start(self._today):
            self._weights = await self.database.run(first_start.first_weights)
            self.draw()

    async def _read(self) -> None:
        self._today, self._problems, moved = await self.study(_read)
        self._moved += moved

    def _glance(self) -> Today | None:
        """Return the day's numbers before the home is looked after; None if that cannot be."""
        if self._ahead is not None:
            ahead, self._ahead = self._ahead, None
            return _known(ahead.take())
        from studyattn.study.profile import glance  # late: in the database's thread

        try:
            with glance(self.services.home, self.services.clock) as reader:
                return None if reader is None else _known(statistics.today.numbers(reader))
        except Exception:  # noqa: BLE001 - whatever it is, opening the home properly tells of it
            return None

    async def _offer_recovery(self, error: DamagedDatabaseError) -> None:
        """The damaged file is not touched; the learner sees what recovery would take, and lose."""

        def look() -> Recovery | None:
            from studyattn.study.recovery import recover  # late: only a damaged database needs it

            try:
                found = recover(self.services.home, self.services.clock, dry_run=True)
            except StudyattnError:
                return None
            is_anything = any(each.read or each.added for each in found.tables)
            return found if is_anything or found.backup is not None else None

        self._failed, self._damage, self._today = True, error, None
        self._recovery = await self.database.run(look)
        self.redraw()

    def paint(self) -> None:
        self.draw()

    def offers(self) -> Offers:
        return self.hints()

    def draw(self) -> None:
        """Draw the day, or, on a first start, four ways to begin."""
        page = self.query_one("#page", Static)
        today = self._today
        if today is None and not self._failed:
            self.headline("studyattn", self.date_text())
            return
        from studyattn.tui.widgets import today_view  # late: the first frame does without it

        width = min(_WIDEST, self.size.width - _FRAME)
        if width < today_view.TWO_COLUMNS:
            width = min(_COLUMN, width)
        if today is None:
            self.headline("studyattn", self.date_text())
            page.update(today_view.draw_failed(self._damage, self._recovery, width))
            return
        self.headline("studyattn", today_view.headline(today, self.date_text()))
        problems = [str(problem) for problem in self._problems]
        if today_view.is_first_start(today):
            from studyattn.tui.widgets import first_start  # late, as above

            page.update(first_start.draw_first_start(today, problems, self._weights, width))
        else:
            size, moved = (width, self.size.height), self._moved
            page.update(
                today_view.draw(today, problems, self.days(), *size, moved=moved, model=self._model)
            )

    @property
    def suggestion(self) -> Suggestion | None:
        """The change of a concept's state that the program would make."""
        return self._today.suggestion if self._today else None

    def hints(self) -> Offers:
        today = self._today
        if self._failed:
            offers = self._damage is None or self._recovery is not None
            retry = ("retry", "recover" if self._damage else "")
            return ({retry: offers}, "quit")
        more = "" if today and today.now else "study more"
        begin = ("start", more) if self._has_more else None
        screens = "go.path go.concepts go.cards go.notes go.stats go.import"
        return (begin, "drills", screens, "undo quit")

    @property
    def _has_more(self) -> bool:
        """True if there is something to study, today or beyond its limits."""
        return _known(self._today) is not None

    async def action_start(self) -> None:
        if self._today and not self._today.now and self._has_more:
            await self.run_action("screen.more")
        else:
            self.go("review")

    def action_back(self) -> None:
        self.show_hints("q quits")

    def action_retry(self) -> None:
        if not self._failed:
            self.do(self._read_again)
        else:
            self.do(self.renew if self._recovery is None else self._recover)

    async def _read_again(self) -> None:
        self.services.adopt_theme(await self.study(lambda profile: profile.settings.theme))
        await self.renew()

    async def _recover(self) -> None:
        def put_in_place() -> Recovery:
            from studyattn.study.recovery import recover  # late, as above

            return recover(self.services.home, self.services.clock)

        done = await self.database.run_closed(put_in_place)
        self._recovery = None
        kept = f"; the damaged file is {done.kept.name}" if done.kept is not None else ""
        await self.reload(f"recovered{kept}")

    async def action_order(self) -> None:
        from studyattn.tui.widgets.today_view import ORDERS  # late, as in `draw`

        now = need(self._today).order
        orders = list(type(now))
        order = orders[(orders.index(now) + 1) % len(orders)]
        await self.study(lambda profile: profile.change_setting("interleave", order.value))
        await self.reload(ORDERS[order.value])

    async def action_goal(self) -> None:
        from studyattn.tui.dialogs.dialog import ListScreen  # late, as in `draw`
        from studyattn.tui.widgets.first_start import draw_goals

        found = await self.study(concepts.goals.goals_to_choose)
        need(found, "there is no goal to choose")
        now = next(each.name for each in found if each.is_chosen)

        async def choose(name: str) -> None:
            await self.study(concepts.goals.choose_goal, name)
            await self.renew()

        title, told = "What do you want first?", "The path leads there first. The rest follows."
        self.ask(ListScreen(title, draw_goals(found), told, now=now), choose)

    def action_capstone(self) -> None:
        runs = need(self._today).runs
        self.services.run_command(need(runs, "nothing runs yet: the path says how far it is").run)

    def action_in_words(self) -> None:
        known = [each.slug for each in self._moved if each.to_state == KNOWN]
        if known:
            self.go("explain", known[-1])
        else:
            self.show_hints("press w on a concept's page to explain it")

    async def action_backlog(self) -> None:
        today = need(self._today)
        if today.backlog is not None:
            await self.study(review.backlog.cancel_plan)
            await self.reload("canceled: all overdue cards are due now")
            return

        async def spread(written: Written) -> None:
            try:
                days = int(written["days"])
            except ValueError:
                self.show_hints(f"{written['days']!r} is not a number of days")
                return
            await self.study(review.backlog.make_plan, days)
            await self.reload("spread: - cancels")

        from studyattn.tui.dialogs.editor import EditorScreen, Field  # late, as in `draw`

        explanation = (
            "Over how many days? Each day shows part of the overdue cards, relatively most "
            "overdue first, and no new ones until they are done. No due date changes."
        )
        days = Field("days", "", str(today.behind_days or 2))
        title = "Spread the backlog"
        words = {"save": "spread", "leave": "cancel"}
        self.ask(EditorScreen(title, days, explanation=explanation, **words), spread)

    async def action_undo(self) -> None:
        withdrawn = await self.study(review.recorder.undo)
        undone = None if withdrawn is None else withdrawn.review
        told = undone and undone.rating and f"{undone.rating.name.lower()} on {undone.item_guid}"
        await self.reload(f"undone: {told}" if told else "nothing to undo")


def _known(today: Today | None) -> Today | None:
    """Return the day's numbers; None for a home without an item, before its packs are there."""
    is_there = today is not None and (today.now or today.never_asked or today.next_due)
    return today if is_there else None


def _read(profile: Profile) -> tuple[Today, tuple[StudyattnError, ...], tuple[Suggestion, ...]]:
    """Return the day, what went wrong on opening, and the concepts that the program moved.

    Runs in the database's thread.
    """
    moved = concepts.suggestions.move_on_evidence(profile)
    problems = profile.problems + review.redate.told_ahead(profile)
    return statistics.today.today(profile), problems, moved
