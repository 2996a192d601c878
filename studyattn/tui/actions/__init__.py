"""Everything that can be done, once: bindings, palette, last line and help are made of it.

An action says what it does, which keys do it and which Textual action it calls; it holds no
behaviour. A screen binds the actions of its own place, of `EVERYWHERE`, and (unless a key press
there means something else) of `GO`, which opens the other screens. The tables stand in `everyday`,
`practice`, `knowledge` and `writing`.
"""

from __future__ import annotations

from collections.abc import Iterator

from textual.binding import Binding

from studyattn.tui.actions import everyday, knowledge, practice, writing
from studyattn.tui.actions.action import Action, Scope, show_key

__all__ = ["ACTIONS", "Action", "Scope", "action", "actions_of", "bindings_of", "show_key"]

ACTIONS: tuple[Action, ...] = (
    *everyday.ACTIONS,
    *practice.ACTIONS,
    *knowledge.ACTIONS,
    *writing.ACTIONS,
)

_BY_ID = {action.id: action for action in ACTIONS}


def action(name: str) -> Action:
    """The action called `name`."""
    return _BY_ID[name]


def actions_of(*places: Scope) -> Iterator[Action]:
    """The actions of some places, in the order of the registry."""
    return (action for action in ACTIONS if action.place in places)


def bindings_of(*places: Scope) -> list[Binding]:
    """Textual bindings; where two places want the same key, the place named first has it."""
    taken: dict[str, Action] = {}
    for place in places:
        for action in actions_of(place):
            for key in action.keys:
                taken.setdefault(key, action)
    return [
        Binding(key, action.call, action.title, show=False, id=f"{action.id}.{key}")
        for key, action in taken.items()
    ]
