"""Makes the page of a learner's first ten days: `python docs/make_first_days.py`.

A learner is simulated in a temporary home, under a clock that stands where it is put: the running
app is driven by keys, evening after evening, as a person would do it. Answers are right or wrong by
a seeded generator, drills are the pack's solutions, one of them after an attempt without its √d.
What the app showed on the way are the pictures, and its own figures are the numbers of the page, so
the same content gives the same: the table of `docs/first-days.md`, and `screenshots/days-*.svg`.

`--size 60x20 --walk FOLDER` writes every screen of those days to a folder instead, to be looked at;
`--swaps` takes the pictures of `docs/first-model.md`, in the 22 days that all of its parts take.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from make_screenshots import FOLDER, graded, same_questions, settle
from textual.pilot import Pilot

from studyattn.bundled import content_dir
from studyattn.home import Home
from studyattn.study.clock import FixedClock
from studyattn.study.concepts.path import read_path
from studyattn.study.lessons import choices_of
from studyattn.study.practice import first_model
from studyattn.study.profile import Profile
from studyattn.study.statistics.today import done_on
from studyattn.tui.app import StudyApp
from studyattn.tui.screens.debrief import DebriefScreen
from studyattn.tui.screens.drill import DrillScreen
from studyattn.tui.screens.lesson import LessonScreen
from studyattn.tui.screens.review import ReviewScreen
from studyattn.tui.theme import Look
from studyattn.tui.widgets.first_model import loss_text

if TYPE_CHECKING:
    from studyattn.study.review.views import RenderedCard

PAGE: Final = FOLDER.parent / "first-days.md"
BEGINS: Final = datetime(2026, 11, 2, 17, 0, tzinfo=UTC)
DAYS: Final = 10
SIZE: Final = (80, 24)
SLIP: Final = ("attention", " / math.sqrt(q.shape[-1])")
"""A drill whose first attempt lacks this."""

_RECALL: Final = 0.88
_PREDICTS: Final = 0.7
_MOST_KEYS: Final = 600  # of an evening; more would mean that the walk is stuck


@dataclass(frozen=True, slots=True)
class Wanted:
    """A picture of the page: taken at the first screen that shows what it is of."""

    day: int  # 0: any
    name: str
    says: str  # a part of what the screen shows


PICTURES: Final = (
    Wanted(1, "start", "start learning"),
    Wanted(1, "goal", "What do you want first?"),
    Wanted(1, "prediction", "✗ you said"),
    Wanted(1, "card", "What is ("),
    Wanted(1, "debrief", "words are compared"),
    Wanted(1, "end", "Done for now"),
    Wanted(2, "today", "Yesterday"),
    Wanted(0, "again", "Asked again"),
    Wanted(0, "mistake", "not divided by √d"),
    Wanted(10, "today", "Yesterday"),
    Wanted(10, "path", "The path"),
)


SWAPS: Final = tuple(
    Wanted(0, f"swap-{drill}", f"{drill}: {change}.")
    for drill, change in first_model.CHANGES.items()
    if not change.startswith("the same text")
)
"""Of the first model, after each drill that changes its text."""


@dataclass(slots=True)
class Day:
    """The figures of one evening, as the app has them."""

    number: int
    minutes: int
    answers: int
    new: int
    held: int
    drills: list[str]
    begun: int
    loss: str


@dataclass(slots=True)
class Walker:
    """A learner at the keys."""

    app: StudyApp
    pilot: Pilot[None]
    clock: FixedClock
    random: Random
    day: int
    walk: Path | None = None  # where every screen is written, in place of the page's pictures
    wanted: tuple[Wanted, ...] = PICTURES
    shown: int = 0
    drills: list[str] = field(default_factory=list)

    async def press(self, *keys: str) -> None:
        """Press keys, and look at what they lead to."""
        await self.pilot.press(*keys)
        await self.look()

    async def look(self) -> None:
        """Wait until all is drawn, and keep a picture if it is wanted."""
        await settle(self.app, self.pilot)
        if self.walk is not None:
            self.shown += 1
            self.keep(self.walk / f"{self.day:02}-{self.shown:03}.svg")
            return
        missing = [each for each in self.wanted if each.day in {0, self.day}]
        missing = [each for each in missing if not picture(each).exists()]
        if not missing:
            return
        text = "\n".join(
            "".join(each.text for each in strip)
            for strip in self.app.screen._compositor.render_strips()  # noqa: SLF001 - as Textual's own pictures
        )
        for wanted in missing:
            if wanted.says in text:
                self.keep(picture(wanted))

    def keep(self, file: Path) -> None:
        """Write a picture of what the app shows."""
        svg = self.app.export_screenshot(title="studyattn")
        file.write_text(svg, encoding="utf-8")
        print(file, flush=True)

    async def evening(self) -> None:
        """Study until the app says that it is done; the space bar leads through."""
        await self.look()
        await self.model_written()
        if self.day == 1:
            await self.press("Y")
            await self.press("escape")
        await self.press("space")
        for _ in range(_MOST_KEYS):
            screen = self.app.screen
            if isinstance(screen, LessonScreen):
                await self.read(screen)
            elif isinstance(screen, DrillScreen):
                await self.write(screen)
            elif isinstance(screen, DebriefScreen):
                await self.model_written()
                await self.press("space")
            elif not isinstance(screen, ReviewScreen):
                return
            else:
                await self.review(screen)
        raise RuntimeError(f"day {self.day} does not end")

    async def read(self, lesson: LessonScreen) -> None:
        """Read on, or predict an output once its choices are on the screen."""
        self.spend(12, 25)
        asked = lesson._asked  # noqa: SLF001 - what a learner sees on the screen
        if asked is None or lesson._below or lesson.typed.has_focus:  # noqa: SLF001
            await self.press("enter" if lesson.typed.has_focus else "space")
            return
        choices = choices_of(asked[1])
        wrong = [each for each in choices if each != asked[1].output.strip()]
        knows = self.random.random() < _PREDICTS and self.day > 1
        given = asked[1].output.strip() if knows else self.random.choice(wrong)
        await self.press(str(choices.index(given) + 1))

    async def review(self, screen: ReviewScreen) -> None:
        """Answer and rate a card, open a drill, or leave at the end."""
        card = screen._unanswered  # noqa: SLF001 - as above
        if card is not None and card.drill_id is None:
            self.spend(6, 18)
            if screen.typed.has_focus:
                self.type(screen, card)
            await self.press("enter")
        elif screen.is_revealed and screen.comparison is None:
            await self.press("3" if self.random.random() < _RECALL else "1")
        else:
            await self.press("space")

    def type(self, screen: ReviewScreen, card: RenderedCard) -> None:
        """Type the answer, or a wrong one."""
        known = self.random.random() < _RECALL and card.expected is not None
        screen.typed.value = card.expected.shown if known and card.expected else "0"

    async def write(self, screen: DrillScreen) -> None:
        """Write the drill's solution and hand it in, then rate it as the app suggests."""
        drill = screen.identifier
        folder = content_dir() / "attention" / "drills" / drill
        files = (folder / name for name in ("solution_numpy.py", "solution.py"))
        solution = next(each for each in files if each.exists()).read_text("utf-8")
        tries = [solution]
        if drill == SLIP[0] and drill not in self.drills:
            tries.insert(0, solution.replace(SLIP[1], ""))
        for code in tries:
            self.spend(120, 300)
            screen.session.file.write(code)
            await asyncio.sleep(0.5)  # the app notices, and grades
            await settle(self.app, self.pilot)
            await graded(self.app, self.pilot)
            await self.look()
        self.drills.append(drill)
        if screen._code.has_focus:  # noqa: SLF001 - as above
            await self.press("escape")
        await self.press("space")
        await self.press("space")

    async def model_written(self) -> None:
        """Wait until the first model has written with the code that has passed."""
        async with asyncio.timeout(120):
            is_behind = True
            while is_behind:
                await asyncio.sleep(0.2)
                is_behind = (await self.app.database.run_with_profile(first_model.look))[
                    1
                ] is not None
        await self.look()

    def spend(self, least: float, most: float) -> None:
        """Let so many seconds pass."""
        self.clock.advance(timedelta(seconds=self.random.uniform(least, most)))


def picture(wanted: Wanted) -> Path:
    """Return the file of a picture."""
    day = f"{wanted.day}-" if wanted.day else ""
    return FOLDER / f"days-{day}{wanted.name}.svg"


def figures(profile: Profile, number: int, drills: list[str], loss: str) -> Day:
    """Read the figures of an evening."""
    today = profile.today()
    done, (total, *_) = done_on(profile, today), _totals(profile)
    if done is None:
        raise RuntimeError(f"nothing was answered on day {number}")
    return Day(
        number=number,
        minutes=round(total / 60),
        answers=done.answers,
        new=done.new,
        held=done.held,
        drills=drills,
        begun=read_path(profile).begun,
        loss=loss,
    )


def _totals(profile: Profile) -> list[float]:
    from studyattn.store.queries.days import day_totals
    from studyattn.study.review.pace import SECONDS

    with profile.database.read() as connection:
        return [each.seconds for each in day_totals(connection, SECONDS)]


async def live(
    home: Home, size: tuple[int, int], walk: Path | None, count: int, wanted: tuple[Wanted, ...]
) -> list[Day]:
    """Live through the days, and return their figures."""
    clock, random, days = FixedClock(BEGINS, 60), Random(7), []
    for number in range(1, count + 1):
        clock.at = BEGINS + timedelta(days=number - 1)
        app = StudyApp(home, clock, Look.DARK)
        async with app.run_test(size=size) as pilot:
            await settle(app, pilot)
            walker = Walker(app, pilot, clock, random, number, walk, wanted)
            await walker.evening()
            await walker.model_written()
            if number == DAYS:
                await walker.press("p")
                await app.screen.painted()  # type: ignore[attr-defined] # the path's own
                await asyncio.sleep(2)  # its dates are estimated
                await walker.look()
            shown, _ = await app.database.run_with_profile(first_model.look)
            loss = loss_text(shown.now) if shown is not None else "–"
            days.append(await app.database.run_with_profile(figures, number, walker.drills, loss))
            print(days[-1])
    return days


_TABLE: Final = re.compile(r"(?<=\n\|---).*?\n\n", re.DOTALL)
"""The table of the page, from its second line on."""


def filled(page: str, days: list[Day]) -> str:
    """Return the page with the days' figures in its table."""
    rows = "\n".join(
        f"| {day.number} | {day.minutes} | {day.answers} | {day.new or '–'} | {day.held or '–'} | "
        f"{', '.join(f'`{each}`' for each in day.drills) or '–'} | {day.begun} | {day.loss} |"
        for day in days
    )
    return _TABLE.sub(lambda _: f"{'|---' * 7}|\n{rows}\n\n", page, count=1)


def main(size: tuple[int, int], walk: Path | None, count: int, wanted: tuple[Wanted, ...]) -> None:
    """Live through the days and write the page, or only the screens where `walk` is given."""
    same_questions()
    for each in wanted if walk is None else ():
        picture(each).unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="studyattn-") as folder:
        os.environ["HOME"] = folder  # paths on the pictures begin with ~
        days = asyncio.run(live(Home(Path(folder) / "home"), size, walk, count, wanted))
    missing = [each.name for each in wanted if walk is None and not picture(each).exists()]
    if missing:
        raise RuntimeError(f"no screen showed {', '.join(missing)}")
    if walk is None and wanted is PICTURES:
        PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), days), encoding="utf-8")
        print(PAGE)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", default="x".join(map(str, SIZE)), metavar="WxH")
    parser.add_argument("--walk", type=Path, metavar="FOLDER")
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("--swaps", action="store_true")
    given = parser.parse_args()
    width, height = map(int, given.size.split("x"))
    if given.swaps:
        main((width, height), None, 22, SWAPS)
    else:
        main((width, height), given.walk, given.days, PICTURES)
