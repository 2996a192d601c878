"""Collections of Anki with a past, made by the real program's library and its own scheduler.

Needs the group `interop`. Days pass by moving everything that has happened into the past: then the
collection is opened again, and Anki finds that it is later. Anki's own import or export as a whole
command: `python -m benchmarks._anki import|export COLLECTION PACKAGE`.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

import anki.collection  # noqa: F401 - before its parts, which import each other
from anki.cards import Card, CardId
from anki.collection import (
    Collection,
    ExportAnkiPackageOptions,
    ImportAnkiPackageOptions,
    ImportAnkiPackageRequest,
)
from anki.decks import DeckId
from anki.scheduler.v3 import CardAnswer
from anki.scheduler.v3 import Scheduler as V3Scheduler
from PIL import Image

DAYS_BETWEEN: Final = (1, 3, 6, 15, 40, 90)
"""Days from one day of study to the next; the last are from the last one until now."""
_RATINGS: Final = (CardAnswer.AGAIN, CardAnswer.HARD, CardAnswer.GOOD, CardAnswer.EASY)
_WEIGHTS: Final = (15, 10, 60, 15)
_AT_ONCE: Final = 100  # cards asked for at a time
_MANY: Final = 9999  # the most that Anki lets one learn in a day
_STEPS: Final = 3  # answers that a card may need in a day
PICTURES: Final = 20


@dataclass(frozen=True, slots=True)
class Groups:
    """The cards to which something out of the ordinary was done."""

    forgotten: Sequence[int]
    """Reset, some of them studied again."""
    truncated: Sequence[int]
    """Without the rows of their log up to their first days."""
    without_log: Sequence[int]


def make_collection(path: Path, notes: int, seed: int = 7) -> tuple[Collection, Groups]:
    """Make a collection of `notes` notes of every kind, studied on several days."""
    draw = random.Random(seed)
    collection = Collection(str(path))
    collection.set_config("fsrs", True)
    options = collection.decks.config_dict_for_deck_id(DeckId(1))
    options["new"]["perDay"] = options["rev"]["perDay"] = _MANY
    collection.decks.update_config(options)
    _add_notes(collection, notes, draw)
    for days in DAYS_BETWEEN[:3]:
        _study(collection, draw)
        collection = _days_later(collection, path, days)
    cards = list(collection.find_cards("-is:new"))
    draw.shuffle(cards)
    share = max(2, len(cards) // 16)
    forgotten, truncated, without_log = (
        sorted(cards[place * share : (place + 1) * share]) for place in range(3)
    )
    collection.sched.schedule_cards_as_new(forgotten[::2])
    for days in DAYS_BETWEEN[3:5]:
        _study(collection, draw)
        collection = _days_later(collection, path, days)
    collection.sched.schedule_cards_as_new(forgotten[1::2])
    _truncate(collection, truncated, without_log)
    _study(collection, draw, share=0.3)
    _set_aside(collection, cards[3 * share :], draw)
    collection = _days_later(collection, path, DAYS_BETWEEN[5])
    return collection, Groups(forgotten, truncated, without_log)


def export_package(collection: Collection, path: Path, *, legacy: bool = False) -> Path:
    """Let Anki export everything, with scheduling, options and media."""
    options = ExportAnkiPackageOptions(
        with_scheduling=True, with_deck_configs=True, with_media=True, legacy=legacy
    )
    collection.export_anki_package(out_path=str(path), options=options, limit=None)
    return path


def import_package(collection: Collection, path: Path) -> str:
    """Let Anki import a package, with scheduling and options; return what it says of notes."""
    options = ImportAnkiPackageOptions(with_scheduling=True, with_deck_configs=True)
    log = collection.import_anki_package(
        ImportAnkiPackageRequest(package_path=str(path), options=options)
    ).log
    return f"{len(log.new)} new, {len(log.updated)} updated, {len(log.duplicate)} as they were"


def _add_notes(collection: Collection, notes: int, draw: random.Random) -> None:
    deck_numbers = [DeckId(1), *(_deck(collection, name) for name in ("Maths", "Maths::Algebra"))]
    for number in range(PICTURES):
        picture = BytesIO()
        Image.new("RGB", (60, 40), (5 * number, 90, 90)).save(picture, "PNG")
        collection.media.write_data(f"picture {number}.png", picture.getvalue())
        collection.media.write_data(f"höre{number}.mp3", bytes([number]) * (300 + number))
    kinds = {
        each.name: collection.models.by_name(each.name)
        for each in collection.models.all_names_and_ids()
    }
    for number in range(notes):
        name, fields = _fields(number)
        notetype = kinds[name]
        assert notetype is not None
        note = collection.new_note(notetype)
        for place, text in enumerate(fields):
            note.fields[place] = text
        note.tags = [f"chapter::{number % 12}", *(["marked"] if number % 17 == 0 else [])]
        if number % 5 == 0:
            note.tags = []
        collection.add_note(note, draw.choice(deck_numbers))


def _deck(collection: Collection, name: str) -> DeckId:
    number = collection.decks.id(name)
    assert number is not None
    return number


def _fields(number: int) -> tuple[str, tuple[str, ...]]:
    """Return the note type and the fields of a note."""
    picture = f'<img src="picture {number % PICTURES}.png">'
    sound = f"[sound:höre{number % PICTURES}.mp3]"
    formula = f"\\(x_{{{number}}}\\)"
    kinds: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("Basic", (f"What is {formula}?", "A <b>number</b>.<br>Really.")),
        ("Basic", (f"Seen {number}? {picture}", f"<div>Yes</div>{sound}")),
        ("Basic (and reversed card)", (f"front {number}", f"back {number}")),
        ("Basic (optional reversed card)", (f"one {number}", f"two {number}", "y" * (number % 2))),
        ("Basic (type in the answer)", (f"type {number}", f"answer {number}")),
        ("Cloze", (f"{number}: {{{{c1::keys}}}} and {{{{c2::values::what?}}}}", "extra")),
        ("Cloze", (f"{number}: {{{{c1::outer {{{{c2::inner::in}}}} rest::out}}}}", "")),
        ("Cloze", (f"{number}: {{{{c3::{formula}}}}} of {{{{c3::it}}}}", sound)),
        (
            "Image Occlusion",
            (
                "{{c1::image-occlusion:rect:left=.1:top=.1:width=.2:height=.2:oi=1}}<br>",
                picture,
                f"header {number}",
            ),
        ),
    )
    return kinds[number % len(kinds)]


def _study(collection: Collection, draw: random.Random, share: float = 1.0) -> None:
    """Answer what is due in every deck, or a share of it; steps of minutes are taken at once."""
    scheduler = collection.sched
    assert isinstance(scheduler, V3Scheduler)
    for deck in collection.decks.all_names_and_ids():
        if "::" in deck.name:  # asked with its parent
            continue
        collection.decks.select(DeckId(deck.id))
        left = int(_STEPS * share * sum(scheduler.counts()))
        while left > 0:
            queued = scheduler.get_queued_cards(fetch_limit=min(_AT_ONCE, left)).cards
            if not queued:
                break
            for each in queued:
                card = Card(collection, backend_card=each.card)
                card.start_timer()
                (rating,) = draw.choices(_RATINGS, _WEIGHTS)
                answer = scheduler.build_answer(card=card, states=each.states, rating=rating)
                scheduler.answer_card(answer)
            left -= len(queued)


def _days_later(collection: Collection, path: Path, days: int) -> Collection:
    """Move everything that has happened `days` days back, and open the collection again."""
    assert collection.db is not None
    seconds = 86_400 * days
    execute = collection.db.execute
    execute("UPDATE revlog SET id = id - ?", seconds * 1000)
    execute("UPDATE col SET crt = crt - ?", seconds)
    execute("UPDATE cards SET due = due - ? WHERE queue = 1", seconds)
    execute(
        "UPDATE cards SET data = json_set(data, '$.lrt', json_extract(data, '$.lrt') - ?)"
        " WHERE json_extract(data, '$.lrt') IS NOT NULL",
        seconds,
    )
    collection.close()
    return Collection(str(path))


def _truncate(collection: Collection, truncated: Sequence[int], without_log: Sequence[int]) -> None:
    assert collection.db is not None
    for card in truncated:
        collection.db.execute(
            "DELETE FROM revlog WHERE cid = ? AND id <="
            " (SELECT max(id) FROM revlog WHERE cid = ? AND type = 0)",
            card,
            card,
        )
    for card in without_log:
        collection.db.execute("DELETE FROM revlog WHERE cid = ?", card)


def _set_aside(collection: Collection, cards: Sequence[CardId], draw: random.Random) -> None:
    """Suspend, bury and flag some cards, and gather some in a filtered deck."""
    share = max(1, len(cards) // 20)
    parts = [cards[place * share : (place + 1) * share] for place in range(4)]
    collection.sched.suspend_cards(parts[0])
    collection.sched.bury_cards(parts[1])
    for card in parts[2]:
        collection.set_user_flag_for_cards(draw.randint(1, 7), [card])
    filtered = collection.sched.get_or_create_filtered_deck(DeckId(0))
    filtered.config.search_terms[0].search = "cid:" + ",".join(map(str, parts[3]))
    filtered.config.reschedule = False
    collection.sched.add_or_update_filtered_deck(filtered)


def main(way: str, collection: str, package: str) -> None:
    """Import a package into a collection, which is made if there is none, or export one."""
    with closing(Collection(collection)) as opened:
        if way == "import":
            opened.set_config("fsrs", True)
            import_package(opened, Path(package))
        else:
            export_package(opened, Path(package))


if __name__ == "__main__":
    main(*sys.argv[1:])
