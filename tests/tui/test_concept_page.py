"""A concept's page as a drawing: everything that can be known of one, at any width."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from studyattn.memory import Phase
from studyattn.packs.corrections import Correction
from studyattn.packs.model import Erratum, SourceLocation
from studyattn.store.queries.concept_changes import ConceptChange
from studyattn.store.queries.notes import NoteView
from studyattn.study.concepts.concept_page import ConceptPage
from studyattn.study.notes.note_links import LinkingNote
from studyattn.study.review.browse import BrowsedItem
from studyattn.study.rules.evidence import Evidence, Suggestion, Weight
from studyattn.study.rules.mistakes import MistakeSeen
from studyattn.tui.formatting import Days
from studyattn.tui.widgets import concept_page
from studyattn.tui.widgets.concept_page import ConceptView, LinkKind, PageLink
from tests.tui.test_concept_graph import graph_of
from tests.tui.test_concept_state import LINE

NOW = datetime(2026, 11, 21, 11, tzinfo=UTC)
VIEW = ConceptView(Days(NOW, 60), levels=3)
LONG = "words that go on and on until no line of any terminal could ever hold them all at once"


def item(guid: str, **values: object) -> BrowsedItem:
    card = BrowsedItem(
        guid=guid,
        kind="card",
        card_kind="basic",
        title="Why? " + LONG,
        concept="d",
        concept_title="D",
        phase=Phase.REVIEW,
        stability=30.0,
        difficulty=5.0,
        retrievability=0.912,
        due=NOW + timedelta(days=3),
        reps=4,
        lapses=0,
        suspended=False,
        marked=False,
        retired=False,
        tags=(),
        drill_state=None,
    )
    return card._replace(**values)  # type: ignore[arg-type]  # names of its fields


def note(number: int) -> NoteView:
    return NoteView(
        id=number,
        guid=f"note{number}",
        title=f"Note {number}",
        body=LONG,
        concept="d",
        source=None,
        source_guid=None,
        item=None,
        created_at=NOW,
        updated_at=NOW - timedelta(days=400),
    )


PAGE = ConceptPage(
    line=LINE._replace(slug="d", title="D", state="known", pack="small"),
    body=f"{LONG}\n\n$$\\frac{{QK^\\top}}{{\\sqrt{{d}}}}$$",
    requires=(("b", "B"),),
    unlocks=(),
    graph=graph_of({"d": ("b", "c"), "b": ("a",), "c": ("a",), "e": ("d",)}),
    joined=(("other", "Another name"),),
    items=(
        item("t:1"),
        item("t:2", due=NOW - timedelta(days=1), stability=0.4, retrievability=0.5),
        item("t:3", phase=Phase.NEW, stability=None, retrievability=None, due=None),
        item("t:4", suspended=True),
        item("t:drill/five", kind="drill", title="five", drill_state="revealed"),
    ),
    evidence=(
        Evidence(Weight.FOR, "5 of 5 cards hold for 21 days or more"),
        Evidence(Weight.MISSING, "drill five passed without its solution on 1 of 2 days"),
        Evidence(Weight.AGAINST, "a card of it was forgotten since 3 Nov 2026"),
    ),
    suggestion=Suggestion("d", "D", "known", "known-unknown", f"{LONG.capitalize()}."),
    notes=(note(7),),
    linked_notes=(
        LinkingNote(7, "Note 7", NOW),
        LinkingNote(8, "Note 8", NOW),
    ),
    mistakes=(MistakeSeen("scale-missing", f"No scale: {LONG}", "five", 3, NOW),),
    corrections=(
        Correction("c", "Half of it", f"it is {LONG}", "A talk", "it is $\\sqrt d$, all of it"),
    ),
    errata=(
        Erratum("e", "A wrong root", "slides", "d", "√d", "d", SourceLocation("errata.md", 1)),
    ),
    changes=(
        ConceptChange(NOW - timedelta(days=20), "unseen", "known-unknown", "", "import"),
        ConceptChange(NOW - timedelta(hours=12), "known-unknown", "known", LONG, "learner"),
    ),
)


def lines_of(page: ConceptPage = PAGE, width: int = 72, view: ConceptView = VIEW) -> list[str]:
    (column,) = concept_page.draw(page, [width], view)
    return column.content.plain.splitlines()


@pytest.mark.parametrize("width", [50, 72])
def test_no_line_is_wider_than_the_column(width: int) -> None:
    for widths in ([width], [width, width]):
        for column in concept_page.draw(PAGE, widths, VIEW):
            assert all(line.cell_length <= width for line in column.content.split("\n"))


def test_a_title_that_is_cut_above_stands_whole_on_the_page() -> None:
    assert not any(line == "D" for line in lines_of())
    shown = "\n".join(lines_of(PAGE._replace(line=LINE._replace(title=f"All {LONG}"))))
    assert " ".join(shown.split()).startswith(f"All {LONG}")


def test_sections_are_numbered_across_both_columns() -> None:
    titles = [
        "Corrections",
        "Explanation",
        "Requires, and unlocks",
        "Cards and drills",
        "Evidence",
        "Notes",
        "Mistakes seen in your code",
        "Common errors in sources",
        "History",
    ]
    (only,) = concept_page.draw(PAGE, [72], VIEW)
    assert [title for title, _ in only.sections] == titles
    left, right = concept_page.draw(PAGE, [72, 72], VIEW)
    assert [title for title, _ in left.sections] == [titles[0], titles[1], titles[7]]
    assert [title for title, _ in right.sections] == [*titles[2:7], titles[8]]
    heading = right.content.plain.splitlines()[right.sections[0][1]]
    assert heading.startswith("4 Requires, and unlocks ─")
    assert len(heading) == 72


def test_links_stand_where_they_say_and_the_chosen_one_is_pointed_at() -> None:
    (column,) = concept_page.draw(PAGE, [72], replace(VIEW, chosen=4))
    lines = column.content.plain.splitlines()
    kinds = [link.kind for link, _ in column.links]
    assert (
        kinds
        == [LinkKind.CONCEPT] * 5 + [LinkKind.CARD] * 4 + [LinkKind.DRILL] + [LinkKind.NOTE] * 2
    )
    assert [at for at, line in enumerate(lines) if line.startswith("▸ ")] == [column.links[4][1]]
    assert column.links[-1][0] == PageLink(LinkKind.NOTE, 8)
    for link, at in column.links:
        if link.kind is LinkKind.CONCEPT:
            assert f"Concept {link.target}" in lines[at]


def test_memory_is_said_in_columns() -> None:
    lines = lines_of()
    at = next(index for index, line in enumerate(lines) if "stability" in line)
    ends = [" ".join(line.split()[-5:]) for line in lines[at + 1 : at + 6]]
    assert ends[0].endswith("30 d 91% Tue")
    assert ends[1].endswith("0 d 50% now")
    assert ends[2].endswith("new")
    assert ends[3].endswith("suspended")
    assert "✎ five solution seen" in lines[at + 5]


def test_every_kind_of_evidence_has_its_sign() -> None:
    lines = lines_of()
    assert "✓ 5 of 5 cards hold for 21 days or more" in lines
    assert "○ Drill five passed without its solution on 1 of 2 days" in lines
    assert "✗ A card of it was forgotten since 3 Nov 2026" in lines


def test_a_mistake_says_how_often_when_and_where() -> None:
    text = " ".join(" ".join(lines_of()).split())
    assert "✗ No scale: words" in text
    assert "3 times, last on 21 Nov in five" in text


def test_history_is_dated_by_learner_days_the_last_first() -> None:
    lines = lines_of()
    at = next(at for at, line in enumerate(lines) if line.startswith("9 History"))
    assert lines[at + 1].startswith("20 Nov       ● known unknown → ✓ known: words that")
    assert lines[-1] == "1 Nov        ○ unseen → ● known unknown (import)"
    page = PAGE._replace(changes=(PAGE.changes[1]._replace(at=NOW - timedelta(hours=11.5)),))
    assert lines_of(page)[-2].startswith("20 Nov")  # half past midnight belongs to the day before


def test_what_there_is_nothing_of_has_no_section() -> None:
    empty = PAGE._replace(
        body="",
        graph=graph_of({"d": ()}),
        joined=(),
        items=(),
        evidence=(),
        suggestion=None,
        notes=(),
        linked_notes=(),
        mistakes=(),
        corrections=(),
        errata=(),
        changes=(),
    )
    assert lines_of(empty) == []
