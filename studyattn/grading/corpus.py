"""Labelled submissions to a drill: files, and rows that say in what one differs from a file.

The folder of a drill has its submissions in `right` and `wrong`. Beside these, `right.diff` and
`wrong.diff` have those that are a file with a change, as unified diffs. Their hunks begin with `@@`
and need no numbers, and a blank line before `---` begins the next row.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from studyattn.errors import InputError


@contextlib.contextmanager
def unpacked(folder: Path) -> Iterator[Path]:
    """Give a copy of the folder of a drill in which every row is a file.

    Raises InputError for a row that is not a change of a file.
    """
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch, folder.name)
        shutil.copytree(folder, copy, copy_function=shutil.copyfile)
        for table in sorted(copy.glob("*.diff")):
            table.with_suffix("").mkdir(exist_ok=True)
            for row in f"\n\n{table.read_text('utf-8')}".split("\n\n--- ")[1:]:
                _write(table, row)
        yield copy


def _write(table: Path, row: str) -> None:
    """Write the file that a row stands for."""
    base, name, *hunks = re.split(r"\n\+\+\+ |\n@@.*\n", row.rstrip("\n"))
    place, files = f"{table.parent.name}/{table.name}, {name}", table.with_suffix("")
    try:
        text = "\n" + (files / base).read_text("utf-8")
    except OSError as error:
        raise InputError(f"there is no file {base!r} to change", where=place) from error
    for hunk in hunks:
        lines = hunk.split("\n")
        before, after = (
            "".join(f"\n{line[1:]}" for line in lines if not line.startswith(other))
            for other in "+-"
        )
        found = [each.start() for each in re.finditer(rf"{re.escape(before)}(?=\n)", text)]
        if not before or len(found) != 1:
            raise InputError(
                f"a hunk begins with {lines[0]!r} and is found {len(found)} times in {base}",
                where=place,
                advice="Give it as many lines around its change as are found once.",
            )
        text = f"{text[: found[0]]}{after}{text[found[0] + len(before) :]}"
    (files / name).write_text(text[1:], "utf-8")
