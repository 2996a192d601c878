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
from studyattn.store.models import ConceptRow, NoteRow, SourceRow
from studyattn.store.queries.notes import keep_wording
from studyattn.study.clock import FixedClock
from studyattn.study.concepts.concept_page import show_concept
from studyattn.study.notes.edit_session import KEEP_EVERY, Elsewhere, NoteEditSession
from studyattn.study.notes.note_links import links_of
from studyattn.study.notes.notes import (
    LONGEST_NOTE,
    About,
    add_note,
    count_notes,
    difference,
    edit_note,
    list_notes,
    put_back,
    remove_note,
    restore_version,
    show_note,
    show_version,
    versions,
)
from studyattn.study.profile import Profile
from tests.study.conftest import NOON, AddItem


def bodies(profile: Profile, number: int) -> list[str]:
    return [version.body for version in versions(profile, number)]


def add_source(profile: Profile, guid: str = "doc", title: str = "A document") -> None:
    with profile.database.write() as connection:
        connection.execute(
            insert(SourceRow).values(
                guid=guid, kind="post", title=title, path="", text="", digest="", imported_at=NOON
            )
        )


def test_a_note_is_about_a_concept_a_source_an_item_or_nothing(
    profile: Profile, add: AddItem
) -> None:
    add_source(profile)
    guid = add()
    assert add_note(profile, "a", concept="first").concept == "first"
    assert add_note(profile, "b", source="doc").source == "A document"
    assert add_note(profile, "c", source="A document").source_guid == "doc"
    assert add_note(profile, "d", item=guid).item == guid
    note = add_note(profile, "# Words \n\ntext")
    assert (note.title, note.concept, note.source, note.item) == ("Words", None, None, None)
    for about in ({"concept": "x"}, {"source": "x"}, {"item": "x"}):
        with pytest.raises(NotFoundError):
            add_note(profile, "e", **about)
    assert count_notes(profile) == 5
    assert len(list_notes(profile, limit=2)) == 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("  \n", "empty"),
        ("one\ntwo \0 three", "line 2: the note has an invalid character (U+0000)"),
        ("x" * (LONGEST_NOTE + 1), "the limit is 2,000,000"),
        ("\ud800", "U+D800"),
    ],
)
def test_what_cannot_be_kept_is_refused_in_one_line(profile: Profile, body: str, said: str) -> None:
    note = add_note(profile, "before")
    with pytest.raises(InputError) as raised:
        edit_note(profile, note.id, body)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
    with pytest.raises(InputError):
        add_note(profile, body)
    assert bodies(profile, note.id) == ["before"]


def test_control_characters_and_long_lines_are_kept(profile: Profile) -> None:
    body = "\x1b[2J\x07 " + "x" * 1_000_000
    note = add_note(profile, body)
    assert note.body == body
    assert len(note.title) == 200


def test_a_removed_note_is_put_back_as_it_was(profile: Profile) -> None:
    note = add_note(profile, "one", concept="first")
    note = edit_note(profile, note.id, "two")
    assert put_back(profile, remove_note(profile, note.id)) == note
    assert bodies(profile, note.id) == ["two", "one"]
    removed = remove_note(profile, note.id)
    with profile.database.write() as connection:
        connection.execute(
            insert(NoteRow).values(
                id=note.id, guid="x", title="", body="other", created_at=NOON, updated_at=NOON
            )
        )
    again = put_back(profile, removed)
    assert (again.guid, again.body) == (note.guid, "two")
    assert again.id != note.id


def test_a_sitting_keeps_one_version_of_what_was_there(profile: Profile, clock: FixedClock) -> None:
    note = add_note(profile, "before")
    sitting = NoteEditSession(profile, note.id)
    for text in ("a", "ab", "abc", "abc"):
        clock.advance(timedelta(seconds=1))
        sitting.save("", text)
    assert show_note(profile, note.id).body == "abc"
    assert bodies(profile, note.id) == ["abc", "before"]
    clock.advance(KEEP_EVERY)
    sitting.save("", "abcd")
    assert bodies(profile, note.id) == ["abcd", "abc", "before"]
    NoteEditSession(profile, note.id).close("", "later")
    assert bodies(profile, note.id) == ["later", "abcd", "abc", "before"]


def test_a_new_note_is_made_at_the_first_words_and_gone_when_emptied(profile: Profile) -> None:
    sitting = NoteEditSession(profile, about=About(concept="first"))
    assert sitting.save("", " ").note is None
    made = sitting.save("", "a").note
    assert made is not None
    assert made.concept == "first"
    assert bodies(profile, made.id) == ["a"]
    sitting.save("", "")
    assert show_note(profile, made.id).body == "a"
    sitting.close("", "")
    assert count_notes(profile) == 0


def test_an_old_note_that_was_emptied_keeps_its_text(profile: Profile) -> None:
    note = add_note(profile, "before")
    assert not NoteEditSession(profile, note.id).close("", "").changed
    assert show_note(profile, note.id).body == "before"


def test_two_sittings_at_one_note_lose_nothing_and_know(profile: Profile) -> None:
    note = add_note(profile, "before")
    one, two = NoteEditSession(profile, note.id), NoteEditSession(profile, note.id)
    assert one.save("", "of one").elsewhere is None
    saved = two.save("", "of two")
    assert saved.elsewhere is Elsewhere.CHANGED
    assert bodies(profile, note.id) == ["of two", "of one", "before"]
    assert two.save("", "of two, more").elsewhere is None
    untouched = one.close("", "of one")
    assert untouched.elsewhere is Elsewhere.CHANGED
    assert show_note(profile, note.id).body == "of two, more"
    remove_note(profile, note.id)
    assert one.save("", "again").elsewhere is Elsewhere.REMOVED
    assert [each.body for each in list_notes(profile)] == ["again"]


SAVES = st.lists(st.tuples(st.integers(0, 1), st.sampled_from("abcdef")), max_size=8)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(saves=SAVES)
def test_what_a_sitting_overwrites_of_another_is_a_version(
    profile: Profile, saves: list[tuple[int, str]]
) -> None:
    note = add_note(profile, "before")
    sittings = [NoteEditSession(profile, note.id), NoteEditSession(profile, note.id)]
    last: tuple[int, str] | None = None
    for who, text in saves:
        saved = sittings[who].save("", text)
        if last is not None and last[0] != who:
            assert last[1] in bodies(profile, note.id)
        if saved.changed:
            last = who, text
    assert "before" in bodies(profile, note.id)


def test_a_version_is_seen_compared_and_restored(profile: Profile, clock: FixedClock) -> None:
    note = add_note(profile, "one\ntwo", title="Title")
    clock.advance(timedelta(hours=1))
    edit_note(profile, note.id, "one\nthree", title="Title")
    now, before = versions(profile, note.id)
    assert (now.number, now.is_current, now.at, now.size) == (2, True, clock.now(), 9)
    assert (before.number, before.is_current, before.at, before.size) == (1, False, NOON, 7)
    assert difference(before, now)[1:] == (" # Title", " ", " one", "-two", "+three")
    assert restore_version(profile, note.id, 1).body == "one\ntwo"
    assert bodies(profile, note.id) == ["one\ntwo", "one\nthree", "one\ntwo"]
    assert restore_version(profile, note.id, 2).body == "one\nthree"
    with pytest.raises(NotFoundError, match="has no version 9"):
        show_version(profile, note.id, 9)


def test_links_lead_both_ways(profile: Profile) -> None:
    with profile.database.write() as connection:
        connection.execute(
            insert(ConceptRow).values(id=3, slug="third", title="Third thing", joined_into_id=1)
        )
    body = "[[first]], [[FIRST|again]], [[third thing]], [[Second]], [[nowhere]], `[[second]]`"
    note = add_note(profile, body)
    other = add_note(profile, "[[third]]")
    add_note(profile, "`[[first]]` and first")
    views = links_of(profile, note.id)
    assert [(view.target, view.slug) for view in views] == [
        ("first", "first"),
        ("Second", "second"),
        ("nowhere", None),
    ]
    linked = show_concept(profile, "first").linked_notes
    assert [each.id for each in linked] == [other.id, note.id]
    assert [each.id for each in show_concept(profile, "second").linked_notes] == [note.id]
    with profile.database.write() as connection:
        connection.execute(update(ConceptRow).values(joined_into_id=None))
    assert [each.id for each in show_concept(profile, "first").linked_notes] == [note.id]


WRITER = """
import sys
from studyattn.home import Home
from studyattn.store.database import open_database
from studyattn.study.clock import SystemClock
from studyattn.study.profile import Profile
from studyattn.study.notes.edit_session import NoteEditSession
from pathlib import Path
home, clock = Home(Path(sys.argv[1])), SystemClock()
learner = Profile(home, open_database(home, now=clock.now()), clock)
sitting = NoteEditSession(learner)
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
        (note,) = list_notes(Profile(home, database, clock))
    assert len(note.body.split()) >= acknowledged


def test_the_same_text_twice_in_a_row_is_one_version(profile: Profile, clock: FixedClock) -> None:
    clock.advance(timedelta(days=9))
    note = add_note(profile, "one", title="T")
    guid = show_note(profile, note.id).guid
    with profile.database.write() as connection:
        for day, text in enumerate(("one", "two", "two", "one", "one")):
            keep_wording(connection, guid, NOON + timedelta(days=day), "T", text)
    said = [(each.number, each.body, each.at) for each in versions(profile, note.id)]
    days = [NOON + timedelta(days=day) for day in (3, 1, 0)]
    assert said == [(3, "one", days[0]), (2, "two", days[1]), (1, "one", days[2])]
