"""What `pack check` demands of lessons: pages, predictions, terms, the order of drills."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from studyattn.packs.check import Finding, lessons, run_examples, structure, terms, wording
from studyattn.packs.model import Pack
from studyattn.packs.read import load_pack
from tests.packs.conftest import change

LOGITS = "concepts/logits.md"
PROBABILITIES = "concepts/class-probabilities.md"
ENTROPY = "concepts/cross-entropy.md"
BUG = "bugs/softmax-over-inputs.md"
BRIEF = "drills/class-probabilities/brief.md"
FORMULA = "$$z = x W + b$$"
AFTER = "The larger the logit, the more the input looks like that class."
OUTPUT = "```output\n3\n```\n"


def predict(first_line: str = "python predict", output: str = "3") -> str:
    return f"```{first_line}\n# One and two\nprint({output})\n```\n\n```output\n{output}\n```\n"


def found(part: Callable[[Pack], Iterator[Finding]], folder: Path) -> list[str]:
    """Return `file:line: message` of each finding, the file by its name."""
    return [str(each).rpartition("/")[2] for each in part(load_pack(folder))]


TWICE = predict('python predict choices="4|4"') + "\n- Not `4` (logits-one): this is one more.\n"


@pytest.mark.parametrize(
    ("old", "new", "where", "said"),
    [
        (FORMULA, f'{FORMULA}\n\n## A {{#a cards="logits-x"}}\n\nB.', 8, "which 'logits' does not"),
        (FORMULA, f"{FORMULA}\n\n## A {{#a cards=entropy-half}}\n\nB.", 8, "does not have"),
        (FORMULA, f'## A {{#a cards="logits-one logits-one"}}\n\n{FORMULA}', 8, "already named"),
        (FORMULA, "word " * 560, 1, "s to read; the limit is 180"),
        (AFTER, "word " * 300 + "\n\n## A {#a}\n\nB\n\n## B {#b}\n\nC", 8, "divide it"),
        (AFTER, predict(output="1111111111222222222233333333334444444444555"), 12, "a line of 40"),
        (
            AFTER,
            f"{predict()}\n- Not `3` (logits-one): this is right.\n",
            12,
            "lists the right output",
        ),
        (
            AFTER,
            TWICE,
            12,
            "an output twice",
        ),
        (AFTER, f"{predict()}\n- Not `4`: this is more.\n", 12, "which card mends 4; write"),
        (AFTER, f"{predict()}\n- Not `4` (entropy-half): x.\n", 12, "up to this concept is"),
        (AFTER, predict('python predict choices="4"'), 12, "does not say why 4 is wrong"),
        ("The one with the largest logit.", predict(), 22, "in an explanation only"),
    ],
)
def test_what_is_no_lesson_is_found(  # the columns of the table
    folder: Path, old: str, new: str, where: int, said: str
) -> None:
    assert found(lessons.check, folder) == []
    change(folder / LOGITS, old, new)
    (finding,) = found(lessons.check, folder)
    assert finding.startswith(f"logits.md:{where}: ")
    assert said in finding


def test_a_page_has_one_example(folder: Path) -> None:
    change(
        folder / LOGITS, AFTER, f"{predict()}\n{predict()}\n\n## B {{#b}}\n\nC\n\n## D {{#d}}\n\nE"
    )
    (finding,) = found(lessons.check, folder)
    assert "'b' has 2 examples" in finding


def test_the_output_of_a_prediction_is_compared(folder: Path) -> None:
    change(folder / LOGITS, AFTER, predict().replace("print(3)", "print(4)"))
    (finding,) = found(run_examples.check, folder)
    assert "its output is '4', but the pack says '3'" in finding


def declare(folder: Path, concept: str, *written: str) -> None:
    change(folder / concept, "title:", f"terms: [{', '.join(written)}]\ntitle:")


@pytest.mark.parametrize(
    ("term", "file", "text", "used"),
    [
        ("nat", LOGITS, AFTER, "It has a NAT\nin it."),
        ("nat|nats", LOGITS, AFTER, "It has nats\nin it."),
        ("two nats", LOGITS, AFTER, "It has two\nnats."),
        ("CE", LOGITS, AFTER, "It has CE\nin it."),
        ("nat", LOGITS, "The one with the largest logit.", "A nat."),
        ("nat", LOGITS, AFTER, r"It has $x_{\text{nat}}$ in it."),
        ("$d_k$", LOGITS, AFTER, r"It has $\sqrt{d_k}$ in it."),
        ("$d$", LOGITS, AFTER, "$$a = 2 d$$"),
        (r"$QK^\\top$", LOGITS, AFTER, r"It has $Q K^\top V$ in it."),
        ("nat", BUG, "**Wrong:**", "**Wrong:** a nat."),
        ("nat", BUG, 'question: "', 'question: "A nat? '),
        ("nat", BRIEF, "## Formula", "A nat.\n\n## Formula"),
    ],
)
def test_a_term_is_introduced_before_it_is_used(
    folder: Path, term: str, file: str, text: str, used: str
) -> None:
    declare(folder, ENTROPY, f'"{term}"')
    before = [each for each in found(terms.check, folder) if "never" not in each]
    assert before == []
    change(folder / file, text, used)
    (finding,) = (each for each in found(terms.check, folder) if "never" not in each)
    lines = (folder / file).read_text().splitlines()
    where = int(finding.split(":")[1])
    assert used.splitlines()[0] in lines[where - 1]
    assert "before 'cross-entropy', which introduces it" in finding


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("nat", "It has natural numbers."),
        ("CE", "It has ce in it."),
        ("nat", "It has `nat` in it."),
        ("nat", "```text\nnat\n```"),
        ("nat", "$nat$"),
        ("nat", "[there](https://nat.org/nat)"),
        ("$d$", "It has $d_k$, $\\odot$ and d in it."),
    ],
)
def test_what_only_looks_like_a_term_is_none(folder: Path, term: str, text: str) -> None:
    declare(folder, ENTROPY, f'"{term}"')
    change(folder / LOGITS, AFTER, text)
    assert [each for each in found(terms.check, folder) if "never" not in each] == []


def test_a_concept_uses_its_own_terms_in_the_order_of_its_pages(folder: Path) -> None:
    declare(folder, LOGITS, "logit|logits", "bit")
    change(folder / LOGITS, AFTER, "Nothing.\n\n## A {#a}\n\nA bit.")
    assert found(terms.check, folder) == []
    change(folder / LOGITS, FORMULA, f"## B {{#b cards=logits-predict}}\n\n{FORMULA}")
    change(folder / LOGITS, "The one with the largest logit.", "A bit.")
    change(folder / LOGITS, "One row a feature", "A bit: one row a feature")
    (finding,) = found(terms.check, folder)
    assert "uses 'bit' before the page 'a', which introduces it" in finding


def test_a_term_is_introduced_once_and_said(folder: Path) -> None:
    declare(folder, LOGITS, "logit", "nat")
    declare(folder, PROBABILITIES, "logit")
    assert [each.partition(": ")[2] for each in found(terms.check, folder)] == [
        "introduces 'nat' but never uses it on a page",
        "introduces 'logit', which 'logits' introduces before",
    ]


def test_a_drill_comes_after_those_that_it_requires(folder: Path) -> None:
    first = folder / "drills/class-probabilities"
    second = folder / "drills/before"
    second.mkdir()
    text = (first / "brief.md").read_text("utf-8")
    text = text.replace("id: class-probabilities", "id: before\nrequires: [class-probabilities]")
    text = text.replace("concept: class-probabilities", "concept: logits")
    (second / "brief.md").write_text(text, "utf-8")
    logits = folder / LOGITS
    front, _, rest = logits.read_text("utf-8").removeprefix("---\n").partition("---\n")
    logits.write_text(f"---\n{front}drills: [before]\n---\n{rest}", "utf-8")
    (finding,) = (each for each in found(structure.check, folder) if "before 'class" in each)
    assert "has the drill 'before' before 'class-probabilities', which it requires" in finding


@pytest.mark.parametrize(
    ("part", "points", "said"),
    [
        (structure.check, "- One.\n- Two.", "2 key points; a concept has 3 to 6"),
        (structure.check, "\n".join(["- One."] * 7), "7 key points"),
        (structure.check, f"- {'word ' * 26}\n- Two.\n- Three.", "a key point of 26 words"),
        (terms.check, "- One.\n- It uses a share.\n- Three.", "uses 'share' before"),
        (wording.check, "- One.\n- $\\nosuchthing$.\n- Three.", "cannot be shown"),
    ],
)
def test_key_points_that_will_not_do_are_found(
    folder: Path, part: Callable[[Pack], Iterator[Finding]], points: str, said: str
) -> None:
    change(folder / PROBABILITIES, "slug:", "terms: [share]\nslug:")
    change(folder / PROBABILITIES, "## Cards\n", "A share.\n\n## Cards\n")
    change(folder / LOGITS, "## Cards\n", f"## Key points\n\n{points}\n\n## Cards\n")
    (finding,) = found(part, folder)
    assert finding.startswith("logits.md:")
    assert said in finding
