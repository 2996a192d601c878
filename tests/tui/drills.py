"""What tests of the drill screen share: code to hand in, and waiting for its verdict."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot

from studyattn.bundled import content_dir
from studyattn.study.profile import Profile
from studyattn.study.review import recorder
from studyattn.study.review.queue import due_items
from studyattn.tui.screens.drill import DrillScreen
from studyattn.tui.widgets.text_areas import CodeEditor
from tests.tui.conftest import settle

CONTENT = content_dir()
GUID = "attention:drill/attention"
CODE = """# backend: numpy
import numpy as np


def attention(q, k, v):
    s = q @ np.swapaxes(k, -1, -2){scale}
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
"""
UNSCALED = CODE.format(scale="")
RIGHT = CODE.format(scale=" / np.sqrt(q.shape[-1]).astype(q.dtype)")
IMPORTING = """# backend: numpy
import numpy as np
from softmax import softmax


def attention(q, k, v):
    return softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)) @ v
"""
SOFTMAX = """import numpy as np


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum({axis}, keepdims=True)
"""
ENDLESS = "# backend: numpy\ndef attention(q, k, v):\n    while True:\n        pass\n"


async def open_drill(pilot: Pilot[None], name: str = "attention") -> DrillScreen:
    """Open the screen of a drill."""
    screen = DrillScreen(name)
    pilot.app.push_screen(screen)
    await settle(pilot)
    return screen


def write_elsewhere(path: Path, text: str) -> None:
    """As editors do: a new file takes the old one's place."""
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def graded(screen: DrillScreen, verdict: str) -> Callable[[], bool]:
    """Whether that verdict is shown."""
    return lambda: screen.verdict == verdict and not screen.is_grading


def editor(screen: DrillScreen) -> CodeEditor:
    """Where its code is written."""
    return screen.query_one(CodeEditor)


def descendants() -> set[int]:
    """Processes that this one has started, theirs included, and that still run."""
    shown = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,stat=,comm="], capture_output=True, text=True, check=True
    )
    rows = [line.split(None, 3) for line in shown.stdout.splitlines()]
    started: dict[int, set[int]] = {}
    for pid, parent, state, command in rows:
        if not state.startswith("Z") and command.strip() != "ps":
            started.setdefault(int(parent), set()).add(int(pid))
    found: set[int] = set()
    waiting = [os.getpid()]
    while waiting:
        new = started.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def resident() -> float:
    """Megabytes of memory that this process has."""
    shown = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(os.getpid())], capture_output=True, text=True, check=True
    )
    return int(shown.stdout) / 1024


def memory_of(profile: Profile) -> object:
    """What the drill's memory is."""
    with profile.database.read() as connection:
        return recorder.memory_of_item(connection, GUID)


def due_for_it(profile: Profile) -> list[str]:
    """Cards that a mistake in code made due."""
    return [item.guid for item in due_items(profile) if item.brought_back]
