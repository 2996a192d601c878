"""Cards of other programs: how each file is understood, and what is said of the rest of it."""

from __future__ import annotations

import csv
import json
import re
import zipfile
from collections.abc import Iterator
from datetime import UTC, date, datetime
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from studyattn.errors import DocumentError, InputError
from studyattn.exchange.documents import dialects
from studyattn.exchange.documents.dialects.trees import read_transit
from studyattn.exchange.documents.draft import ExtractedQuestion, ExtractedText
from studyattn.exchange.documents.extract import extract
from studyattn.exchange.documents.importing import apply_import, read_documents
from studyattn.exchange.documents.names import page_of
from studyattn.exchange.documents.plan import ImportPlan, PlannedChange, offered, understanding
from studyattn.exchange.memories import LearnedBefore
from studyattn.home import Home
from studyattn.store.database import Database, open_database
from studyattn.store.models import CardRow, ItemRow, MemoryStartRow
from studyattn.study.review.rebuild import refold

FILES = Path(__file__).parent / "files"
NOW = datetime(2026, 1, 8, 12, tzinfo=UTC)

# file: dialect, cards, those with a memory, lines that look like cards and became none
UNDERSTOOD = {
    "anki-notes.txt": ("anki-text", 6, 0, []),
    "anki-cards.txt": ("anki-text", 6, 0, []),
    "cards.csv": ("csv", 3, 0, [5]),
    "words.tsv": ("csv", 3, 0, []),
    "quizlet.txt": ("pairs", 4, 0, [5]),
    "obsidian.md": ("obsidian", 7, 3, [23, 29]),
    "hashcards.md": ("hashcards", 3, 0, [15, 17]),
    "remnote.md": ("remnote", 10, 0, [13]),
    "logseq.md": ("logseq", 2, 1, [15, 16]),
    "org-drill.org": ("org", 5, 1, [26]),
    "attention.mochi": ("mochi", 4, 1, [3, 5]),
    "transit.mochi": ("mochi", 2, 1, []),
    "table.md": ("table", 2, 0, [7, 9]),
    "details.md": ("details", 1, 0, [12]),
    "attention.ipynb": ("qa", 2, 0, []),
    "note.md": ("note", 0, 0, []),
}


def read(name: str, chosen: str = "") -> ExtractedText:
    path = FILES / name
    return extract(dialects.load(path), str(path), chosen)


@pytest.mark.parametrize("name", UNDERSTOOD)
def test_a_file_is_understood_as_its_program_wrote_it(name: str) -> None:
    if name.endswith(".ipynb"):
        pytest.importorskip("nbformat", reason="nbformat is not installed")
    found = read(name)
    learned = [each for each in found.questions if each.learned]
    unread = [each.line for each in found.understood.unread]
    told = (found.understood.name, len(found.questions), len(learned), sorted(unread))
    assert told == UNDERSTOOD[name]
    assert found.understood.cards == len(found.questions)
    assert all(each.text and each.answer for each in found.questions)


def test_the_sides_of_cards_are_those_that_the_program_shows() -> None:
    sides = {each.text: each.answer for name in UNDERSTOOD for each in _readable(name)}
    assert sides["what a token looks for"] == "query"
    assert sides["What does a causal mask\ntake away?"] == "All positions\nafter the own one."
    assert sides["The softmax makes shares that sum to ==[a number]==."].endswith("==one==.")
    assert sides["Softmax: sums to"] == "one"
    assert sides["The steps of attention"] == "- scores\n- softmax\n- weighted sum"
    assert sides["What does `a | b` do?"] == "either"
    assert sides["Why is attention **quadratic**?"].startswith("Every query is compared")
    assert "scores[i, j] = -inf" in sides["What does a causal mask do?"]
    assert "np.zeros(4)" in sides["What is softmax of equal scores?"] or "half" in "".join(sides)
    assert sides["Why divide by √d, not d?"].startswith("The variance of q·k is d,\nso")


def _readable(name: str) -> tuple[ExtractedQuestion, ...]:
    try:
        return read(name).questions
    except (InputError, DocumentError):  # a library that is not installed
        return ()


def test_decks_and_tags_come_along() -> None:
    anki = {each.text: each for each in read("anki-notes.txt").questions}
    assert anki["Why are scores **scaled**?"].concept == "Attention"
    assert anki["Why are scores **scaled**?"].tags == ("attention", "core")
    obsidian = {each.text: each.concept for each in read("obsidian.md").questions}
    assert obsidian["Scores of n queries and m keys"] == "shapes"
    assert obsidian["Why are scores divided by √d?"] == "Attention"
    assert read("hashcards.md").questions[0].concept == "Attention"


def test_a_note_says_what_was_looked_for_and_what_looks_like_cards() -> None:
    found = read("note.md").understood
    (said,) = understanding(found)
    assert "Read as a note" in said
    assert "obsidian" in said
    told = {each.name: list(offered(each)) for each in found.offers}
    assert told["obsidian"][0].startswith("3 cards: Obsidian's flashcards (--as obsidian, lines 3")
    assert told["obsidian"][2] == "A term → its meaning"
    assert len(told) <= 3


def test_the_way_of_reading_can_be_chosen() -> None:
    assert [each.text for each in read("note.md", "obsidian").questions] == [
        "status",
        "A term",
        "another term",
    ]
    assert read("obsidian.md", "note").questions == ()
    with pytest.raises(InputError, match=r"no card format named 'cornell'"):
        read("note.md", "cornell")
    with pytest.raises(InputError, match=r"csv and table cannot be combined"):
        read("note.md", "csv+table")


def test_our_own_questions_come_before_tables_and_details() -> None:
    text = "Q: What is hidden?\nA: This.\n\n| Question | Answer |\n|---|---|\n| a | b |\n"
    found = extract(text, "a.md").understood
    assert (found.name, found.cards) == ("qa", 1)
    assert [(each.name, each.lines) for each in found.offers] == [("table", (6,))]
    both = extract(text, "a.md", "qa+table")
    assert [each.text for each in both.questions] == ["What is hidden?", "a"]
    assert both.kind == "qa+table"


def test_questions_besides_the_cards_of_a_dialect_are_told() -> None:
    found = extract("#flashcards\na::b\n\nQ: What?\nA: That.\n", "a.md").understood
    assert (found.name, found.cards) == ("obsidian", 1)
    assert [(each.name, each.lines) for each in found.offers] == [("qa", (4,))]


def test_a_heading_right_above_a_line_with_a_question_mark_is_a_question() -> None:
    text = "#flashcards\n\n# Rome\n\n## When did it fall?\n??\nIn 476.\n\n## Facts\nA year::1776\n"
    found = extract(text, "a.md")
    assert [(each.text, each.answer, each.concept) for each in found.questions] == [
        ("When did it fall?", "In 476.", "Rome"),
        ("In 476.", "When did it fall?", "Rome"),
        ("A year", "1776", "Facts"),
    ]
    assert not found.understood.unread


def test_a_row_of_plus_signs_ends_a_card_of_several_paragraphs() -> None:
    text = "#flashcards\n\nOne #flashcards/deck\n?\ntwo\n\nthree\n+++\nfour\n\nfive::six\n"
    assert [(each.text, each.answer, each.asked) for each in extract(text, "a.md").questions] == [
        ("One", "two\n\nthree", "deck"),
        ("five", "six", "a"),
    ]


def test_a_first_row_that_ends_with_tags_names_the_columns() -> None:
    rows = "arabic,english,tags\nqamar,moon,noun sky\n"
    (card,) = extract(rows, "a.csv").questions
    assert (card.text, card.answer, card.tags) == ("qamar", "moon", ("noun", "sky"))
    assert len(extract("Tag,day,Chapter_1\nJahr,year,Chapter_1\n", "a.csv").questions) == 2


@pytest.mark.parametrize(
    ("schedule", "learned"),
    [
        ("!2026-01-12,7,230", LearnedBefore(date(2026, 1, 12), 7, 2300)),
        ("!2026-01-12,0.4,20", LearnedBefore(date(2026, 1, 12), 1, 1300)),
        ("!2026-13-45,7,230", None),
        ("!2000-01-01,1,250", None),  # a new card whose sibling has a schedule
    ],
)
def test_the_schedule_of_obsidian_is_a_memory(schedule: str, learned: LearnedBefore | None) -> None:
    found = extract(f"#flashcards\na::b <!--SR:{schedule}-->\n", "a.md")
    assert [each.learned for each in found.questions] == [learned]
    is_unread = "1 schedule cannot be read, so the cards start as new" in found.understood.remarks
    assert is_unread is schedule.startswith("!2026-13")


def test_a_file_of_cards_without_a_title_is_called_by_its_name() -> None:
    for text in ("#flashcards\na::b\n", "| question | answer |\n|---|---|\n| a | b |\n"):
        found = extract(text, "Transformers.md")
        assert (found.title, found.questions[0].asked) == ("Transformers", "Transformers")
    assert extract("# Heads\n\n#flashcards\na::b\n", "a.md").title == "Heads"
    assert extract("One thought.\n", "a.md").title == "One thought."
    assert extract("alias:: One\n\ntext\n", "a.md").title == "a"


def test_a_gap_in_a_table_or_a_word_is_asked() -> None:
    found = extract("C: A [gap] and a table\n\n| a |\n|---|\n| [b] |\n", "a.md")
    assert [each.text.count("[…]") for each in found.questions] == [1, 1]
    (word,) = extract("C: 来源于将[6种]方法\n", "a.md").questions
    assert (word.text, word.answer) == ("来源于将[…]方法", "来源于将6种方法")
    coded = extract("C: A `[gap]` in code\n\nC: a [gap]\n", "a.md").understood
    assert [each.line for each in coded.unread] == [1]


def test_a_file_of_org_mode_without_cards_is_read_by_its_shape() -> None:
    text = "#+TITLE: Angles\n* Right angle\n:PROPERTIES:\n:A: b\n:END:\n90.\n* Acute\nLess.\n"
    found = extract(text, "a.org")
    assert [(each.name, each.lines) for each in found.understood.offers] == [("h1", (2, 7))]
    assert [(each.text, each.answer) for each in extract(text, "a.org", "h1").questions] == [
        ("Right angle", "90."),
        ("Acute", "Less."),
    ]


def test_a_gap_in_a_formula_is_asked() -> None:
    found = extract("C: It is $\\sqrt{[{x_{d}}]}$, not [d].\n", "a.md")
    assert [each.text for each in found.questions] == [
        "It is $\\sqrt{[…]}$, not d.",
        "It is $\\sqrt{{x_{d} } }$, not ==[…]==.",
    ]


@pytest.mark.parametrize(
    ("text", "name", "told"),
    [
        ('[{"question": "Why?", "answer": "So.", "tags": ["a b"]}]', "a.json", ("Why?", "So.")),
        ('{"notes": [{"fields": ["<b>Why</b>?", "So<br>it is."]}]}', "a.json", ("**Why**?", "So")),
        ("cards:\n  - q: Why?\n    a: So.\n", "a.yaml", ("Why?", "So.")),
        ("<m><item id='0'><Q>Why?</Q><A>So.</A></item></m>", "a.xml", ("Why?", "So.")),
        ("\\begin{flashcard}[x]{Why?}\nSo.\n\\end{flashcard}\n", "a.tex", ("Why?", "So.")),
        ("\\begin{karte}{Why so?}\nSo.\n\\end{karte}\n", "a.tex", ("Why so?", "So.")),
        ("\\begin{tcolorbox}[a=b]\nWhy so?\n\\tcblower\nSo.\n\\end{tcolorbox}\n",
         "a.tex", ("Why so?", "So.")),
        ("\\begin{tabular}{|l|c|}a & b\\end{tabular}\n\\card{Why so?}{So.}\n",
         "a.tex", ("Why so?", "So.")),
        ('{"notes": [{"fields": ["id", "a {{c1::gap}}", "x"]}]}', "a.json",
         ("a ==[…]==", "a ==gap==")),
        ("- A mask―hides the future\n", "a.md", ("A mask", "hides the future")),
        ("\\card{Why $\\frac{a}{b}$?}{So.}\n", "a.tex", ("Why $\\frac{a}{b}$?", "So.")),
        ('Why?,So\n"Why" not?,No\n', "a.csv", ("Why?", "So")),
        ("Why |a|?,So\nHow?,So\n", "a.csv", ("Why |a|?", "So")),
        ("Why?,So<br>it is\nHow?,<b>so</b>\n", "a.csv", ("Why?", "So")),
        ("* Why?  :fc:\n:PROPERTIES:\n:FC_TYPE: normal\n:END:\nSo.\n", "a.org", ("Why?", "So.")),
        ("* Why?\n:PROPERTIES:\n:ANKI_NOTE_TYPE: Basic\n:END:\nSo.\n", "a.org", ("Why?", "So.")),
        ("* x\n:PROPERTIES:\n:ANKI_NOTE_TYPE: Basic\n:END:\n** Front\nWhy?\n** Back\nSo.\n",
         "a.org", ("Why?", "So.")),
        ("* Why? :card:\n** So.\n", "a.org", ("Why?", "So.")),
    ],
)  # fmt: skip
def test_other_files_of_cards(text: str, name: str, told: tuple[str, str]) -> None:
    first = extract(text, name).questions[0]
    assert (first.text, first.answer.split("\n")[0]) == told


@pytest.mark.parametrize("mark", ["\t", ";;", " - ", " | ", "/////", "―", " ->-> ", "*", ": "])
def test_the_mark_between_two_sides_is_learned_from_the_rows(mark: str) -> None:
    rows = [("What is d?", "the width; of 8"), ("n", "the length"), ("k", "a key - or two")]
    text = "".join(f"{front}{mark}{back}\n" for front, back in rows)
    found = extract(text, "a.txt")
    assert found.understood.name == "pairs"
    assert [(each.text, each.answer) for each in found.questions] == rows


@pytest.mark.parametrize(
    "text",
    [
        "numpy==1.2\nscipy==1.3\ntorch==2.0\n",
        "A text: it goes on.\nAnd another row of it.\nAnd a third one.\n",
        "http://a.org/b\nhttp://a.org/c\nhttp://a.org/d\n",
    ],
)
def test_rows_of_a_text_or_a_list_of_versions_are_no_pairs(text: str) -> None:
    assert extract(text, "a.txt").understood.name == "note"


def test_a_vault_says_which_marks_its_cards_have(tmp_path: Path) -> None:
    text = "A **gap** ==here==\n\nWhy?->->So.\n\nOne::two\n\n#learn/deck\n"
    path = tmp_path / "notes" / "a.md"
    assert extract(text, str(path)).questions == ()
    settings = tmp_path / ".obsidian/plugins/obsidian-spaced-repetition/data.json"
    settings.parent.mkdir(parents=True)
    chosen: dict[str, object] = {"flashcardTags": ["#learn"], "singleLineCardSeparator": "->->"}
    chosen |= {"convertBoldTextToClozes": True, "convertHighlightsToClozes": False}
    settings.write_text(json.dumps({"settings": chosen}), "utf-8")
    other = tmp_path / "b.md"
    found = [(each.text, each.answer) for each in extract(text, str(other)).questions]
    assert [front for front, _ in found] == ["A […] ==here==", "Why?"]


def test_the_schedule_of_mnemosyne_counts_days_from_its_start() -> None:
    item = "<item e='2.6' l_rp='10' n_rp='24'><Q>Why?</Q><A>So.</A></item>"
    new = "<item e='2.5' l_rp='0' n_rp='0'><Q>How?</Q><A>Thus.</A></item>"
    text = f"<mnemosyne time_of_start='1767225600'>{item}{new}</mnemosyne>"
    known, unknown = extract(text, "a.xml").questions
    assert known.learned == LearnedBefore(date(2026, 1, 25), 14, 2600)
    assert unknown.learned is None


def test_org_fc_states_a_memory_for_each_position() -> None:
    table = "| position | ease | box | interval | due |\n|---+---|\n"
    rows = (
        "| front | 2.5 | 7 | 20.0 | 2026-02-01T00:00:00Z |\n| back | 2.0 | 1 | 0 | 2026-01-01 |\n"
    )
    said = f":PROPERTIES:\n:FC_TYPE: double\n:END:\n:REVIEW_DATA:\n{table}{rows}:END:\n"
    text = f"* Why? :fc:\n{said}So.\n"
    there, back = extract(text, "a.org").questions
    assert there.learned == LearnedBefore(date(2026, 2, 1), 20, 2500)
    assert (back.text, back.learned) == ("So.", None)


def test_a_row_with_a_stray_quotation_mark_is_taken_as_it_is_and_told() -> None:
    found = extract('a,b\n"c" d,e\nf,"g\nh"\n', "a.csv")
    assert [(each.text, each.answer) for each in found.questions] == [
        ("a", "b"),
        ('"c" d', "e"),
        ("f", "g\nh"),
    ]
    assert any("(line 2)" in each for each in found.understood.remarks)


def test_a_small_file_leaves_others_the_room_of_their_cells() -> None:
    """The limit is of the whole process: a class roster read after it has long cells, too."""
    extract("Tag,day\nJahr,year\n", "a.csv")
    assert list(csv.reader(["long," + "x" * 1000])) == [["long", "x" * 1000]]


@pytest.mark.parametrize(
    ("name", "text", "title", "way", "first"),
    [
        (
            "words.csv",
            "Chapter,Number,Character,Pinyin,German\n"
            + "".join(f"1,{n},字{n},zì {n},Wort {n}\n" for n in range(1, 13)),
            "Character → German",
            "3-5",
            ("字1", "Wort 1"),
        ),
        ("words.csv", "word,examples\nab,ab Hamburg\nan,am Tag\n", "word → examples", "1-2", None),
        (
            "a.json",
            '{"cs": {"bunda": "jacket", "cesta": "road"}}',
            None,
            "1-2",
            ("bunda", "jacket"),
        ),
        (
            "a.json",
            '[{"rule": "ik", "list": "i, u"}, {"rule": "ak", "list": "a, i"}]',
            "rule → list",
            "1-2",
            ("ik", "i, u"),
        ),
    ],
)
def test_columns_without_known_names_are_offered_and_taken(
    name: str, text: str, title: str | None, way: str, first: tuple[str, str] | None
) -> None:
    found = extract(text, name)
    assert not found.questions
    offer = found.understood.offers[0]
    assert (offer.name, offer.title) == (way, title or "column 1 → column 2")
    taken = extract(text, name, way)
    assert (taken.kind, len(taken.questions)) == (way, offer.cards)
    assert first is None or (taken.questions[0].text, taken.questions[0].answer) == first


def test_a_column_that_only_counts_is_no_side() -> None:
    for text in ("1,eins\n2,zwei\n3,drei\n4,vier\n", "1,x\n" * 30):
        found = extract(text, "a.csv")
        assert not found.questions
        assert "no two columns differ from row to row" in found.understood.remarks[0]
        assert [each.name for each in found.understood.offers] == ["1-2"]
    with pytest.raises(InputError, match="no columns"):
        extract("A note.\n", "a.md", "1-2")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.csv", "a\nb\n", "a.csv:1: there is only one column"),
        ("a.csv", "a,b,c,d\n1,,,\n", "a.csv:1: it is unclear which of the 4 columns"),
        ("a.json", '{"q": ', "a.json: its data cannot be read"),
        ("a.yaml", "a: &x [1]\nb: *x\n", "a.yaml: its data cannot be read: a reference such as"),
        ("a.xml", "<!DOCTYPE x [<!ENTITY y 'z'>]><x/>", "a.xml: its data cannot be read: it decl"),
        ("a.mochi", '["^ ","~:decks"', "a.mochi: its data cannot be read: "),
        ("a.mochi", '["^ ","~:decks","^9"]', "a.mochi: its data cannot be read: "),
        ("a.mochi", "[" * 100_000, "a.mochi: its data is nested too deeply"),
        ("a.mochi", "[1, 2]", "a.mochi: its data is not a map"),
    ],
)
def test_a_file_that_is_broken_is_named(name: str, text: str, told: str) -> None:
    with pytest.raises(DocumentError) as error:
        extract(text, name)
    assert str(error.value).startswith(told)


def test_a_file_of_mochi_that_is_no_zip_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.mochi"
    path.write_bytes(b"no zip")
    with pytest.raises(DocumentError, match="it is not a Mochi file"):
        dialects.load(path)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("other.txt", "x")
    with pytest.raises(DocumentError, match=r"no data\.json"):
        dialects.load(path)


def test_transit_is_read() -> None:
    told = json.loads(
        '["^ ","~:name","~~x","~:list",[["^ ","^0",["~#date","~m5"]],"~?t","~_",["^2","~i7"]]]'
    )
    assert read_transit(told, []) == {"name": "~x", "list": [{"name": 5}, True, None, 7]}
    assert read_transit({"~:a": "~d0.5", "b": ["~:c", "d"]}, []) == {"a": 0.5, "b": ["c", "d"]}


MARKS = st.sampled_from(
    (
        *("::", ":::", "?", "??", "==", "#flashcards", "<!--SR:!2026-01-01,3,250-->", "C: ", "Q: "),
        *("[", "]", "- ", "\t- ", "#card", "{{cloze ", "}}", ">>", "<<", ">>>", "|", "|---|---|"),
        *("<details>", "<summary>", "</summary>", "</details>", "```", "$", "`", "x", "y z", " "),
        *("---", "+++", "^[h]", "[^1]", "key:: v", "#separator:tab", '"', ",", "\n\n", "\n", "A: "),
    )
)


@given(
    st.lists(MARKS, max_size=25).map("".join),
    st.sampled_from(["a.md", "a.txt", "a.csv", "a.mochi"]),
)
def test_whatever_a_file_holds_it_is_read_or_refused(text: str, name: str) -> None:
    for chosen in ("", *dialects.CHOICES):
        try:
            found = extract(text, name, chosen)
        except DocumentError:
            continue
        assert all(each.text and each.answer for each in found.questions if each.asked)
        assert all(each.line >= 1 for each in found.understood.unread)


# -- into the database -----------------------------------------------------------------------------


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with open_database(Home(tmp_path / "home"), now=NOW) as opened:
        yield opened


def take(database: Database, path: Path, chosen: str = "") -> ImportPlan:
    plan = read_documents(database, [path], dialect=chosen).plan
    apply_import(database, plan, NOW, (), refold)
    return plan


def test_cards_begin_with_the_memory_that_the_document_states(database: Database) -> None:
    plan = take(database, FILES / "obsidian.md")
    assert plan.numbers()[PlannedChange.NEW]["cards"] == 7
    with database.read() as connection:
        rows = connection.execute(
            select(CardRow.front, ItemRow.due, MemoryStartRow.interval)
            .join(ItemRow, ItemRow.id == CardRow.item_id)
            .join(MemoryStartRow, MemoryStartRow.item_guid == ItemRow.guid)
        ).all()
    due = {front: (at and at.date(), interval) for front, at, interval in rows}
    assert due == {
        "Why are scores divided by √d?": (date(2026, 2, 10), 36),
        "query": (date(2026, 1, 12), 7),
        "what a token looks for": (date(2026, 1, 7), 2),
    }


def test_the_same_file_again_changes_nothing_and_an_edit_keeps_the_card(
    database: Database, tmp_path: Path
) -> None:
    path = tmp_path / "cards.md"
    path.write_text("- a question >> an answer\n- other question >> other answer\n", "utf-8")
    take(database, path)
    assert read_documents(database, [path]).plan.changes_nothing
    path.write_text("- a question >> a better answer\n- other question >> other answer\n", "utf-8")
    plan = take(database, path)
    assert [each.change for source in plan.sources for each in source.cards] == [
        PlannedChange.EDITED,
        PlannedChange.UNCHANGED,
    ]


def test_a_file_is_read_again_as_it_was_read_before(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "cards.md"
    path.write_text("one thing :: is this\n", "utf-8")
    take(database, path, "obsidian")
    path.write_text("one thing :: is this\n\nanother thing :: is that\n", "utf-8")
    plan = take(database, path)
    assert plan.numbers()[PlannedChange.NEW]["cards"] == 1
    assert plan.numbers()[PlannedChange.GONE]["cards"] == 0


def test_a_folder_has_files_of_all_kinds(database: Database, tmp_path: Path) -> None:
    (tmp_path / "words.tsv").write_text("a\tb\n", "utf-8")
    (tmp_path / "table.csv").write_text("a,b,c,d\n", "utf-8")
    (tmp_path / "notes.md").write_text("# A note\n\nText.\n", "utf-8")
    plan = read_documents(database, [tmp_path]).plan
    assert [each.kind for each in plan.sources] == ["note", "csv"]
    assert [error.where for error in plan.problems] == [f"{tmp_path / 'table.csv'}:1"]
    assert any("Read as a table of cards" in line for line in plan.lines())


def test_the_page_of_dialects_names_functions_that_there_are() -> None:
    for name, said in page_of("dialects.toml").items():
        for place in said.values():
            if isinstance(place, str) and re.fullmatch(r"\w+:[\w.]+", place):
                module, function = place.split(":")
                found = import_module(f"studyattn.exchange.documents.dialects.{module}")
                assert callable(attrgetter(function)(found)), name


def test_a_mark_within_fenced_code_of_a_bullet_is_none_of_a_card() -> None:
    code = "- loop ;;\n    - ```lisp\n      (f x) ;; a comment\n      ```\n- term >> definition\n"
    found = extract(code, "cards.md", "remnote")
    assert [each.text for each in found.questions] == ["loop", "term"]


def test_a_bullet_below_a_row_at_the_margin_belongs_to_the_bullet_above_it() -> None:
    text = "- Paging\n    - first >> one\nA remark at the margin.\n    - second >> two\n"
    found = extract(text, "cards.md", "remnote")
    assert [(each.text, each.asked) for each in found.questions] == [
        ("first", "Paging"),
        ("second", "Paging"),
    ]


def test_what_hugo_and_logseq_write_between_double_braces_is_no_gap() -> None:
    text = '- see {{< relref "a.md" >}}\n- {{embed ((62926ead))}}\n- a {{gap}} of RemNote\n'
    (card,) = extract(text, "cards.md", "remnote").questions
    assert "of RemNote" in card.text
