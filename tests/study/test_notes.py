"""Notes: kept as they are written, with their versions and links, whoever else writes them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, update

from studyattn.errors import InputError, NotFoundError
from studyattn.home import Home
from studyattn.store.database import open_database
from studyattn.store.models import Concept, Note, Source
from studyattn.study.clock import FixedClock
from studyattn.study.conceptpage import show_concept
from studyattn.study.learner import Learner
from studyattn.study.notelinks import links_of
from studyattn.study.notes import (
    LONGEST_NOTE,
    About,
    add_note,
    count_notes,
    edit_note,
    list_notes,
    put_back,
    remove_note,
    show_note,
)
from studyattn.study.noteversions import difference, restore_version, show_version, versions
from studyattn.study.sitting import KEEP_EVERY, Elsewhere, Sitting
from studyattn.study.wordings import keep_wording
from tests.study.conftest import NOON, AddItem


def bodies(learner: Learner, number: int) -> list[str]:
    return [version.body for version in versions(learner, number)]


def add_source(learner: Learner, guid: str = "doc", title: str = "A document") -> None:
    with learner.database.write() as connection:
        connection.execute(
            insert(Source).values(
                guid=guid, kind="post", title=title, path="", text="", digest="", imported_at=NOON
            )
        )


def test_a_note_is_about_a_concept_a_source_an_item_or_nothing(
    learner: Learner, add: AddItem
) -> None:
    add_source(learner)
    guid = add()
    assert add_note(learner, "a", concept="first").concept == "first"
    assert add_note(learner, "b", source="doc").source == "A document"
    assert add_note(learner, "c", source="A document").source_guid == "doc"
    assert add_note(learner, "d", item=guid).item == guid
    note = add_note(learner, "# Words \n\ntext")
    assert (note.title, note.concept, note.source, note.item) == ("Words", None, None, None)
    for about in ({"concept": "x"}, {"source": "x"}, {"item": "x"}):
        with pytest.raises(NotFoundError):
            add_note(learner, "e", **about)
    assert count_notes(learner) == 5
    assert len(list_notes(learner, limit=2)) == 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("  \n", "empty"),
        ("one\ntwo \0 three", "line 2: the note has a character that is no text (U+0000)"),
        ("x" * (LONGEST_NOTE + 1), "2,000,000 is the most"),
        ("\ud800", "U+D800"),
    ],
)
def test_what_cannot_be_kept_is_refused_in_one_line(learner: Learner, body: str, said: str) -> None:
    note = add_note(learner, "before")
    with pytest.raises(InputError) as raised:
        edit_note(learner, note.id, body)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
    with pytest.raises(InputError):
        add_note(learner, body)
    assert bodies(learner, note.id) == ["before"]


def test_control_characters_and_long_lines_are_kept(learner: Learner) -> None:
    body = "\x1b[2J\x07 " + "x" * 1_000_000
    note = add_note(learner, body)
    assert note.body == body
    assert len(note.title) == 200


def test_a_removed_note_is_put_back_as_it_was(learner: Learner) -> None:
    note = add_note(learner, "one", concept="first")
    note = edit_note(learner, note.id, "two")
    assert put_back(learner, remove_note(learner, note.id)) == note
    assert bodies(learner, note.id) == ["two", "one"]
    removed = remove_note(learner, note.id)
    with learner.database.write() as connection:
        connection.execute(
            insert(Note).values(
                id=note.id, guid="x", title="", body="other", created_at=NOON, updated_at=NOON
            )
        )
    again = put_back(learner, removed)
    assert (again.guid, again.body) == (note.guid, "two")
    assert again.id != note.id


def test_a_sitting_keeps_one_version_of_what_was_there(learner: Learner, clock: FixedClock) -> None:
    note = add_note(learner, "before")
    sitting = Sitting(learner, note.id)
    for text in ("a", "ab", "abc", "abc"):
        clock.advance(timedelta(seconds=1))
        sitting.save("", text)
    assert show_note(learner, note.id).body == "abc"
    assert bodies(learner, note.id) == ["abc", "before"]
    clock.advance(KEEP_EVERY)
    sitting.save("", "abcd")
    assert bodies(learner, note.id) == ["abcd", "abc", "before"]
    Sitting(learner, note.id).close("", "later")
    assert bodies(learner, note.id) == ["later", "abcd", "abc", "before"]


def test_a_new_note_is_made_at_the_first_words_and_gone_when_emptied(learner: Learner) -> None:
    sitting = Sitting(learner, about=About(concept="first"))
    assert sitting.save("", " ").note is None
    made = sitting.save("", "a").note
    assert made is not None
    assert made.concept == "first"
    assert bodies(learner, made.id) == ["a"]
    sitting.save("", "")
    assert show_note(learner, made.id).body == "a"
    sitting.close("", "")
    assert count_notes(learner) == 0


def test_an_old_note_that_was_emptied_keeps_its_text(learner: Learner) -> None:
    note = add_note(learner, "before")
    assert not Sitting(learner, note.id).close("", "").changed
    assert show_note(learner, note.id).body == "before"


def test_two_sittings_at_one_note_lose_nothing_and_know(learner: Learner) -> None:
    note = add_note(learner, "before")
    one, two = Sitting(learner, note.id), Sitting(learner, note.id)
    assert one.save("", "of one").elsewhere is None
    saved = two.save("", "of two")
    assert saved.elsewhere is Elsewhere.CHANGED
    assert bodies(learner, note.id) == ["of two", "of one", "before"]
    assert two.save("", "of two, more").elsewhere is None
    untouched = one.close("", "of one")
    assert untouched.elsewhere is Elsewhere.CHANGED
    assert show_note(learner, note.id).body == "of two, more"
    remove_note(learner, note.id)
    assert one.save("", "again").elsewhere is Elsewhere.REMOVED
    assert [each.body for each in list_notes(learner)] == ["again"]


SAVES = st.lists(st.tuples(st.integers(0, 1), st.sampled_from("abcdef")), max_size=8)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(saves=SAVES)
def test_what_a_sitting_overwrites_of_another_is_a_version(
    learner: Learner, saves: list[tuple[int, str]]
) -> None:
    note = add_note(learner, "before")
    sittings = [Sitting(learner, note.id), Sitting(learner, note.id)]
    last: tuple[int, str] | None = None
    for who, text in saves:
        saved = sittings[who].save("", text)
        if last is not None and last[0] != who:
            assert last[1] in bodies(learner, note.id)
        if saved.changed:
            last = who, text
    assert "before" in bodies(learner, note.id)


def test_a_version_is_seen_compared_and_restored(learner: Learner, clock: FixedClock) -> None:
    note = add_note(learner, "one\ntwo", title="Title")
    clock.advance(timedelta(hours=1))
    edit_note(learner, note.id, "one\nthree", title="Title")
    now, before = versions(learner, note.id)
    assert (now.number, now.is_current, now.at, now.size) == (2, True, clock.now(), 9)
    assert (before.number, before.is_current, before.at, before.size) == (1, False, NOON, 7)
    assert difference(before, now)[1:] == (" # Title", " ", " one", "-two", "+three")
    assert restore_version(learner, note.id, 1).body == "one\ntwo"
    assert bodies(learner, note.id) == ["one\ntwo", "one\nthree", "one\ntwo"]
    assert restore_version(learner, note.id, 2).body == "one\nthree"
    with pytest.raises(NotFoundError, match="has no version 9"):
        show_version(learner, note.id, 9)


def test_links_lead_both_ways(learner: Learner) -> None:
    with learner.database.write() as connection:
        connection.execute(
            insert(Concept).values(id=3, slug="third", title="Third thing", joined_into_id=1)
        )
    body = "[[first]], [[FIRST|again]], [[third thing]], [[Second]], [[nowhere]], `[[second]]`"
    note = add_note(learner, body)
    other = add_note(learner, "[[third]]")
    add_note(learner, "`[[first]]` and first")
    views = links_of(learner, note.id)
    assert [(view.target, view.slug) for view in views] == [
        ("first", "first"),
        ("Second", "second"),
        ("nowhere", None),
    ]
    linked = show_concept(learner, "first").linked_notes
    assert [each.id for each in linked] == [other.id, note.id]
    assert [each.id for each in show_concept(learner, "second").linked_notes] == [note.id]
    with learner.database.write() as connection:
        connection.execute(update(Concept).values(joined_into_id=None))
    assert [each.id for each in show_concept(learner, "first").linked_notes] == [note.id]


WRITER = """
import sys
from studyattn.home import Home
from studyattn.store.database import open_database
from studyattn.study.clock import SystemClock
from studyattn.study.learner import Learner
from studyattn.study.sitting import Sitting
from pathlib import Path
home, clock = Home(Path(sys.argv[1])), SystemClock()
learner = Learner(home, open_database(home, now=clock.now()), clock)
sitting = Sitting(learner)
for count in range(1, 100_000):
    sitting.save("", "word " * count)
    print(count, flush=True)
"""


def test_what_was_saved_survives_a_kill(tmp_path: Path, clock: FixedClock) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    said = [process.stdout.readline() for _ in range(5)]
    time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    said += process.stdout.readlines()
    process.wait()
    process.stdout.close()
    acknowledged = int(said[-1])
    home = Home(tmp_path)
    with open_database(home, now=clock.now()) as database:
        (note,) = list_notes(Learner(home, database, clock))
    assert len(note.body.split()) >= acknowledged


def test_the_same_text_twice_in_a_row_is_one_version(learner: Learner, clock: FixedClock) -> None:
    clock.advance(timedelta(days=9))
    note = add_note(learner, "one", title="T")
    guid = show_note(learner, note.id).guid
    with learner.database.write() as connection:
        for day, text in enumerate(("one", "two", "two", "one", "one")):
            keep_wording(connection, guid, NOON + timedelta(days=day), "T", text)
    said = [(each.number, each.body, each.at) for each in versions(learner, note.id)]
    days = [NOON + timedelta(days=day) for day in (3, 1, 0)]
    assert said == [(3, "one", days[0]), (2, "two", days[1]), (1, "one", days[2])]
