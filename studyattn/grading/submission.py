"""A submission as the grader receives it: its bytes, its array library, files beside it.

Reading is all that is done here. The sources are compiled and run by the worker alone.
"""

from __future__ import annotations

import ast
import contextlib
import re
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Self

_PARSING = threading.RLock()


def tree_of(source: str | bytes) -> ast.Module:
    """Return the syntax tree of a program. Raises what `ast.parse` does.

    Threads take turns: Python 3.11 counts in one place how deep it is in the tree that it makes,
    and raises SystemError where two threads make one at a time.
    """
    with _PARSING:
        return ast.parse(source)


class Backend(StrEnum):
    """The array library whose arrays a submission receives."""

    TORCH = "torch"
    NUMPY = "numpy"


MAX_SOURCE = 1 << 20
"""Bytes of a submission together with the files beside it that it imports."""

PASSED = "mine"
"""The package beside a submission with the learner's code that passed."""

OWN = "drill_"
"""Begins the name of a module beside a submission that passed the drill of that name."""

LENT = "lent_"
"""Begins the name of one that is not the learner's own code."""

_PACKAGE = "__init__.py"
_DEFINITION = re.compile(rb"^(?:def|class)[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_WORD = re.compile(r"[^\W\d]\w*")
_NAME = re.compile(r"(?:(?<![\w.])|(?<=\bmine\.))[^\W\d]\w*")
"""A word that is no method's or attribute's name, unless it is one of the package `mine`."""


def module_name(path: str | Path) -> str:
    """Return the name by which the file at `path` is imported; a hyphen becomes an underscore."""
    return Path(path).stem.replace("-", "_")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that lies beside a submission, to be imported by it as `module`."""

    path: str  # shown in messages, never opened by the worker
    source: bytes
    module: str

    @property
    def is_lent(self) -> bool:
        """True if it is not the learner's, but stands in for code that has not passed."""
        return self.module.rpartition(".")[2].startswith(LENT)

    def defined(self) -> frozenset[str]:
        """Return the names of its functions and classes."""
        return frozenset(name.decode() for name in _DEFINITION.findall(self.source))


def files_beside(path: Path, source: bytes) -> tuple[SourceFile, ...]:
    """Read the Python files in the folder of `path` that `source` may import, or one of these.

    A folder with an `__init__.py` counts with all files in it. Nothing is parsed here: a file
    counts when a line with an import has its name among its words. A file that cannot be read is
    left out.
    """
    try:
        files = _by_name(path)
    except OSError:
        return ()
    found: dict[str, list[SourceFile]] = {}
    sources = [source]
    while sources:
        for name in sorted(_imported_words(sources.pop()) & files.keys() - found.keys()):
            found[name] = [*_read(name, files[name], path.parent)]
            sources += [file.source for file in found[name]]
    return tuple(file for files in found.values() for file in files)


def _by_name(path: Path) -> dict[str, list[Path]]:
    """Return the files of each module and package beside the file at `path`. OSError passes."""
    files = {
        module_name(file): [file]
        for file in sorted(path.parent.glob("*.py"))
        if file.name != path.name and file.is_file()
    }
    for package in sorted(path.parent.glob(f"*/{_PACKAGE}")):
        files[package.parent.name] = sorted(package.parent.glob("*.py"))
    return files


def _read(name: str, files: Iterable[Path], folder: Path) -> Iterator[SourceFile]:
    """Yield the files of what is imported by this name, but those that cannot be read."""
    for each in files:
        inside = f".{module_name(each)}" if each.parent != folder else ""
        with contextlib.suppress(OSError), each.open("rb") as file:
            module = name if each.name == _PACKAGE else f"{name}{inside}"
            yield SourceFile(str(each), file.read(MAX_SOURCE + 1), module)


def own_package(files: Iterable[tuple[str, str]]) -> Iterator[SourceFile]:
    """Yield the learner's package `mine`, given the name and the text of each of its files."""
    for name, text in files:
        module = PASSED if name == _PACKAGE else f"{PASSED}.{module_name(name)}"
        yield SourceFile(f"{PASSED}/{name}", text.encode(), module)


def _imported_words(source: bytes) -> set[str]:
    lines = (line for line in source.splitlines() if b"import" in line)
    return {word for line in lines for word in _WORD.findall(line.decode("utf-8", "ignore"))}


@dataclass(frozen=True, slots=True)
class Rest:
    """The part of the pack's solution that follows the steps which are asked of a drill."""

    file: SourceFile
    own: tuple[str, ...]
    """The names that it takes from the submission, and has none of itself."""


@dataclass(frozen=True, slots=True)
class Submission:
    """One file to run. `forbidden` names functions and modules that do the exercise alone."""

    path: str  # shown in tracebacks, never opened
    source: bytes
    backend: Backend
    entries: tuple[str, ...]
    forbidden: tuple[str, ...] = ()
    beside: tuple[SourceFile, ...] | None = None
    """Files in its folder that it may import; None for text that lies in no folder."""

    why: str = ""
    """Why it is graded in its backend, where the file decided."""

    rest: Rest | None = None
    """The rest of the drill, which calls its functions where a step is asked and not the whole."""

    @classmethod
    def read(
        cls,
        path: Path,
        entries: tuple[str, ...],
        *,
        backend: Backend,
        forbidden: tuple[str, ...] = (),
    ) -> Submission:
        """The file at `path` and the files beside it that it imports. OSError passes."""
        source = path.read_bytes()
        return cls(str(path), source, backend, entries, forbidden, files_beside(path, source))

    def for_drill(self, drill: str, entries: tuple[str, ...], forbidden: tuple[str, ...]) -> Self:
        """Return it as an answer to this drill: it cannot import what it is asked to write."""
        own = f"{OWN}{module_name(drill)}"
        beside = self.beside and tuple(
            file for file in self.beside if file.module.rpartition(".")[2] != own
        )
        return replace(self, entries=entries, forbidden=forbidden, beside=beside)

    def borrowed(self) -> list[str]:
        """Return the names in its source that files define which are lent to it."""
        words = set(_NAME.findall(self.source.decode("utf-8", "ignore")))
        lent = [file.defined() for file in self.beside or () if file.is_lent]
        return sorted(words.intersection(frozenset().union(*lent)))
