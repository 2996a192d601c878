"""The preview of an import as a text: read back it changes nothing, and each edit does its part."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studyattn.errors import DocumentError
from studyattn.exchange.documents.importing import apply_import, read_documents
from studyattn.exchange.documents.plan import PlannedChange
from studyattn.exchange.documents.preview import ImportPreview
from studyattn.home import Home
from studyattn.store.database import Database, open_database
from tests.exchange.documents.test_preview import ERRATUM, NOW, QA, cards

ERRATA = (ERRATUM,)
WRONG = "Which part of this is wrong? “Parameters: they grow with the square of the context”"
FRONTS = ["Heads - why several?", "Masks", "Scores", WRONG]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with open_database(Home(tmp_path / "home"), now=NOW) as opened:
        yield opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "qa.md"
    path.write_text(QA, "utf-8")
    return path


@pytest.fixture
def preview(database: Database, path: Path) -> ImportPreview:
    return read_documents(database, [path], None, ERRATA)


def test_the_text_as_it_is_changes_nothing(preview: ImportPreview) -> None:
    before = preview.plan
    preview.use_text(preview.text)
    assert preview.plan == before
    assert cards(before) == FRONTS


def test_cards_are_left_out_reworded_split_and_merged(preview: ImportPreview) -> None:
    text = preview.text.replace("@ 9\n", "@ 9 split\n")
    mask = text.index("@ 20")
    scores = text.index("@ 24")
    correction = text.index("@ erratum:grow")
    edited = text[:mask] + "@ 24\nScores and masks\n---\nDot products, then −∞.\n"
    preview.use_text(edited)
    assert cards(preview.plan) == [
        "Heads - why several?",
        "Heads: How it works",
        "Heads: Cost",
        "Scores and masks",
    ]
    assert mask < scores < correction
    preview.use_text(preview.text)  # what was edited is in the text, too
    assert len(cards(preview.plan)) == 4


def test_what_was_edited_is_kept_with_the_source(
    database: Database, path: Path, preview: ImportPreview
) -> None:
    preview.use_text(preview.text.replace("\nAdded before the softmax.", "\n\\@ begins no card."))
    assert preview.plan.sources[0].cards[1].back == "@ begins no card."
    apply_import(database, preview.plan, NOW)
    again = read_documents(database, [path], None, ERRATA).plan
    assert again.changes_nothing
    kept = read_documents(database, [path], None, ERRATA)
    assert "\n\\@ begins no card." in kept.text
    kept.use_text(kept.text.replace("\\@ begins no card.", "Added before the softmax."))
    (edited,) = (c for c in kept.plan.sources[0].cards if c.change is PlannedChange.EDITED)
    assert edited.back == "Added before the softmax."


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("@ 9", "@ 99", "no question at 99"),
        ("@ 9", "@ heads", "no question at heads"),
        ("@ 9", "@ 9 join", "'join' means nothing"),
        ("@ 9", "@ 9 concept=nowhere", "no concept 'nowhere'"),
        ("---\nDot products.", "Dot products.", "without ---"),
        ("Dot products.", "", "without an answer"),
        ("qa.md", "other.md", "no document"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(
    preview: ImportPreview, old: str, new: str, says: str
) -> None:
    before = preview.plan
    with pytest.raises(DocumentError, match=r"line \d+ of the edited text: .*" + says):
        preview.use_text(preview.text.replace(old, new))
    assert preview.plan == before
