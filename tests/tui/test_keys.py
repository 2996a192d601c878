"""One meaning for each key in the whole app, dialogs included, and exceptions with a reason."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from itertools import chain
from pkgutil import walk_packages

from textual.binding import Binding
from textual.widgets import Input

import studyattn.tui
from docs.keys_page import DATA, PAGE, page_text, read_keys, verb_of
from studyattn.tui.actions import ACTIONS, EVERYWHERE, actions_of
from studyattn.tui.dialogs.dialog import Dialog
from studyattn.tui.widgets.text_areas import FiledText

MEANINGS, EXCEPTIONS = read_keys(DATA.read_text("utf-8"))
VERBS = {key: meaning.verbs for meaning in MEANINGS for key in meaning.keys}
OF_THE_APP = {key for key in VERBS if key.startswith(("ctrl+", "f"))}
"""Keys that act while a text is written, unless the text has them for itself."""


def in_use() -> set[tuple[str, str]]:
    """Each key of an action, of a dialog and of a line to type in, with what it does there."""
    for module in walk_packages(studyattn.tui.__path__, "studyattn.tui."):
        if module.name.startswith(("studyattn.tui.dialogs", "studyattn.tui.screens")):
            import_module(module.name)
    kinds: list[type] = [Dialog]
    used = {(key, verb_of(each.id)) for each in ACTIONS for key in each.keys}
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        for binding in vars(kind).get("BINDINGS", ()):
            called = binding.action.partition(".")[2].partition("(")[0]
            used |= {(key, called) for key in binding.key.split(",") if len(key) == 1}
    typed = [Binding.make_bindings(FiledText.BINDINGS), Binding.make_bindings(Input.BINDINGS)]
    return used | {(each.key, each.action) for each in chain(*typed) if each.key in OF_THE_APP}


def test_no_key_has_two_meanings() -> None:
    listed = Counter(key for meaning in MEANINGS for key in meaning.keys)
    assert [key for key, times in listed.items() if times > 1] == []
    assert len({each.words for each in MEANINGS}) == len(MEANINGS)
    wrong = {(key, verb) for key, verb in in_use() if verb not in VERBS.get(key, ())}
    assert wrong == set(EXCEPTIONS)


def test_no_meaning_is_without_an_action() -> None:
    used = in_use()
    assert set(VERBS) == {key for key, _ in used}
    for meaning in MEANINGS:
        done = {verb for key, verb in used if key in meaning.keys}
        assert meaning.verbs <= done, meaning


def test_no_key_does_two_things_in_one_place() -> None:
    twice = set()
    for place in {action.scope for action in ACTIONS}:
        used = Counter(key for each in actions_of(place, EVERYWHERE) for key in each.keys)
        twice |= {(place, key) for key, times in used.items() if times > 1}
    # A preview merges before its import, and reviews after it; nothing is below Today.
    assert twice == {("Import preview", "space"), ("Today", "q")}


def test_the_page_of_keys_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page_text(), "run python -m docs.keys_page"
