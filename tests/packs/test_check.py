"""What `pack check` demands: the tiny pack has it all, and each lack is found where it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from studyattn.packs.card_kinds import BASIC, CLOZE
from studyattn.packs.check import (
    Finding,
    computed,
    drills,
    examine_pack,
    figures,
    run_examples,
    structure,
    wording,
)
from studyattn.packs.check.stated_numbers import is_stated_by, numbers_in
from studyattn.packs.check.wording import card_height, is_address
from studyattn.packs.examples import difference
from studyattn.packs.model import CardText, Pack
from studyattn.packs.read import read_pack
from tests.packs.conftest import TINY, change

LOGITS = "concepts/logits.md"
PROBABILITIES = "concepts/class-probabilities.md"
ENTROPY = "concepts/cross-entropy.md"
BRIEF = "drills/class-probabilities/brief.md"
Part = Callable[[Pack], Iterator[Finding]]


def test_the_tiny_pack_is_sound() -> None:
    parts: list[str] = []
    assert examine_pack(TINY, parts.append).findings == ()
    assert parts == [
        "structure",
        "wording",
        "lessons",
        "terms",
        "cards",
        "errata",
        "computed cards",
        "figures",
        "examples",
        "statements",
        "bugs",
        "drills",
        "grading",
    ]


def test_grading_tells_what_it_counted() -> None:
    findings, figure, _ = drills.try_out(read_pack(TINY).pack)
    assert findings == []
    assert (str(figure.rejected), str(figure.accepted), str(figure.singles)) == (
        "4/4",
        "3/3",
        "2/2",
    )


def test_a_solution_that_fails_and_a_starter_that_passes_are_found(folder: Path) -> None:
    drill = folder / "drills/class-probabilities"
    starter = (drill / "starter_numpy.py").read_bytes()
    (drill / "starter_numpy.py").write_bytes((drill / "solution_numpy.py").read_bytes())
    (drill / "solution_numpy.py").write_bytes(starter)
    findings, figure, _ = drills.try_out(read_pack(folder).pack)
    assert len(findings) == 2
    assert (figure.rejected.right, figure.accepted.right) == (3, 2)


def test_what_cannot_be_read_is_a_finding_among_the_others(folder: Path) -> None:
    change(folder / LOGITS, "{#logits-predict}", "")
    change(folder / PROBABILITIES, "[0.5 0.5]", "[0.4 0.6]")
    findings = list(examine_pack(folder).findings)
    assert [str(finding.place).rpartition("/")[2] for finding in findings] == [
        "class-probabilities.md:13",
        "logits.md:20",
    ]


@pytest.mark.parametrize(
    ("part", "file", "old", "new", "line", "said"),
    [
        (structure.check, ENTROPY, "[class-prob", "[prob", 1, "requires the concept 'prob"),
        (structure.check, PROBABILITIES, "drills: [", "drills: [odds, ", 1, "drill 'odds'"),
        (structure.check, PROBABILITIES, "drills: [class-probabilities]", "", 1, "core concept"),
        (structure.check, PROBABILITIES, "drills: [class-probabilities]", "", 1, "does not name"),
        (structure.check, BRIEF, "concept: class-", "concept: ", 1, "trains the concept"),
        (structure.check, BRIEF, "entry:", "requires: [odds]\nentry:", 1, "requires the drill"),
        (structure.check, LOGITS, "sources:", "requires: [cross-entropy]\nsources:", 1, "circular"),
        (structure.check, LOGITS, "sources:", "requires: [logits]\nsources:", 1, "circular"),
        (
            structure.check,
            "pack.toml",
            '"logits", "class-probabilities"',
            '"class-probabilities", "logits"',
            1,
            "before 'logits'",
        ),
        (wording.check, LOGITS, "$$z = x W + b$$", r"$$z = \nosuchsign$$", 10, "cannot be shown"),
        (wording.check, LOGITS, "used as $x W$", r"used as $\nosuchsign$", 16, "cannot be shown"),
        (wording.check, LOGITS, "looks like", "[looks](page.md) like", 12, "not an address"),
        (wording.check, LOGITS, "looks like", "![looks](https://a.org/b.png) like", 12, "picture"),
        (wording.check, LOGITS, "looks like", "<b>looks</b> like", 12, "HTML"),
        (wording.check, LOGITS, "regression <https://d2l", "regression https://d2l", 1, "a source"),
        (wording.check, LOGITS, "One row a feature", "\n\n".join("abcdefghijkl"), 16, "lines"),
        (wording.check, PROBABILITIES, "[0.5 0.5]", "[0.5 0.5]" * 10, 13, "70 columns"),
        (
            wording.check,
            LOGITS,
            "looks like",
            "looks\n\n```text\nfits\n" + 24 * "───" + "\n```\n\nlike",
            16,
            "72 columns in a figure or code block, but only 70 fit",
        ),
        (
            wording.check,
            ENTROPY,
            "The true class has probability 1.",
            "The true class has probability 0.5, to two places.",
            17,
            "nearly the same",
        ),
        (computed.check, LOGITS, "one_logit", "two_logits", 1, "no function"),
        (
            computed.check,
            "computed.py",
            "draw.integers(-3, 4, size=(2, 2))",
            "np.random.default_rng().integers(-300, 400, size=(2, 2))",
            30,
            "two different cards",
        ),
        (
            computed.check,
            "computed.py",
            "answer=int(",
            "shown='?', answer=int(",
            30,
            "not accepted",
        ),
        (
            computed.check,
            "computed.py",
            "Input $(",
            r"Input $\\nosuchsign (",
            30,
            "cannot be shown",
        ),
        (computed.check, "computed.py", "The products", r"\n\n".join("abcdefg"), 30, "takes"),
        (
            computed.check,
            "computed.py",
            "import numpy as np",
            "import numpy as np\nimport os",
            4,
            "imports 'os'",
        ),
        (
            computed.check,
            "computed.py",
            "def one_logit",
            "def unused():\n    pass\n\n\ndef one_logit",
            9,
            "no card uses",
        ),
        (drills.check, BRIEF, "entry: [class", "entry: [other", 1, "entry"),
        (drills.check, BRIEF, "backends: [torch, numpy]", "backends: [numpy]", 1, "backends"),
        (
            drills.check,
            LOGITS,
            "{#logits-predict}",
            "{#logits-predict misconception=odd}",
            20,
            "no drill knows the misconception 'odd'",
        ),
        (
            drills.check,
            LOGITS,
            "{#logits-predict}",
            "{#logits-predict lab=class-probabilities}",
            20,
            "no drill 'class-probabilities' defines how its cost grows",
        ),
        (
            drills.check,
            "drills/class-probabilities/checks.py",
            'concept="class-probabilities",\n            ways=({"normalise": lambda',
            'concept="odds",\n            ways=({"normalise": lambda',
            41,
            "refers to the concept 'odds'",
        ),
        (
            drills.check,
            "drills/class-probabilities/checks.py",
            "drill = Drill",
            "x = Drill",
            1,
            "define no `drill`",
        ),
        (
            figures.check,
            ENTROPY,
            "answer=0.69 tolerance=0.005",
            "answer=0.693 tolerance=0.0005",
            17,
            "no example of 'cross-entropy' prints",
        ),
        (
            figures.check,
            ENTROPY,
            "p - y$, the probabilities",
            "p - y$ (1990), the probabilities",
            32,
            "no example of 'cross-entropy' computes 1990",
        ),
        (
            run_examples.check,
            PROBABILITIES,
            "[0.5 0.5]",
            "[0.5 0.4]",
            13,
            "its output is '[0.5 0.5]'",
        ),
        (
            run_examples.check,
            PROBABILITIES,
            "z = np.array([1.0, 1.0])",
            "z = 1 / 0",
            17,
            "ZeroDivisionError",
        ),
        (
            run_examples.check,
            PROBABILITIES,
            "print(np.exp(z) / np.exp(z).sum())",
            "pass",
            13,
            "prints nothing",
        ),
    ],
)
def test_each_lack_is_found_where_it_is(  # noqa: PLR0917  # the columns of the table
    folder: Path, part: Part, file: str, old: str, new: str, line: int, said: str
) -> None:
    change(folder / file, old, new)
    findings = list(part(read_pack(folder).pack))
    found = [finding for finding in findings if said in finding.message]
    assert found, findings
    assert {finding.place.line for finding in found} == {line}


@pytest.mark.parametrize(
    ("contrast", "said"),
    [
        ("Contrast('slowly')", "there is no contrast.py for numpy"),
        ("Contrast('another', 'gone')", "its contrast 'gone'"),
        ("Contrast('another way to the same')", "has at most 18 columns"),
    ],
)
def test_what_a_cost_is_shown_beside_must_be_there(folder: Path, contrast: str, said: str) -> None:
    checks = folder / "drills/class-probabilities/checks.py"
    change(checks, "import Draw, Drill, case", "import Contrast, Draw, Drill, Growth, case")
    growth = f"Growth('inputs', lambda n: {{'n': n, 'd': 2, 'c': 3}}, ({contrast},))"
    change(checks, "    misconceptions=(", f"    growth={growth},\n    misconceptions=(")
    findings = [str(finding) for finding in drills.check(read_pack(folder).pack)]
    assert any(said in finding for finding in findings), findings


def test_a_printed_number_proves_an_answer_within_its_tolerance(folder: Path) -> None:
    change(folder / ENTROPY, "answer=0.69 tolerance=0.005", "answer=0.693 tolerance=0.0005")
    example = "# ln 2\nimport math\nprint(round(math.log(2), 5))"
    with (folder / ENTROPY).open("a", encoding="utf-8") as end:
        end.write(f"\n```python example\n{example}\n```\n\n```output\n0.69315\n```\n")
    assert list(figures.check(read_pack(folder).pack)) == []


@pytest.mark.parametrize(
    ("written", "digits"),
    [("0.090", 1), ("7,390", 3), ("1/8", 2), ("57982058496", 11), ("1e-300", 1), ("0", 0)],
)
def test_significant_digits(written: str, digits: int) -> None:
    assert figures.significant_digits(written) == digits


@pytest.mark.parametrize(
    ("text", "value", "half_unit"),
    [
        ("about 3.1 million of them", 3.1e6, 0.05e6),
        ("$57{,}982{,}058{,}496$", 57_982_058_496, 0.5),
        ("$3.39 \\cdot 10^{38}$", 3.39e38, 0.005e38),
        ("it keeps 90 % a step", 0.9, 0.005),
        ("**0.25**, [1](https://a.b/2) <https://a.b/3>", 0.25, 0.005),
        ("```python example\nx = 1234\n```\n\n0.5", 0.5, 0.05),
    ],
)
def test_a_number_in_a_text_is_read_with_its_precision(
    text: str, value: float, half_unit: float
) -> None:
    first = next(iter(numbers_in(text)))
    assert first.value == pytest.approx(value)
    assert first.half_unit == pytest.approx(half_unit)


@pytest.mark.parametrize(
    ("written", "computed", "agrees"),
    [("3.1 million", 3_145_728, True), ("3.2 million", 3_145_728, False), ("0.36", 0.3555, True)],
)
def test_a_number_agrees_with_what_rounds_to_it(
    written: str, computed: float, agrees: bool
) -> None:
    assert is_stated_by(next(iter(numbers_in(written))), [computed]) is agrees


def test_what_is_given_needs_no_example(folder: Path) -> None:
    file = folder / ENTROPY
    text = file.read_text(encoding="utf-8").replace("p - y$,", "p - y$ (1990),")
    given = 'requires: [class-probabilities]\ngiven: ["1990: when it was named"]'
    file.write_text(text.replace("requires: [class-probabilities]", given), encoding="utf-8")
    assert list(figures.check(read_pack(folder).pack)) == []


def test_a_missing_solution_is_found(folder: Path) -> None:
    for name in ("solution.py", "solution_numpy.py"):
        (folder / "drills/class-probabilities" / name).unlink()
    messages = [finding.message for finding in drills.check(read_pack(folder).pack)]
    assert [message for message in messages if "solution" in message]


def test_a_concept_without_cards_is_found(folder: Path) -> None:
    file = folder / ENTROPY
    text = file.read_text(encoding="utf-8")
    file.write_text(text[: text.index("## Cards")], encoding="utf-8")
    messages = [finding.message for finding in structure.check(read_pack(folder).pack)]
    assert messages == ["a concept without cards"]


def test_the_height_of_a_card_is_what_is_shown_of_it() -> None:
    basic = CardText(BASIC, "One?", "Two.\n\nThree.", None, {})
    assert card_height(basic) == 4
    assert card_height(basic._replace(extra={"examples": [{}, {}]})) == 8
    assert card_height(basic._replace(back="word " * 30)) == 4
    cloze = CardText(CLOZE, "A ==gap==.", "", None, {"group": 1})
    assert card_height(cloze) == 1


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("https://arxiv.org/abs/1706.03762", True),
        ("http://d2l.ai", True),
        ("https://", False),
        ("https://localhost", False),
        ("ftp://d2l.ai/a", False),
        ("mailto:a@b.org", False),
        ("https://a b.org", False),
        ("https://[", False),
        ("#part", False),
        ("", False),
    ],
)
def test_an_address_is_one_that_a_browser_opens(address: str, good: bool) -> None:
    assert is_address(address) is good


@pytest.mark.parametrize(
    ("said", "printed", "different"),
    [
        ("1\n", "1\n", False),
        ("1\n", "1  \n\n", False),
        ("1\n", "1\n2\n", True),
        ("1\n2\n", "1\n", True),
        ("1\n", " 1\n", True),
        ("", "", True),
    ],
)
def test_output_is_compared_line_by_line(said: str, printed: str, different: bool) -> None:
    assert bool(difference(said, printed)) is different
