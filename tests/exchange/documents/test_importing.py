"""Importing into a real database: once, again, edited, in one piece or not at all."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, insert, select, update

from studyattn.address import ServerAddress
from studyattn.errors import DocumentError, InputError, StoreError
from studyattn.exchange.documents.importing import apply_import, read_documents
from studyattn.exchange.documents.plan import Caution, ImportPlan, PlannedChange
from studyattn.home import Home
from studyattn.packs.model import Erratum, SourceLocation
from studyattn.store.database import Database, open_database
from studyattn.store.models import (
    CardRow,
    ConceptChangeRow,
    ConceptRow,
    ItemRow,
    NoteRow,
    SourceRow,
)
from studyattn.store.queries.concept_changes import record_change

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)

QA = """\
# A talk

## Known

- Softmax sums to one

## Questions

### 1. Low rank - why may it be dropped?

Because.

**Learn more:**
- [page](https://a.b/)

### 2. Multi-headed attention - don't understand it

Several heads.
"""


@pytest.fixture
def database(tmp_path: Path, either: ServerAddress | None) -> Iterator[Database]:
    with open_database(Home(tmp_path / "home", either), now=NOW) as opened:
        yield opened


def write(folder: Path, text: str, name: str = "qa.md") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def take(database: Database, *paths: Path, joins: tuple[str, ...] = ()) -> ImportPlan:
    plan = read_documents(database, paths).plan
    apply_import(database, plan, NOW, joins)
    return plan


def rows(database: Database, *columns: Any) -> list[tuple[Any, ...]]:
    with database.read() as connection:
        return [tuple(row) for row in connection.execute(select(*columns))]


def everything(database: Database) -> list[list[tuple[Any, ...]]]:
    tables = (SourceRow, ConceptRow, ConceptChangeRow, ItemRow, CardRow, NoteRow)
    return [rows(database, *table.__table__.columns) for table in tables]


def test_what_an_import_makes(database: Database, tmp_path: Path) -> None:
    plan = take(database, write(tmp_path, QA))
    assert plan.lines()[-1] == "new: 1 source, 2 cards, 2 known-unknown concepts, 1 known concept"
    assert rows(database, SourceRow.kind, SourceRow.title, SourceRow.text) == [("qa", "A talk", QA)]
    assert sorted(rows(database, ConceptRow.title, ConceptRow.state)) == [
        ("Low rank", "known-unknown"),
        ("Multi-headed attention", "known-unknown"),
        ("Softmax sums to one", "known"),
    ]
    assert rows(database, CardRow.front, CardRow.back, CardRow.extra) == [
        (
            "Low rank - why may it be dropped?",
            "Because.",
            {"links": [{"text": "page", "address": "https://a.b/"}]},
        ),
        ("Multi-headed attention - don't understand it", "Several heads.", {}),
    ]
    changes = rows(
        database, ConceptChangeRow.from_state, ConceptChangeRow.author, ConceptChangeRow.reason
    )
    assert ("unseen", "import", "a question of “A talk”: why may it be dropped?") in changes
    assert len(changes) == 3
    phases = rows(database, ItemRow.phase, ItemRow.kind, ItemRow.source_id)
    assert phases == [("new", "card", 1), ("new", "card", 1)]


def test_the_result_names_the_new_cards_in_the_order_of_the_document(
    database: Database, tmp_path: Path
) -> None:
    path = write(tmp_path, QA)
    made = take(database, path)
    by_row = select(ItemRow.guid).order_by(ItemRow.id)
    with database.read() as connection:
        assert made.new_cards == tuple(connection.scalars(by_row))
    assert len(made.new_cards) == 2
    assert take(database, path).new_cards == ()
    path.write_text(f"{QA}\n## One more - why?\n\nSo.\n", encoding="utf-8")
    again = take(database, path)
    with database.read() as connection:
        assert again.new_cards == tuple(connection.scalars(by_row))[2:]


def test_the_preview_names_the_lines_and_writes_nothing(database: Database, tmp_path: Path) -> None:
    plan = read_documents(database, [write(tmp_path, QA)]).plan
    text = "\n".join(plan.lines())
    assert "     9  + card           Low rank - why may it be dropped?" in text
    assert "     5  + known          Softmax sums to one" in text
    assert rows(database, func.count(SourceRow.id)) == [(0,)]


def test_the_preview_shows_what_will_be_seen(database: Database, tmp_path: Path) -> None:
    plan = read_documents(
        database, [write(tmp_path, "# T\n\n## Why $\\tfrac{1}{\\sqrt d}$?\n\na\n")]
    ).plan
    assert any(line.endswith("note           Why 1/√d?") for line in plan.lines())


def test_importing_twice_changes_nothing(database: Database, tmp_path: Path) -> None:
    path = write(tmp_path, QA)
    take(database, path)
    before = everything(database)
    plan = take(database, path)
    assert plan.changes_nothing
    assert everything(database) == before


def test_an_edited_question_keeps_its_history(database: Database, tmp_path: Path) -> None:
    path = write(tmp_path, QA)
    take(database, path)
    with database.write() as connection:
        connection.execute(update(ItemRow).values(stability=12.5, reps=3, phase="review"))
    guids = rows(database, ItemRow.id, ItemRow.guid)
    edited = QA.replace("why may it be dropped?", "why may a part of it be dropped?")
    write(tmp_path, edited.replace("Several heads.", "Several heads side by side."))
    plan = take(database, path)
    low_rank, heads = plan.sources[0].cards
    assert (low_rank.change, low_rank.before) == (
        PlannedChange.EDITED,
        "Low rank - why may it be dropped?",
    )
    assert (heads.change, heads.before) == (PlannedChange.EDITED, "")
    assert rows(database, ItemRow.id, ItemRow.guid) == guids
    assert rows(database, ItemRow.stability, ItemRow.reps) == [(12.5, 3), (12.5, 3)]
    assert [back for (back,) in rows(database, CardRow.back)] == [
        "Because.",
        "Several heads side by side.",
    ]
    assert take(database, path).changes_nothing


def test_other_numbers_and_another_order_are_the_same_questions(
    database: Database, tmp_path: Path
) -> None:
    path = write(tmp_path, "## Q&A\n\n### 1. One?\n\na\n\n### 2. Two?\n\nb\n")
    take(database, path)
    guids = dict(rows(database, CardRow.front, CardRow.item_id))
    write(tmp_path, "## Q&A\n\n### 1. Zero?\n\nz\n\n### 2) TWO\n\nb\n\n### One?\n\na\n")
    plan = take(database, path)
    changes = {card.front: card.row for card in plan.sources[0].cards}
    assert changes == {"Zero?": None, "TWO": guids["Two?"], "One?": guids["One?"]}


def test_a_question_that_is_gone_stays_and_is_told(database: Database, tmp_path: Path) -> None:
    path = write(tmp_path, QA)
    take(database, path)
    write(tmp_path, QA[: QA.index("### 2.")])
    plan = take(database, path)
    assert "no longer there, kept: 1 card, 1 known-unknown concept" in plan.lines()[-1]
    assert rows(database, func.count(CardRow.item_id)) == [(2,)]


def test_the_learners_own_wording_stays(database: Database, tmp_path: Path) -> None:
    path = write(tmp_path, QA)
    take(database, path)
    with database.write() as connection:
        connection.execute(
            update(CardRow).where(CardRow.item_id == 1).values(back="My words.", edited_at=NOW)
        )
    write(tmp_path, QA.replace("Because.", "For other reasons."))
    plan = take(database, path)
    assert plan.sources[0].cards[0].keeps_wording
    assert ("My words.",) in rows(database, CardRow.back)
    assert take(database, path).changes_nothing
    write(tmp_path, QA.replace("Because.", "For other reasons.") + "\n")
    assert take(database, path).sources[0].cards[0].change is PlannedChange.UNCHANGED


def test_a_concept_that_the_document_moves_is_moved(database: Database, tmp_path: Path) -> None:
    path = write(
        tmp_path, "## Known\n\n- a b\n- i j\n\n## Known unknown\n\n- c d\n- e f\n", "note.md"
    )
    take(database, path)
    with database.write() as connection:
        ids = {
            row.title: row.id for row in connection.execute(select(ConceptRow.title, ConceptRow.id))
        }
        record_change(connection, ids["e f"], "known", "I know it", "learner", NOW)
        record_change(connection, ids["i j"], "unseen", "start again", "learner", NOW)
    write(
        tmp_path, "## Known\n\n- a b\n- c d\n\n## Known unknown\n\n- e f\n- g h\n- i j\n", "note.md"
    )
    take(database, path)
    assert sorted(rows(database, ConceptRow.title, ConceptRow.state)) == [
        ("a b", "known"),
        ("c d", "known"),
        ("e f", "known"),  # the learner said so; the document still says otherwise
        ("g h", "known-unknown"),
        ("i j", "unseen"),  # moved by both: the learner's word stands
    ]


def test_two_documents_with_one_idea_make_it_once(database: Database, tmp_path: Path) -> None:
    first = write(tmp_path, "## Known\n\n- Softmax\n", "a.md")
    second = write(tmp_path, "## Q&A\n\n### Softmax?\n\nIt sums to one.\n", "b.md")
    take(database, first, second)
    assert rows(database, ConceptRow.slug, ConceptRow.state) == [("softmax", "known")]
    assert rows(database, ItemRow.concept_id) == [(1,)]
    third = write(tmp_path, "## Known unknown\n\n- softmax\n- other\n", "c.md")
    take(database, third)
    assert rows(database, ConceptRow.slug, ConceptRow.state) == [
        ("softmax", "known"),
        ("other", "known-unknown"),
    ]


def pack_concept(database: Database, slug: str, title: str) -> None:
    with database.write() as connection:
        connection.execute(
            insert(ConceptRow).values(slug=slug, title=title, state="unseen", pack="attention")
        )


def test_a_join_is_proposed_and_made_only_when_accepted(database: Database, tmp_path: Path) -> None:
    pack_concept(database, "multi-head-attention", "Multi-head attention")
    plan = take(database, write(tmp_path, QA))
    (join,) = plan.joins.values()
    assert (join.slug, join.into) == ("multi-headed-attention", "multi-head-attention")
    assert any("multi-headed-attention INTO multi-head-attention" in line for line in plan.lines())
    assert all(row == (None,) for row in rows(database, ConceptRow.joined_into_id))


def test_an_accepted_join(database: Database, tmp_path: Path) -> None:
    pack_concept(database, "multi-head-attention", "Multi-head attention")
    take(database, write(tmp_path, QA), joins=("multi-headed-attention",))
    found = {
        slug: rest
        for slug, *rest in rows(
            database, ConceptRow.slug, ConceptRow.joined_into_id, ConceptRow.state
        )
    }
    assert found["multi-headed-attention"] == [1, "known-unknown"]
    assert found["multi-head-attention"] == [None, "known-unknown"]


def test_a_join_that_nobody_proposed_is_refused(database: Database, tmp_path: Path) -> None:
    plan = read_documents(database, [write(tmp_path, QA)]).plan
    with pytest.raises(InputError, match="low-rank"):
        apply_import(database, plan, NOW, ["low-rank"])
    assert rows(database, func.count(SourceRow.id)) == [(0,)]


def test_sections_become_notes_and_keep_what_the_learner_wrote(
    database: Database, tmp_path: Path
) -> None:
    post = "---\ntitle: A post\ndate: 2025-08-22\n---\n\n## One\n\na\n\n## Two\n\nb\n"
    path = write(tmp_path, post)
    take(database, path)
    assert rows(database, NoteRow.title, NoteRow.body) == [("One", "a"), ("Two", "b")]
    assert rows(database, SourceRow.front_matter) == [({"title": "A post", "date": "2025-08-22"},)]
    with database.write() as connection:
        connection.execute(update(NoteRow).where(NoteRow.id == 1).values(body="mine"))
    write(tmp_path, post.replace("a\n\n", "aa\n\n").replace("\nb\n", "\nbb\n"))
    take(database, path)
    assert rows(database, NoteRow.title, NoteRow.body) == [("One", "mine"), ("Two", "bb")]


def test_a_document_that_moved_is_the_same(database: Database, tmp_path: Path) -> None:
    path = write(tmp_path, QA, "old/qa.md")
    take(database, path)
    path.unlink()
    moved = write(tmp_path, QA + "\nmore\n", "new/qa.md")
    plan = take(database, moved)
    assert plan.sources[0].change is PlannedChange.EDITED
    assert rows(database, SourceRow.path) == [(str(moved),)]


def test_documents_of_one_name_in_two_folders_are_two(database: Database, tmp_path: Path) -> None:
    take(database, write(tmp_path, QA, "a/qa.md"))
    take(database, write(tmp_path, QA.replace("Because.", "So."), "b/qa.md"))
    assert rows(database, func.count(SourceRow.id)) == [(2,)]
    guids = [guid for (guid,) in rows(database, ItemRow.guid)]
    assert len(set(guids)) == 4


def test_a_folder_with_progress_problems_and_copies(database: Database, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    write(folder, QA, "a.md")
    write(folder, QA, "copy/a.md")
    write(folder, "---\nno: [end\n---\n", "bad.md")
    seen: list[tuple[int, int, str]] = []
    plan = read_documents(
        database, [folder], lambda done, total, path: seen.append((done, total, path.name))
    ).plan
    assert seen == [(0, 3, "a.md"), (1, 3, "bad.md"), (2, 3, "a.md")]
    assert [problem.where for problem in plan.problems] == [f"{folder / 'bad.md'}:2"]
    assert plan.copies == (str(folder / "copy" / "a.md"),)
    assert len(plan.sources) == 1


def test_a_named_document_that_cannot_be_used_stops_the_import(
    database: Database, tmp_path: Path
) -> None:
    good, bad = write(tmp_path, QA, "a.md"), write(tmp_path, "---\n- 1\n---\n", "b.md")
    with pytest.raises(DocumentError) as refused:
        read_documents(database, [good, bad])
    assert refused.value.where == f"{bad}:2"


DEEP = sys.getrecursionlimit() + 100  # more than calls within calls


@pytest.mark.parametrize("either", ["sqlite"], indirect=True)  # what is read meets no database
def test_a_nesting_of_5000_levels_is_one_line_and_the_rest_is_imported(
    database: Database, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    write(folder, QA, "a.md")
    write(folder, "---\ntitle: " + "[" * 5000 + "\n---\n", "front.md")
    write(folder, "".join(f"{'  ' * level}- x #card\n" for level in range(DEEP)), "bullets.md")
    deep = [
        write(folder, "{{c1::" * 5000 + "x" + "}}" * 5000, "gaps.md"),
        write(folder, "[" * 5000 + "]" * 5000, "brackets.md"),
    ]
    plan = take(database, folder)
    told = {Path((problem.where or "").split(":")[0]).name: problem for problem in plan.problems}
    assert "front.md" in told
    assert set(told) <= {"front.md", "gaps.md", "brackets.md"}
    assert not any("\n" in str(problem) for problem in plan.problems)
    assert {Path(each.path).name for each in plan.sources} >= {"a.md", "bullets.md"}
    for each in deep:
        if each.name in told:
            with pytest.raises(DocumentError, match="nested too deeply"):
                read_documents(database, [each])


def test_a_plan_of_another_moment_is_refused_and_nothing_is_written(
    database: Database, tmp_path: Path
) -> None:
    path = write(tmp_path, QA)
    plan = read_documents(database, [path]).plan
    take(database, path)
    before = everything(database)
    with pytest.raises(StoreError, match="changed since"):
        apply_import(database, plan, NOW)
    assert everything(database) == before


def test_an_import_that_fails_leaves_nothing(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = read_documents(database, [write(tmp_path, QA)]).plan
    monkeypatch.setattr("studyattn.exchange.documents.importing.record_changes", _fail)
    with pytest.raises(RuntimeError):
        apply_import(database, plan, NOW)
    assert all(not table for table in everything(database))


def _fail(*_: object) -> None:
    raise RuntimeError


def test_known_errors_are_told(database: Database, tmp_path: Path) -> None:
    erratum = Erratum(
        id="some-score",
        title="A score is not the dot product",
        concept="scores",
        source="slides",
        says="1.96",
        right="it is 1.63",
        place=SourceLocation("errata.md", 1),
        figures=(1.96,),
        terms=(),
        example=None,
    )
    path = write(tmp_path, "# Slides\n\ntext\n\nthe score is 1.96 here\n")
    plan = read_documents(database, [path], errata=(erratum,)).plan
    assert plan.sources[0].cautions == [Caution(5, "A score is not the dot product", "it is 1.63")]
    assert any("it is 1.63" in line for line in plan.lines())


def test_what_is_known_to_be_wrong_is_imported_as_known_unknown(
    database: Database, tmp_path: Path
) -> None:
    errata = (growth(),)
    path = write(tmp_path, f"## Known\n\n- {WRONG}\n- a b\n\n## Known unknown\n\n- c d\n")

    def again(text: str) -> dict[str, str]:
        write(tmp_path, text)
        plan = read_documents(database, [path], errata=errata).plan
        apply_import(database, plan, NOW)
        return dict(rows(database, ConceptRow.title, ConceptRow.state))

    plan = read_documents(database, [path], errata=errata).plan
    wrong = plan.sources[0].concepts[0]
    assert (wrong.state, [each.right for each in wrong.corrections]) == (
        "known-unknown",
        ["they do not"],
    )
    assert plan.sources[0].cautions == []  # told where the statement is, and only there
    assert "  ! corrected, so not known: Growth: they do not" in "\n".join(plan.lines())
    apply_import(database, plan, NOW)
    assert ("import", "known in “qa”, but the errata correct it: Growth") in rows(
        database, ConceptChangeRow.author, ConceptChangeRow.reason
    )
    assert again(f"## Known\n\n- {WRONG}\n- a b\n- c d\n") == {
        WRONG: "known-unknown",
        "a b": "known",
        "c d": "known",
    }
    # Rewritten so that it is right, it is known as the document says.
    right = WRONG.replace("grow", "never grow")
    assert again(f"## Known\n\n- {right}\n- a b\n- c d\n")[right] == "known"
    assert again(f"## Known\n\n- {WRONG}\n- a b\n- c d\n")[WRONG] == "known-unknown"


def test_a_contradicted_idea_that_the_learner_called_known_stays_known(
    database: Database, tmp_path: Path
) -> None:
    path = write(tmp_path, f"## Known\n\n- {WRONG}\n")
    errata = (growth(),)
    apply_import(database, read_documents(database, [path], errata=errata).plan, NOW)
    with database.write() as connection:
        record_change(connection, 1, "known", "I know better", "learner", NOW)
    write(tmp_path, f"## Known\n\n- {WRONG}\n- a b\n")
    apply_import(database, read_documents(database, [path], errata=errata).plan, NOW)
    assert rows(database, ConceptRow.state) == [("known",), ("known",)]


WRONG = "Parameters grow with the square of the context"


def growth() -> Erratum:
    return Erratum(
        id="growth",
        title="Growth",
        concept="cost",
        source="a talk",
        says="they grow",
        right="they do not",
        place=SourceLocation("errata.md", 1),
        terms=("parameter", "square", "context"),
    )


def test_ids_follow_those_that_are_there(database: Database, tmp_path: Path) -> None:
    take(database, write(tmp_path, QA, "a.md"))
    plan = read_documents(database, [write(tmp_path, QA.replace("rank", "Rang"), "b.md")]).plan
    apply_import(database, plan, NOW + timedelta(days=1))
    assert rows(database, func.count(ItemRow.id), func.max(ItemRow.id)) == [(4, 4)]


def test_an_edit_between_preview_and_import_stays(database: Database, tmp_path: Path) -> None:
    path = write(tmp_path, QA)
    take(database, path)
    write(tmp_path, QA.replace("Because.", "For other reasons."))
    plan = read_documents(database, [path]).plan
    with database.write() as connection:
        connection.execute(
            update(CardRow).where(CardRow.item_id == 1).values(back="My words.", edited_at=NOW)
        )
    apply_import(database, plan, NOW)
    assert ("My words.",) in rows(database, CardRow.back)
