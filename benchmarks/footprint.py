"""Memory of the processes that a learner keeps open: the app, a drill, `drill watch`, a page.

Of each the processes that it starts are part: what they keep in memory (RSS), and the same with
what several of them share counted once in all (PSS).
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import aiohttp

from benchmarks._measure import Figure, tree_memory
from benchmarks._terminal import Terminal
from benchmarks.homes import YEAR, copy_of
from benchmarks.served import Page
from studyattn.bundled import content_dir
from studyattn.home import Home
from studyattn.serve.access import Doors
from studyattn.serve.server import Server, Serving

_SETTLED = 4  # seconds without output
_DRILL = "dot-product"  # the first of the list
_SOLUTION = content_dir() / "attention" / "drills" / _DRILL / "solution_numpy.py"


def measure() -> Iterator[Figure]:
    """The figures of this subject."""
    with copy_of(YEAR) as home:
        yield from _told("the app at Today, a year", [_today(home)], 70)
    with tempfile.TemporaryDirectory(prefix="studyattn-benchmark-") as folder:
        home = Home(Path(folder))
        file = home.drills / f"{_DRILL}.py"
        home.drills.mkdir(parents=True)
        file.write_text(_SOLUTION.read_text("utf-8"), encoding="utf-8")
        warm, looking = _in_a_drill(home)
        yield from _told("in a drill, a warm numpy worker", [warm], 150)
        yield from _told("  after a pass, looking for an input that fails", [looking])
        yield from _told("drill watch, numpy alone", [_watching(home, file)], 350)
        served = asyncio.run(_sessions(Home(Path(folder) / "served")))
        yield from _told("a session of serve", served, 90)


def _told(
    name: str, found: list[tuple[float, float]], most: float | None = None
) -> Iterator[Figure]:
    yield Figure(f"{name}, RSS", max(rss for rss, _ in found), "MB", most)
    yield Figure(f"{name}, PSS", max(pss for _, pss in found), "MB")


def _command(home: Home, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "studyattn", "--home", str(home.root), *arguments]


def _today(home: Home) -> tuple[float, float]:
    """The memory at a start; the first one of a home also has the learner's model write."""
    written = home.root / "first_model.json"
    with Terminal(_command(home)) as terminal:
        while not written.exists():
            terminal.drain(1)
    with Terminal(_command(home)) as terminal:
        terminal.wait_for("Forecast")
        terminal.drain(_SETTLED)
        return tree_memory(terminal.process)


def _in_a_drill(home: Home) -> tuple[tuple[float, float], tuple[float, float]]:
    with Terminal(_command(home)) as terminal:
        terminal.wait_for("start", "browse the concepts")
        terminal.drain(1)
        terminal.press("d")
        terminal.wait_for("drills passed")
        terminal.drain()
        terminal.press("\r")
        terminal.wait_for("0/3")
        terminal.drain(_SETTLED)
        warm = tree_memory(terminal.process)
        terminal.press("\x13")
        terminal.wait_for("Passed")
        terminal.drain(_SETTLED)
        return warm, tree_memory(terminal.process)


def _watching(home: Home, file: Path) -> tuple[float, float]:
    with Terminal(_command(home, "drill", "watch", _DRILL, str(file))) as terminal:
        terminal.wait_for("Passed")
        terminal.drain(_SETTLED)
        return tree_memory(terminal.process)


async def _sessions(home: Home) -> list[tuple[float, float]]:
    server = Server(Serving(home, Doors("t", "127.0.0.1"), 0))
    url = f"http://127.0.0.1:{await server.start()}"
    try:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as client:
            await client.get(f"{url}/?token=t")
            pages = [await Page.open(client, url, number) for number in range(3)]
            await asyncio.sleep(3)
            found = [tree_memory(each.process.pid) for each in server.sessions.running]
            for each in pages:
                await each.close()
    finally:
        await server.stop()
    return found


if __name__ == "__main__":
    os.environ.pop("STUDYATTN_DB", None)
    for figure in measure():
        print(f"  {figure}", flush=True)
