"""Formulas on one line and in two dimensions: what is shown, and that nothing is lost or cut."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from studyattn.bundled import content_dir
from studyattn.packs.check.wording import passages
from studyattn.packs.read import read_pack
from studyattn.text.markdown import parse, walk
from studyattn.text.mathematics import render_math
from tests.text.formulas import DISPLAY, INLINE

LATEX = st.text(alphabet=st.sampled_from(list("abxyQK01+-=(){}[]^_\\&,|' \n$%~")), max_size=40)
PARTS = st.sampled_from(
    [*INLINE, *DISPLAY, r"\frac{", "}", r"\left(", r"\right)", "_", "^", r"\begin{matrix}", "&"]
)


def line(latex: str) -> str | None:
    lines = render_math(latex, display=False, width=0)
    return None if lines is None else lines[0]


def block(latex: str, width: int = 72) -> str | None:
    lines = render_math(latex, display=True, width=width)
    return None if lines is None else "\n".join(lines)


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        (r"q \in \mathbb{R}^d", "q ∈ ℝᵈ"),
        (r"K \in \mathbb{R}^{n \times d}", "K ∈ ℝⁿˣᵈ"),
        (r"V \in \mathbb{R}^{n \times d_v}", "V ∈ ℝ^(n×dᵥ)"),
        (r"\sqrt{d_k}", "√dₖ"),
        (r"\sqrt d", "√d"),
        (r"\sqrt{a+b}", "√(a + b)"),
        (r"\sqrt[3]{x}", "³√x"),
        (r"\tfrac{1}{\sqrt d}", "1/√d"),
        (r"\frac{a+b}{cd}", "(a + b)/(cd)"),
        (r"\frac{\frac{a}{b}}{c}", "(a/b)/c"),
        (r"\frac{a}{b}x", "(a/b)x"),
        (r"\frac12", "1/2"),
        (r"x^2", "x²"),
        (r"k_i^\top", "kᵢᵀ"),
        (r"a_{ij}", "aᵢⱼ"),
        (r"W_i^Q", "Wᵢ^Q"),
        (r"W^{Q}_{i}", "Wᵢ^Q"),
        (r"W_Q", "W_Q"),
        (r"d_{\text{model}}", "d_model"),
        (r"d_{model}", "d_model"),
        (r"W_Q K", "W_Q K"),
        (r"xW_Q", "x W_Q"),
        (r"-W_Q", "−W_Q"),
        (r"W_\downarrow", "W_↓"),
        (r"d_{\text{model}}^2", "d_model²"),
        (r"W_K^\top", "W_Kᵀ"),
        (r"W_V^{(i)} W_O^{(i)}", "W_V⁽ⁱ⁾ W_O⁽ⁱ⁾"),
        (r"i d_{\text{head}}", "i d_head"),
        (r"(i + 1) d_{\text{head}} - 1", "(i + 1) d_head − 1"),
        (r"2 n d_{\text{model}} r", "2 n d_model r"),
        (r"2 n d", "2 n d"),
        (r"4 n d^2", "4 n d²"),
        (r"2d", "2d"),
        (r"e^{-2x_iy}", "e^(−2xᵢy)"),
        (r"e^{s_i}", "e^(sᵢ)"),
        (r"e^{m - m'}", "e^(m−m′)"),
        (r"\mathrm{elu} + 1", "elu + 1"),
        (r"\log -x", "log −x"),
        (r"e^{-x^2/2}", "e^(−x²/2)"),
        (r"-\infty", "−∞"),
        (r"a - b", "a − b"),
        (r"\mathrm{softmax}(s)", "softmax(s)"),
        (r"\operatorname{softmax}(x)", "softmax(x)"),
        (r"\log x", "log x"),
        (r"\log(x)", "log(x)"),
        (r"\langle q,k_i\rangle", "⟨q, kᵢ⟩"),
        (r"q,k_i\sim\mathcal N(0,I)", "q, kᵢ ∼ 𝒩(0, I)"),
        (r"\sum_{i=1}^n p_i\, v_i", "∑ᵢ₌₁ⁿ pᵢ vᵢ"),
        (r"57{,}982,058,496", "57,982,058,496"),
        (r"[0,1,2]", "[0, 1, 2]"),
        (r"\|x\|_2", "‖x‖₂"),
        (r"\left\| x \right\|", "‖x‖"),
        (r"\hat{y}", "y\u0302"),
        (r"f''(x)", "f′′(x)"),
        (r"a \not= b", "a ≠ b"),
        (r"\text{if } x > 0", "if x > 0"),
        (r"x \le 日本", "x ≤ 日本"),
        (r"\mathbf{X}", "𝐗"),
        (r"\mathbb{E}[q_n]=0", "𝔼[qₙ] = 0"),
        (r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", "(a b; c d)"),
        (r"50\% \cdot x % a comment", "50% · x"),
    ],
)
def test_one_line(latex: str, shown: str) -> None:
    assert line(latex) == shown


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        (
            r"\mathrm{softmax}\!\Big(\frac{QK^\top}{\sqrt d} + M\Big)V",
            """\
       ⎛ QKᵀ     ⎞
softmax⎜╶───╴ + M⎟V
       ⎝ √d      ⎠""",
        ),
        (
            r"\sum_{i=1}^n p_i\, v_i",
            """\
 n
 ∑  pᵢ vᵢ
i=1""",
        ),
        (
            r"M_{ij} = \begin{cases} 0 & j \le i \\ -\infty & j > i \end{cases}",
            """\
Mᵢⱼ = ⎧0    j ≤ i
      ⎩−∞   j > i""",
        ),
        (
            r"\left( \begin{bmatrix} 1 & 22 \\ 3 & 4 \end{bmatrix} \right)^2",
            """\
⎛⎡1  22⎤⎞²
⎝⎣3  4 ⎦⎠""",
        ),
        (
            r"QW_i^Q",
            """\
  Q
QWᵢ""",
        ),
        (
            r"\begin{aligned} a &= b + c \\ &= d \end{aligned}",
            """\
a = b + c
  = d""",
        ),
        (
            r"\sqrt{\frac{a}{b}}",
            """\
 ┌───
 │ a
 │╶─╴
╲│ b""",
        ),
        (
            r"\underbrace{a+b+c}_{\text{sum}}",
            """\
a + b + c
╰───┬───╯
   sum""",
        ),
        (r"\max_j s_j", "max sⱼ\n j"),
        (r"(x_I) + y", "(x ) + y\n  I"),
    ],
)
def test_two_dimensions(latex: str, shown: str) -> None:
    assert block(latex) == shown


@pytest.mark.parametrize(
    "latex",
    [
        r"\unknowncommand{x}",
        r"\begin{tikzpicture} x \end{tikzpicture}",
        r"\frac{a}",
        r"x_a_b",
        r"{a",
        r"a}",
        r"\left( x",
        "\\",
        "",
        "   ",
        "{" * 500 + "}" * 500,
        r"\sqrt" * 500 + "x",
        r"a \over b",
    ],
)
def test_what_is_not_known_is_not_guessed(latex: str) -> None:
    assert line(latex) is None
    assert block(latex) is None


@pytest.mark.parametrize("latex", [*INLINE, *DISPLAY])
def test_formulas_of_real_documents(latex: str) -> None:
    on_one_line, in_two = line(latex), block(latex)
    assert on_one_line
    assert in_two
    for shown in (on_one_line, in_two):
        assert "\\" not in shown
        assert "?" not in shown


@pytest.mark.parametrize("width", [12, 20, 40])
@pytest.mark.parametrize("latex", DISPLAY)
def test_a_wide_formula_is_broken_and_not_cut(latex: str, width: int) -> None:
    wide, narrow = block(latex, 500), block(latex, width)
    assert wide
    assert narrow
    assert max(map(cell_len, narrow.split("\n"))) <= width
    letters = re.compile(r"[A-Za-zͰ-Ͽ]")
    assert len(letters.findall(narrow)) >= len(letters.findall(line(latex) or "")) - _scripts(latex)


def _scripts(latex: str) -> int:
    """Letters that one of the two settings shows as small glyphs, and the other may not."""
    return latex.count("_") + latex.count("^")


def test_breaks_before_relations_then_before_signs() -> None:
    assert block("aa + bb = cc + dd", 12) == "aa + bb = cc\n    + dd"
    assert block("aa + bb = cc + dd", 13) == "aa + bb\n    = cc + dd"


def test_equations_keep_their_edge_when_they_break() -> None:
    shown = block(r"\begin{aligned} ab &= cccc + dddd = eeee \\ &= f \end{aligned}", 18)
    assert shown == "ab = cccc + dddd\n     = eeee\n\n   = f"


@given(LATEX, st.integers(min_value=1, max_value=80))
def test_no_latex_makes_it_fail(latex: str, width: int) -> None:
    for display in (False, True):
        lines = render_math(latex, display=display, width=width)
        assert lines is None or any(each.strip() for each in lines)


@given(st.lists(PARTS, max_size=6).map("".join), st.integers(min_value=2, max_value=60))
def test_parts_of_formulas_fit_the_width(latex: str, width: int) -> None:
    lines = render_math(latex, display=True, width=width)
    assert lines is None or all(cell_len(each) <= width for each in lines)


@pytest.mark.parametrize(
    ("latex", "line"),
    [
        (r"\sum_{j \le t} w_j", "∑ⱼ≤ₜ wⱼ"),
        (r"\sum_{x \in S} x", "∑_(x∈S) x"),
        (r"\frac{\alpha}{r}(xA)B", "(α/r)(xA)B"),
        (r"\frac{1}{2}\left(a + b\right)", "(1/2)(a + b)"),
        (r"\frac{a}{b} + (c)", "a/b + (c)"),
        (r"\frac{1}{\sqrt d} \, \mathrm{softmax}(S)", "(1/√d) softmax(S)"),
        (r"\frac{a}{b} \quad c", "a/b  c"),
    ],
)
def test_limits_and_fractions_in_a_line_cannot_be_misread(latex: str, line: str) -> None:
    assert render_math(latex, display=False, width=72) == (line,)


def _inline_formulas_of_the_pack() -> list[str]:
    """Every formula that stands in a sentence of the built-in pack, once."""
    pack = read_pack(content_dir() / "attention").pack
    tokens = (token for passage in passages(pack) for token in walk(parse(passage.markdown)))
    return sorted({token.content for token in tokens if token.type == "math_inline"})


_SPELT = re.compile(r"([^\s()|/·√⌊⌋−+=,⊙×]*)_([^\s()|/·,−+]+)")
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵀⁱʰᵏⁿᵐ"


def test_no_formula_of_the_pack_runs_into_what_stands_beside_it() -> None:
    formulas = _inline_formulas_of_the_pack()
    assert len(formulas) > 300
    for latex in formulas:
        shown = line(latex)
        assert shown, latex
        names = set(re.findall(r"_\{?(?:\\(?:text|mathrm)\{)?(\w+)", latex)) | {"↓", "↑"}
        for base, name in _SPELT.findall(shown):
            assert len(base) == 1, f"{latex} is shown as {shown}"
            assert name.rstrip(_RAISED) in names, f"{latex} is shown as {shown}"
        assert not re.search(r"\d(?:st|nd|rd|th)\b", shown), f"{latex} is shown as {shown}"
