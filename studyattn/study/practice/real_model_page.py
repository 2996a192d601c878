"""A real model on right parts and on broken ones, side by side: run, and drawn for a terminal."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.cells import set_cell_size
from rich.text import Text

from studyattn.study.practice.real_model import TEXT, RunningModel, Wanted
from studyattn.text.lines import wrap

if TYPE_CHECKING:
    from studyattn.grading.run.runner import Runner
    from studyattn.home import Home

RECORDED: Final = (
    ("right", 17.6, " Paris.\n\nThe answer is:"),
    ("scale-missing", 713, " the capital of the country of the French"),
    ("scale-by-d", 482, "_--_ wisherskings"),
    ("mask-missing", 2.57, "________"),
    ("mask-after-softmax", 228, "TheTheTheTheTheTheTheThe"),
    ("mask-multiplied", 35.0, " the capital of the country is the country"),
    ("mask-excludes-self", 28.6, " a nation that has been shaped by the"),
    ("softmax-wrong-axis", 12583, " present_ buil- neighboring extraord- the"),
)
"""What `studyattn model table` gave: perplexity, and eight tokens after its prompt."""

_AT_ONCE: Final = 2
_GAP: Final = 3


@dataclass(frozen=True, slots=True)
class Saying:
    """What a model says so far.

    Attributes:
        mistake: the id of what is wrong with it; None for a right one.
        title: the mistake as a sentence.
        perplexity: of the text that `model score` takes; None until it is known.
        is_measured: True once the perplexity was computed.
        speed: tokens a second.
    """

    mistake: str | None
    title: str
    text: str = ""
    perplexity: float | None = None
    is_measured: bool = False
    tokens: int = 0
    seconds: float = 0.0

    @property
    def speed(self) -> float:
        return self.tokens / self.seconds if self.seconds else 0.0


class Comparison:
    """One model on several sets of parts, which take turns after the same prompt."""

    def __init__(
        self, server: Runner, home: Home, folder: Path, wanted: Sequence[Wanted], prompt: str
    ) -> None:
        """Nothing is started yet. `folder` is where the model is kept."""
        self._server = server
        self._home = home
        self._folder = folder
        self._wanted = wanted
        self._prompt = prompt
        self._ended = threading.Event()
        self._running: list[RunningModel] = []

    def kill(self) -> None:
        """End the workers at once, from any thread."""
        self._ended.set()
        for running in list(self._running):
            running.stop()

    def run(self, tokens: int, told: Callable[[tuple[Saying, ...]], None]) -> None:
        """Measure each model and have it write so many tokens; `told` gets how far all are.

        Raises ModelPartError for a part that cannot be used, and StoppedError after `kill`.
        """
        sayings = [_new(wanted) for wanted in self._wanted]
        with contextlib.ExitStack() as open_:
            for wanted in self._wanted:
                running = RunningModel(self._server, self._home, self._folder, wanted)
                self._running.append(running)
                if self._ended.is_set():
                    return
                open_.enter_context(running)
            for place, running in enumerate(self._running):
                found = running.score(TEXT)
                sayings[place] = dataclasses.replace(
                    sayings[place], perplexity=found.perplexity, is_measured=True
                )
                told(tuple(sayings))
            # A mistake is shown without the cache, as the table shows it.
            writing = [
                running.say(self._prompt, tokens=tokens, cached=wanted.mistake is None)
                for running, wanted in zip(self._running, self._wanted, strict=True)
            ]
            while not self._ended.is_set():
                pieces = [next(each, None) for each in writing]
                if not any(pieces):
                    return
                for place, piece in enumerate(pieces):
                    if piece is not None:
                        before = sayings[place]
                        sayings[place] = dataclasses.replace(
                            before,
                            text=before.text + piece.text,
                            tokens=before.tokens + piece.tokens,
                            seconds=before.seconds + piece.seconds,
                        )
                told(tuple(sayings))


def _new(wanted: Wanted) -> Saying:
    return Saying(None if wanted.mistake is None else wanted.mistake.id, wanted.title)


def beside(prompt: str, sayings: Sequence[Saying], *, width: int, quiet: str = "") -> Text:
    """Draw what each model says, side by side."""
    each = (width - _GAP * (len(sayings) - 1)) // len(sayings)
    columns = [_column(prompt, saying, each, quiet) for saying in sayings]
    lines = []
    for row in zip_longest(*columns, fillvalue=Text()):
        line = Text()
        for cell in row[:-1]:
            line.append_text(cell)
            line.append(set_cell_size("", each + _GAP - cell.cell_len))
        lines.append(line.append_text(row[-1]))
    return Text("\n").join(lines)


def _column(prompt: str, saying: Saying, width: int, quiet: str) -> list[Text]:
    lines = wrap(Text(saying.mistake or "right", "bold"), width)
    measured = f"perplexity {number(saying.perplexity)}" if saying.is_measured else "measuring …"
    speed = f"   {saying.speed:.1f} tokens/s" if saying.tokens else ""
    lines += wrap(Text(measured + speed, quiet), width)
    written = Text.assemble((prompt, quiet), _printable(saying.text))
    return [*lines, Text(), *wrap(written, width)]


def recorded(*, width: int, quiet: str = "") -> Text:
    """Draw what was recorded of each mistake: its perplexity and the text that it writes."""
    lines = []
    for name, perplexity, text in RECORDED:
        begins = f"{name:<20}{number(perplexity):>8}   "
        shown = Text.assemble((begins, quiet), " ".join(text.split()))
        shown.truncate(width, overflow="ellipsis")
        lines.append(shown)
    return Text("\n").join(lines)


def number(perplexity: float | None) -> str:
    """Write a perplexity."""
    if perplexity is None:
        return "no number"
    return f"{perplexity:.3g}" if perplexity < 1000 else f"{perplexity:,.0f}"


def _printable(text: str) -> str:
    return "".join(each for each in text if each.isprintable() or each == "\n")
