"""How a terminal draws pictures: by the setting, by what the terminal says, and by where it runs.

Characters that stand for parts of a picture (`kitty`) are known to few of the terminals that speak
kitty's protocol; those that do not know them draw sixel, most of them.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from studyattn.study.settings import Pictures
from studyattn.tui.pictures.canvas import BLOCKS, Canvas, Cell
from studyattn.tui.pictures.question import Answers, question

if TYPE_CHECKING:
    from textual.driver import Driver

_KNOWS_PLACEHOLDERS: Final = re.compile(
    r"(?:kitty\((?!0\.(?:1?\d|2[0-7])\.)|ghostty|xterm-(?:kitty|ghostty))", re.IGNORECASE
)
"""The names of terminals that draw pictures in place of characters: kitty does from 0.28 on."""
_SILENT: Final = ("", "dumb", "linux")
_MULTIPLEXED: Final = ("screen", "tmux")  # how the names of their terminals begin
_SECONDS: Final = 2.0
_USUAL: Final = Cell(10, 20)


async def choose(setting: Pictures, driver: Driver | None, environ: Mapping[str, str]) -> Canvas:
    """Return what pictures are drawn on in the terminal of `driver`.

    It is asked unless the setting says half-blocks, or nobody would answer: a file, a browser.
    """
    if setting is Pictures.BLOCKS or driver is None or driver.is_web or driver.is_headless:
        return BLOCKS
    try:
        from studyattn.tui.pictures.driver import PictureDriver
    except ImportError:  # Windows
        return BLOCKS
    if not isinstance(driver, PictureDriver) or not _can_answer(environ):
        return BLOCKS
    tmux = "TMUX" in environ
    multiplexed = tmux or environ.get("TERM", "").startswith(_MULTIPLEXED)
    answers = await driver.ask(question(multiplexed=multiplexed), _SECONDS)
    outside = await _terminal_outside() if tmux and setting is not Pictures.SIXEL else ""
    cell = driver.cell() or answers.cell
    chosen = decide(setting, answers, outside, cell=cell)
    driver.complete = None
    if chosen is Pictures.KITTY:
        from studyattn.tui.pictures.kitty import KittyPrinter

        cell = cell or _USUAL
        kitty = KittyPrinter(driver.write, cell, os.getpid(), tmux=tmux)
        return Canvas(kitty, cell, driver.cell)
    if chosen is Pictures.SIXEL:
        from studyattn.tui.pictures.sixel import SixelPrinter

        cell = cell or _USUAL
        sixel = SixelPrinter(cell, answers.registers)
        driver.complete = sixel.complete
        return Canvas(sixel, cell, driver.cell)
    return BLOCKS


def decide(setting: Pictures, answers: Answers, outside: str, *, cell: Cell | None) -> Pictures:
    """Return how pictures are drawn; never `auto`.

    `outside` names the terminal outside of tmux where that lets pictures through. Sixel needs the
    size of a character, since its pictures are as large as their pixels.
    """
    if setting is not Pictures.AUTO:
        return setting
    if _KNOWS_PLACEHOLDERS.match(outside):
        return Pictures.KITTY
    if answers.kitty and _KNOWS_PLACEHOLDERS.match(answers.name):
        return Pictures.KITTY
    return Pictures.SIXEL if answers.sixel and cell is not None else Pictures.BLOCKS


def _can_answer(environ: Mapping[str, str]) -> bool:
    """Return whether a terminal understands the question: these would print a part of it."""
    if environ.get("TERM_PROGRAM") == "Apple_Terminal":
        return False
    return environ.get("TERM", "") not in _SILENT


async def _terminal_outside() -> str:
    """Return the name of the terminal that shows tmux; empty where it gets no pictures."""
    asked = "#{allow-passthrough} #{client_termname}"
    with suppress(OSError, TimeoutError, UnicodeDecodeError):
        tmux = await asyncio.create_subprocess_exec(
            *("tmux", "display-message", "-p", asked),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            told, _ = await asyncio.wait_for(tmux.communicate(), _SECONDS)
        finally:
            if tmux.returncode is None:
                tmux.kill()
                await tmux.wait()
        allowed, _, name = told.decode().strip().partition(" ")
        return name if allowed in ("on", "all", "1") else ""
    return ""
