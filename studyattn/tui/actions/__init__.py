"""Everything that can be done, once: key bindings, palette, last line and help are made of it.

An action names what it does, its keys and the Textual action that it runs; it holds no behaviour. A
screen binds the actions of its own scope; the app binds those of every screen, and `Scope.GO`,
which opens other screens, where the open screen allows it. The tables are in `everyday`,
`practice`, `knowledge` and `writing`; `tui.navigation.register` adds to them.
"""

from __future__ import annotations

from collections.abc import Iterator

from textual.binding import Binding

from studyattn.tui.actions import everyday, knowledge, practice, writing
from studyattn.tui.actions.action import Action, Scope, row, show_key

__all__ = [
    "ACTIONS",
    "Action",
    "Scope",
    "action_named",
    "actions_of",
    "bindings_of",
    "row",
    "show_key",
]

ACTIONS: list[Action] = [
    *everyday.ACTIONS,
    *practice.ACTIONS,
    *knowledge.ACTIONS,
    *writing.ACTIONS,
]


def action_named(name: str) -> Action:
    """Return the action with this id. Raises KeyError for an unknown one."""
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
            key,
            each.call,
            each.title,
            show=False,
            id=f"{each.id}.{key}",
            priority=before_widgets,
        )
        for each in actions_of(*scopes)
        for key in each.keys
    ]
