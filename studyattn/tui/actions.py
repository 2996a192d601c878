"""Everything that can be done, once: key bindings, palette, last line and help are made of it.

`actions.txt` has a line for each action, below the heading of its scope: what it is called, its
keys, the Textual action that it runs, its title, the word beside its key on the last line, and a
sentence, which is its title where none is given. An action holds no behaviour. A screen binds the
actions of its own scope; the app binds those of every screen, and `GO`, which opens other
screens, where the open screen allows it. `tui.services.register` adds to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from textual.binding import Binding
from textual.keys import format_key

EVERYWHERE: Final = "Everywhere"
FIND: Final = "From every screen"
GO: Final = "Go to"  # the scopes of actions that are no screen's own


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do."""

    id: str
    scope: str  # the screen or situation that it belongs to, by its heading in help
    title: str  # its name in palette and help
    keys: tuple[str, ...]  # Textual key names; the first one is shown
    call: str  # a Textual action: `screen.…` or `app.…`
    hint: str  # one or two words beside the key on the last line
    help: str  # one sentence for help and palette

    @property
    def shown_key(self) -> str:
        """The first of its keys, as it is printed."""
        return show_key(self.keys[0])


_AS_WORDS = frozenset({"enter", "delete"})
"""Keys that Textual shows as a symbol, or shortened, and the screens by their names."""


def show_key(key: str) -> str:
    """Return the key as it is printed on the screens: `ctrl+p` is `^p`, `question_mark` is `?`."""
    if key.startswith("ctrl+"):
        return "^" + format_key(key.removeprefix("ctrl+"))
    return key if key in _AS_WORDS else format_key(key)


def read_actions(text: str) -> Iterator[Action]:
    """Yield the actions of lines as in `actions.txt`. Raises ValueError for any other line."""
    scope = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("["):
            scope = line.strip("[]")
        elif line and not line.startswith("#"):
            name, keys, call, title, hint, *sentence = map(str.strip, line.split("|"))
            if not scope or not keys or len(sentence) > 1:
                raise ValueError(f"{number}: {line}")
            explanation = sentence[0] if sentence else f"{title}."
            yield Action(name, scope, title, tuple(keys.split()), call, hint, explanation)


ACTIONS = list(read_actions(Path(__file__).with_name("actions.txt").read_text(encoding="utf-8")))


def action_named(name: str) -> Action:
    for each in ACTIONS:
        if each.id == name:
            return each
    raise KeyError(name)


def actions_of(*scopes: str) -> Iterator[Action]:
    """Yield the actions of some scopes, in the order of the registry."""
    return (each for each in ACTIONS if each.scope in scopes)


def bindings_of(*scopes: str, before_widgets: bool = False) -> list[Binding]:
    """Return Textual's bindings for the keys of some scopes.

    With `before_widgets` they act even where the focused widget has the same key for itself.
    """
    return [
        Binding(
            key, each.call, each.title, show=False, id=f"{each.id}.{key}", priority=before_widgets
        )
        for each in actions_of(*scopes)
        for key in each.keys
    ]
