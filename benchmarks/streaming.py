"""Peak memory and time of what goes through a whole home: export, import, merge, rebuild, sync.

    python -m benchmarks.streaming [--size year|big] [WORK ...]

Each piece of work is a command in a process of its own, which the kernel tells the largest resident
memory of. All run in copies of a home of `benchmarks.homes`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from benchmarks import homes
from studyattn.home import Home

MOST: Final = 300  # MB
_PAGE: Final = 4096
ANSWERS: Final = 10  # by which the other machine's home differs


def main() -> int:
    """Print a line for each piece of work; 1 when one takes more memory than is allowed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("works", nargs="*", metavar="WORK")
    parser.add_argument("--size", choices=[each.name for each in homes.SIZES], default="big")
    chosen = parser.parse_args()
    size = next(each for each in homes.SIZES if each.name == chosen.size)
    # The kernel counts a parent's memory as its child's: making the home is another's work.
    make = f"from benchmarks import homes; homes.home_of(homes.{size.name.upper()})"
    subprocess.run([sys.executable, "-c", make], check=True)
    print(f"{'':24} {'s of CPU':>9} {'s':>7} {'MB':>6}", flush=True)
    with (
        homes.copy_of(size) as home,
        tempfile.TemporaryDirectory(dir=homes.folder(), prefix=".streaming-") as made,
    ):
        folder = Path(made)
        most = max(
            _run(name, arguments)
            for name, arguments in _works(home, folder)
            if not chosen.works or name in chosen.works
        )
    return int(most > MOST)


def _works(home: Home, folder: Path) -> list[tuple[str, Sequence[str]]]:
    """Return the commands in their order: some read what an earlier one has left."""
    lines, shared, damaged = folder / "all.jsonl", folder / "shared", Home(folder / "damaged")
    other = Home(folder / "other")
    shutil.copytree(home.root, other.root)
    shutil.copytree(home.root, damaged.root)
    _damage(damaged)
    shared.mkdir()
    answers = _write_answers(other, folder / "answers.jsonl")

    def at(place: Home, *arguments: str) -> Sequence[str]:
        return ("--home", str(place.root), *arguments)

    return [
        ("export all", at(home, "export", "all", "-o", str(lines))),
        ("import into an empty", at(Home(folder / "empty"), "import", "--yes", str(lines))),
        ("import of the same", at(home, "import", "--yes", str(lines))),
        (f"{ANSWERS} answers", at(other, "answer", "--from", str(answers))),
        ("merge", at(home, "db", "merge", str(other.root))),
        ("merge of the same", at(home, "db", "merge", str(other.root))),
        ("rebuild", at(home, "db", "rebuild")),
        ("first sync", at(home, "sync", str(shared))),
        ("sync without news", at(home, "sync", str(shared))),
        ("sync of another", at(other, "sync", str(shared))),
        ("recover", at(damaged, "db", "recover")),
    ]


def _write_answers(home: Home, path: Path) -> Path:
    """Write answers that one machine gives and the other has not."""
    with closing(sqlite3.connect(home.database)) as connection:
        guids = connection.execute("SELECT guid FROM item WHERE reps > 0 LIMIT ?", (ANSWERS,))
        at = datetime.now(UTC).isoformat()
        rows = [{"guid": guid, "rating": "good", "at": at} for (guid,) in guids]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def _damage(home: Home) -> None:
    """Overwrite a page in the middle of a database."""
    with home.database.open("rb+") as file:
        file.seek(home.database.stat().st_size // 2 // _PAGE * _PAGE)
        file.write(bytes(_PAGE))


def _run(name: str, arguments: Sequence[str]) -> float:
    """Run a command, print what it took, and return its largest resident memory in MB."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "studyattn", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        told = process.stderr.read().decode()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    took, memory = time.perf_counter() - began, used.ru_maxrss / 1024
    print(f"{name:24} {used.ru_utime + used.ru_stime:9.1f} {took:7.1f} {memory:6.0f}", flush=True)
    if process.returncode:
        raise SystemExit(f"{name}: {told}")
    return memory


if __name__ == "__main__":
    sys.exit(main())
