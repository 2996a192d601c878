"""Modules that a package imports when they are first used.

A command or a first frame names a package of `study` at its top and asks the database nothing yet;
`concepts.board` is imported, and SQLAlchemy with it, when a function of it is called.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # as type checkers know it, without importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from types import ModuleType


def lazy_modules(package: str, names: Collection[str]) -> Callable[[str], ModuleType]:
    """Return the `__getattr__` of a package, which imports its modules on demand (PEP 562)."""

    def load(name: str) -> ModuleType:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return importlib.import_module(f"{package}.{name}")

    return load
