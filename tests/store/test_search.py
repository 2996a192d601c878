"""Full-text search: what is in a text finds it, any query is a query, and the index is in step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, insert, update

from studyattn.address import ServerAddress
from studyattn.home import Home
from studyattn.store.database import Connection, Database, open_database
from studyattn.store.engine import open_driver
from studyattn.store.models import CardRow, ConceptRow, ItemRow, NoteRow, SourceRow
from studyattn.store.queries.bulk import insert_rows
from studyattn.store.search import Hit, MarkedText, find, out_of_step, read_query
from studyattn.store.search import rebuild_index as rebuild
from studyattn.store.search_schema import SearchKind, Term, words_of
from tests.databases import Server

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def shared(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Database]:
    """One database for all examples of a property; each takes back what it wrote."""
    root = tmp_path_factory.mktemp("home")
    with ExitStack() as stack:
        home = Home(root)
        if request.param == "postgresql":
            server: Server = request.getfixturevalue("server")
            home = Home(root, server.address(stack.enter_context(server.database())))
        yield stack.enter_context(open_database(home, now=NOW))


@pytest.fixture
def database(tmp_path: Path, either: ServerAddress | None) -> Iterator[Database]:
    with open_database(Home(tmp_path, either), now=NOW) as opened:
        yield opened


@contextmanager
def taken_back(database: Database) -> Iterator[Connection]:
    """A transaction that writes and is not kept."""
    driver = open_driver(database.home)
    driver.begin_writing()
    with closing(driver):
        yield driver


def write(connection: Connection, number: int, body: str, title: str = "") -> None:
    connection.execute(
        insert(NoteRow).values(
            id=number, guid=f"n{number}", title=title, body=body, created_at=NOW, updated_at=NOW
        )
    )


def fill(connection: Connection) -> None:
    """One of each kind, all of them about softmax."""
    connection.execute(
        insert(SourceRow).values(
            guid="s1",
            kind="post",
            title="Softmax for poets",
            path="",
            text="A rose is a rose.",
            digest="",
            imported_at=NOW,
        )
    )
    connection.execute(
        insert(ConceptRow).values(id=1, slug="softmax", title="Softmax", body="Rows sum to one.")
    )
    connection.execute(
        insert(ItemRow).values(id=1, guid="c:1", kind="card", concept_id=1, created_at=NOW)
    )
    connection.execute(
        insert(CardRow).values(
            item_id=1, kind="basic", front="What does softmax do?", back="Weights", digest=""
        )
    )
    write(connection, 1, "The softmax of a row, $\\frac{QK^T}{\\sqrt{d_k}}$.", "About weights")


def keys(hits: list[Hit]) -> set[tuple[SearchKind, str]]:
    return {(hit.kind, hit.key) for hit in hits}


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60)


@settings(max_examples=150, deadline=None)
@given(texts=st.lists(TEXT, min_size=1, max_size=4), data=st.data())
def test_whatever_word_is_in_a_note_finds_it(
    shared: Database, texts: list[str], data: st.DataObject
) -> None:
    number = data.draw(st.integers(1, len(texts)))
    words = texts[number - 1].replace('"', " ").split()
    if not words:
        return
    query = " ".join(data.draw(st.lists(st.sampled_from(words), min_size=1, max_size=2)))
    with taken_back(shared) as connection:
        for row, text in enumerate(texts, start=1):
            write(connection, row, text)
        assert (SearchKind.NOTE, str(number)) in keys(find(connection, query))


@settings(max_examples=150, deadline=None)
@given(query=st.text(st.characters() | st.sampled_from('"*-():^+{}[]\\ \0\ud800NEAR'), max_size=30))
def test_every_text_is_a_query(shared: Database, query: str) -> None:
    with taken_back(shared) as connection:
        write(connection, 1, "softmax")
        assert isinstance(find(connection, query), list)


@pytest.mark.parametrize(
    "query",
    [
        "softmax",
        "SOFT",
        "sóftmax",
        "softmax AND",
        "(softmax",
        'softmax"',
        "softmax*",
        "-softmax",
        "^softmax",
    ],
)
def test_words_find_all_kinds(database: Database, query: str) -> None:
    with database.write() as connection:
        fill(connection)
        write(connection, 2, "and", "softmax")
        found = keys(find(connection, query))
    expected = {SearchKind.NOTE} if query == "softmax AND" else set(SearchKind)
    assert {kind for kind, _ in found} == expected


def test_latex_code_and_accents_are_found(database: Database) -> None:
    with database.write() as connection:
        fill(connection)
        write(connection, 2, "`scores.masked_fill(~allowed, -inf)` und Müßiggang, café")
        for query in ("d_k", "\\sqrt", "\\frac{QK^T}", "sqrt{d_k}"):
            assert keys(find(connection, query)) == {(SearchKind.NOTE, "1")}, query
        for query in ("masked_fill", "scores.masked", "-inf", "cafe", "CAFÉ", "mußig"):
            assert keys(find(connection, query)) == {(SearchKind.NOTE, "2")}, query


def test_a_part_of_a_word_and_a_sign_are_found_as_text(database: Database) -> None:
    with database.write() as connection:
        write(connection, 1, "the distribution ≈ uniform")
        write(connection, 2, "注意力机制很重要")
        assert keys(find(connection, "stribut")) == {(SearchKind.NOTE, "1")}
        assert keys(find(connection, "≈")) == {(SearchKind.NOTE, "1")}
        assert keys(find(connection, "uniform ≈")) == {(SearchKind.NOTE, "1")}
        assert keys(find(connection, "机制")) == {(SearchKind.NOTE, "2")}
        assert find(connection, "stribut", as_text=False) == []
        assert find(connection, "uniform ≠") == []


def test_every_part_of_a_word_of_any_case_finds_it(database: Database) -> None:
    texts = {1: "Softmax_über\\sqrt{d_k}", 2: 'queries%"quoted"_keys', 3: "注意力机制ATTENTION"}
    with database.write() as connection:
        for number, text in texts.items():
            write(connection, number, text)
        for number, text in texts.items():
            for start in range(len(text) - 2):
                for part in (
                    text[start : start + 3],
                    text[start:],
                    text[start : start + 5].lower(),
                ):
                    if '"' not in part and (part == part.lower() or part in text):
                        found = keys(find(connection, part))
                        assert (SearchKind.NOTE, str(number)) in found, part
        connection.execute(update(NoteRow).where(NoteRow.id == 1).values(body="hardmax"))
        connection.execute(delete(NoteRow).where(NoteRow.id == 3))
        assert find(connection, "oftma") == find(connection, "tenti") == []
        assert keys(find(connection, "rdma")) == {(SearchKind.NOTE, "1")}


def test_a_quotation_asks_for_words_in_order(database: Database) -> None:
    with database.write() as connection:
        write(connection, 1, "scaled dot product")
        write(connection, 2, "product, dot, scaled")
        assert keys(find(connection, '"dot product"')) == {(SearchKind.NOTE, "1")}
        assert find(connection, '"dot prod"', as_text=False) == []
        assert len(find(connection, "dot prod")) == 2


def test_titles_come_first_and_words_are_marked(database: Database) -> None:
    with database.write() as connection:
        fill(connection)
        hits = find(connection, "softm")
    assert [hit.kind for hit in hits[:2]] == [SearchKind.CONCEPT, SearchKind.CARD]
    assert hits[0].title == MarkedText("Softmax", ((0, 7),))
    note = next(hit for hit in hits if hit.kind is SearchKind.NOTE)
    assert note.title == MarkedText("About weights")
    assert note.excerpt.text.startswith("The softmax of a row")
    assert note.excerpt.marks == ((4, 11),)


def test_a_long_word_makes_no_long_excerpt(database: Database) -> None:
    with database.write() as connection:
        write(connection, 1, "x" * 1_000_000 + " needle " + "y" * 1_000_000)
        (hit,) = find(connection, "needle")
        (text,) = find(connection, "eedl")
    for excerpt, word in ((hit.excerpt, "needle"), (text.excerpt, "eedl")):
        assert len(excerpt.text) < 400
        assert [excerpt.text[start:end] for start, end in excerpt.marks] == [word]


def test_what_is_gone_or_retired_is_not_found(database: Database) -> None:
    with database.write() as connection:
        fill(connection)
        connection.execute(update(NoteRow).values(body="something else", title=""))
        connection.execute(update(ItemRow).values(retired=True))
        connection.execute(update(ConceptRow).values(retired=True))
        connection.execute(delete(SourceRow))
        assert find(connection, "softmax") == []
        assert keys(find(connection, "something")) == {(SearchKind.NOTE, "1")}
        assert out_of_step(connection) == []


def test_an_index_out_of_step_is_found_and_mended(database: Database) -> None:
    with database.write() as connection:
        fill(connection)
        assert out_of_step(connection) == []
        on_server = database.home.server is not None
        connection.exec_driver_sql(
            f"DROP TRIGGER note_search_changed{' ON note' if on_server else ''}"
        )
        connection.execute(update(NoteRow).values(body="unseen by the index"))
        connection.exec_driver_sql("DROP TABLE card_search")
        findings = out_of_step(connection)
        assert findings == [
            "the search index of notes is not complete",
            "the search index of cards is not complete",
        ]
        rebuild(connection)
        assert out_of_step(connection) == []
        assert keys(find(connection, "unseen")) == {(SearchKind.NOTE, "1")}
        damage = (
            "UPDATE concept_search SET words = ''"
            if on_server
            else "DELETE FROM concept_search_data WHERE id > 10"
        )
        connection.exec_driver_sql(damage)
        assert out_of_step(connection) == ["the search index of concepts is out of sync with them"]
        rebuild(connection)
        assert out_of_step(connection) == []


def test_a_query_is_words_and_quotations() -> None:
    assert read_query('one "two three" fo"ur') == (
        Term("one"),
        Term("two three", exact=True),
        Term("fo"),
        Term("ur", exact=True),
    )
    assert read_query(' "" \0 ') == ()


def test_a_page_as_a_query_is_looked_for_by_its_beginning(database: Database) -> None:
    page = "lorem ipsum 漢字 👩 √ " * 3000
    assert len(read_query(page)) == 5
    with database.read() as connection:
        assert find(connection, page) == []
        assert find(connection, " ".join(map(chr, range(0x2200, 0x2200 + 3000)))) == []
    assert words_of(page.upper()) == ["lorem", "ipsum", "漢字", "👩", "√"]


def test_many_rows_that_are_indexed_together_are_found_like_any_other(database: Database) -> None:
    rows = [
        {"id": number, "guid": f"n{number}", "title": f"Note {number}", "body": f"word{number}"}
        | {"created_at": NOW, "updated_at": NOW}
        for number in range(10, 210)
    ]
    with database.write() as connection:
        write(connection, 1, "word1 before them")
        insert_rows(connection, "note", rows)
        write(connection, 300, "word300 after them")
        insert_rows(connection, "note", [{**rows[7], "id": 5, "guid": "between"}])
        assert not out_of_step(connection)
        for word, key in (("word1", "1"), ("word77", "77"), ("word300", "300")):
            assert (SearchKind.NOTE, key) in keys(find(connection, word))
        assert len(find(connection, "word17", limit=99)) == 12


def test_of_what_stands_in_too_many_rows_the_latest_are_found_titles_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.store.search._WEIGHED", 3)
    with open_database(Home(tmp_path), now=NOW) as database, taken_back(database) as connection:
        for number in range(1, 5):
            write(connection, number, f"words keys {number}", title="of keys")
        write(connection, 5, "keys keys keys", title="of none")
        write(connection, 6, "keys and words", title="scores")
        assert in_order(find(connection, "keys", limit=5)) == ["4", "3", "2", "1", "6"]
        write(connection, 7, "scores and so on", title="last")
        assert in_order(find(connection, "scores")) == ["6", "7"]  # few rows are weighed


def in_order(hits: list[Hit]) -> list[str]:
    return [hit.key for hit in hits]
