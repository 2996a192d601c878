"""One thing that is wrong with a pack, and where."""

from __future__ import annotations

from dataclasses import dataclass

from studyattn.errors import PackError
from studyattn.packs.model import SourceLocation


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem and its place."""

    place: SourceLocation
    message: str

    @classmethod
    def at(cls, where: str, message: str) -> Finding:
        """Parse `file:line`, or a file alone."""
        file, _, line = where.rpartition(":")
        if line.isdigit():
            return cls(SourceLocation(file, int(line)), message)
        return cls(SourceLocation(where, 1), message)

    @classmethod
    def of(cls, problem: PackError) -> Finding:
        """Return the finding that says what an error says, with its advice."""
        advice = f". {problem.advice}" if problem.advice else ""
        return cls.at(problem.where, f"{problem.message.rstrip('.')}{advice}")

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"
