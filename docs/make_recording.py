"""Records the session that the README opens with: `python docs/make_recording.py [FILE]`.

The running app is driven by keys, as a learner would: a card, a drill with a mistake in it, the
mistake by its name, and the card that it brings back. What the terminal shows after each key
becomes a frame of one SVG that plays by itself (`animated_svg`). It begins with the verdict, the
one frame that tells the story where nothing moves. Home, clock and questions are those of
`make_screenshots`, so the same content gives the same recording.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from animated_svg import Frame, Line, Run, animate
from make_screenshots import (
    FOLDER,
    NOW,
    RIGHT,
    graded,
    import_document,
    same_questions,
    settle,
    study,
)

from studyattn.home import Home
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile, open_profile
from studyattn.tui.app import StudyApp
from studyattn.tui.screens.review import ReviewScreen
from studyattn.tui.theme import Look, theme_named

if TYPE_CHECKING:
    from rich.segment import Segment
    from textual.pilot import Pilot

SIZE = (112, 30)
CARD = "attention:softmax-why-exp"
DRILL = "attention"
LINE = "    scores = q @ np.swapaxes(k, -1, -2)"
"""What the learner writes; the square root is forgotten."""

_STROKES = 3  # letters that are typed in one frame


class Recorder:
    """Presses keys in an app and keeps what it shows."""

    def __init__(self, app: StudyApp, pilot: Pilot[None]) -> None:
        self._app = app
        self._pilot = pilot
        self._caption = ""
        self.frames: list[Frame] = []
        self.begins = 0
        """The frame that the recording begins with; those before it come at its end."""

    def say(self, caption: str) -> None:
        """Write this below what follows."""
        self._caption = caption

    async def press(self, *keys: str, seconds: float) -> None:
        """Press keys, and show for so long what they lead to."""
        for key in keys:
            await self._pilot.press(key)
        await settle(self._app, self._pilot)
        self.keep(seconds)

    def keep(self, seconds: float) -> None:
        """Keep what the terminal shows now as a frame."""
        strips = self._app.screen._compositor.render_strips()  # noqa: SLF001 - as Textual's own pictures
        lines = tuple(tuple(map(_run, strip)) for strip in strips)
        self.frames.append(Frame(tuple(map(_merged, lines)), seconds, self._caption))


def _run(segment: Segment) -> Run:
    style, worn = segment.style, theme_named(Look.DARK).colours
    fill, ground = worn.text, worn.ground
    if style is not None and style.color is not None and not style.color.is_default:
        fill = style.color.get_truecolor().hex
    if style is not None and style.bgcolor is not None and not style.bgcolor.is_default:
        ground = style.bgcolor.get_truecolor(foreground=False).hex
    if style is None:
        return Run(segment.text, segment.cell_length, fill, ground)
    if style.reverse:
        fill, ground = ground, fill
    return Run(
        segment.text,
        segment.cell_length,
        fill.lower(),
        ground.lower(),
        bool(style.bold),
        bool(style.italic),
        bool(style.underline),
    )


def _merged(line: Line) -> Line:
    """Join neighbours of one style."""
    joined: list[Run] = []
    for run in line:
        last = joined[-1] if joined else None
        styles = [(e.fill, e.ground, e.bold, e.italic, e.underline) for e in (last, run) if e]
        if last is not None and styles[0] == styles[1]:
            text, cells = last.text + run.text, last.cells + run.cells
            joined[-1] = Run(text, cells, *styles[0])
        elif run.text:
            joined.append(run)
    return tuple(joined)


async def record(app: StudyApp, pilot: Pilot[None]) -> list[Frame]:
    """Play the session."""
    await settle(app, pilot)
    recorder = Recorder(app, pilot)
    recorder.say("Today: what is due.")
    recorder.keep(2.5)
    recorder.say("A card. You answer in your head, or in a line.")
    app.push_screen(ReviewScreen(only=(CARD,), ahead=True))
    await settle(app, pilot)
    recorder.keep(3)
    await recorder.press("space", seconds=4)
    await recorder.press("space", seconds=1)
    await recorder.press("escape", seconds=0.6)
    await write_drill(app, pilot, recorder)
    recorder.say("Its cards are asked first.")
    await recorder.press("escape", "escape", seconds=1.2)
    await recorder.press("space", seconds=4)
    await recorder.press("space", seconds=5)
    return [*recorder.frames[recorder.begins :], *recorder.frames[: recorder.begins]]


async def write_drill(app: StudyApp, pilot: Pilot[None], recorder: Recorder) -> None:
    """Write one line of a drill, without its square root, and have it graded."""
    from studyattn.tui.screens.drill import DrillScreen

    recorder.say("A drill, written in the app or in your editor. Here the √d is forgotten.")
    screen = DrillScreen(DRILL)
    app.push_screen(screen)
    await settle(app, pilot)
    code = screen.query_one("#code")
    code.focus()
    at = next(row for row, line in enumerate(RIGHT.splitlines()) if "scores =" in line)
    await pilot.press("ctrl+home", *["down"] * at)
    await settle(app, pilot)
    recorder.keep(1.5)
    for start in range(0, len(LINE), _STROKES):
        await pilot.press(*LINE[start : start + _STROKES])
        await settle(app, pilot)
        recorder.keep(0.12)
    recorder.keep(1)
    for _ in range(2):  # the second time in a warm worker, so the first frame has its verdict
        await pilot.press("ctrl+s")
        await graded(app, pilot)
    recorder.begins = len(recorder.frames)
    recorder.say("Graded on every save. The mistake has a name, and the smallest input shows it.")
    recorder.keep(6)


def begin(profile: Profile, folder: Path, clock: FixedClock) -> None:
    """Make the home of a learner of four weeks, who has begun the drill and not rated it."""
    document = folder / "notes.md"
    document.write_text("# Notes\n", encoding="utf-8")
    import_document(profile, document, clock)
    profile.change_setting("drills_per_day", "0")
    study(profile, clock)
    profile.change_setting("drills_per_day", "2")


async def take() -> list[Frame]:
    """Return the frames of the session, played in a new home."""
    same_questions()
    clock = FixedClock(NOW, 60)
    with tempfile.TemporaryDirectory(prefix="studyattn-") as name:
        os.environ["HOME"] = name
        folder = Path(name)
        home = Home(folder / "home")
        with open_profile(home, clock) as profile:
            begin(profile, folder, clock)
        home.drills.mkdir(parents=True, exist_ok=True)
        start = "\n".join("" if "scores =" in line else line for line in RIGHT.splitlines())
        (home.drills / f"{DRILL}.py").write_text(f"{start}\n", encoding="utf-8")
        app = StudyApp(home, clock, Look.DARK)
        async with app.run_test(size=SIZE) as pilot:
            return await record(app, pilot)


def main(target: Path) -> None:
    """Write the recording."""
    frames = asyncio.run(take())
    worn = theme_named(Look.DARK).colours
    title = "studyattn: a card, a drill with a mistake, the mistake by its name, its card back"
    target.write_text(animate(frames, worn.ground, worn.quiet, title), encoding="utf-8")
    print(f"{target}: {len(frames)} frames, {target.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER / "session.svg")
