"""A submission as the grader receives it: its bytes, and what its first lines say.

Reading is all that is done here. The source is compiled and run by the worker alone.
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
_IMPORT = re.compile(rb"^[ \t]*(?:import|from)[ \t]+(numpy|torch)\b", re.MULTILINE)
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


@dataclass(frozen=True, slots=True)
class Submission:
    """One file to run. `forbidden` names functions and modules that do the exercise alone."""

    path: str  # shown in tracebacks, never opened
    source: bytes
    backend: Backend
    entries: tuple[str, ...]
    forbidden: tuple[str, ...] = ()

    @classmethod
    def read(
        cls,
        path: Path,
        entries: tuple[str, ...],
        *,
        backend: Backend | None = None,
        forbidden: tuple[str, ...] = (),
    ) -> Submission:
        """The file at `path`, in `backend` or the one that its first lines name. OSError passes."""
        source = path.read_bytes()
        return cls(str(path), source, backend or backend_of(source), entries, forbidden)

    @property
    def imports_instead(self) -> Backend | None:
        """The other backend, where the file imports that one alone."""
        imported = {Backend(name.decode("ascii")) for name in _IMPORT.findall(self.source)}
        return imported.pop() if len(imported) == 1 and self.backend not in imported else None
