"""Reading a pack: what its files say, and every way in which they can fail to say it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from studyattn.errors import PackError
from studyattn.packs.card_kinds import EXPLAIN, KINDS
from studyattn.packs.check import structure
from studyattn.packs.pages import reading_seconds
from studyattn.packs.read import load_pack, read_pack
from tests.packs.conftest import TINY, change


def test_the_tiny_pack_reads() -> None:
    pack = load_pack(TINY)
    assert (pack.id, pack.title, pack.version) == (
        "softmax-regression",
        "Softmax regression",
        "1.0.0",
    )
    assert list(pack.concepts) == ["logits", "class-probabilities", "cross-entropy"]
    assert sum(1 for _ in pack.cards()) == 10
    assert [drill.entry for drill in pack.drills.values()] == [("class_probabilities",)]
    concept = pack.concepts["class-probabilities"]
    assert concept.core
    assert concept.requires == ("logits",)
    assert [example.title for example in concept.examples] == ["Two equal logits share evenly"]
    assert concept.examples[0].place.line == 13
    kinds = {item.card.kind for item in pack.items() if item.card}
    assert kinds == set(KINDS.values()) - {EXPLAIN}


def test_items_are_siblings_in_a_stable_order() -> None:
    items = list(load_pack(TINY).items())
    assert [item.guid for item in items] == [
        "softmax-regression:logits-shape",
        "softmax-regression:logits-predict",
        "softmax-regression:logits-linear",
        "softmax-regression:logits-linear:2",
        "softmax-regression:logits-one",
        "softmax-regression:probabilities-even",
        "softmax-regression:probabilities-meaning",
        "softmax-regression:probabilities-meaning:reversed",
        "softmax-regression:probabilities-shift",
        "softmax-regression:bug/softmax-over-inputs",
        "softmax-regression:drill/class-probabilities",
        "softmax-regression:entropy-zero",
        "softmax-regression:entropy-half",
        "softmax-regression:entropy-gradient",
    ]
    siblings = {item.guid: item.sibling_group for item in items if item.sibling_group}
    assert len(siblings) == 4
    groups = [item.card.extra.get("group") for item in items[2:4] if item.card]
    assert groups == [1, 2]
    turned = items[7].card
    assert turned is not None
    assert (turned.front, turned.back) == (
        "Shares of one that softmax makes of logits",
        "Class probabilities",
    )


def test_the_why_of_a_reversed_card_is_not_part_of_its_question(folder: Path) -> None:
    change(
        folder / "concepts/class-probabilities.md",
        "Shares of one that softmax makes of logits",
        "Shares of one that softmax makes of logits\n\n**Why:** powers of e, divided.",
    )
    cards = {item.guid: item.card for item in load_pack(folder).items()}
    turned = cards["softmax-regression:probabilities-meaning:reversed"]
    assert turned is not None
    assert turned.front == "Shares of one that softmax makes of logits"
    assert turned.back == "Class probabilities\n\n**Why:** powers of e, divided."


def test_key_points_are_a_card_of_their_own(folder: Path) -> None:
    file = folder / "concepts/logits.md"
    change(file, "## Cards\n", "## Key points\n\n- One,\n  and a half.\n- Two.\n\n## Cards\n")
    pack = load_pack(folder)
    concept = pack.concepts["logits"]
    assert [point.text for point in concept.key_points] == ["One, and a half.", "Two."]
    assert "One" not in concept.body
    (item,) = pack.explanations()
    assert (item.guid, item.concept) == ("softmax-regression:explain/logits", "logits")
    assert item.card is not None
    assert item.card.back == "- One, and a half.\n- Two."
    assert item.guid not in {each.guid for each in pack.items()}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("## Key points\n\nNo list.\n\n## Cards\n", "belongs to no key point"),
        ("## Key points\n\n- One.\n\n## More\n\nText.\n\n## Cards\n", "after the key points"),
        ("## Key points\n\n- One.\n\n### More\n\n## Cards\n", "after the key points"),
    ],
)
def test_what_is_no_list_of_key_points_is_refused(folder: Path, written: str, said: str) -> None:
    change(folder / "concepts/logits.md", "## Cards\n", written)
    with pytest.raises(PackError, match=said) as refused:
        load_pack(folder)
    assert "logits.md:" in refused.value.where


LESSON = """\
A word before.

## First page {#first cards="logits-predict logits-shape"}

Read me.

```python predict choices="2"
# The sum of one and two
print(1 + 2)
```

```output
3
```

- Not `4`: this is one
  too many.
- Not `2`: this leaves out $1$.

Three it is.

## A heading in the page

Still the first page.

## Second page {#second}

Read me, too.
"""


def test_headings_with_an_id_divide_an_explanation_into_pages(folder: Path) -> None:
    change(folder / LOGITS, "A linear classifier gives each class a number, its logit:", LESSON)
    change(folder / LOGITS, "sources:", 'terms: [logit|logits, "$W$"]\nsources:')
    concept = load_pack(folder).concepts["logits"]
    first, second = concept.pages
    assert (first.id, first.title, first.cards) == (
        "first",
        "First page",
        ("logits-predict", "logits-shape"),
    )
    asking, after = first.parts
    assert asking.text.startswith("A word before.\n\n## First page\n")
    assert asking.text.endswith("print(1 + 2)\n```")
    assert asking.asks is not None
    assert asking.asks.prediction is not None
    assert asking.asks.prediction.choices == ("2", "4")  # in the first line or in the list
    assert asking.asks.prediction.reasons == {
        "4": "this is one too many.",
        "2": "this leaves out $1$.",
    }
    assert asking.asks.output == "3\n"
    assert after.asks is None
    assert after.text.startswith("Three it is.")
    assert after.text.endswith("Still the first page.")
    assert (second.id, second.cards, len(second.parts)) == ("second", (), 1)
    lines = (folder / LOGITS).read_text().splitlines()
    for page in concept.pages:
        for number, line in enumerate(page.body.splitlines(), start=page.place.line - 1):
            assert lines[number].startswith(line)
    assert concept.body == f"{first.body}\n\n{second.body}"
    assert concept.terms == (("logit", "logits"), ("$W$",))


def test_a_prediction_can_be_typed_and_have_reasons(folder: Path) -> None:
    typed = LESSON.replace('predict choices="2"', "predict typed")
    change(folder / LOGITS, "A linear classifier gives each class a number, its logit:", typed)
    asked = load_pack(folder).concepts["logits"].pages[0].parts[0].asks
    assert asked is not None
    assert asked.prediction is not None
    assert (asked.prediction.choices, sorted(asked.prediction.reasons)) == ((), ["2", "4"])


def test_reasons_take_no_time_to_read(folder: Path) -> None:
    text = (folder / LOGITS).read_text()
    seconds = []
    for reason in ("one too many.", f"one too many{' and more' * 50}."):
        written = LESSON.replace("one\n  too many.", reason)
        (folder / LOGITS).write_text(text)
        change(
            folder / LOGITS, "A linear classifier gives each class a number, its logit:", written
        )
        seconds.append(reading_seconds(load_pack(folder).concepts["logits"].pages[0]))
    assert seconds[0] == seconds[1]


def test_a_reason_that_cannot_be_read_is_told_at_its_line(folder: Path) -> None:
    broken = LESSON.replace("- Not `2`: this", "- Not `2` this")
    change(folder / LOGITS, "A linear classifier gives each class a number, its logit:", broken)
    with pytest.raises(PackError, match="cannot read why an output is wrong") as caught:
        load_pack(folder)
    file, _, line = caught.value.where.rpartition(":")
    assert Path(file).read_text().splitlines()[int(line) - 1].startswith("- Not `2` this")


def test_an_explanation_without_page_headings_is_one_page() -> None:
    concept = load_pack(TINY).concepts["class-probabilities"]
    (page,) = concept.pages
    assert (page.id, page.title, page.cards) == ("class-probabilities", concept.title, ())
    assert page.body == concept.body
    assert [part.asks for part in page.parts] == [None]


LOGITS = "concepts/logits.md"
DRILL = "drills/class-probabilities/brief.md"


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "said"),
    [
        (LOGITS, "slug: logits", "slug: logit", 1, "is in logits.md"),
        (LOGITS, "title: Logits of a linear classifier\n", "", 1, "title is missing"),
        (LOGITS, "sources:", "source:", 1, "nothing here is called 'source'"),
        (LOGITS, "sources:", "requires: logits\nsources:", 1, "requires must be a list"),
        (LOGITS, "{#logits-predict}", "", 20, "a card without an id"),
        (LOGITS, "{#logits-predict}", "{#Logits}", 20, "'Logits' is not a valid id"),
        (LOGITS, "{#logits-predict}", "{#logits-predict .basics}", 20, "not a card kind"),
        (LOGITS, "{#logits-predict}", "{#logits-predict unit=m}", 20, "has no key 'unit'"),
        (LOGITS, "{#logits-predict}", "{#logits-shape}", 20, "logits-shape"),
        ("concepts/cross-entropy.md", "unit=nats}", "unit=nats lab=x}", 17, "or a cost lab"),
        (LOGITS, ' answer="(4, 3)|4 3|4x3"', "", 16, 'needs answer="…"'),
        (LOGITS, "One row a feature, one column a class.", "", 16, "without an explanation"),
        (LOGITS, "The one with the largest logit.\n\n**Why:**", "### An", 20, "without an answer"),
        (LOGITS, "==2|the weights==", "==3|the weights==", 26, "are not consecutive"),
        (LOGITS, "by=one_logit", "by=one-logit", 30, "by=function_name"),
        (LOGITS, "## Cards\n", "## Cards\n\nStray text.\n", 16, "belongs to no card"),
        (LOGITS, "## Cards\n", '## A {cards="x"}\n\n## Cards\n', 14, "a page without an id"),
        (LOGITS, "## Cards\n", "## A {#a by=b}\n\n## Cards\n", 14, "a page has no 'by'"),
        (LOGITS, "## Cards\n", "## A {#a}\n\n## B {#a}\n\n## Cards\n", 16, "second page 'a'"),
        (LOGITS, "sources:", "terms: [a||b]\nsources:", 1, "a term without a word"),
        (LOGITS, "$$z = x W + b$$", "$$z = x W + b", 10, "never closed"),
        (LOGITS, "linear classifier\nsources", "linear: classifier\nsources", 3, "not YAML"),
        ("concepts/cross-entropy.md", "answer=0.69", "answer=half", 17, "is not a number"),
        ("concepts/cross-entropy.md", "tolerance=0.005", "tolerance=ish", 17, "not a tolerance"),
        (
            "concepts/class-probabilities.md",
            "```output\n[0.5 0.5]\n```",
            "",
            13,
            "without an output block",
        ),
        (
            "concepts/class-probabilities.md",
            "# Two equal logits share evenly\n",
            "",
            13,
            "does not say what it shows",
        ),
        (
            "concepts/class-probabilities.md",
            "python example",
            'python example choices="1"',
            13,
            "cannot read the example's first line",
        ),
        ("concepts/class-probabilities.md", "python example", "python", 21, "without an example"),
        (DRILL, "id: class-probabilities", "id: other", 1, "is in the folder"),
        (DRILL, "level: 1", "level: 9", 1, "from 1 to 5"),
        (DRILL, "## Shapes", "## Sizes", 10, "has the sections"),
        (DRILL, "### 3", "### Last", 27, "three hints"),
        (DRILL, "[torch, numpy]", "[jax]", 1, "backends must be torch or numpy"),
        ("pack.toml", '"logits", ', "", 1, "does not list 'logits'"),
        ("pack.toml", '"logits", ', '"logits", "logits", ', 1, "twice"),
        ("pack.toml", '"logits", ', '"logits", "odds", ', 1, "no such concept"),
        ("pack.toml", 'id = "softmax-regression"', 'id = "Softmax"', 1, "is not a valid pack id"),
        ("pack.toml", 'language = "en"', 'lang = "en"', 1, "nothing here is called 'lang'"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(  # noqa: PLR0917  # the columns of the table
    folder: Path, file: str, old: str, new: str, line: int, said: str
) -> None:
    change(folder / file, old, new)
    with pytest.raises(PackError) as raised:
        load_pack(folder)
    assert said in str(raised.value)
    where = raised.value.where
    assert where.endswith(f":{line}"), where


def test_a_folder_without_pack_toml_is_no_pack(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="this is not a pack"):
        load_pack(tmp_path)


def test_a_file_that_is_not_utf8_is_told_and_the_rest_is_read(folder: Path) -> None:
    (folder / LOGITS).write_bytes(b"\xff\xfe")
    reading = read_pack(folder)
    assert any("logits.md" in problem.where for problem in reading.problems)
    assert list(reading.pack.concepts) == ["class-probabilities", "cross-entropy"]


def test_every_broken_card_of_a_file_is_told(folder: Path) -> None:
    change(folder / LOGITS, " {#logits-predict}", "")
    change(folder / LOGITS, "by=one_logit", "")
    problems = read_pack(folder).problems
    assert [problem.where.rpartition(":")[2] for problem in problems] == ["20", "30"]


def test_an_example_leaves_the_answer_and_keeps_its_place(folder: Path) -> None:
    change(
        folder / LOGITS,
        "whatever turns logits into probabilities keeps their order.",
        "order is kept.\n\n```python example\n# One\nprint(1)\n```\n\n"
        "```output\n1\n```\n\nAnd so on.",
    )
    card = next(card for card in load_pack(folder).cards() if card.id == "logits-predict")
    assert card.back.endswith("order is kept.\n\nAnd so on.")
    (example,) = card.examples
    assert (example.id, example.title, example.output) == ("logits-predict-1", "One", "1\n")
    assert example.place.line == 26


def test_capstones_name_drills_and_the_command_that_runs(tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    shutil.copytree(TINY, folder)
    manifest = folder / "pack.toml"
    text = manifest.read_text("utf-8")
    told = '\n[capstones]\n"see it" = "class-probabilities, other: studyattn gpt first"\n'
    manifest.write_text(text + told, "utf-8")
    pack = load_pack(folder)
    (capstone,) = pack.capstones
    assert capstone == ("see it", ("class-probabilities", "other"), "studyattn gpt first")
    assert any("the drill 'other'" in each.message for each in structure.check(pack))
    manifest.write_text(text + "\ncapstones = 3\n", "utf-8")
    with pytest.raises(PackError):
        load_pack(folder)


def test_what_a_goal_is_about_comes_first_after_all_that_it_requires() -> None:
    pack = load_pack(content_dir() / "attention")
    assert pack.routes
    assert pack.toward("").path == pack.path  # its own order goes to its own goal
    for goal, about in pack.routes.items():
        path = pack.toward(goal).path
        assert sorted(path) == sorted(pack.path)
        place = {slug: at for at, slug in enumerate(path)}
        for slug, concept in pack.concepts.items():
            assert all(place[each] < place[slug] for each in concept.requires), slug
        last = max(place[slug] for slug in about)
        assert not goal or any(
            place[slug] > last for slug in pack.path[: pack.path.index(path[last])]
        )
