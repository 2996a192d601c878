"""Takes the pictures of the README from the running app: `python docs/make_screenshots.py`.

`--first-hour` takes those of a newcomer's first hour instead, each from an empty home.
`--cards` takes those of five cards instead, answer shown, drawn from the pack by a seed; `--drills`
only those of a drill and of the attention view. `--gpt HOME` takes that of two trained models, from
a home in which `studyattn gpt train --with mask-after-softmax --beside --steps 900` was run.
`--model` takes those of a real model's heads, which `studyattn model get` has fetched.

A learner of four weeks is made in a temporary home: the built-in pack, one imported document, and
reviews whose ratings come from a seeded generator, under a clock that stands where it is put. So
the same content gives the same pictures.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, cast

from textual.pilot import Pilot

from studyattn.bundled import content_dir
from studyattn.exchange.documents.importing import apply_import, read_documents
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.study.clock import FixedClock
from studyattn.study.concepts.board import set_state
from studyattn.study.practice.drill_session import PracticeSession
from studyattn.study.practice.gpt import find_model
from studyattn.study.profile import Profile, open_profile
from studyattn.study.review.browse import show_item
from studyattn.study.review.queue import due_items
from studyattn.study.review.session import ReviewSession
from studyattn.tui.app import StudyApp
from studyattn.tui.screens.gpt import GptScreen
from studyattn.tui.screens.review import ReviewScreen
from studyattn.tui.theme import Look

if TYPE_CHECKING:
    from studyattn.grading.drill import Drill
    from studyattn.tui.screens.drill import DrillScreen

FOLDER = Path(__file__).resolve().parent / "screenshots"
NOW = datetime(2026, 11, 21, 17, 0, tzinfo=UTC)
DAYS = 27
AWAY = timedelta(days=40)  # after so long most cards are due, so there is one with a formula
_SEED = 4
_RATINGS = [Rating.GOOD] * 6 + [Rating.EASY] * 2 + [Rating.HARD, Rating.AGAIN]
_DOCUMENT = """\
# Notes on attention

## Your Current Understanding
- A row of weights sums to 1
- The mask is added before the softmax

## Questions

### 1. Low-rank maps: why is the value map split in two?

Down to the width of a head and up again: two thin matrices instead of one square one.

### 2. Cross-attention: where do keys and values come from?

From the other sequence; only the queries come from this one.

### 3. Multi-head attention: why several heads?

Each head has a pattern of its own.
"""


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: its name, the terminal, the keys that lead there."""

    name: str
    size: tuple[int, int]
    keys: tuple[str, ...]
    look: Look = Look.DARK


PICTURES = (
    Picture("today", (80, 24), ()),
    Picture("today-light", (80, 24), (), Look.LIGHT),
    Picture("today-wide", (160, 50), ()),
    Picture("review-front", (80, 24), ()),
    Picture("review-back", (80, 24), ("enter",)),
    Picture("review-wide", (160, 50), ("enter",)),
    Picture("import", (80, 24), ("I",)),
    Picture("concepts", (120, 36), ("c", "down", "down", "down", "down")),
    Picture("concept", (160, 44), ("c", "slash", *"scaling", "enter", "enter")),
    Picture("search", (80, 24), ("slash", *"softmax gradient")),
    Picture("stats", (120, 30), ("s",)),
)
DRILL = "multi-head-attention"
CODE = """\
# backend: numpy
import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    def split(y):
        return y.reshape(*y.shape[:-2], num_heads, n, -1)

    n, d_head = x.shape[-2], w_q.shape[-1] // num_heads
    q, k, v = split(x @ w_q), split(x @ w_k), split(x @ w_v)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(d_head).astype(x.dtype)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    peak = scores.max(-1, keepdims=True)
    e = np.exp(scores - np.where(np.isfinite(peak), peak, 0))
    total = e.sum(-1, keepdims=True)
    heads = e / np.where(total == 0, 1, total) @ v
    return np.swapaxes(heads, -3, -2).reshape(*x.shape[:-1], -1) @ w_o
"""
RATED = "attention"
RIGHT = """\
# backend: numpy
import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
"""
DRILLS = (
    Picture("drill", (150, 36), ("ctrl+s", "ctrl+s")),  # the second time in a warm worker
    Picture("drill-narrow", (80, 24), ("ctrl+s", "ctrl+s")),
    Picture("drill-rating", (80, 24), ("ctrl+s", "ctrl+s", "r")),
    Picture("pattern", (100, 28), ("1", "2")),
    Picture("pattern-step", (80, 24), ()),
    Picture("cost", (140, 34), ()),
)
"""Taken after the others, in this order: a verdict is kept, and the next picture shows it too."""

FIRST_HOUR = tuple(
    Picture(f"first-{name}{suffix}", size, keys)
    for suffix, size in (("", (80, 24)), ("-wide", (160, 50)))
    for name, keys in (
        ("start", ()),
        ("lesson", ("space",)),
        ("prediction", ("space", "2" if suffix else "space")),  # a wrong one
        ("card", ("space", "space", "enter", "space")),
        ("path", ("p",)),
        ("drill", ()),
        # Where the code has the focus beside the verdict, r is typed until it is left.
        ("debrief", ("ctrl+s", "ctrl+s", *(("escape",) if suffix else ()), "r", "enter")),
    )
)
"""What a newcomer sees in the first hour, from an empty home."""
FIRST_DRILL = "dot-product"

CARDS = tuple(Picture(f"card-{number}", (80, 24), ("enter",)) for number in range(1, 6))


def study(profile: Profile, clock: FixedClock) -> None:
    """Four weeks of ten minutes a day."""
    random = Random(4)
    for day in range(DAYS):
        clock.at = NOW - timedelta(days=DAYS - day)
        with ReviewSession(profile) as session:
            while session.current is not None and session.progress.done < 60:
                session.answer(random.choice(_RATINGS), random.uniform(4, 25))
                clock.advance(timedelta(seconds=20))
    clock.at = NOW - timedelta(days=2)
    for slug in ("softmax", "scaling"):
        set_state(profile, slug, "known", "I can explain it without notes.")
    clock.at = NOW


def begin_drills(profile: Profile) -> None:
    """A drill with a mistake in it, and one that is right.

    One that is due again begins from its starter, so the code is written after that.
    """
    for drill, code in ((DRILL, CODE), (RATED, RIGHT)):
        with PracticeSession(profile, drill) as session:
            session.file.write(code)


def write_document(folder: Path) -> Path:
    """Write the learner's own questions, and return where they are."""
    document = folder / "notes" / "attention.md"
    document.parent.mkdir()
    document.write_text(_DOCUMENT, encoding="utf-8")
    return document


def import_document(profile: Profile, document: Path, clock: FixedClock) -> None:
    """The learner's own questions, imported on the first day."""
    clock.at = NOW - timedelta(days=DAYS)
    plan = read_documents(profile.database, [document]).plan
    apply_import(profile.database, plan, clock.now())


async def settle(app: StudyApp, pilot: Pilot[None]) -> None:
    """Until everything asked for is drawn."""
    for _ in range(3):
        await pilot.pause()
        await app.settled()
    await pilot.pause()


def due_with_a_formula(profile: Profile) -> tuple[str, ...]:
    """The due card with the most mathematics in its answer."""
    due = [item.guid for item in due_items(profile) if item.card_kind == "basic"]
    return (max(due, key=lambda guid: show_item(profile, guid).back.count("\\")),)


def of_the_draw(number: int, profile: Profile) -> tuple[str, ...]:
    """The card of that number, from 1, among those drawn by a seed from all due cards."""
    due = sorted(item.guid for item in due_items(profile) if item.kind == "card")
    return (Random(20).sample(due, len(CARDS))[number - 1],)


async def graded(app: StudyApp, pilot: Pilot[None]) -> None:
    """Until the verdict is there."""
    screen = cast("DrillScreen", app.screen)
    async with asyncio.timeout(60):
        while screen.is_grading or screen.verdict is None:  # noqa: ASYNC110 - a worker sets no event
            await asyncio.sleep(0.05)
    await settle(app, pilot)


async def open_practice(picture: Picture, app: StudyApp, pilot: Pilot[None]) -> None:
    """The drill with a mistake in it, or what attention does in one of its own examples."""
    from studyattn.tui.attention_view.example import SLIDES, AttentionStep, Opening, opening_of
    from studyattn.tui.screens.attention import PatternScreen
    from studyattn.tui.screens.cost import CostScreen
    from studyattn.tui.screens.drill import DrillScreen

    if picture.name == "cost":
        lab = CostScreen("kv-cache")
        app.push_screen(lab)
        await settle(app, pilot)
        async with asyncio.timeout(120):
            while lab.is_measuring:  # noqa: ASYNC110 - a worker sets no event
                await asyncio.sleep(0.1)
    elif picture.name == "pattern":
        app.push_screen(PatternScreen(opening_of(DRILL)))
    elif picture.name == "pattern-step":
        app.push_screen(PatternScreen(Opening(SLIDES, step=AttentionStep.K)))
    elif picture in FIRST_HOUR:
        app.push_screen(DrillScreen(FIRST_DRILL))
    else:
        app.push_screen(DrillScreen(RATED if picture.name == "drill-rating" else DRILL))
    await settle(app, pilot)


async def take(picture: Picture, home: Home, document: Path) -> None:
    """Open the app, press the keys, and keep what it shows."""
    chosen: Callable[[Profile], tuple[str, ...]] | None = None
    if picture.name.startswith("review"):
        chosen = due_with_a_formula
    elif picture in CARDS:
        chosen = partial(of_the_draw, CARDS.index(picture) + 1)
    at = NOW + AWAY if chosen else NOW
    app = StudyApp(home, FixedClock(at, 60), picture.look)
    async with app.run_test(size=picture.size) as pilot:
        await settle(app, pilot)
        if chosen:
            app.push_screen(ReviewScreen(only=await app.database.run_with_profile(chosen)))
            await settle(app, pilot)
            if app.screen.query_one("#typed").has_focus:
                await pilot.press("escape")
        if picture in DRILLS or picture.name.startswith(("first-drill", "first-debrief")):
            await open_practice(picture, app, pilot)
        for key in picture.keys:
            await pilot.press(key)
            await settle(app, pilot)
            if key == "ctrl+s":
                await graded(app, pilot)
        if picture.name == "import":
            await show_preview(app, pilot, document)
        svg = app.export_screenshot(title="studyattn")
    (FOLDER / f"{picture.name}.svg").write_text(svg, encoding="utf-8")


async def show_preview(app: StudyApp, pilot: Pilot[None], document: Path) -> None:
    """Write the document's path, as a learner would paste it."""
    from textual.widgets import Input

    app.screen.query_one("#search", Input).value = str(document)
    await settle(app, pilot)
    await pilot.press("enter")
    await settle(app, pilot)


def same_questions() -> None:
    """Ask every submission the same questions, so that pictures of verdicts are the same again."""
    from studyattn.grading import judge

    drawn = judge.draw

    def draw(drill: Drill, backend: str, device: str, seed: int | None = None) -> judge.Drawn:
        return drawn(drill, backend, device, _SEED if seed is None else seed)

    judge.draw = draw


def first_hour() -> None:
    """Take the pictures of the first hour, each from an empty home."""
    for picture in FIRST_HOUR:
        with tempfile.TemporaryDirectory(prefix="studyattn-") as folder:
            os.environ["HOME"] = folder
            home = Home(Path(folder) / "home")
            if picture.name.startswith("first-debrief"):
                home.drills.mkdir(parents=True)
                solution = content_dir() / "attention" / "drills" / FIRST_DRILL / "solution.py"
                (home.drills / f"{FIRST_DRILL}.py").write_text(solution.read_text("utf-8"))
            asyncio.run(take(picture, home, Path(folder)))
            print(FOLDER / f"{picture.name}.svg")


async def trained(home: Home) -> None:
    """Take the picture of a right model beside a mistaken one, as the home keeps them."""
    app = StudyApp(home, FixedClock(NOW, 60), Look.DARK)
    async with app.run_test(size=(160, 50)) as pilot:
        await settle(app, pilot)
        screen = GptScreen()
        screen.models = tuple(find_model(home, name) for name in ("gpt", "mask-after-softmax"))
        app.push_screen(screen)
        await settle(app, pilot)
        svg = app.export_screenshot(title="studyattn")
    (FOLDER / "gpt.svg").write_text(svg, encoding="utf-8")


MODEL = (
    Picture("heads", (160, 50), ("o",)),
    Picture("heads-narrow", (80, 24), ("left", "right")),
    Picture("head", (130, 34), ("enter", "3")),
    Picture("apple", (130, 44), ()),
)
"""All heads of a real model, one head that adds nothing, and “apple” in three sentences."""

_INDUCTION = 18 * 9 + 6
_REPEATED = "The password is blue horse seven. I say it again: the password is blue"


async def real_model(home: Home) -> None:
    """Take the pictures of a real model; the model is looked for where it was fetched."""
    from studyattn.packs.model_runs import installed_runs
    from studyattn.study.practice.running import HEADS_TEXT
    from studyattn.tui.screens.model import ModelAboveScreen

    for picture in MODEL:
        app = StudyApp(home, FixedClock(NOW, 60), picture.look)
        async with app.run_test(size=picture.size) as pilot:
            await settle(app, pilot)
            if picture.name == "apple":
                apple = next(run for run in installed_runs(home) if run.id == "apple")
                app.push_screen(ModelAboveScreen(apple))
            else:
                heads = ModelAboveScreen()
                heads.text = _REPEATED if picture.name == "head" else HEADS_TEXT
                heads.chosen = _INDUCTION
                app.push_screen(heads)
            await settle(app, pilot)
            for key in picture.keys:
                await pilot.press(key)
                await settle(app, pilot)
            svg = app.export_screenshot(title="studyattn")
        (FOLDER / f"{picture.name}.svg").write_text(svg, encoding="utf-8")
        print(FOLDER / f"{picture.name}.svg")


def main(pictures: Sequence[Picture] = (*PICTURES, *DRILLS)) -> None:
    """Take all pictures."""
    FOLDER.mkdir(exist_ok=True)
    clock = FixedClock(NOW, 60)
    with tempfile.TemporaryDirectory(prefix="studyattn-") as folder:
        home = Home(Path(folder) / "home")
        os.environ["HOME"] = folder  # paths on the pictures begin with ~
        document = write_document(Path(folder))
        same_questions()
        with open_profile(home, clock) as profile:
            import_document(profile, document, clock)
            study(profile, clock)
            begin_drills(profile)
        document.write_text(
            f"{_DOCUMENT}\n### 4. Why is there a mask?\n\nNo query sees later keys.\n"
        )
        for picture in pictures:
            asyncio.run(take(picture, home, document))
            print(FOLDER / f"{picture.name}.svg")


if __name__ == "__main__":
    if "--first-hour" in sys.argv:
        first_hour()
        sys.exit()
    if "--gpt" in sys.argv:
        asyncio.run(trained(Home(Path(sys.argv[-1]))))
        sys.exit()
    if "--model" in sys.argv:
        with tempfile.TemporaryDirectory(prefix="studyattn-") as folder:
            asyncio.run(real_model(Home(Path(folder) / "home")))
        sys.exit()
    chosen = {"--cards": CARDS, "--drills": DRILLS}
    main(next((chosen[each] for each in sys.argv[1:] if each in chosen), (*PICTURES, *DRILLS)))
