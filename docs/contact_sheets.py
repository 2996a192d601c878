"""Takes a picture of every screen in every look and size: `python docs/contact_sheets.py FOLDER`.

Writes `FOLDER/SIZE-MODE/SCREEN.svg` and, where a Chromium is installed, contact sheets of six
pictures each, `FOLDER/SIZE-MODE-1.png` and so on. They are to be looked at after a change of the
looks and are not kept. Names of screens after the folder restrict the pictures to these;
`--modes dark,light` and `--sizes 80x24` do so for modes and sizes. The learner is the one of
`make_screenshots.py`, made anew each time unless `--learner` says where to keep it; screens whose
names begin with `new-` belong to a home without anything.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from make_screenshots import (
    DRILL,
    NOW,
    begin_drills,
    graded,
    import_document,
    settle,
    show_preview,
    study,
    write_document,
)
from textual.pilot import Pilot

from studyattn.home import Home
from studyattn.study.clock import FixedClock
from studyattn.study.notes.notes import add_note
from studyattn.study.profile import open_profile
from studyattn.tui.app import StudyApp
from studyattn.tui.theme import Look

CONCEPT: Final = "scaling"


@dataclass(frozen=True, slots=True)
class Stop:
    """A screen: its name in the sheets, what opens it, the keys that are pressed there."""

    name: str
    screen: str = "today"
    arguments: tuple[object, ...] = ()
    keys: tuple[str, ...] = ()
    is_new: bool = False  # in a home without anything


def _opening() -> object:
    from studyattn.tui.attention_view.example import opening_of

    return opening_of(DRILL)


def _run(home: Home) -> object:
    from studyattn.packs.model_runs import installed_runs

    return next(iter(installed_runs(home)))


STOPS: Final = (
    Stop("today"),
    Stop("review-front", "review"),
    Stop("review-back", "review", keys=("escape?", "space")),
    Stop("lesson", "lesson", (CONCEPT,)),
    Stop("concepts", "concepts", keys=("down", "down")),
    Stop("concept", "concept", (CONCEPT,)),
    Stop("path", "path"),
    Stop("drills", "drills"),
    Stop("drill", "drill", (DRILL,)),
    Stop("verdict", "drill", (DRILL,), keys=("ctrl+s",)),
    Stop("cards", "cards"),
    Stop("search", "search", keys=tuple("softmax")),
    Stop("notes", "notes"),
    Stop("note", "note", (1,)),
    Stop("import", "import"),
    Stop("import-preview", "import", keys=("preview",)),
    Stop("export", "export"),
    Stop("stats", "stats"),
    Stop("settings", "settings", keys=("down", "down")),
    Stop("placement", "placement"),
    Stop("explain", "explain", (CONCEPT,)),
    Stop("pattern", "pattern", ("opening",)),
    Stop("run", "run", ("run",)),
    Stop("gpt", "gpt"),
    Stop("model", "model"),
    Stop("cost", "cost", ("attention",)),
    Stop("help", "help", ("Concepts",)),
    Stop("palette", keys=("ctrl+p",)),
    Stop("move", "concepts", keys=("m",)),
    Stop("new-today", is_new=True),
    Stop("new-lesson", keys=("space",), is_new=True),
    Stop("new-review", "review", is_new=True),
    Stop("new-concepts", "concepts", is_new=True),
    Stop("new-notes", "notes", is_new=True),
    Stop("new-search", "search", is_new=True),
    Stop("new-stats", "stats", is_new=True),
    Stop("new-drills", "drills", is_new=True),
    Stop("new-path", "path", is_new=True),
)

SIZES: Final = {"60x20": (60, 20), "80x24": (80, 24), "160x50": (160, 50)}
MODES: Final[Mapping[str, Look]] = {
    "dark": Look.DARK,
    "light": Look.LIGHT,
    "16": Look.TERMINAL,
    "none": Look.TERMINAL,
}
"""Dark, light, the terminal's sixteen colours, and none at all."""


async def visit(app: StudyApp, pilot: Pilot[None], stop: Stop, document: Path) -> str:
    """Open the screen, press its keys, and return its picture."""
    known: Mapping[object, Callable[[], object]] = {
        "opening": _opening,
        "run": lambda: _run(app.home),
    }
    if stop.screen != "today":
        app.go(stop.screen, *(known.get(each, lambda each=each: each)() for each in stop.arguments))
    await settle(app, pilot)
    for key in stop.keys:
        if key == "preview":
            await show_preview(app, pilot, document)
        elif key == "escape?":
            if app.screen.query("#typed") and app.screen.query_one("#typed").has_focus:
                await pilot.press("escape")
        else:
            await pilot.press(key)
        await settle(app, pilot)
        if key == "ctrl+s":
            await graded(app, pilot)
    await settle(app, pilot)
    picture = app.export_screenshot(title=stop.name)
    while len(app.screen_stack) > 1:
        app.pop_screen()
    await settle(app, pilot)
    return picture


@contextmanager
def no_colour(wanted: bool) -> Iterator[None]:
    """Have `NO_COLOR` in the environment if it is wanted, and not otherwise."""
    os.environ.pop("NO_COLOR", None)
    if wanted:
        os.environ["NO_COLOR"] = "1"
    try:
        yield
    finally:
        os.environ.pop("NO_COLOR", None)


async def take_all(home: Home, document: Path, folder: Path, stops: Sequence[Stop]) -> None:
    """Take the pictures of one size and mode, which `folder` is named after, all in one app."""
    size, mode = folder.name.split("-")
    with no_colour(mode == "none"):
        app = StudyApp(home, FixedClock(NOW, 60), MODES[mode])
        async with app.run_test(size=SIZES[size]) as pilot:
            await settle(app, pilot)
            for stop in stops:
                try:
                    picture = await visit(app, pilot, stop, document)
                except Exception as error:  # noqa: BLE001 - the other pictures are wanted still
                    print(f"{size} {mode} {stop.name}: {error!r}", file=sys.stderr)
                    return
                (folder / f"{stop.name}.svg").write_text(picture, encoding="utf-8")


def sheets(folder: Path, size: str) -> None:
    """Put six pictures on a page and photograph it, with the Chromium that is installed."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if chromium is None:
        print("no Chromium: only the SVG files were written", file=sys.stderr)
        return
    order = {stop.name: at for at, stop in enumerate(STOPS)}
    pictures = sorted(folder.glob("*.svg"), key=lambda each: order.get(each.stem, len(order)))
    across, per_sheet = (2, 4) if size == "160x50" else (3, 6)
    batches = [pictures[at : at + per_sheet] for at in range(0, len(pictures), per_sheet)]
    for number, batch in enumerate(batches, start=1):
        images = "".join(f'<img src="{each.resolve().as_uri()}">' for each in batch)
        page = folder / f"sheet-{number}.html"
        page.write_text(
            "<style>body{margin:0;background:#777;display:grid;gap:8px;"
            f"grid-template-columns:repeat({across},1fr)}}img{{width:100%}}</style>{images}"
        )
        height = 1390 if size == "160x50" else 980
        command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        target = folder.parent / f"{folder.name}-{number}.png"
        subprocess.run(
            [*command, f"--window-size=2000,{height}", f"--screenshot={target}", page.as_uri()],
            check=True,
            capture_output=True,
        )
        page.unlink()
        print(target)


def prepare(home: Home, document: Path) -> None:
    """Make the learner of four weeks, with two drills begun and two notes."""
    clock = FixedClock(NOW, 60)
    with open_profile(home, clock) as profile:
        import_document(profile, document, clock)
        study(profile, clock)
        begin_drills(profile)
        with document.open("a", encoding="utf-8") as more:
            more.write("\n### 4. Why is there a mask?\n\nNo query sees later keys.\n")
        add_note(profile, "# Why divide\n\nThe variance of a sum. See [[softmax]].")
        add_note(profile, "# Rows\n\nEach row of weights sums to 1.", concept=CONCEPT)


def main() -> None:
    """Take the pictures that the command line asks for."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("folder", type=Path)
    asked.add_argument("screens", nargs="*", metavar="SCREEN")
    asked.add_argument("--modes", default=",".join(MODES))
    asked.add_argument("--sizes", default=",".join(SIZES))
    asked.add_argument("--learner", type=Path, help="where to keep the learner for the next time")
    given = asked.parse_args()
    stops = [stop for stop in STOPS if not given.screens or stop.name in given.screens]
    target = given.folder.resolve()
    with tempfile.TemporaryDirectory(prefix="studyattn-") as folder:
        learner = Path(given.learner or folder).resolve()
        os.environ["HOME"] = str(learner)  # paths on the pictures begin with ~
        home = Home(learner / "home")
        document = learner / "notes" / "attention.md"
        if not home.root.exists():
            learner.mkdir(parents=True, exist_ok=True)
            prepare(home, write_document(learner))
        for size in given.sizes.split(","):
            for mode in given.modes.split(","):
                own = target / f"{size}-{mode}"
                own.mkdir(parents=True, exist_ok=True)
                used = [stop for stop in stops if not stop.is_new]
                new = [stop for stop in stops if stop.is_new]
                empty = Home(Path(folder) / f"new-{size}-{mode}")
                if used:
                    asyncio.run(take_all(home, document, own, used))
                if new:
                    asyncio.run(take_all(empty, document, own, new))
                sheets(own, size)


if __name__ == "__main__":
    main()
