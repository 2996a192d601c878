r"""Markdown as the HTML of Anki's fields: mathematics as `\( \)` and `\[ \]`, code highlighted.

Pure. Highlighting is in the tags themselves, because a field carries no style sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from markdown_it.token import Token

from studyattn.exchange.safe_html import Rule, read_tokens, render_tokens


def html(markdown: str, *, cloze: bool = False) -> str:
    """The HTML of a Markdown text. With `cloze` its gaps are Anki's, else they are plain text."""
    return render_tokens(read_tokens(markdown), _rules(cloze))


def _rules(cloze: bool) -> dict[str, Rule]:
    def opened(tokens: Sequence[Token], index: int) -> str:
        return f"{{{{c{tokens[index].meta['group']}::" if cloze else ""

    def closed(_tokens: Sequence[Token], _index: int) -> str:
        return "}}" if cloze else ""

    def inline(tokens: Sequence[Token], index: int) -> str:
        return f"\\({_latex(tokens[index].content)}\\)"

    def display(tokens: Sequence[Token], index: int) -> str:
        return f"\\[{_latex(tokens[index].content)}\\]"

    return {
        "math_inline": inline,
        "math_display": display,
        "math_block": display,
        "math_inline_double": display,
        "cloze_open": opened,
        "cloze_close": closed,
        "fence": _code,
        "code_block": _code,
    }


def _latex(latex: str) -> str:
    """LaTeX in which nothing ends one of Anki's gaps."""
    latex = latex.strip()
    while "}}" in latex:
        latex = latex.replace("}}", "} }")
    return escape(latex, quote=False)


def _code(tokens: Sequence[Token], index: int) -> str:
    # Pygments is loaded when the first code is written.
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    token = tokens[index]
    words = token.info.split() or ["text"]
    try:
        lexer = get_lexer_by_name(words[0])
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    formatter = HtmlFormatter(noclasses=True, wrapcode=True)
    coloured: str = highlight(token.content, lexer, formatter)
    return coloured
