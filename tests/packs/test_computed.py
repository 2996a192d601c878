"""Computed cards: the same numbers for the same review, and errors that name their line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from studyattn.errors import PackError
from studyattn.packs.answers import compare
from studyattn.packs.computed import Answer, Computed, draw
from tests.packs.conftest import TINY, change


def test_a_review_shown_again_asks_the_same() -> None:
    guid = "softmax-regression:logits-one"
    first = draw(TINY, "one_logit", guid, 3)
    assert draw(TINY, "one_logit", guid, 3) == first
    others = {draw(TINY, "one_logit", guid, reviews).question for reviews in range(10)}
    assert len(others) > 5
    assert any(
        draw(TINY, "one_logit", f"{guid}-other", n) != draw(TINY, "one_logit", guid, n)
        for n in range(10)
    )


@pytest.mark.parametrize("reviews", range(20))
def test_the_answer_is_right_by_its_own_comparison(reviews: int) -> None:
    expected = draw(TINY, "one_logit", "any", reviews).expected()
    assert compare(expected, expected.shown).correct
    assert not compare(expected, f"{expected.shown}1").correct


@pytest.mark.parametrize(
    ("answer", "tolerance", "shown"),
    [
        (12, 0.0, "12"),
        (57982058496, 0.0, "57,982,058,496"),
        (2.5, 0.0, "2.5"),
        (0.0900306, 0.006, "0.09"),
        (0.5, 0.006, "0.50"),
        (0.125, 0.006, "0.125"),
        (0.8 * 0.8, 1e-6, "0.64"),
        (40.0, 1e-6, "40"),
        ((2, 8, 64), 0.0, "(2, 8, 64)"),
        ((0.0900306, 0.2447, 0.66524), 0.006, "(0.09, 0.24, 0.67)"),
        ("d_v|values", 0.0, "d_v"),
    ],
)
def test_an_answer_is_written_as_exactly_as_it_is_asked(
    answer: Answer, tolerance: float, shown: str
) -> None:
    expected = Computed("?", answer, tolerance).expected()
    assert expected.shown == shown
    assert compare(expected, shown).correct


def test_a_number_that_a_slip_gives_names_it() -> None:
    """The answer itself stays right, whatever slip gives the same."""
    slips: dict[str, float | tuple[int, ...]] = {
        "not divided": 8,
        "these are the products": (2, 6),
        "nothing was done": 0.5,
    }
    expected = Computed("?", 0.5, 0.006, slips=slips).expected()
    typed = ("8", "2 6", "2 7", "0.5", "3")
    notes = (
        "not divided",
        "these are the products",
        "expected one number, got 2",
        "",
        "off by 2.5",
    )
    assert tuple(compare(expected, given).note for given in typed) == notes
    assert compare(expected, "0.5").correct


@pytest.mark.parametrize("answer", [float("nan"), float("inf"), (1.0, float("nan")), ()])
def test_an_answer_that_is_not_finite_is_refused(answer: Answer) -> None:
    with pytest.raises(ValueError, match="not finite"):
        Computed("?", answer).expected()


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("    b = int", "    1 / 0\n    b = int", 11, "ZeroDivisionError"),
        ("answer=int(np.dot(x, w)) + b", "answer=float('nan')", None, "not finite"),
        ("import numpy as np", "import nothing_of_this_name", 3, "nothing_of_this_name"),
        ("def one_logit(", "def one_logit((", 9, "syntax error"),
        ("def one_logit", "def two_logits", None, "no function 'one_logit'"),
    ],
)
def test_a_function_that_fails_is_told_with_its_line(
    folder: Path, old: str, new: str, line: int | None, said: str
) -> None:
    change(folder / "computed.py", old, new)
    with pytest.raises(PackError, match=said) as raised:
        draw(folder, "one_logit", "any", 0)
    file = folder / "computed.py"
    assert raised.value.where == (f"{file}:{line}" if line else str(file))


def test_a_function_may_stand_in_a_module_of_the_folder(folder: Path) -> None:
    whole = draw(folder, "one_logit", "any", 0)
    (folder / "computed").mkdir()
    (folder / "computed.py").rename(folder / "computed" / "logits.py")
    assert draw(folder, "logits.one_logit", "any", 0) == whole
    with pytest.raises(PackError, match=r"no computed/others\.py"):
        draw(folder, "others.one_logit", "any", 0)


def test_what_is_not_a_function_of_the_pack_is_not_called() -> None:
    with pytest.raises(PackError, match="no function"):
        draw(TINY, "__import__", "any", 0)
    with pytest.raises(PackError, match=r"no computed\.py"):
        draw(TINY / "concepts", "one_logit", "any", 0)


def test_a_changed_file_is_loaded_again(folder: Path) -> None:
    before = draw(folder, "one_logit", "any", 0)
    change(folder / "computed.py", "The logit?", "Which logit?")
    assert draw(folder, "one_logit", "any", 0).question == before.question.replace(
        "The logit?", "Which logit?"
    )


def test_drawing_does_not_import_torch_and_leaves_no_byte_code(folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from studyattn.packs.computed import draw;"
        "draw(Path(sys.argv[1]), 'one_logit', 'any', 0); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, str(folder)], check=True)
    assert not list(folder.rglob("__pycache__"))


def test_numbers_with_which_a_slip_is_right_are_drawn_again(folder: Path) -> None:
    (folder / "computed.py").write_text(
        "from studyattn.packs.computed import Computed\n\n\n"
        "def one_logit(draw):\n"
        "    n = int(draw.integers(2, 5))\n"
        "    return Computed(f'{n}?', n * n, slips={'doubled, not squared': 2 * n})\n"
    )
    drawn = {draw(folder, "one_logit", "any", reviews).answer for reviews in range(40)}
    assert drawn == {9, 16}
