"""What counts as the same answer, and what is marked when it is not."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.bundled import content_dir
from studyattn.errors import PackError
from studyattn.packs.answers import (
    AnswerComparison,
    AnswerPart,
    ExpectedNumbers,
    ExpectedText,
    Tolerance,
    compare,
    expected_number,
    read_tolerance,
)
from studyattn.packs.card_kinds import BASIC, CLOZE, COMPUTED, NUMERIC, CardKind, WrittenCard
from studyattn.packs.numbers import read_number, read_numbers
from studyattn.packs.read import load_pack


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("-0.5", Fraction(-1, 2)),
        ("−0,5", Fraction(-1, 2)),
        (".5", Fraction(1, 2)),
        ("1/8", Fraction(1, 8)),
        ("½", Fraction(1, 2)),
        ("1e-3", Fraction(1, 1000)),
        ("1.25 × 10^-1", Fraction(1, 8)),
        ("1.25·10⁻¹", Fraction(1, 8)),
        ("1.25x10^-1", Fraction(1, 8)),
        ("1.25 \\cdot 10^{-1}", Fraction(1, 8)),
        ("57,982,058,496", 57982058496),
        ("57 982 058 496", 57982058496),
        ("57_982_058_496", 57982058496),
        ("1,000", 1000),
        ("1,5", Fraction(3, 2)),
        ("12.5%", Fraction(1, 8)),
        ("√64", 8),
        ("sqrt(64)", 8),
        ("1/√64", Fraction(1, 8)),
        ("\\sqrt{64}", 8),
        ("√2/2", math.sqrt(2) / 2),
        ("2√3", 2 * math.sqrt(3)),
        ("2^20", 1048576),
        ("+3", 3),
    ],
)
def test_a_number_is_read_however_it_is_written(text: str, value: float | Fraction) -> None:
    read = read_number(text)
    assert read is not None
    assert math.isclose(read, value, rel_tol=1e-15)
    if not isinstance(value, float):
        assert read == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "half",
        "1/0",
        "1,2,3",
        "2 8",
        "nan",
        "inf",
        "1e999",
        "2^999^999",
        "(1",
        "1)",
        "9" * 100,
    ],
)
def test_what_is_no_finite_number_is_none(text: str) -> None:
    assert read_number(text) is None


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    read = read_number(text)
    assert read is None or math.isfinite(read)
    read_numbers(text)


@given(st.integers(-(10**15), 10**15))
def test_whole_numbers_are_read_exactly_with_and_without_separators(value: int) -> None:
    assert read_number(str(value)) == value
    assert read_number(f"{value:,}") == value


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15))
def test_a_float_is_read_as_it_is_written(value: float) -> None:
    read = read_number(repr(value))
    assert read is not None
    assert float(read) == value


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("2 8 64", (2, 8, 64)),
        ("(2, 8, 64)", (2, 8, 64)),
        ("2,8,64", (2, 8, 64)),
        ("2×8×64", (2, 8, 64)),
        ("2 x 8 x 64", (2, 8, 64)),
        ("[0.1; 0.9]", (0.1, 0.9)),
        ("0.09, 0.24, 0.67", (0.09, 0.24, 0.67)),
        ("(-2, 1)", (-2, 1)),
        ("4, 3", (4, 3)),
        ("7", (7,)),
    ],
)
def test_several_numbers(text: str, values: tuple[float, ...]) -> None:
    read = read_numbers(text)
    assert read is not None
    assert tuple(map(float, read)) == values


def numeric(answer: str, tolerance: str = "", unit: str = "") -> ExpectedNumbers:
    expected = NUMERIC.expected(answer, {"tolerance": tolerance, "unit": unit})
    assert isinstance(expected, ExpectedNumbers)
    return expected


def test_a_count_is_compared_digit_by_digit() -> None:
    expected = numeric("57982058496")
    assert expected.shown == "57,982,058,496"
    assert compare(expected, "57 982 058 496").correct
    assert not compare(expected, "57,982,058,497").correct


def test_tolerance_is_absolute_or_relative() -> None:
    assert read_tolerance("0.005") == Tolerance(absolute=0.005)
    assert read_tolerance("1%") == Tolerance(relative=0.01)
    assert read_tolerance("-1") is None
    assert read_tolerance("wide") is None
    rounded = numeric("0.09", "0.005")
    assert compare(rounded, "0.085").correct
    assert compare(rounded, "0.095").correct
    assert not compare(rounded, "0.1").correct
    assert compare(numeric("200", "1%"), "202").correct
    assert not compare(numeric("200", "1%"), "203").correct


def test_without_tolerance_a_decimal_is_exact() -> None:
    assert compare(numeric("1/8"), "0.125").correct
    assert compare(numeric("1/3"), "1/3").correct
    assert not compare(numeric("1/3"), "0.333").correct


def test_a_unit_may_be_typed_or_left_out() -> None:
    expected = numeric("64", unit="MiB")
    assert expected.shown == "64 MiB"
    assert compare(expected, "64").correct
    assert compare(expected, "64 mib").correct
    assert not compare(expected, "64 GiB").correct


@pytest.mark.parametrize(
    ("answer", "given", "note"),
    [
        ("8", "-8", "the sign is wrong"),
        ("8", "80", "off by a factor of 10"),
        ("8", "0.08", "off by a factor of 10²"),
        ("8", "4", "off by a factor of 2"),
        ("8", "64", "off by a factor of 2³"),
        ("8", "9", "off by 1"),
        ("8", "eight", "not a number"),
        ("8", "", ""),
    ],
)
def test_a_wrong_number_says_in_what_way(answer: str, given: str, note: str) -> None:
    comparison = compare(numeric(answer), given)
    assert not comparison.correct
    assert comparison.note == note
    assert "".join(part.text for part in comparison.parts) == given


def test_of_several_numbers_each_is_marked() -> None:
    expected = ExpectedNumbers((0.09, 0.24, 0.67), "(0.09, 0.24, 0.67)", Tolerance(0.006))
    assert compare(expected, "0.09 0.24 0.67").correct
    wrong = compare(expected, "0.09 0.42 0.67")
    assert wrong.parts == (
        AnswerPart("0.09", True),
        AnswerPart("0.42", False),
        AnswerPart("0.67", True),
    )
    assert compare(expected, "0.09 0.24").note == "expected 3 numbers, got 2"


@pytest.mark.parametrize(
    ("accepted", "given"),
    [
        ("d_v", "D_V"),
        ("d_v", "dv"),
        ("d_v", "$d_{v}$"),
        ("√d_k", "sqrt(d_k)"),
        ("√d_k", r"\sqrt{d_k}"),
        ("(m, d_v)", "( m,d_v )"),
        ("i + n - m", "i+n−m"),
        ("h*d_h", "h × d_h"),
        ("h*d_h", r"h \cdot d_h"),
        ("4 d^2", "4·d²"),
        ("m × n", "m x n"),
        ("m × n", "m by n"),
        ("n^2", "n²"),
        ("K^T", "Kᵀ"),
        ("the values|values", "Values."),
    ],
)
def test_spellings_of_one_answer(accepted: str, given: str) -> None:
    assert compare(ExpectedText(tuple(accepted.split("|"))), given).correct


@pytest.mark.parametrize(
    ("accepted", "given"), [("m × n", "m + n"), ("i + n - m", "i + n m"), ("x", "by"), ("n", "")]
)
def test_answers_that_are_not_the_same(accepted: str, given: str) -> None:
    assert not compare(ExpectedText((accepted,)), given).correct


def test_a_wrong_text_is_marked_against_the_nearest_answer() -> None:
    expected = ExpectedText(("the softmax", "normalise"))
    comparison = compare(expected, "normalize")
    assert comparison == AnswerComparison(
        None,
        "normalize",
        "the softmax",
        (AnswerPart("normali", True), AnswerPart("z", False), AnswerPart("e", True)),
    )
    assert not compare(expected, "").correct
    assert not compare(ExpectedText(("$",)), "").correct


@given(st.text(max_size=30), st.text(min_size=1, max_size=30))
def test_the_parts_are_what_was_typed(given: str, accepted: str) -> None:
    comparison = compare(ExpectedText((accepted,)), given)
    assert "".join(part.text for part in comparison.parts) == given.strip()


@pytest.mark.parametrize("kind", [BASIC, CLOZE, COMPUTED])
def test_other_kinds_expect_nothing_typed(kind: CardKind) -> None:
    assert kind.expected(None, {}) is None


def test_two_numbers_where_one_is_asked_are_not_read_as_a_decimal() -> None:
    expected = expected_number("2.6", {})
    assert expected is not None
    found = compare(expected, "2, 6")
    assert (found.correct, found.note) == (False, "expected one number, got 2")
    assert compare(expected, "2,6").correct


@pytest.mark.parametrize("name", ["attention", "serving"])
def test_every_number_that_is_typed_has_a_slip_that_is_told(name: str) -> None:
    pack = load_pack(content_dir() / name)
    cards = [each for each in pack.cards() if each.kind.name == "numeric"]
    assert len(cards) > 30
    for card in cards:
        expected = card.kind.expected(card.answer, card.extra)
        assert isinstance(expected, ExpectedNumbers), card.id
        assert expected.slips, card.id
        for said, (slip,) in expected.slips:
            wrong = float(slip)
            typed = str(round(wrong, 4 if abs(wrong) < 100 else 0))
            assert compare(expected, typed).note == said, card.id
        assert "- Not `" not in card.back


@pytest.mark.parametrize(
    ("slip", "told"),
    [
        ("`2 +`: half a sum", "cannot be calculated"),
        ("`open('x')`: a call", "cannot be calculated"),
        ("`9**9**9**9`: too large", "cannot be calculated"),
        ("`1 / 4 + 1 / 4`: it is right", "is accepted as an answer"),
    ],
)
def test_a_slip_that_is_no_wrong_number_is_refused(slip: str, told: str) -> None:
    written = WrittenCard("How much?", f"Half.\n\n- Not {slip}", {"answer": "0.5"}, "x.md:1")
    with pytest.raises(PackError, match=told):
        NUMERIC.check(written)


@pytest.mark.parametrize(
    ("accepted", "given", "is_right"),
    [
        ("W_V and W_O", "W_O, W_V", True),
        ("keys and values", "the values & the keys", True),
        ("keys and values", "keys", False),
        ("(4, 3)", "(3, 4)", False),
        ("scores", "the scores", True),
        ("zeros", "a zero", False),
        ("linear", "sub-linear", False),
        ("attention", "no attention", False),
        ("attention", "attention and an MLP", False),
    ],
)
def test_articles_and_the_order_of_what_is_joined_do_not_matter(
    accepted: str, given: str, is_right: bool
) -> None:
    assert bool(compare(ExpectedText((accepted,)), given).correct) is is_right
