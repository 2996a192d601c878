"""Find the concept, drill or setting that a learner names by its key, title or beginning.

Pure. `study.names` knows which concepts and drills there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from studyattn.errors import InputError, NotFoundError
from studyattn.text.links import normal

_MOST = 6  # candidates that a message lists


class Named(NamedTuple):
    """A thing that can be named: its key, as commands print it, and its title."""

    key: str
    title: str


def meant(name: str, things: Iterable[Named], *, what: str, listing: str) -> Named:
    """Return the one thing that is called `name`.

    That is, in this order, the thing with this key; the one with this key or title whatever its
    case, hyphens and spaces; the only one whose key or title begins so. `what` says in messages
    what the things are, `listing` is the command that lists them. Raises NotFoundError,
    which names what is spelt nearly so, and InputError if several are called so.
    """
    candidates = list(things)
    for each in candidates:
        if each.key == name:
            return each
    wanted = normal(name)
    for matches in _MATCHES if wanted else ():
        found = [each for each in candidates if matches(each, wanted)]
        if len(found) == 1:
            return found[0]
        if found:
            raise InputError(
                f"{name!r} matches several {what}s: {_listed(found)}", advice="Name one of them."
            )
    raise NotFoundError(
        f"there is no {what} {name!r}",
        advice=f"{did_you_mean(name, candidates)}`{listing}` lists them.",
    )


def did_you_mean(name: str, things: Iterable[Named]) -> str:
    """Return a question that names what is spelt nearly like `name`, and a space; "" for none."""
    from difflib import get_close_matches  # late: only a mistake needs it

    keys: dict[str, str] = {}
    for each in things:
        keys.setdefault(normal(each.key), each.key)
        keys.setdefault(normal(each.title), each.key)
    close = get_close_matches(normal(name), keys, n=3)
    found = list(dict.fromkeys(keys[each] for each in close))
    return f"Did you mean {' or '.join(map(repr, found))}? " if found else ""


def _is_called(thing: Named, wanted: str) -> bool:
    return wanted in {normal(thing.key), normal(thing.title)}


def _begins(thing: Named, wanted: str) -> bool:
    return normal(thing.key).startswith(wanted) or normal(thing.title).startswith(wanted)


_MATCHES: tuple[Callable[[Named, str], bool], ...] = (_is_called, _begins)


def _listed(found: list[Named]) -> str:
    names = ", ".join(each.key for each in found[:_MOST])
    more = len(found) - _MOST
    return f"{names} and {more} more" if more > 0 else names
