"""A submission as the grader receives it: its bytes, what its first lines say, files beside it.

Reading is all that is done here. The sources are compiled and run by the worker alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Backend(StrEnum):
    """The array library whose arrays a submission receives."""

    TORCH = "torch"
    NUMPY = "numpy"


HEADER_LINES = 10
MAX_SOURCE = 1 << 20
"""Bytes of a submission together with the files beside it that it imports."""

_IMPORT = re.compile(rb"^[ \t]*(?:import|from)[ \t]+(numpy|torch)\b", re.MULTILINE)
_WORD = re.compile(r"[^\W\d]\w*")
_HEADER = re.compile(rb"^[ \t]*#[ \t]*backend[ \t]*:[ \t]*([A-Za-z0-9_-]+)")


def backend_of(source: bytes, default: Backend = Backend.TORCH) -> Backend:
    """The backend that a comment ``# backend: numpy`` in the first lines names, else `default`.

    A name that is no backend counts as no header: the learner then sees torch tensors arrive.
    """
    for line in source.split(b"\n", HEADER_LINES)[:HEADER_LINES]:
        found = _HEADER.match(line)
        if found and found[1].decode("ascii") in set(Backend):
            return Backend(found[1].decode("ascii"))
    return default


def module_name(path: str | Path) -> str:
    """Return the name by which the file at `path` is imported; a hyphen becomes an underscore."""
    return Path(path).stem.replace("-", "_")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that lies beside a submission, to be imported by it."""

    path: str  # shown in messages, never opened by the worker
    source: bytes


def files_beside(path: Path, source: bytes) -> tuple[SourceFile, ...]:
    """Read the Python files in the folder of `path` that `source` may import, or one of these.

    Nothing is parsed here: a file counts when a line with an import has its name among its words.
    A file that cannot be read is left out.
    """
    try:
        files = {
            module_name(file): file
            for file in sorted(path.parent.glob("*.py"))
            if file.name != path.name and file.is_file()
        }
    except OSError:
        return ()
    found: dict[str, SourceFile] = {}
    sources = [source]
    while sources:
        for name in sorted(_imported_words(sources.pop()) & files.keys() - found.keys()):
            try:
                with files[name].open("rb") as file:
                    text = file.read(MAX_SOURCE + 1)
            except OSError:
                continue
            found[name] = SourceFile(str(files[name]), text)
            sources.append(text)
    return tuple(found.values())


def _imported_words(source: bytes) -> set[str]:
    lines = (line for line in source.splitlines() if b"import" in line)
    return {word for line in lines for word in _WORD.findall(line.decode("utf-8", "ignore"))}


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

    @classmethod
    def read(
        cls,
        path: Path,
        entries: tuple[str, ...],
        *,
        backend: Backend | None = None,
        forbidden: tuple[str, ...] = (),
    ) -> Submission:
        """The file at `path` and the files beside it that it imports. OSError passes.

        Without `backend`, it is in the one that its first lines name.
        """
        source = path.read_bytes()
        beside = files_beside(path, source)
        return cls(str(path), source, backend or backend_of(source), entries, forbidden, beside)

    @property
    def imports_instead(self) -> Backend | None:
        """The other backend, where the file imports that one alone."""
        imported = {Backend(name.decode("ascii")) for name in _IMPORT.findall(self.source)}
        return imported.pop() if len(imported) == 1 and self.backend not in imported else None
