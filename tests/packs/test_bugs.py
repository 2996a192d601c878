"""“Find the bug” cards: how they are read, what they become, and what the check demands of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from studyattn.packs.card_kinds import BUG
from studyattn.packs.check import bugs, structure
from studyattn.packs.check.bugs import GIVEN_WIDTH
from studyattn.packs.read import load_pack, read_pack
from tests.packs.conftest import TINY, change

FILE = "bugs/softmax-over-inputs.md"
GUID = "softmax-regression:bug/softmax-over-inputs"


def found(folder: Path) -> Iterator[str]:
    """What reading and the check of bugs say, by line."""
    reading = read_pack(folder)
    for problem in reading.problems:
        yield f"{problem.where.rpartition(':')[2]}: {problem.message}"
    for finding in bugs.check(reading.pack):
        yield f"{finding.place.line}: {finding.message}"


def test_a_bug_is_a_card_that_its_misconception_brings_back() -> None:
    pack = load_pack(TINY)
    items = {item.guid: item for item in pack.items()}
    item = items[GUID]
    assert item.concept == "class-probabilities"
    assert list(items).index(GUID) + 1 == list(items).index(
        "softmax-regression:drill/class-probabilities"
    )
    card = item.card
    assert card is not None
    assert card.kind is BUG
    assert card.front.startswith("Find the bug: two inputs, three classes")
    assert "def class_probabilities" in card.front
    assert "import numpy" not in card.front  # given, and run with it
    assert card.front.rstrip("`\n").endswith("[1.5 1.5]")
    assert card.back.startswith("**Wrong:**")
    assert card.extra["misconceptions"] == ["softmax-over-inputs"]
    (example,) = card.extra["examples"]
    assert example["source"].startswith("import numpy as np\n")


def test_an_error_in_a_program_is_told_at_its_line() -> None:
    example = load_pack(TINY).bugs["softmax-over-inputs"].example
    lines = (TINY / FILE).read_text().splitlines()
    for number, line in enumerate(example.source.splitlines(), start=1):
        if line:
            assert lines[example.place.line + number - 1] == line


def test_the_tiny_bug_is_sound() -> None:
    assert list(found(TINY)) == []


LINE = "print(shares.sum(axis=-1).round(2))"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "misconception: softmax-over-inputs",
            "misconception: other",
            "1: the bug 'other' is in softmax-over-inputs.md",
        ),
        ("concept: class-probabilities\n", "", "1: concept is missing"),
        ("question:", "title: x\nquestion:", "1: nothing here is called 'title'"),
        ("python faulty", "python", "8: a bug begins with a block"),
        ("```output\n[1.5 1.5]\n```", "", "8: a bug begins with a block"),
        ("```python faulty", "So:\n\n```python faulty", "8: a bug begins with a block"),
        ("**Wrong:**", "## Answer\n\n**Wrong:**", "26: a bug has no headings"),
        ("concept: class-probabilities", "concept: logits", "1: 'softmax-over-inputs' belongs to"),
        ("axis=-2", "axis=-1", "8: class-probabilities lets this program pass"),
        ("powers / powers.sum(axis=-2, keepdims=True)", "logits", "8: class-probabilities finds"),
        (LINE, "print(nothing)", "8: the solution cannot run its lines: NameError"),
        (LINE, LINE[:-1], "19: no Python: '(' was never closed"),
        (LINE, LINE + "  # one\n" * 9, "8: a program of 16 lines, but only 14 fit"),
        (LINE, LINE + "  # " + "long " * 9, "8: a line of more than 70 columns"),
        ("as np\n", f"as np  # {'x' * GIVEN_WIDTH}\n", "8: a given line of more than 76"),
        ("three classes", "three classes, " * 70, "1: question, program and output take"),
        ("**Right:**", "word\n\n" * 9, "1: the answer takes"),
    ],
)
def test_what_is_wrong_is_told(folder: Path, old: str, new: str, said: str) -> None:
    change(folder / FILE, old, new)
    assert said in "\n".join(found(folder))


def test_an_output_that_does_not_show_the_bug_is_told(folder: Path) -> None:
    change(folder / FILE, LINE, "print(shares.shape)")
    change(folder / FILE, "[1.5 1.5]", "(2, 3)")
    assert list(found(folder)) == [
        "8: the solution prints the same, so the output does not show the bug"
    ]


def test_names_that_lead_nowhere_are_told(folder: Path) -> None:
    change(folder / FILE, "drill: class-probabilities", "drill: odds")
    told = [finding.message for finding in structure.check(read_pack(folder).pack)]
    assert told == ["is of the drill 'odds', which the pack does not have"]
    assert list(found(folder)) == []
    change(folder / FILE, "drill: odds", "drill: class-probabilities")
    change(folder / FILE, "misconception: softmax-over-inputs", "misconception: odd")
    (folder / FILE).rename(folder / "bugs/odd.md")
    assert list(found(folder)) == ["1: the drill 'class-probabilities' has no misconception 'odd'"]


def test_a_card_of_a_concept_cannot_be_a_bug(folder: Path) -> None:
    change(folder / "concepts/logits.md", "{#logits-predict}", "{#logits-predict .bug}")
    assert "'bug' is not a card kind" in "\n".join(found(folder))


def test_the_built_in_pack_has_bugs_of_every_core_drill() -> None:
    pack = load_pack(content_dir() / "attention")
    trained = {bug.drill for bug in pack.bugs.values()}
    core = {name for concept in pack.concepts.values() if concept.core for name in concept.drills}
    assert len(pack.bugs) >= 20
    assert core - trained == set()
