"""Carries out what `test_hindered` asks in a home that cannot be written; prints it as JSON.

Run in a mount namespace of its own, so that what it mounts and fills is nobody else's.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from studyattn.cli import run
from studyattn.errors import FullDiskError
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.study import review
from studyattn.study.profile import open_profile
from studyattn.tui.app import StudyApp

CARD = "attention:softmax-axis"


def mounted(home: Path, *arguments: str) -> None:
    subprocess.run(["mount", *arguments, str(home)], check=True)


def fill(folder: Path) -> None:
    """Write until the disk has no byte left."""
    with contextlib.suppress(OSError), (folder / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def commands(home: Path, lines: list[list[str]]) -> list[dict[str, Any]]:
    done = []
    for line in lines:
        beneath, err = io.BytesIO(), io.StringIO()
        out = io.TextIOWrapper(beneath)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = run(["--home", str(home), *line])
        out.flush()
        text = beneath.getvalue().decode()
        done.append({"line": line, "status": status, "out": text, "err": err.getvalue()})
    return done


async def app(home: Path) -> list[str]:
    """Return what the app shows: Today, the error for an answer, and Today after it."""
    shown = []

    def screen() -> str:
        strips = running.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    running = StudyApp(Home(home))
    async with running.run_test(size=(100, 40)) as pilot:
        for keys in ((), ("space", "1", "enter", "space"), ("enter", "escape")):
            await pilot.press(*keys)
            await running.settled()
            await pilot.pause()
            shown.append(screen())
    return shown


def full_while_open(home: Path) -> dict[str, Any]:
    """Fill the disk under an open home, answer until it is refused, free it, and answer again."""
    taken = 0
    with open_profile(Home(home)) as profile:
        profile.change_setting("fuzz", "false")
        fill(home)
        told = ""
        try:
            for _ in range(2000):
                review.batch.answer(profile, CARD, Rating.GOOD)
                taken += 1
        except FullDiskError as error:
            told = str(error)
        listed = len(review.browse.items(profile))
        due = len(review.queue.read_day(profile, profile.moment()).items)
        (home / "filler").unlink()
        review.batch.answer(profile, CARD, Rating.GOOD, profile.moment())
        taken += 1
    with open_profile(Home(home)) as profile, profile.database.read() as connection:
        kept = connection.exec_driver_sql("SELECT count(*) FROM review").scalar()
    return {"told": told, "taken": taken, "kept": kept, "listed": listed, "due": due}


def main() -> None:
    how, home, lines = sys.argv[1], Path(sys.argv[2]), json.loads(sys.argv[3])
    if how == "forbidden":
        (home / "studyattn.db").chmod(0o444)
        for folder in (home / "backups", home):
            folder.chmod(0o555)
    elif how == "read-only":
        mounted(home, "--bind", str(home))
        mounted(home, "-o", "remount,ro,bind")
    else:
        data = (home / "studyattn.db").read_bytes()
        mounted(home, "-t", "tmpfs", "-o", "size=6m", "none")
        (home / "studyattn.db").write_bytes(data)
    if how == "full while open":
        print(json.dumps(full_while_open(home)))
        return
    if how == "full":
        fill(home)
    before = files(home)
    done = {"commands": commands(home, lines), "app": asyncio.run(app(home))}
    after = files(home)
    changed = [str(p) for p in before.keys() | after.keys() if before.get(p) != after.get(p)]
    if how == "forbidden":
        home.chmod(0o755)  # so that it can be removed
        (home / "backups").chmod(0o755)
    print(json.dumps({**done, "changed": changed}))


def files(home: Path) -> dict[Path, bytes]:
    """Return what is in the home, but for what SQLite may leave beside a file that it reads."""
    found = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    return {path: data for path, data in found.items() if data and path.suffix != ".db-shm"}


if __name__ == "__main__":
    main()
