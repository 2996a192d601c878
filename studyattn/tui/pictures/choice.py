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
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from studyattn.study.settings import Pictures
from studyattn.tui.pictures.canvas import BLOCKS, Canvas, Cell

if TYPE_CHECKING:
    from textual.driver import Driver


_KITTY: Final = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"  # may one pixel be sent?
_NAME: Final = "\x1b[>q"
_CELL: Final = "\x1b[16t"
_REGISTERS: Final = "\x1b[?1;1;0S"  # how many colours a sixel picture may have
_ATTRIBUTES: Final = "\x1b[c"

_REPLY: Final = re.compile(
    r"\x1b_G(?P<kitty>[^\x1b]*)\x1b\\"
    r"|\x1bP>\|(?P<name>[^\x1b]*)\x1b\\"
    r"|\x1b\[6;(?P<height>\d+);(?P<width>\d+)t"
    r"|\x1b\[\?1;0;(?P<registers>\d+)[\d;]*S"
    r"|\x1b\[\?[\d;]*S"
    r"|\x1b\[\?(?P<attributes>[\d;]*)c"
)
_BEGUN: Final = re.compile(
    r"\x1b(?:_(?:G[^\x1b]*\x1b?)?|P(?:>(?:\|[^\x1b]*\x1b?)?)?|\[(?:6(?:;[\d;]*)?|\?[\d;]*)?)?\Z"
)
_LONGEST: Final = 300
"""Characters of a reply; what is longer is none."""
_SIXEL: Final = "4"


@dataclass(frozen=True, slots=True)
class Answers:
    """What a terminal said of itself; what it left out is False, empty or None."""

    kitty: bool = False
    name: str = ""
    sixel: bool = False
    registers: int | None = None
    cell: Cell | None = None


def question(*, multiplexed: bool) -> str:
    """Return what is written to the terminal to ask it.

    A multiplexer takes kitty's question for a title, and is not asked it.
    """
    return ("" if multiplexed else _KITTY + _NAME) + _CELL + _REGISTERS + _ATTRIBUTES


class Replies:
    """Takes a terminal's replies out of what is typed, until it has answered everything."""

    def __init__(self) -> None:
        self._awaited = True
        self._held = ""
        self._found: dict[str, str] = {}

    def awaits(self) -> bool:
        """Return whether the last reply has not come yet."""
        return self._awaited

    @property
    def held(self) -> bool:
        """Whether something is kept back that may be the beginning of a reply."""
        return bool(self._held)

    def take(self, data: str) -> str:
        """Return what is no reply. What may begin one is kept until more comes."""
        data, self._held = self._held + data, ""
        rest = _REPLY.sub(self._keep, data)
        if self._awaited:
            begun = _BEGUN.search(rest)
            if begun is not None and len(rest) - begun.start() < _LONGEST:
                rest, self._held = rest[: begun.start()], rest[begun.start() :]
        return rest

    def release(self) -> str:
        """Return what was kept back: it was a key after all."""
        held, self._held = self._held, ""
        return held

    def _keep(self, reply: re.Match[str]) -> str:
        for name, value in reply.groupdict().items():
            if value is not None:
                self._found[name] = value
        if reply["attributes"] is not None:
            self._awaited = False
        return ""

    def answers(self) -> Answers:
        """Return what was answered so far."""
        found = self._found
        width, height = int(found.get("width", 0)), int(found.get("height", 0))
        return Answers(
            kitty=found.get("kitty", "").endswith(";OK"),
            name=found.get("name", ""),
            sixel=_SIXEL in found.get("attributes", "").split(";")[1:],
            registers=int(found["registers"]) if "registers" in found else None,
            cell=Cell(width, height) if width and height else None,
        )


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
