"""Today's numbers as another process reads them, while the app is still being imported.

Each test forks in a process of its own: a process with threads had better not.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from studyattn.address import ServerAddress
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.study import review, statistics
from studyattn.study.clock import SystemClock
from studyattn.study.profile import glance, open_profile

_PROGRAM = """
import os, pickle, sys
from pathlib import Path
from studyattn.home import Home
from studyattn.study.statistics import ahead

{before}
reading = ahead.read_ahead(Home(Path(sys.argv[1])))
numbers = reading.take()
print(sorted(set(sys.modules) & {{"sqlite3", "studyattn.study.profile", "textual"}}))
try:
    os.waitpid(-1, 0)
except ChildProcessError:
    print("no process is left")
print(ascii(numbers))
"""


def _taken(root: Path, before: str = "") -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(before=before), str(root)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert not ran.stderr
    return ran.stdout.splitlines()


def test_they_are_what_a_glance_shows_and_this_process_loads_nothing_for_it(
    tmp_path: Path,
) -> None:
    with open_profile(Home(tmp_path)) as profile:
        first, second, *_ = review.queue.due_items(profile)
        review.batch.answer(profile, first.guid, Rating.EASY)
        review.batch.answer(profile, second.guid, Rating.AGAIN)
    with glance(Home(tmp_path), SystemClock()) as reader:
        assert reader is not None
        numbers = statistics.today.numbers(reader)
    assert numbers.answered == 2
    assert _taken(tmp_path) == ["[]", "no process is left", ascii(numbers)]


def test_of_a_home_without_a_database_there_are_none(tmp_path: Path) -> None:
    assert _taken(tmp_path)[-1] == "None"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "sending",
    [
        "raise OSError",
        "os.kill(os.getpid(), 9)",
        "os.write(writing, pickle.dumps(list(range(9)))[:-2])",
    ],
)
def test_there_are_none_either_where_the_process_does_not_send_them(
    tmp_path: Path, sending: str
) -> None:
    before = (
        "def send(home, writing):\n"
        "    try:\n"
        f"        {sending}\n"
        "    finally:\n"
        "        os._exit(1)\n"
        "ahead._send_numbers = send\n"
    )
    assert _taken(tmp_path, before)[1:] == ["no process is left", "None"]


def test_a_database_on_a_server_is_not_read_ahead(tmp_path: Path) -> None:
    server = ServerAddress("postgresql+psycopg://localhost/study", "localhost/study", "anna")
    assert statistics.ahead.read_ahead(Home(tmp_path, server)) is None


def test_no_pipe_is_left_where_the_system_allows_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> int:
        raise BlockingIOError

    monkeypatch.setattr("os.fork", refuse)
    free = os.dup(0)
    os.close(free)
    assert statistics.ahead.read_ahead(Home(tmp_path)) is None
    assert os.dup(0) == free
    os.close(free)
