"""The limits of an attempt, and the end of its worker.

The runner and the sandbox enforce the limits; an outcome names the one that was met.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """Limits of one attempt: all programs of one submission together."""

    seconds: float = 10.0  # wall clock, from handing over the source to the last answer
    memory: int = 2048 * MEBIBYTE  # bytes of address space beyond what the warm process has
    tasks: int = 64  # threads and processes
    file_size: int = 16 * MEBIBYTE  # bytes of one file in the scratch folder
    scratch_size: int = 64 * MEBIBYTE  # bytes of all files in the scratch folder
    scratch_files: int = 1000  # files and folders in it
    open_files: int = 64
    output: int = 16 * MEBIBYTE  # bytes printed before the attempt is ended
    answer: int = 256 * MEBIBYTE  # bytes of one answer

    @property
    def seconds_when_busy(self) -> float:
        """Wall clock on a machine where more processes want to run than there are cores."""
        return 6 * self.seconds

    @property
    def cpu_seconds(self) -> int:
        """CPU time after which the kernel ends the worker, should the runner be gone by then."""
        return int(self.seconds) + 2


FAILED_TO_START = 111
"""Exit status of a worker around which the walls could not be put up."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a worker. `exit_code`: negative for a signal, None if its supervisor ended it.

    `scratch_full`: its supervisor ended it for what it had written.
    """

    exit_code: int | None
    cpu_seconds: float
    scratch_full: bool = False

    def to_json(self) -> bytes:
        import msgspec

        return msgspec.json.encode(self) + b"\n"

    @classmethod
    def from_json(cls, text: bytes) -> Self:
        """Return the ending that `to_json` wrote. ValueError when `text` is none."""
        import msgspec

        return msgspec.json.decode(text, type=cls)
