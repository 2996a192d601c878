"""Reads named fields of front matter, of pack.toml or of a heading, each with its type.

Every complaint names the field and the place; fields that nobody asked for are refused, because a
misspelt `require:` would otherwise be silently nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from studyattn.errors import PackError
from studyattn.packs.model import SourceLocation
from studyattn.text.document import Attributes

_ID = re.compile(r"[a-z0-9][a-z0-9-]*")
_MISSING: Final = object()


def is_id(text: str) -> bool:
    """Lower-case letters, digits and hyphens, beginning with a letter or digit."""
    return _ID.fullmatch(text) is not None and len(text) <= 100


def is_pack_id(text: str) -> bool:
    """Return whether a text can be the id of a pack, which begins the id of each of its items."""
    return is_id(text) and len(text) <= 40


class Fields:
    """The fields of one mapping. Each method raises PackError when the field is not of its type."""

    def __init__(self, values: Mapping[str, Any], place: SourceLocation) -> None:
        self.place = place
        self._values = values
        self._asked: set[str] = set()

    def text(self, name: str, *, default: str | None = None) -> str:
        value = self._get(name, default)
        if isinstance(value, str) and (value.strip() or default is not None):
            return value.strip()
        raise self._refusal(f"{name} must be a text", f"Write {name}: some text")

    def id(self, name: str) -> str:
        value = self.text(name)
        if not is_id(value):
            raise self._refusal(
                f"{name} {value!r} is not a valid id", "Use lowercase letters, digits and hyphens"
            )
        return value

    def texts(self, name: str, *, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        value = self._get(name, default)
        if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
            return tuple(each.strip() for each in value)
        raise self._refusal(f"{name} must be a list of texts", f"Write {name}: [one, other]")

    def mappings(self, name: str) -> tuple[Mapping[str, str], ...]:
        """Return a list of mappings from texts to texts; () where there is none."""
        value = self._get(name, ())
        if isinstance(value, list | tuple) and all(map(_is_of_texts, value)):
            return tuple(dict(each) for each in value)
        raise self._refusal(f"{name} must be a list of mappings", f'Write {name}: [{{"4": "5"}}]')

    def mapping(self, name: str) -> Mapping[str, str]:
        """Return a mapping from texts to texts; {} where there is none."""
        value = self._get(name, {})
        if _is_of_texts(value):
            return dict(value)
        raise self._refusal(f"{name} must be a mapping of texts", f"Write {name}: {{one: other}}")

    def truth(self, name: str) -> bool:
        """Return true or false, which it is where it is not said."""
        value = self._get(name, False)
        if isinstance(value, bool):
            return value
        raise self._refusal(f"{name} must be true or false")

    def whole(self, name: str, *, low: int, high: int) -> int:
        value = self._get(name, None)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        raise self._refusal(f"{name} must be a whole number from {low} to {high}")

    def refuse_others(self) -> None:
        """Raise for a field that nobody has asked for."""
        for name in self._values:
            if name not in self._asked:
                known = ", ".join(sorted(self._asked))
                raise self._refusal(f"nothing here is called {name!r}", f"Known are {known}")

    def _get(self, name: str, default: Any) -> Any:
        self._asked.add(name)
        value = self._values.get(name, _MISSING)
        if value is not _MISSING:
            return value
        if default is None:
            raise self._refusal(f"{name} is missing", f"Add {name}")
        return default

    def _refusal(self, message: str, advice: str = "") -> PackError:
        return self.place.error(message, advice)


def _is_of_texts(value: object) -> bool:
    """Return whether it is a mapping from texts to texts."""
    return isinstance(value, dict) and all(
        isinstance(text, str) for text in (*value.keys(), *value.values())
    )


def id_of(attributes: Attributes, what: str, place: SourceLocation, advice: str) -> str:
    """Return the id in a heading. Raises PackError where it has none, or none that will do."""
    if attributes.id is None:
        raise place.error(f"{what} without an id", advice)
    if not is_id(attributes.id):
        raise place.error(f"{attributes.id!r} is not a valid id", advice)
    return attributes.id
