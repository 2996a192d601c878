"""Makes the page of a learner's first ten days: `python docs/make_first_days.py`.

A learner is simulated in a temporary home, under a clock that stands where it is put: the running
app is driven by keys, evening after evening, as a person would do it. Answers are right or wrong by
a seeded generator, drills are the pack's solutions, one of them after an attempt without its √d.
What the app showed on the way are the pictures, and its own figures are the numbers of the page, so
the same content gives the same page: `docs/first-days.md` and `docs/screenshots/days-*.svg`.

`--size 60x20 --walk FOLDER` writes every screen of those days to a folder instead, to be looked at.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final, cast

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
from studyattn.tui.app import StudyApp, make_app
from studyattn.tui.screens.debrief import DebriefScreen
from studyattn.tui.screens.drill import DrillScreen
from studyattn.tui.screens.lesson import LessonScreen
from studyattn.tui.screens.review import ReviewScreen, ReviewStage
from studyattn.tui.theme import Look
from studyattn.tui.widgets.first_model import loss_text

if TYPE_CHECKING:
    from studyattn.study.review.views import RenderedCard

PAGE: Final = FOLDER.parent / "first-days.md"
BEGINS: Final = datetime(2026, 11, 2, 17, 0, tzinfo=UTC)
DAYS: Final = int(os.environ.get("D", "10"))
SIZE: Final = (80, 24)
SLIP: Final = ("attention", " / math.sqrt(q.shape[-1])")
"""A drill whose first attempt lacks this."""

_RECALL: Final = 0.88
_PREDICTS: Final = 0.7
_MOST_KEYS: Final = 600  # of an evening; more would mean that the walk is stuck


@dataclass(frozen=True, slots=True)
class Wanted:
    """A picture of the page: taken at the first screen that shows what it is of."""

    day: int
    name: str
    says: str  # a part of what the screen shows
    told: str  # what the picture shows, for who cannot see it


PICTURES: Final = (
    Wanted(1, "start", "start learning", "The first screen: ways to begin, and attention at work"),
    Wanted(1, "prediction", "✗ you said", "A wrong prediction, and why it is wrong"),
    Wanted(1, "card", "What is (", "The first card, to be typed"),
    Wanted(1, "debrief", "words are compared", "The model's text before and after the first drill"),
    Wanted(1, "end", "Done for now", "The end of the first evening, and what tomorrow asks"),
    Wanted(2, "today", "Yesterday", "Today on the second evening: what yesterday brought"),
    Wanted(4, "lesson", "Lesson", "A lesson on the fourth evening"),
    Wanted(7, "mistake", "✗ 0 of", "A drill without its root: the mistake by its name"),
    Wanted(10, "today", "Yesterday", "Today on the tenth evening"),
    Wanted(10, "end", "Done for now", "The end of the tenth evening"),
    Wanted(10, "path", "The path", "The path after ten evenings"),
)


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
    shown: int = 0
    drills: list[str] = field(default_factory=list)

    async def press(self, *keys: str) -> None:
        """Press keys, and look at what they lead to."""
        await self.pilot.press(*keys)
        await self.look()

    async def look(self) -> None:
        """Wait until all is drawn, and keep a picture if it is wanted."""
        await settle(self.app, self.pilot)
        svg = self.app.export_screenshot(title="studyattn")
        if self.walk is not None:
            self.shown += 1
            (self.walk / f"{self.day:02}-{self.shown:03}.svg").write_text(svg, encoding="utf-8")
            return
        text = "\n".join(
            "".join(each.text for each in strip)
            for strip in self.app.screen._compositor.render_strips()  # noqa: SLF001 - as Textual's own pictures
        )
        for wanted in PICTURES:
            file = picture(wanted)
            if wanted.day == self.day and wanted.says in text and not file.exists():
                file.write_text(svg, encoding="utf-8")
                print(file)

    async def evening(self) -> None:
        """Study until the app says that it is done; the space bar leads through."""
        await self.look()
        await self.model_written()
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
        stage, card = screen._stage, screen._shown  # noqa: SLF001 - as above
        if stage is ReviewStage.FRONT and card is not None and card.drill_id is None:
            self.spend(6, 18)
            if screen.typed.has_focus:
                self.type(screen, card)
            await self.press("enter")
        elif stage is ReviewStage.BACK and screen._comparison is None:  # noqa: SLF001 - as above
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
        await self.press("r")
        await self.press("enter")

    async def model_written(self) -> None:
        """Wait until the first model has written with the code that has passed."""
        async with asyncio.timeout(120):
            while (await self.app.database.run_with_profile(first_model.look))[1] is not None:
                await asyncio.sleep(0.2)
        await self.look()

    def spend(self, least: float, most: float) -> None:
        """Let so many seconds pass."""
        self.clock.advance(timedelta(seconds=self.random.uniform(least, most)))


def picture(wanted: Wanted) -> Path:
    """Return the file of a picture."""
    return FOLDER / f"days-{wanted.day}-{wanted.name}.svg"


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


async def live(home: Home, size: tuple[int, int], walk: Path | None) -> list[Day]:
    """Live through the days, and return their figures."""
    clock, random, days = FixedClock(BEGINS, 60), Random(7), []
    for number in range(1, DAYS + 1):
        clock.at = BEGINS + timedelta(days=number - 1)
        app = make_app(home, clock, Look.DARK)
        async with app.run_test(size=size) as pilot:
            await settle(app, pilot)
            walker = Walker(app, pilot, clock, random, number, walk)
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


_TEXT: Final = """\
<!-- Written by `python docs/make_first_days.py`, as are its pictures. -->
# The first ten days

What ten evenings look like at 20 minutes each, in a terminal of 80 × 24. The learner is simulated, the home is a real one: a script presses the
keys in the app, answers {recall:.0%} of all cards right, and writes the drills. The pictures are what the app showed, the figures are the app's own.
Nearly everything is the space bar: it reads on in a lesson, turns a card, takes the suggested rating, opens a drill, and goes on after it.

## The first evening

Four ways to begin, and what the first evening holds. `Y` chooses what the path goes to first: your own GPT, attention explained, or a real model.

{start}

A lesson asks before it tells. A wrong prediction says why it is wrong, and the card that mends it comes next.

{prediction}

Each page is followed by the cards that it prepares for.

{card}

The first drill comes on the first evening: the dot product, in a few lines. A small language model runs on what you have written, and writes a little
better with each drill that passes.

{debrief}

The evening ends when its minutes are used, and says what tomorrow holds.

{end}

## The days after

Today tells what yesterday brought, what is asked now, and how far it is to the next thing that runs.

{today}

New cards come with lessons on every evening on which there is room beside what is due.

{lesson}

The first mistake in code has a name, and the cards that mend it come back.

{mistake}

## The tenth evening

{today10}

{end10}

{path}

## In figures

| evening | minutes | answers | new cards | held a week or more | drills passed | concepts begun | loss of your model |
|---|---|---|---|---|---|---|---|
{rows}

“Held” are the cards of the evening that memory is expected to hold for a week or more. How the days are filled is told in
[How reviews are scheduled](scheduling.md), and the model in [The first model](first-model.md).
"""


def page(days: list[Day]) -> str:
    """Return the page."""
    shown = {}
    for wanted in PICTURES:
        name = wanted.name if wanted.name not in shown else f"{wanted.name}{wanted.day}"
        shown[name] = f"![{wanted.told}](screenshots/{picture(wanted).name})"
    rows = "\n".join(
        f"| {day.number} | {day.minutes} | {day.answers} | {day.new or '–'} | {day.held or '–'} | "
        f"{', '.join(f'`{each}`' for each in day.drills) or '–'} | {day.begun} | {day.loss} |"
        for day in days
    )
    return _TEXT.format(**shown, rows=rows, recall=_RECALL)


def main(size: tuple[int, int], walk: Path | None) -> None:
    """Live through the days and write the page, or only the screens where `walk` is given."""
    same_questions()
    for wanted in PICTURES if walk is None else ():
        picture(wanted).unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="studyattn-") as folder:
        os.environ["HOME"] = folder  # paths on the pictures begin with ~
        days = asyncio.run(live(Home(Path(folder) / "home"), size, walk))
    missing = [each.name for each in PICTURES if walk is None and not picture(each).exists()]
    if missing:
        raise RuntimeError(f"no screen showed {', '.join(missing)}")
    if walk is None:
        PAGE.write_text(page(days), encoding="utf-8")
        print(PAGE)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", default="x".join(map(str, SIZE)), metavar="WxH")
    parser.add_argument("--walk", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    width, height = map(int, given.size.split("x"))
    main(cast("tuple[int, int]", (width, height)), given.walk)
