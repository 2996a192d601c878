"""Mathematics: LaTeX in; for a terminal lines of Unicode out, for a browser MathML.

    reader     LaTeX → formula          symbols    the signs and `latex.txt`
    formula    what it is made of       line       a formula on one line
    layout     … in two dimensions      box        rectangles with a baseline
    breaking   … when it is too wide    mathml     a formula as MathML

What the reader does not know is not guessed at: `render_math` and `render_mathml` return None, and
the caller shows the LaTeX. So whatever a terminal shows as mathematics, a browser does too.
"""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=2048)
def render_math(latex: str, *, display: bool, width: int) -> tuple[str, ...] | None:
    """The formula as lines, or None when it cannot be converted.

    In a sentence (`display=False`) it is one line of whatever length, for the caller to wrap. In
    display it has as many lines as it needs, none wider than `width` cells.
    """
    # Late here and below, for a text without a formula needs none of it.
    from studyattn.text.mathematics.breaking import set_display
    from studyattn.text.mathematics.line import set_line
    from studyattn.text.mathematics.reader import UnreadableError, read

    try:
        formula = read(latex)
    except UnreadableError:
        return None
    lines = set_display(formula, max(width, 1)) if display else (set_line(formula),)
    return lines if any(line.strip() for line in lines) else None


@lru_cache(maxsize=2048)
def render_mathml(latex: str, *, display: bool) -> str | None:
    """The formula as a `math` element for a browser, or None when it cannot be converted.

    It is well-formed XML, holds nothing but MathML Core, and needs no script.
    """
    from studyattn.text.mathematics.mathml import set_mathml
    from studyattn.text.mathematics.reader import UnreadableError, read

    try:
        formula = read(latex)
    except UnreadableError:
        return None
    return set_mathml(formula, latex, display=display)
