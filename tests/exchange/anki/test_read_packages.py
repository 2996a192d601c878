"""What comes in from packages and collections that the real Anki wrote."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from sqlalchemy import select

from studyattn.exchange.anki.media import keep_media
from studyattn.exchange.anki.not_taken import Reason
from studyattn.exchange.anki.occlusion import drawn
from studyattn.exchange.anki.reader import read_package
from studyattn.exchange.anki.writer import write_package
from studyattn.exchange.import_file import import_file, preview
from studyattn.exchange.json_lines import read_lines, write_lines
from studyattn.exchange.registry import ANKI
from studyattn.memory import Scheduler
from studyattn.store.models import ItemRow
from studyattn.study.review.rebuild import refold
from studyattn.text import cloze
from studyattn.text.media import named_media
from tests.exchange.anki.real_anki import added_note, exported, review_all
from tests.exchange.homes import NOW, Homes

pytest.importorskip("anki.collection", reason="the group interop is not installed")

from anki.collection import (
    Collection,
    ExportAnkiPackageOptions,
    ImportAnkiPackageRequest,
)
from anki.decks import DeckId


def test_notes_of_ankis_own_types_come_in(
    collection: Collection, homes: Homes, tmp_path: Path
) -> None:
    fields = {
        "Basic": ["What is \\(d_k\\)?", "A <b>width</b>.<br>Really."],
        "Basic (and reversed card)": ["softmax", "shares that sum to one"],
        "Cloze": ["{{c1::Keys}} and {{c2::values::what?}}", "more"],
    }
    for name, values in fields.items():
        model = collection.models.by_name(name)
        assert model is not None
        note = collection.new_note(model)
        note.fields = values
        collection.add_note(note, DeckId(1))
    path = tmp_path / "deck.apkg"
    collection.export_anki_package(
        out_path=str(path),
        options=ExportAnkiPackageOptions(with_scheduling=True, legacy=False),
        limit=None,
    )
    package = read_package(path, NOW)
    snapshot, media, not_taken = package.snapshot, package.media, package.not_taken
    cards = [item.card for item in snapshot.items if item.card]
    assert sorted((card.kind, card.front, card.back) for card in cards) == [
        ("basic", "What is \\(d_k\\)?", "A **width**.\nReally."),
        ("basic", "shares that sum to one", "softmax"),
        ("basic", "softmax", "shares that sum to one"),
        ("cloze", "==1|Keys== and ==2|values::what?==", "more"),
        ("cloze", "==1|Keys== and ==2|values::what?==", "more"),
    ]
    assert (media, not_taken) == ((), ())


@pytest.mark.parametrize("legacy", [True, False])
def test_nested_clozes_come_in_with_their_text_and_history(
    collection: Collection, homes: Homes, tmp_path: Path, legacy: bool
) -> None:
    added_note(collection, "Cloze", "nested {{c1::outer {{c2::inner}} rest}}", "")
    assert review_all(collection) == 2
    path = exported(collection, tmp_path / "nested.apkg", legacy=legacy)
    package = read_package(path, NOW)
    snapshot, not_taken = package.snapshot, package.not_taken
    assert [item.card.front for item in snapshot.items if item.card] == [
        "nested ==1|outer inner rest==",
        "nested outer ==2|inner== rest",
    ]
    assert {each.item_guid for each in package.log} == {each.guid for each in snapshot.items}
    assert not_taken == ()
    # Anki gets both cards back, and they come in from there once more.
    back = tmp_path / "back.apkg"
    written = write_package(back, snapshot, Scheduler())
    assert (written.cards, written.reviews) == (2, 2)
    with homes.new() as database:
        assert not import_file(database, path, ANKI, NOW, refold).changes_nothing
        again = import_file(database, back, ANKI, NOW, refold)
        assert (again.added.get("items", 0), again.added.get("reviews", 0)) == (0, 0)


def test_clozes_where_markdown_has_no_gap_are_asked_and_come_back(
    collection: Collection, homes: Homes, tmp_path: Path
) -> None:
    texts = (
        "Area \\( \\pi {{c1::r^2}} \\)",
        "\\[ \\frac{ {{c1::a}} }{ {{c2::b::below}} } \\]",
        "<code>a = {{c1::b}}</code>",
        "<pre>x = {{c1::1}}</pre>",
        "anti{{c1::body}}",
        "{{c1::a}}{{c2::b}}",
        "in {{c1:: x }} spaces",
        "{{c1::one<br><br>two}}",
    )
    for text in texts:
        added_note(collection, "Cloze", text, "")
    assert review_all(collection) == 10
    path = exported(collection, tmp_path / "m.apkg", legacy=True)
    package = read_package(path, NOW)
    snapshot, not_taken = package.snapshot, package.not_taken
    assert not_taken == ()
    fronts = []
    for card in (each.card for each in snapshot.items if each.card):
        group = card.extra.get("group")
        fronts.append(card.front if group is None else cloze.front(card.front, group))
    assert sorted(fronts) == sorted(
        [
            "Area \\( \\pi […] \\)",
            "\\[ \\frac{ […] }{ b } \\]",
            "\\[ \\frac{ a }{ [below] } \\]",
            "`a = […]`",
            "```\nx = […]\n```",
            "anti[…]",
            "[…]b",
            "a[…]",
            "in  ==[…]==  spaces",
            "[…]",
        ]
    )
    written = write_package(tmp_path / "back.apkg", snapshot, Scheduler())
    assert (written.cards, written.reviews, written.left_out) == (10, 10, 0)
    with homes.new() as database:
        import_file(database, path, ANKI, NOW, refold)
        assert import_file(database, tmp_path / "back.apkg", ANKI, NOW, refold).changes_nothing


def test_the_longest_interval_of_anki_can_be_written_and_read_again(
    collection: Collection, tmp_path: Path
) -> None:
    added_note(collection, "Basic", "one", "two")
    assert collection.db is not None
    collection.db.execute("update cards set type=2, queue=2, ivl=99999, reps=9, factor=2500, due=9")
    path = exported(collection, tmp_path / "long.apkg", legacy=True)
    snapshot = read_package(path, NOW).snapshot
    (start,) = snapshot.starts
    assert start.interval == 36500
    written = [f"{each}\n".encode() for each in write_lines(snapshot)]
    assert read_lines(written, "x.jsonl") == snapshot


def test_notes_are_known_by_any_name_of_their_package(
    collection: Collection, homes: Homes, tmp_path: Path
) -> None:
    added_note(collection, "Basic (and reversed card)", "front", "back")
    first = exported(collection, tmp_path / "collection-1.apkg", legacy=True)
    added_note(collection, "Basic", "another", "note")
    assert review_all(collection) == 3
    second = exported(collection, tmp_path / "collection-2.apkg", legacy=True)
    with homes.new() as database:
        import_file(database, first, ANKI, NOW, refold)
        added = import_file(database, second, ANKI, NOW, refold).added
        assert (added["items"], added["reviews"]) == (1, 3)
        assert import_file(database, first, ANKI, NOW, refold).changes_nothing


def test_a_package_whose_times_are_milliseconds_is_read(
    collection: Collection, tmp_path: Path
) -> None:
    """As libraries write them that make packages of notes in Markdown."""
    added_note(collection, "Basic", "front", "back")
    assert collection.db is not None
    for table in ("notes", "cards"):
        collection.db.execute(f"UPDATE {table} SET mod = mod * 1000")
    path = exported(collection, tmp_path / "deck.apkg", legacy=True)
    found = read_package(path, NOW)
    assert len(found.snapshot.items) == 1
    (note,) = found.snapshot.anki_notes
    assert abs(note.changed - datetime.now(UTC).timestamp()) < 3600


@pytest.mark.parametrize("legacy", [True, False])
def test_what_is_not_taken_is_listed_by_note_and_reason(
    collection: Collection, homes: Homes, tmp_path: Path, legacy: bool
) -> None:
    added_note(collection, "Basic", "What is d_k?", "A width.", tags="marked")
    buried = added_note(collection, "Basic", "softmax", "shares")
    cloze = added_note(collection, "Cloze", "{{c1::Keys::what?}} {{c2::gone}}", "")
    cloze.fields[0] = "{{c1::Keys::what?}}"
    collection.update_note(cloze)
    collection.sched.bury_cards([buried.cards()[0].id])
    path = exported(collection, tmp_path / "deck.apkg", legacy=legacy)
    package = read_package(path, NOW)
    assert {(each.note, each.reason, each.what) for each in package.not_taken} == {
        ("{{c1::Keys::what?}}", Reason.NO_GAP, "card 2"),
    }
    marks = {item.card.front: item.marked for item in package.snapshot.items if item.card}
    assert marks == {"What is d_k?": True, "softmax": False, "==1|Keys::what?==": False}
    with homes.new() as database:
        weighed = preview(database, path, ANKI, NOW)
        taken = import_file(database, path, ANKI, NOW, refold)
        for result in (weighed, taken):
            lines = result.lines()
            assert lines[1] == "not taken:"
            place = lines.index(f"  {Reason.NO_GAP} (1 note):")
            assert lines[place + 1] == "    {{c1::Keys::what?}}: card 2"
            assert result.not_taken == package.not_taken


def test_a_card_in_a_filtered_deck_belongs_to_its_own_deck(
    collection: Collection, tmp_path: Path
) -> None:
    added_note(collection, "Basic", "softmax", "shares")
    filtered = collection.sched.get_or_create_filtered_deck(DeckId(0))
    filtered.config.search_terms[0].search = ""
    collection.sched.add_or_update_filtered_deck(filtered)
    path = exported(collection, tmp_path / "deck.apkg", legacy=True)
    assert [each.title for each in read_package(path, NOW).snapshot.concepts] == ["Default"]


@pytest.mark.parametrize("legacy", [True, False])
def test_hints_of_clozes_come_in_are_shown_and_go_back(
    collection: Collection, tmp_path: Path, legacy: bool
) -> None:
    text = "{{c1::a &lt;b&gt;::of two &amp; three}} and {{c2::<code>x[&#58;&#58;2]</code>}}"
    added_note(collection, "Cloze", text, "")
    held = read_package(exported(collection, tmp_path / "in.apkg", legacy=legacy), NOW).snapshot
    front = "==1|a <b>::of two & three== and ==2|`x[::2]`=="
    assert {each.card.front for each in held.items if each.card} == {front}
    assert cloze.front(front, 1) == "==[of two & three]== and `x[::2]`"
    assert cloze.front(front, 2) == "a <b> and ==[…]=="
    back = tmp_path / "back.apkg"
    write_package(back, held, Scheduler())
    other = Collection(str(tmp_path / "other.anki2"))
    try:
        other.import_anki_package(ImportAnkiPackageRequest(package_path=str(back)))
        cards = sorted(map(other.get_card, other.find_cards("")), key=lambda each: each.ord)
        questions = [card.question() for card in cards]
        assert "[of two &amp; three]" in questions[0]
        assert "[...]" in questions[1]
        again = read_package(exported(other, tmp_path / "again.apkg", legacy=legacy), NOW)
    finally:
        other.close()
    assert {each.card.front for each in again.snapshot.items if each.card} == {front}


@pytest.mark.parametrize("legacy", [True, False])
def test_cards_show_what_their_templates_show(
    collection: Collection, tmp_path: Path, legacy: bool
) -> None:
    notetype = collection.models.new("Capitals")
    for name in ("Country", "Capital", "Map", "Remark"):
        collection.models.add_field(notetype, collection.models.new_field(name))
    for name, question, answer in (
        ("1", "Capital of {{Country}}?", "{{FrontSide}}<hr id=answer>{{Capital}} {{Map}}"),
        ("2", "{{#Map}}{{Capital}}: where?{{/Map}}", "{{Capital}}: where?<br>{{Country}}"),
        ("3", "{{tts de:Capital}}{{text:Capital}} {{type:Country}}", "{{Country}}{{Tags}}"),
    ):
        template = collection.models.new_template(name)
        template["qfmt"], template["afmt"] = question, answer
        collection.models.add_template(notetype, template)
    collection.models.add(notetype)
    for fields in (("France", "Paris", "north", "by heart"), ("Chad", "N'Djamena", "", "")):
        added_note(collection, "Capitals", *fields)
    added_note(
        collection,
        "Image Occlusion",
        "{{c1::image-occlusion:rect:left=.1:top=.1:width=.2:height=.2:oi=1}}",
        "<img src=brain.png>",
        "Brain",
    )
    package = read_package(exported(collection, tmp_path / "in.apkg", legacy=legacy), NOW)
    cards = [each.card for each in package.snapshot.items if each.card]
    assert {(each.kind, each.front, each.back, each.answer) for each in cards} == {
        ("basic", "Capital of France?", "Paris north", None),
        ("basic", "Capital of Chad?", "N'Djamena", None),
        ("basic", "Paris: where?", ": where?\nFrance", None),
        ("typed", "Paris", "", "France"),
        ("typed", "N'Djamena", "", "Chad"),
    }
    assert [(each.note, each.reason, each.what) for each in package.not_taken] == [
        ("France", Reason.FIELD, "Remark"),
        ("Brain", Reason.FILE, "brain.png"),
        ("Brain", Reason.OCCLUSION, "card 1"),
    ]


SHAPES = (
    "{{c1::image-occlusion:rect:left=.1:top=.2:width=.2:height=.4:oi=1}}",
    "{{c2::image-occlusion:ellipse:left=.4:top=.2:rx=.1:ry=.2}}",
    "{{c3::image-occlusion:polygon:points=.7,.2 .9,.2 .9,.6 .7,.6}}",
    "{{c0::image-occlusion:text:left=.1:top=.1:text=a label}}",
)
PARTS = ((40, 40), (100, 40), (160, 40))  # pixels within the shapes
WHITE, ASKED, OTHER = (255,) * 3, (255, 142, 142), (255, 235, 162)


def test_image_occlusion_comes_in_as_pictures_with_covered_parts(
    collection: Collection, tmp_path: Path
) -> None:
    Image.new("RGB", (200, 100), WHITE).save(tmp_path / "brain.png")
    collection.add_image_occlusion_note(
        notetype_id=0,
        image_path=str(tmp_path / "brain.png"),
        occlusions="<br>".join(SHAPES),
        header="Brain",
        back_extra="by heart",
        tags=[],
    )
    path = exported(collection, tmp_path / "in.apkg", legacy=False)
    package = read_package(path, NOW)
    keep_media(path, package.packed, tmp_path / "media")
    cards = [each.card for each in package.snapshot.items if each.card]
    assert package.not_taken == ()
    assert all(each.front.startswith("Brain\n") for each in cards)
    assert all(each.back.endswith("\n\nby heart") for each in cards)

    def parts(text: str) -> list[object]:
        (name,) = named_media(text)
        with Image.open(tmp_path / "media" / name) as picture:
            return [picture.convert("RGB").getpixel(each) for each in PARTS]

    assert sorted(([parts(each.front), parts(each.back)] for each in cards), key=repr) == [
        [[ASKED, WHITE, WHITE], [WHITE, WHITE, WHITE]],
        [[OTHER, ASKED, WHITE], [OTHER, WHITE, WHITE]],
        [[OTHER, WHITE, ASKED], [OTHER, WHITE, WHITE]],
    ]


def test_cards_of_image_occlusion_come_in_once_pillow_is_there(
    collection: Collection, homes: Homes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Image.new("RGB", (20, 10)).save(tmp_path / "brain.png")
    name = collection.media.add_file(str(tmp_path / "brain.png"))
    added_note(collection, "Image Occlusion", SHAPES[0], f"<img src={name}>", "Brain")
    path = exported(collection, tmp_path / "in.apkg", legacy=False)
    with homes.new() as database:
        with monkeypatch.context() as without:
            without.setattr("studyattn.exchange.anki.reader.is_installed", lambda _: False)
            assert import_file(database, path, ANKI, NOW, refold).added.get("items", 0) == 0
        assert import_file(database, path, ANKI, NOW, refold).added["items"] == 1
        assert len([*database.home.media.iterdir()]) == 3
        assert import_file(database, path, ANKI, NOW, refold).changes_nothing


def test_a_vector_picture_is_not_drawn_on(collection: Collection, tmp_path: Path) -> None:
    name = collection.media.write_data("brain.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    added_note(collection, "Image Occlusion", SHAPES[0], f"<img src={name}>", "Brain")
    package = read_package(exported(collection, tmp_path / "in.apkg", legacy=False), NOW)
    assert [each.reason for each in package.not_taken] == [Reason.OCCLUSION]


@given(st.data())
def test_a_broken_picture_gives_none(data: st.DataObject) -> None:
    written = BytesIO()
    Image.new("RGB", (20, 10)).save(written, "PNG")
    place = written.getvalue().index(b"IDAT") - 1  # the last byte of its length
    no_chunk = written.getvalue()[:place] + b"\0" + written.getvalue()[place + 1 :]
    assert drawn(no_chunk, SHAPES[0], 1, answers=False) is None  # Pillow raises SyntaxError
    broken = bytearray(written.getvalue())
    for _ in range(data.draw(st.integers(1, 5))):
        changed = data.draw(st.integers(0, len(broken) - 1))
        broken[changed] = data.draw(st.integers(0, 255))
    made = drawn(bytes(broken), SHAPES[0], 1, answers=False)
    assert made is None or made.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "shape",
    [
        "rect:left=.1:top=.1:width=.2:height=.2:angle=30",
        "rect:left=here:top=.1",
        "rect:left=nan:top=.1:width=.2:height=.2",
        "rect:left=inf:top=.1:width=.2:height=.2",
        "polygon:points=.1,.1",
        "star:left=.1:top=.1:width=.2:height=.2",
    ],
)
def test_shapes_that_cannot_be_drawn_are_named(
    collection: Collection, tmp_path: Path, shape: str
) -> None:
    Image.new("RGB", (20, 10)).save(tmp_path / "brain.png")
    name = collection.media.add_file(str(tmp_path / "brain.png"))
    fields = f"{{{{c1::image-occlusion:{shape}}}}}", f"<img src={name}>", "Brain"
    added_note(collection, "Image Occlusion", *fields)
    package = read_package(exported(collection, tmp_path / "in.apkg", legacy=False), NOW)
    assert package.snapshot.items == ()
    assert [each.reason for each in package.not_taken] == [Reason.OCCLUSION]


def test_a_whole_collection_comes_in(collection: Collection, homes: Homes, tmp_path: Path) -> None:
    added_note(collection, "Basic", "softmax", "shares", tags="heads")
    added_note(collection, "Cloze", "{{c1::Keys}}", "")
    collection.media.write_data("unnamed.gif", b"z")
    assert review_all(collection) == 2
    collection.set_config("rollover", 2)
    remembered = [
        collection.compute_memory_state(number).stability or 0
        for number in collection.find_cards("")
    ]
    path = tmp_path / "collection.colpkg"
    collection.export_collection_package(str(path), include_media=True, legacy=False)
    with homes.new() as database:
        taken = import_file(database, path, ANKI, NOW, refold)
        assert (taken.added["items"], taken.added["reviews"]) == (2, 2)
        assert taken.lines()[1:] == [
            "1 picture or sound not imported, because no imported card uses them:",
            "  unnamed.gif  1 byte",
        ]
        with database.read() as connection:
            found = connection.execute(select(ItemRow.stability)).scalars().all()
    assert sorted(each or 0 for each in found) == pytest.approx(sorted(remembered), rel=1e-4)
