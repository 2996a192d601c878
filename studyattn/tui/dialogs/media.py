"""Open a picture or sound of a card in the program that the system has for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from studyattn.tui.dialogs.picker import PickScreen

if TYPE_CHECKING:
    from studyattn.tui.screens.base import StudyScreen


def open_medium(screen: StudyScreen, folder: Path, names: Sequence[str]) -> None:
    """Open the file of `folder`; of several the one that the learner picks."""

    async def open_one(name: str) -> None:
        if (path := folder / name).is_file():
            screen.app.open_url(path.as_uri())
        else:
            screen.show_hints(f"{name} is not in the folder {folder}")

    if not names:
        screen.show_hints("this card has no picture or sound")
    elif len(names) == 1:
        screen.do(partial(open_one, names[0]))
    else:
        screen.ask(PickScreen("Open", {name: name for name in names}), open_one)
