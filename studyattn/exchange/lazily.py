"""Functions that pages of data name; their modules are imported when they are called."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from operator import attrgetter
from typing import Any


def named(place: str, package: str = "studyattn.exchange") -> Callable[..., Any]:
    """Return the function of a place in a package: "html.writer:write"."""
    module, _, name = place.partition(":")

    def call(*given: object) -> Any:
        return attrgetter(name)(import_module(f"{package}.{module}"))(*given)

    return call
