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

from studyattn.errors import DamagedDatabaseError
from studyattn.study import concepts, review, statistics
from studyattn.tui.actions import Scope
from studyattn.tui.screens.base import StudyScreen, queued
from studyattn.tui.widgets.header_footer import Hint, hint

if TYPE_CHECKING:
    from pathlib import Path

    from studyattn.errors import StudyattnError
    from studyattn.store.backup_files import Backup
    from studyattn.study.profile import Profile
    from studyattn.study.review.views import Suggestion
    from studyattn.study.statistics.today import Today

_WIDEST = 100
_TALL = 30  # lines
_FRAME = 7  # columns around the page: its padding, and a scroll bar


class TodayScreen(StudyScreen):
    """Always at the bottom of the stack of screens."""

    SCOPE = Scope.TODAY

    def __init__(self) -> None:
        super().__init__()
        self._today: Today | None = None
        self._failed = False
        self._problems: tuple[StudyattnError, ...] = ()
        self._damage: DamagedDatabaseError | None = None
        self._backup: Backup | None = None

    def body(self) -> Iterable[Widget]:
        with VerticalScroll(id="day", classes="page"):
            yield Static(id="page", markup=False)

    def on_mount(self) -> None:
        self.query_one("#page").auto_links = False  # a word that can be clicked keeps its colour

    async def load(self) -> None:
        try:
            if self._today is None:
                await self.services.open_home()
            self._today, self._problems = await self.database.run_with_profile(_read)
        except DamagedDatabaseError as error:
            await self._offer_backup(error)
            return
        except Exception:
            self._failed, self._damage = True, None
            self.draw()
            self.show_hints()
            raise
        self._failed, self._damage = False, None
        self.draw()
        self.show_hints()

    async def _offer_backup(self, error: DamagedDatabaseError) -> None:
        """The damaged file is not touched; the learner may put the newest good backup in place."""

        def newest() -> Backup | None:
            # Late: only a damaged database needs it.
            from studyattn.store.backup_files import newest_good

            return newest_good(self.services.home)

        self._failed, self._damage, self._today = True, error, None
        self._backup = await self.database.run(newest)
        self.draw()
        self.show_hints()

    def draw(self) -> None:
        """Draw the day, or, on a first start, three ways to begin."""
        page = self.query_one("#page", Static)
        today = self._today
        if today is None and not self._failed:
            self.headline("studyattn", self.date_text())
            page.update(Content.styled("Opening your cards …", "$quiet"))
            return
        # Late: the first frame does without it.
        from studyattn.tui.widgets import today_view

        width = min(_WIDEST, self.size.width - _FRAME)
        if today is None:
            self.headline("studyattn", self.date_text())
            if self._damage is None:
                page.update(today_view.draw_failed(width))
            else:
                damage = f"{self._damage.where}: {self._damage.message}."
                backup, offset = self._backup, self.utc_offset()
                page.update(today_view.draw_damaged(damage, backup, offset, width))
            return
        self.headline("studyattn", today_view.headline(today, self.date_text()))
        problems = [str(problem) for problem in self._problems]
        if today_view.is_first_start(today):
            page.update(today_view.draw_first_start(today, problems, width))
        else:
            tall = self.size.height >= _TALL
            page.update(today_view.draw(today, problems, self.utc_offset(), width, tall=tall))

    @property
    def suggestion(self) -> Suggestion | None:
        """The change of a concept's state that the program would make."""
        return self._today.suggestion if self._today else None

    def hints(self) -> Iterable[Hint]:
        if self._failed:
            if self._damage is None:
                yield hint("today.retry")
            elif self._backup is not None:
                yield hint("today.retry", "restore the backup")
            yield hint("go.away")
            return
        today = self._today
        if today is not None and today.now:
            yield hint("today.start")
        yield hint("today.drills")
        for name in ("concepts", "cards", "notes", "stats", "import"):
            yield hint(f"go.{name}")
        yield hint("today.undo")
        yield hint("go.away")

    def action_back(self) -> None:
        """Show how to leave: there is nothing behind Today."""
        self.show_hints("q quits")

    def action_retry(self) -> None:
        """Open or read again what could not be; where it is damaged, from the backup."""
        if self._failed:
            self.do(self.load if self._backup is None else self._restore)

    async def _restore(self) -> None:
        backup = self._backup
        if backup is None or self._damage is None:
            return

        def put_in_place() -> Path | None:
            # Late, as above.
            from studyattn.store.backup import restore

            return restore(self.services.home, backup.path, now=self.services.clock.now())

        kept = await self.database.run_closed(put_in_place)
        self._backup = None
        await self.load()
        self.show_hints(f"restored; the damaged file is {kept.name}" if kept else "restored")

    def action_start(self) -> None:
        """Review what is due."""
        self.go("review")

    def action_drills(self) -> None:
        """Open the list of drills, one that is due chosen."""
        self.go("drills")

    @queued
    async def action_order(self) -> None:
        """Ask drills first, last, mixed in, or only cards: the next of these."""
        if self._today is None:
            return
        orders = list(type(self._today.order))
        order = orders[(orders.index(self._today.order) + 1) % len(orders)]
        await self.database.run_with_profile(
            lambda profile: profile.change_setting("interleave", order.value)
        )
        await self.load()

    @queued
    async def action_accept(self) -> None:
        """Say yes to the suggestion."""
        suggestion = self.suggestion
        if suggestion is None:
            return

        await self.database.run_with_profile(
            lambda profile: concepts.suggestions.accept(profile, suggestion)
        )
        await self.load()
        self.show_hints(f"{suggestion.title} is {suggestion.to_state} now")

    @queued
    async def action_later(self) -> None:
        """Put it off until tomorrow."""
        suggestion = self.suggestion
        if suggestion is None:
            return

        await self.database.run_with_profile(
            lambda profile: concepts.suggestions.put_off(profile, suggestion)
        )
        await self.load()
        self.show_hints("asked again tomorrow")

    @queued
    async def action_undo(self) -> None:
        """Take back the last review, of whatever day."""
        withdrawn = await self.database.run_with_profile(review.recorder.undo)
        await self.load()
        if withdrawn is None or withdrawn.review.rating is None:
            self.show_hints("nothing to undo")
        else:
            rating = withdrawn.review.rating.name.lower()
            self.show_hints(f"undone: {rating} on {withdrawn.review.item_guid}")


def _read(profile: Profile) -> tuple[Today, tuple[StudyattnError, ...]]:
    """Return the day, and what went wrong on opening. Runs in the database's thread."""
    return statistics.today.today(profile), profile.problems
