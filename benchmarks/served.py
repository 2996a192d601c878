"""Twenty sessions of `studyattn serve` at once: memory of each, and a key to what it changes.

The sessions are pages without a browser: websockets, over which keys go and what the app draws
comes. All have one home, as one learner's pages have.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp

from benchmarks._measure import Figure, percentile, tree_memory
from studyattn.home import Home
from studyattn.serve.access import Doors
from studyattn.serve.server import Server, Serving

SESSIONS = 20
_KEYS = 40  # a session
_PAUSE = 0.5  # seconds between the keys of a session: somebody reads


def measure() -> Iterator[Figure]:
    """The figures of this subject."""
    memory, times = asyncio.run(_measure())
    yield Figure("sessions at once", SESSIONS, "")
    yield Figure("memory of a session (PSS), mean", sum(memory) / len(memory), "MB")
    yield Figure("the same, largest", max(memory), "MB")
    yield Figure("key to changed output, median", percentile(times, 0.5) * 1000, "ms")
    yield Figure("key to changed output, p95", percentile(times, 0.95) * 1000, "ms")


async def _measure() -> tuple[list[float], list[float]]:
    with tempfile.TemporaryDirectory(prefix="studyattn-benchmark-") as folder:
        home = Home(Path(folder))
        server = Server(Serving(home, Doors("t", "127.0.0.1"), 0))
        url = f"http://127.0.0.1:{await server.start()}"
        try:
            async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as client:
                await client.get(f"{url}/?token=t")
                pages = [await Page.open(client, url, each) for each in range(SESSIONS)]
                processes = [each.process.pid for each in server.sessions.running]
                taken = await asyncio.gather(
                    *(each.use(_PAUSE * n / SESSIONS) for n, each in enumerate(pages))
                )
                memory = [tree_memory(pid)[1] for pid in processes]
                for each in pages:
                    await each.close()
        finally:
            await server.stop()
        return memory, [seconds for each in taken for seconds in each]


class Page:
    """Reads all the time, as a browser does; a socket that nobody reads is given up."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._number = 0
        self._drawn = asyncio.Event()
        self._text = ""
        self._reading = asyncio.create_task(self._read())

    @staticmethod
    async def open(client: aiohttp.ClientSession, url: str, number: int) -> Page:
        """Open a session and wait until its home is open."""
        page = Page(
            await client.ws_connect(f"{url}/ws?width=100&height=30&page={number}", origin=url)
        )
        while "start" not in page._text or "browse the concepts" not in page._text:
            await page._drawn.wait()
            page._drawn.clear()
        return page

    async def use(self, delay: float) -> list[float]:
        """Go to the concepts, down the list and up; return the seconds from each key to output."""
        await asyncio.sleep(2 + delay)
        await self._press("c")
        await asyncio.sleep(3)
        taken = []
        for index in range(_KEYS):
            self._drawn.clear()
            began = time.perf_counter()
            await self._press("\x1b[B" if index % 8 < 4 else "\x1b[A")
            async with asyncio.timeout(60):
                await self._drawn.wait()
            taken.append(time.perf_counter() - began)
            await asyncio.sleep(_PAUSE)
        return taken

    async def close(self) -> None:
        await self._socket.close()
        await self._reading

    async def _press(self, key: str) -> None:
        self._number += 1
        await self._socket.send_json(["stdin", key, self._number])

    async def _read(self) -> None:
        async for message in self._socket:
            if message.type == aiohttp.WSMsgType.BINARY:
                self._text = (self._text + message.data.decode())[-20_000:]
                self._drawn.set()


if __name__ == "__main__":
    os.environ.pop("STUDYATTN_DB", None)
    for figure in measure():
        print(figure)
