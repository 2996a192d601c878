"""The app behind a browser: its driver speaks packets over pipes, and there is no terminal."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from studyattn.home import Home
from studyattn.serve.process import DRIVER

_DRIVER = "textual.drivers.web_driver:WebDriver"
_SECONDS = 60
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


@contextmanager
def served(home: Home, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """The app in a process of its own, on pipes; killed where it has not ended by itself."""
    with subprocess.Popen(
        [sys.executable, "-m", "studyattn", "--home", str(home.root)],
        env={**os.environ, "COLUMNS": "80", "ROWS": "24", **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        # A read that never returns would hang the tests: the process is ended, and it returns.
        signal.signal(signal.SIGALRM, lambda *_: process.kill())
        signal.alarm(_SECONDS)
        try:
            yield process
        finally:
            signal.alarm(0)
            if process.poll() is None:
                process.kill()


def read_packet(stream: IO[bytes]) -> tuple[bytes, str]:
    """One packet: a letter, the payload's size in 4 bytes (big end first), the payload."""
    kind, size = stream.read(1), int.from_bytes(stream.read(4), "big")
    assert kind, "the app has ended"
    return kind, stream.read(size).decode("utf-8")


def read_until(stream: IO[bytes], text: str) -> None:
    """Read packets until what they draw has `text` in it."""
    drawn = ""
    while text not in drawn:
        kind, payload = read_packet(stream)
        if kind == b"D":
            drawn += _ESCAPES.sub("", payload)


def test_today_is_drawn_in_packets_and_the_app_ends_when_asked(stocked_home: Home) -> None:
    with served(stocked_home, TEXTUAL_DRIVER=_DRIVER) as app:
        assert app.stdin is not None
        assert app.stdout is not None
        assert app.stderr is not None
        assert app.stdout.readline() == b"__GANGLION__\n", app.stderr.read()
        read_until(app.stdout, "start learning")
        payload = b'{"type": "quit"}'
        app.stdin.write(b"M" + len(payload).to_bytes(4, "big") + payload)
        app.stdin.flush()
        while (packet := read_packet(app.stdout)) != (b"M", '{"type": "exit"}'):
            assert packet[0] == b"D"
        assert app.wait() == 0
        assert app.stderr.read() == b""


def test_the_app_ends_when_the_server_that_started_it_has_gone(stocked_home: Home) -> None:
    with served(stocked_home, TEXTUAL_DRIVER=DRIVER) as app:
        assert app.stdin is not None
        assert app.stdout is not None
        assert app.stdout.readline() == b"__GANGLION__\n"
        read_until(app.stdout, "start learning")
        app.stdin.close()
        while app.stdout.read(65536):
            pass
        assert app.wait() == 0


def test_without_terminal_and_browser_today_is_told_in_lines(stocked_home: Home) -> None:
    with served(stocked_home) as app:
        out, told = app.communicate()
        assert app.returncode == 0
        assert out.decode().startswith("studyattn · ")
        assert b"standard input is not a terminal." in out
        assert told == b""
