"""One action, the place where it can be done, and how its keys are printed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """Where an action can be done; the value is the heading that help gives it."""

    EVERYWHERE = "Everywhere"
    FIND = "From every screen"
    GO = "Go to"
    TODAY = "Today"
    REVIEW = "Review"
    IMPORT = "Import"
    EXPORT = "Export"
    DRILLS = "Drills"
    DRILL = "Drill"
    PATTERN = "Attention pattern"
    COST = "Cost lab"
    CARDS = "Cards"
    CONCEPTS = "Concepts"
    CONCEPT = "A concept's page"
    NOTES = "Notes"
    NOTE = "A note"
    VERSIONS = "A note's versions"
    SOURCE = "A source"
    SEARCH = "Search"
    STATS = "Stats"
    SETTINGS = "Settings"
    EDITOR = "Editing text"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do."""

    id: str
    place: Scope
    title: str
    """What palette and help call it."""
    keys: tuple[str, ...]
    """Textual key names; the first one is shown."""
    call: str
    """A Textual action: `screen.…` or `app.…`."""
    hint: str
    """One or two words beside the key on the last line."""
    help: str
    """One sentence for help and palette."""

    @property
    def shown_key(self) -> str:
        """The key as a keyboard has it printed."""
        return show_key(self.keys[0])

    @property
    def shown_keys(self) -> str:
        """All of its keys."""
        return " ".join(show_key(key) for key in self.keys)


_PRINTED = {
    "question_mark": "?",
    "minus": "-",
    "at": "@",
    "asterisk": "*",
    "comma": ",",
    "slash": "/",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "escape": "esc",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "pageup": "pgup",
    "pagedown": "pgdn",
}


def show_key(key: str) -> str:
    """`ctrl+p` → `^p`, `question_mark` → `?`."""
    if key.startswith("ctrl+"):
        return "^" + key.removeprefix("ctrl+")
    return _PRINTED.get(key, key)


def row(  # noqa: PLR0917 - a row of a table of actions
    place: Scope, name: str, keys: str, call: str, title: str, hint: str, explanation: str = ""
) -> Action:
    """An action; without an explanation its title is one."""
    return Action(name, place, title, tuple(keys.split()), call, hint, explanation or f"{title}.")
