"""One action, the scope in which it can be done, and how its keys are printed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from textual.keys import format_key


class Scope(StrEnum):
    """The screen or situation that an action belongs to; the value is its heading in help."""

    EVERYWHERE = "Everywhere"
    FIND = "From every screen"
    GO = "Go to"
    TODAY = "Today"
    REVIEW = "Review"
    LESSON = "Lesson"
    IMPORT = "Import"
    EXPORT = "Export"
    DRILLS = "Drills"
    DRILL = "Drill"
    DEBRIEF = "After a drill"
    PATTERN = "Attention pattern"
    COST = "Cost lab"
    GPT = "Your own GPT"
    MODEL = "A real language model"
    HEADS = "The heads of a real model"
    RUN = "What a real model says"
    CARDS = "Cards"
    PLACEMENT = "Placement"
    PLACED = "The map of a placement"
    PATH = "The path"
    CONCEPTS = "Concepts"
    CONCEPT = "A concept's page"
    EXPLAIN = "Explaining a concept"
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
    scope: str
    """A `Scope`; a screen that is added by another program has a heading of its own."""
    title: str
    """Its name in palette and help."""
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
        """The first of its keys, as it is printed."""
        return show_key(self.keys[0])

    @property
    def shown_keys(self) -> str:
        """Its keys, as they are printed."""
        return " ".join(show_key(key) for key in self.keys)


_AS_WORDS = frozenset({"enter", "delete"})
"""Keys that Textual shows as a symbol, or shortened, and the screens by their names."""


def show_key(key: str) -> str:
    """Return the key as it is printed on the screens: `ctrl+p` is `^p`, `question_mark` is `?`."""
    if key.startswith("ctrl+"):
        return "^" + format_key(key.removeprefix("ctrl+"))
    return key if key in _AS_WORDS else format_key(key)


def row(  # noqa: PLR0917 - a row of a table of actions
    scope: str, name: str, keys: str, call: str, title: str, hint: str, explanation: str = ""
) -> Action:
    """Return an action; without an explanation, its title is one."""
    return Action(name, scope, title, tuple(keys.split()), call, hint, explanation or f"{title}.")
