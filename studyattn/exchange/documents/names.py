"""Names of columns and fields, as programs and people write them. They are data: `names.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def names() -> Mapping[str, Sequence[str]]:
    """Return what columns and fields are called, by their meaning: "front", "back", "tags"."""
    page = files("studyattn.exchange.documents").joinpath("names.toml").read_text("utf-8")
    return tomllib.loads(page)


def place_of(headings: Sequence[str], meaning: str) -> int | None:
    """Return the column whose heading has a meaning."""
    plain = [re.sub(r"[*_`]", "", each).strip().casefold() for each in headings]
    return next((at for at, each in enumerate(plain) if each in names()[meaning]), None)


def field_of(fields: Mapping[str, Any], meaning: str) -> str:
    """Return the first text among fields, in lower case, whose name has a meaning."""
    found = (fields[each] for each in fields if each in names()[meaning])
    return next((text for value in found if (text := plain(value))), "")


def plain(value: object) -> str:
    """Return a value as a text: numbers are written out, a list of texts becomes a list."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return "\n".join(f"- {each.strip()}" for each in value)
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""
