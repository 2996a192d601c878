"""What a terminal is asked about pictures, and what it answers. Pure.

All questions are sent at once. Every terminal answers the last one, for its attributes, and they
answer in order; so whatever is missing by then is not coming.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from studyattn.tui.pictures.canvas import Cell

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
