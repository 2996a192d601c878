"""The page of keys: what each means, from `keys.txt`, and where, from the app's own actions.

python -m docs.keys_page       writes docs/keys.md
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from studyattn.tui.actions import ACTIONS, EVERYWHERE, FIND, GO, show_key

DATA = Path(__file__).with_name("keys.txt")
PAGE = Path(__file__).with_name("keys.md")

_MANY = 7
"""Screens that are no longer listed."""

_HEAD = """\
# Keys

Each key means one thing in the whole app. The last line of a screen shows at most seven keys, and
`?` all of them. While you type, letters are text: `esc` leaves the text; `f1` shows all keys, `^_`
undoes and `^g` opens the explanation at once.

| key | what it means | where |
|---|---|---|
"""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What some keys mean, and the names of the actions that mean it."""

    keys: tuple[str, ...]
    words: str
    verbs: frozenset[str]


def read_keys(text: str) -> tuple[tuple[Meaning, ...], Mapping[tuple[str, str], str]]:
    """Return the meanings, and the reason of each exception: a key with another action."""
    listed, _, excepted = text.partition("[Exceptions]\n")
    rows = [line.split(" | ") for line in listed.splitlines() if line and line[0] != "#"]
    meanings = [
        Meaning(tuple(keys.split()), words, frozenset(verbs.split())) for keys, words, verbs in rows
    ]
    others = (line.split(" | ") for line in excepted.splitlines())
    return tuple(meanings), {(key, verb): reason for key, verb, reason in others}


def verb_of(identifier: str) -> str:
    """Return what an action does, without its screen and number: `lesson.pick1` is `pick`."""
    *_, verb = (part for part in identifier.split(".") if not part.isdecimal())
    return verb.rstrip("12345")


def _cell(keys: Iterable[str]) -> str:
    return " ".join(f"`{show_key(key)}`" for key in keys)


def page_text() -> str:
    """Return the page as it is written to a file."""
    meanings, exceptions = read_keys(DATA.read_text("utf-8"))
    lines = []
    for each in meanings:
        scopes = {action.scope for action in ACTIONS if {*action.keys} & {*each.keys}}
        where = ", ".join(sorted(scopes)) if len(scopes) < _MANY else "many screens"
        if scopes & {EVERYWHERE, FIND, GO}:
            where = "everywhere"
        lines.append(f"| {_cell(each.keys)} | {each.words} | {where} |\n")
    told = [f"- `{show_key(key)}`: {reason}\n" for (key, _), reason in exceptions.items()]
    head = "Exceptions" if len(told) > 1 else "The one exception"
    return f"{_HEAD}{''.join(lines)}\n{head}:\n\n{''.join(told)}"


if __name__ == "__main__":
    PAGE.write_text(page_text(), "utf-8")
    print(PAGE)
