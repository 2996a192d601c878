r"""Markdown as the HTML of Anki's fields: mathematics as `\( \)` and `\[ \]`, code highlighted.

Pure. Highlighting is in the tags themselves, because a field carries no style sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from typing import Any

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from studyattn.text.markdown import parse

Rule = Callable[[Sequence[Token], int], str]


def html(markdown: str, *, cloze: bool = False) -> str:
    """The HTML of a Markdown text. With `cloze` its gaps are Anki's, else they are plain text."""
    renderer = RendererHTML()
    for kind, rule in _rules(cloze).items():
        renderer.rules[kind] = _method(rule)
    tokens = [_plain_html(token) for token in parse(markdown)]
    return renderer.render(tokens, _options(), {}).strip()


@cache
def _options() -> OptionsDict:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").options


def _method(rule: Rule) -> Any:
    """A rule as markdown-it calls it, with options and environment that ours do not need."""
    return lambda tokens, index, *_: rule(tokens, index)


def _plain_html(token: Token) -> Token:
    """Raw HTML of a document is text: what is learnt runs nothing."""
    if token.type == "html_block":
        return Token("code_block", "code", 0, content=token.content)
    for child in token.children or ():
        if child.type == "html_inline":
            child.type = "text"
    return token


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
        "front_matter": _code,
    }


def _latex(latex: str) -> str:
    """LaTeX in which nothing ends one of Anki's gaps."""
    latex = latex.strip()
    while "}}" in latex:
        latex = latex.replace("}}", "} }")
    return escape(latex, quote=False)


def _code(tokens: Sequence[Token], index: int) -> str:
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
