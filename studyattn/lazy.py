"""Modules that a package imports when they, or a name of theirs, are first used.

A command or a first frame names a package of `study` at its top and asks the database nothing yet;
`concepts.board` is imported, and SQLAlchemy with it, when a function of it is called.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # as type checkers know it, without importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from types import ModuleType


def lazy_modules(package: str, names: Collection[str]) -> Callable[[str], ModuleType]:
    """Return the `__getattr__` of a package, which imports its modules on demand (PEP 562)."""

    def load(name: str) -> ModuleType:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return importlib.import_module(f"{package}.{name}")

    return load


def lazy_names(package: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package that gives out names of its modules (PEP 562).

    `names` has the module that each of them is in, which is imported when the name is first used.
    """

    def load(name: str) -> object:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{package}.{names[name]}"), name)

    return load
