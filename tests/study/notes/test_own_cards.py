"""Cards made of a passage: the learner's own, tied to a concept, and they leave and come back."""

from __future__ import annotations

import pytest
from sqlalchemy import insert

from studyattn.errors import InputError, NotFoundError
from studyattn.store.models import ConceptRow, SourceRow
from studyattn.study.notes.own_cards import SelectedPassage, make_card, suggested_concept
from studyattn.study.profile import Profile
from studyattn.study.review.browse import search, show_item
from studyattn.study.review.queue import due_items
from tests.study.conftest import NOON


def test_a_card_of_a_passage_is_new_and_asked(profile: Profile) -> None:
    passage = SelectedPassage(note="n1", line=3)
    (guid,) = make_card(profile, " Why? ", "Because.", concept="First", passage=passage)
    shown = show_item(profile, guid)
    assert (shown.front, shown.back, shown.concept_slug) == ("Why?", "Because.", "first")
    assert shown.extra == {"note": "n1", "line": 3}
    assert [item.guid for item in due_items(profile, profile.clock.now())] == [guid]


def test_a_cloze_makes_a_card_a_group(profile: Profile) -> None:
    guids = make_card(profile, "==a== and ==2|b== and ==a==", "", concept="first")
    assert len(guids) == 2
    first, second = (show_item(profile, guid) for guid in guids)
    assert (first.card_kind, first.front) == ("cloze", "==[…]== and b and ==[…]==")
    assert second.front == "a and ==[…]== and a"


@pytest.mark.parametrize(
    ("front", "back", "concept", "error"),
    [
        ("", "x", "first", InputError),
        ("x", " ", "first", InputError),
        ("x", "y", "", InputError),
        ("x", "y", "third", NotFoundError),
    ],
)
def test_what_is_no_card_is_refused(
    profile: Profile, front: str, back: str, concept: str, error: type[InputError]
) -> None:
    with pytest.raises(error):
        make_card(profile, front, back, concept=concept)
    assert search(profile) == []


def test_the_concept_is_suggested(profile: Profile) -> None:
    assert suggested_concept(profile, SelectedPassage()) == ""
    make_card(profile, "a", "b", concept="second")
    assert suggested_concept(profile, SelectedPassage(text="[[nowhere]]")) == "second"
    assert suggested_concept(profile, SelectedPassage(text="[[nowhere]] [[First]]")) == "first"
    assert (
        suggested_concept(profile, SelectedPassage(text="[[First]]", concept="second")) == "second"
    )
    with profile.database.write() as connection:
        connection.execute(
            insert(SourceRow).values(
                id=1, guid="s", kind="qa", title="", path="", text="", digest="", imported_at=NOON
            )
        )
        connection.execute(
            insert(ConceptRow).values(id=9, slug="of-source", title="Of it", source_id=1)
        )
    assert suggested_concept(profile, SelectedPassage(source="s")) == "of-source"
