"""Formulas for a browser: well-formed, as TeX spaces them, and nothing that is not mathematics."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studyattn.bundled import content_dir
from studyattn.text.markdown import parse, walk
from studyattn.text.mathematics import render_math, render_mathml

CORE = {
    "math", "semantics", "annotation", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac",
    "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mtable",
    "mtr", "mtd",
}  # fmt: skip


def inner(latex: str, *, display: bool = False) -> str:
    """What stands in the formula's outermost row."""
    text = render_mathml(latex, display=display)
    assert text is not None
    match = re.search(r"<semantics><mrow>(.*)</mrow><annotation", text)
    assert match
    return match[1]


def pack_formulas() -> set[tuple[str, bool]]:
    files: list[Path] = sorted(content_dir().rglob("*.md"))
    return {
        (token.content, token.type != "math_inline")
        for file in files
        for token in walk(parse(file.read_text()))
        if token.type.startswith("math")
    }


def test_every_formula_of_the_pack_is_set() -> None:
    formulas = pack_formulas()
    assert len(formulas) > 200
    for latex, display in formulas:
        text = render_mathml(latex, display=display)
        assert text is not None, latex
        assert {element.tag for element in ET.fromstring(text).iter()} <= CORE


def test_what_it_looks_like() -> None:
    assert inner("d_k") == "<msub><mi>d</mi><mi>k</mi></msub>"
    assert inner("12288") == "<mn>12288</mn>"
    assert inner("1.414") == "<mn>1.414</mn>"
    assert inner(r"\sqrt{d}") == "<msqrt><mrow><mi>d</mi></mrow></msqrt>"
    assert inner(r"\frac{1}{n}") == (
        "<mfrac><mrow><mn>1</mn></mrow><mrow><mi>n</mi></mrow></mfrac>"
    )
    assert inner(r"\mathrm{softmax}\,x") == '<mi>softmax</mi><mspace width="0.278em"/><mi>x</mi>'
    assert inner(r"\log x") == '<mi>log</mi><mspace width="0.167em"/><mi>x</mi>'
    assert inner("Ω") == '<mi mathvariant="normal">Ω</mi>'


def test_a_sign_has_the_space_of_its_place() -> None:
    minus = '<mo lspace="0.222em" rspace="0.222em" stretchy="false">−</mo>'
    sign = '<mo form="prefix" lspace="0" rspace="0">−</mo>'
    assert inner("a - b") == f"<mi>a</mi>{minus}<mi>b</mi>"
    assert inner("(-b)") == (
        f'<mo form="prefix" stretchy="false">(</mo>{sign}<mi>b</mi>'
        '<mo form="postfix" stretchy="false">)</mo>'
    )
    tight = '<mo lspace="0" rspace="0" stretchy="false">−</mo>'
    assert tight in inner("x_{t-1}")


def test_limits_stand_below_a_sum_and_beside_a_letter() -> None:
    assert inner(r"\sum_i x").startswith("<munder><mo>∑</mo><mi>i</mi></munder>")
    assert inner(r"\max_j x").startswith(
        '<munder><mo lspace="0" rspace="0" movablelimits="true">max</mo><mi>j</mi></munder>'
    )
    assert inner("W_i^Q") == "<msubsup><mi>W</mi><mi>i</mi><mi>Q</mi></msubsup>"
    assert inner(r"\int_a^b").startswith("<msubsup>")
    assert inner(r"\underbrace{ab}_{c}").startswith("<munder><munder>")


def test_equations_meet_at_their_sign() -> None:
    text = inner(r"\begin{aligned}a &= b\\ c &= d\end{aligned}", display=True)
    assert re.findall(r'<mtd class="(.)">', text) == ["r", "l", "r", "l"]
    assert "&amp;" not in text
    cases = inner(r"\begin{cases}0 & i < j\\ 1 & i \ge j\end{cases}", display=True)
    assert '<mo form="prefix" fence="true" stretchy="true">{</mo><mtable>' in cases
    assert "&lt;" in cases


def test_what_is_not_known_is_none() -> None:
    for latex in (r"\foo{x}", "x^{", r"\href{javascript:alert(1)}{x}", r"\class{a}{b}", "{" * 999):
        assert render_mathml(latex, display=True) is None


@pytest.mark.parametrize(
    "latex",
    [
        r"\text{<script>alert(1)</script>}",
        r"\text{&lt;script&gt;}",
        r"\operatorname{<img/onerror=x>}",
        r"a<b>c\&d",
        r"\mathrm{</math>}",
        r"\color{\"><script>}x",
        r"\textcolor{red;}{x}",
        r"\text{\"' onclick=}",
    ],
)
def test_no_formula_says_anything_to_the_browser(latex: str) -> None:
    text = render_mathml(latex, display=False)
    if text is not None:
        assert {element.tag for element in ET.fromstring(text).iter()} <= CORE


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            (
                *("a", "B", "1", "2", ".", ",", "+", "-", "=", "<", "&", "(", ")", "|", "'", " "),
                *("_", "^", "{", "}", r"\sum", r"\max", r"\frac", r"\sqrt", r"\hat", r"\text{a }"),
                *(
                    r"\left(",
                    r"\right)",
                    r"\\",
                    r"\quad",
                    r"\infty",
                    r"\overline",
                    r"\times",
                    r"\!",
                ),
            )
        ),
        max_size=12,
    ).map("".join),
    st.booleans(),
)
def test_whatever_a_terminal_shows_a_browser_shows(latex: str, display: bool) -> None:
    text = render_mathml(latex, display=display)
    if render_math(latex, display=display, width=80) is not None:
        assert text is not None
    if text is not None:
        root = ET.fromstring(text)
        assert {element.tag for element in root.iter()} <= CORE
        for element in root.iter():
            wanted = {"msub": 2, "msup": 2, "mfrac": 2, "msubsup": 3, "munderover": 3}
            if element.tag in wanted:
                assert len(element) == wanted[element.tag]
