"""Makes deliberate faults, and looks whether the tests find each of them.

    python -m benchmarks.faults
    python -m benchmarks.faults studyattn/packs studyattn/grading/compare.py

The faults are rows of `faults.toml`: a file, a text in it and what takes its place, and the tests
that must fail then. Each is made in a copy of the repository, one after another, so that nothing
here changes. A fault that no test finds is named, and makes the exit status 1.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. Each of `tests` is what `pytest` is given; any of them may find it."""

    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def make(self, root: Path) -> str:
        """Make the fault in a copy of the repository; return the text that the file had."""
        path = root / self.file
        text = path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.file}: {text.count(self.old)} times {self.old!r}")
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")
        return text


def faults() -> tuple[Fault, ...]:
    """Return all faults of the list."""
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))["fault"]
    return tuple(
        Fault(each["file"], each["old"], each["new"], tuple(each["tests"])) for each in rows
    )


def finding(fault: Fault, root: Path) -> str:
    """Return the first of the fault's tests that fails with it; nothing if none does."""
    before = fault.make(root)
    try:
        return next(_failing(fault.tests, root), "")
    finally:
        (root / fault.file).write_text(before, encoding="utf-8")


def _failing(tests: Sequence[str], root: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "pytest", "-n", "0", "-x", "-q", "-p", "no:cacheprovider"]
    for each in tests:
        done = subprocess.run(
            [*command, *shlex.split(each)],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root)},
            capture_output=True,
            check=False,
        )
        if done.returncode == FAILED:
            yield each


FAILED = 1
"""The exit status of pytest when a test failed; others say that no test ran."""


def main() -> int:
    """Print what finds each fault, of all files or of those below the given ones."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="*")
    paths = parser.parse_args().paths
    chosen = [each for each in faults() if each.file.startswith(tuple(paths or [""]))]
    missed = 0
    with tempfile.TemporaryDirectory(prefix="studyattn-faults-") as place:
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
        )
        for name in listed.stdout.decode().split("\0")[:-1]:
            (Path(place) / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, Path(place) / name)
        for fault in chosen:
            began = time.perf_counter()
            found = finding(fault, Path(place))
            missed += not found
            seconds = time.perf_counter() - began
            print(
                f"{found or 'NOT FOUND':60} {fault.file}: {fault.new.strip()!r:.60} {seconds:.0f} s"
            )
            sys.stdout.flush()
    print(f"{len(chosen) - missed} of {len(chosen)} faults found")
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
