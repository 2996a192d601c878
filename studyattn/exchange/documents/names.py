"""Names of columns and fields, as programs and people write them. They are data: `names.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def page_of(name: str) -> Mapping[str, Any]:
    """Return a page of data: how programs and people write cards."""
    page = files("studyattn.exchange.documents").joinpath(*name.split("/"))
    return tomllib.loads(page.read_text("utf-8"))


@cache
def patterns_of(name: str) -> Mapping[str, re.Pattern[str]]:
    """Return the patterns of a page."""
    found = page_of(name)["patterns"].items()
    return {key: re.compile(each, re.IGNORECASE | re.DOTALL) for key, each in found}


def names() -> Mapping[str, Sequence[str]]:
    """Return what columns and fields are called, by their meaning: "front", "back", "tags"."""
    return page_of("names.toml")


@cache
def known_words() -> frozenset[str]:
    """Return all names of columns and fields but those of one letter."""
    return frozenset(word for listed in names().values() for word in listed if len(word) > 1)


def place_of(headings: Sequence[str], meaning: str) -> int | None:
    """Return the column whose heading has a meaning."""
    plain = [re.sub(r"[*_`]", "", each).strip().casefold() for each in headings]
    return next((at for at, each in enumerate(plain) if each in names()[meaning]), None)


def values_of(fields: Mapping[str, Any], meaning: str) -> Iterator[Any]:
    """Yield the values of fields, whose names are in lower case, that have a meaning."""
    return (fields[each] for each in fields if each in names()[meaning])


def field_of(fields: Mapping[str, Any], meaning: str) -> str:
    """Return the first text among fields whose name has a meaning."""
    return next(filter(None, map(plain, values_of(fields, meaning))), "")


def plain(value: object) -> str:
    """Return a value as a text: numbers are written out, a list of texts becomes a list."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return "\n".join(f"- {each.strip()}" for each in value)
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""
