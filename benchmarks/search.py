"""Time a search from a key press to its results, in the running app on 10,000 notes.

The words of the notes are as frequent as words are (Zipf), so a first letter matches nearly every
note and a whole word few. An instant is taken when the terminal falls silent: the last thing that
the app painted for the key.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import timedelta
from itertools import accumulate
from random import Random

from sqlalchemy import insert

from benchmarks._home import NOW, home_with
from benchmarks._measure import Figure, percentile
from benchmarks._terminal import Terminal
from studyattn.store.database import Connection
from studyattn.store.models import NoteRow

_NOTES = 10_000
_CARDS = 2_000
_WORDS = 6_000  # of the language the notes are written in
_LENGTH = 150  # words a note
_QUERIES = 20
_SILENCE = 0.25  # seconds without output after which a key has been answered
_CLEAR = "\x15"  # ctrl+u


def measure() -> Iterator[Figure]:
    """The figures of this subject."""
    random = Random(0)
    words = _language(random)
    shown: list[float] = []
    with home_with(_CARDS) as profile:
        with profile.database.write() as connection:
            _fill(connection, words, random)
        command = [sys.executable, "-m", "studyattn", "--home", str(profile.home.root)]
        with Terminal(command) as terminal:
            terminal.wait_for("start", "about")
            terminal.drain()
            terminal.press("/")
            terminal.wait_for("your notes and concepts")
            for query in _queries(words, random):
                terminal.drain(_SILENCE)
                for letter in query:
                    pressed = terminal.press(letter)
                    shown.append(terminal.silent(_SILENCE) - pressed)
                terminal.press(_CLEAR)
    yield Figure("key to shown results, median", percentile(shown, 0.5) * 1000, "ms")
    yield Figure("key to shown results, p95", percentile(shown, 0.95) * 1000, "ms", 50)


def _language(random: Random) -> list[str]:
    """Words of two to ten letters, the most frequent first."""
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    weights = [1 / (place + 3) for place in range(len(letters))]
    words: dict[str, None] = {}
    while len(words) < _WORDS:
        words["".join(random.choices(letters, weights, k=random.randint(2, 10)))] = None
    return list(words)


def _queries(words: list[str], random: Random) -> list[str]:
    """Words that notes have, rare and frequent ones, and now and then two."""
    wanted = [random.choice(words[: _WORDS // 10 ** (place % 3)]) for place in range(_QUERIES)]
    return [
        f"{word[:6]} {random.choice(words[:50])[:3]}" if place % 5 == 4 else word[:6]
        for place, word in enumerate(wanted)
    ]


def _fill(connection: Connection, words: list[str], random: Random) -> None:
    frequencies = list(accumulate(1 / place for place in range(1, len(words) + 1)))

    def text(length: int) -> str:
        return " ".join(random.choices(words, cum_weights=frequencies, k=length))

    connection.execute(
        insert(NoteRow),
        [
            {
                "guid": f"bench-note-{number}",
                "title": text(5),
                "body": f"{text(_LENGTH)} $\\sqrt{{d_k}}$",
                "created_at": NOW,
                "updated_at": NOW - timedelta(minutes=number),
            }
            for number in range(_NOTES)
        ],
    )
