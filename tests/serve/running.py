"""`studyattn serve` in a process of its own, and the homes of those who log in there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from studyattn.home import Home
from studyattn.store.queries.items import ItemField
from studyattn.store.queries.review_log import all_reviews
from studyattn.study import notes
from studyattn.study.notes.own_cards import CardText
from studyattn.study.profile import open_profile
from studyattn.study.review import card_list, item_actions

_SECONDS = 60
_CARDS = 4


@contextmanager
def served(
    home: Path, *options: str, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address that `studyattn serve` prints, and its process, which ends in order."""
    command = [sys.executable, "-m", "studyattn", "--home", str(home), "serve", "--json", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})}
    ) as server:
        assert server.stdout is not None
        try:
            yield json.loads(server.stdout.readline())["address"], server
        finally:
            was_running = server.poll() is None
            server.terminate()
            assert server.wait(_SECONDS) == 0 or not was_running


def prepared(home: Home) -> Home:
    """A home in which the learner's own cards alone are asked."""
    with open_profile(home) as profile:
        listed = card_list.open_list(profile)
        ids = card_list.ids(profile, listed, 0, listed.total)
        item_actions.toggle(profile, ids, ItemField.SUSPENDED)
        profile.change_setting("lessons", "off")
        texts = [CardText(f"Question {each}", f"Answer {each}") for each in range(_CARDS)]
        notes.own_cards.make_cards(profile, texts, concept="softmax")
    return home


def answers(home: Home) -> int:
    with open_profile(home) as profile, profile.database.read() as connection:
        return len(list(all_reviews(connection)))
