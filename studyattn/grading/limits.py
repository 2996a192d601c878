"""What an attempt may use. The runner and the sandbox enforce it; an outcome names what was met."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """Limits of one attempt: all programs of one submission together."""

    seconds: float = 10.0  # wall clock, from handing over the source to the last answer
    memory: int = 2048 * MEBIBYTE  # bytes of address space beyond what the warm process has
    tasks: int = 64  # threads and processes
    file_size: int = 16 * MEBIBYTE  # bytes of one file in the scratch folder
    open_files: int = 64
    output: int = 16 * MEBIBYTE  # bytes printed before the attempt is ended
    answer: int = 256 * MEBIBYTE  # bytes of one answer

    @property
    def cpu_seconds(self) -> int:
        """CPU time after which the kernel ends the worker, should the runner be gone by then."""
        return int(self.seconds) + 2
