r"""Markdown as the HTML of Anki's fields: mathematics as `\( \)` and `\[ \]`, code highlighted.

Pure. Highlighting is in the tags themselves, because a field carries no style sheet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Final

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from studyattn.exchange.safe_html import read_tokens, render_tokens, renderer_of
from studyattn.text.media import PREFIX

COLONS: Final = "&#58;&#58;"
"""Two colons within a gap, where Anki would take them for the beginning of a hint."""


_SIGNS: Final = r" ,.;?()%/'\-"
"""What stands in texts beside letters and digits, and is no mark of Markdown."""
_PLAIN: Final = re.compile(
    rf"(?P<words>(?:[^\W_]|[{_SIGNS}:])+)"
    rf"|(?<!\*)\*\*(?P<bold>[^\W_](?:(?:[^\W_]|[{_SIGNS}])*[^\W_])?)\*\*(?!\*)"
    rf"|!\[(?P<alt>(?:[^\W_]|[{_SIGNS}])*)\]\({PREFIX}(?P<picture>[A-Za-z0-9][A-Za-z0-9._-]*)\)"
    r"|\\\((?P<latex>[^\x00-\x1f]*?)\\\)"
    r"|(?<![^\W_])(?<!=)==(?P<group>[0-9]{1,3})\|(?! )"
    rf"(?P<gap>(?:[^\W_]|[{_SIGNS}]|\\\([^\x00-\x1f=]*?\\\))+?)(?<! )"
    rf"(?:::(?P<hint>(?:[^\W_]|[{_SIGNS}])+?)(?<! ))?==(?![^\W_]|=)"
)
"""Words, bold ones, a picture, a formula, or a gap: the parts of which most short texts are."""
_ONE_PARAGRAPH: Final = re.compile(r"(?:(?!\d+[.)])[^\W_]|!\[|==|\$(?!\$)|\\\()(?:[^\r\n\t]*\S)?")
"""A text of one line that begins no list, heading or table: its blocks need not be looked for."""
_GAP: Final = re.compile("\x01([0-9]+)\x02(.*?)\x03(.*?)\x04", re.DOTALL)


def html(markdown: str, *, cloze: bool = False) -> str:
    """Return the HTML of a Markdown text.

    With `cloze` its gaps are Anki's, else they are plain text. Pictures and sounds of the home are
    named as Anki names its own.
    """
    one_line = _ONE_PARAGRAPH.fullmatch(markdown) is not None
    text = _plain(markdown, cloze) if one_line else None
    if text is None:
        text = render_tokens(read_tokens(markdown, inline=one_line), _renderer(cloze))
    if one_line:
        text = f"<p>{text}</p>"
    return _GAP.sub(_gap, text) if cloze else text


def plain_gaps(markdown: str) -> int:
    """Return the number of gaps in a text of one line of plain parts; 0 for any other text."""
    plain = _ONE_PARAGRAPH.fullmatch(markdown) and _plain(markdown, cloze=True)
    return plain.count("\x01") if plain else 0


def _plain(markdown: str, cloze: bool) -> str | None:
    """Return the HTML of a text of plain parts; None for one that has others.

    Reading tokens takes fifteen times as long.
    """
    parts: list[str] = []
    place = 0
    for found in _PLAIN.finditer(markdown):
        if found.start() != place:
            return None
        place = found.end()
        words, bold, alt, picture, latex, group, gap, hint = found.groups()
        if words is not None:
            parts.append(words)
        elif bold is not None:
            parts.append(f"<strong>{bold}</strong>")
        elif picture is not None:
            parts.append(f'<img src="{picture}" alt="{alt}" />')
        elif latex is not None:
            if not latex.strip():
                return None
            parts.append(f"\\({_latex(latex)}\\)")
        else:
            inner = _plain(gap, cloze)
            if inner is None:
                return None
            hint = (hint or "").strip()
            parts.append(f"\x01{int(group)}\x02{inner}\x03{hint}\x04" if cloze else inner)
    return "".join(parts) if place == len(markdown) else None


def _gap(found: re.Match[str]) -> str:
    """Return a gap in which nothing but its own marks ends it or begins its hint."""
    group, text, hint = found.groups()
    inner = text.replace("::", COLONS).replace("}}", "}&#125;")
    ending = f"::{hint.replace('}}', '}&#125;')}" if hint else ""
    return f"{{{{c{group}::{inner}{ending}}}}}"


@cache
def _renderer(cloze: bool) -> RendererHTML:
    def opened(tokens: Sequence[Token], index: int) -> str:
        return f"\x01{tokens[index].meta['group']}\x02" if cloze else ""

    def closed(tokens: Sequence[Token], index: int) -> str:
        hint = escape(tokens[index].meta["hint"], quote=False)
        return f"\x03{hint}\x04" if cloze else ""

    def inline(tokens: Sequence[Token], index: int) -> str:
        return f"\\({_latex(tokens[index].content)}\\)"

    def display(tokens: Sequence[Token], index: int) -> str:
        return f"\\[{_latex(tokens[index].content)}\\]"

    def linked(tokens: Sequence[Token], index: int) -> str:
        return "" if tokens[index].meta.get("sound") else "</a>"

    return renderer_of(
        {
            "math_inline": inline,
            "math_display": display,
            "math_block": display,
            "math_inline_double": display,
            "cloze_open": opened,
            "cloze_close": closed,
            "image": _picture,
            "link_open": _link,
            "link_close": linked,
            "fence": _code,
            "code_block": _code,
        }
    )


def _picture(tokens: Sequence[Token], index: int) -> str:
    token = tokens[index]
    source = str(token.attrs.get("src", "")).removeprefix(PREFIX)
    return f'<img src="{escape(source)}" alt="{escape(token.content)}" />'


def _link(tokens: Sequence[Token], index: int) -> str:
    address = str(tokens[index].attrs.get("href", ""))
    if not address.startswith(PREFIX):
        return f'<a href="{escape(address)}">'
    # The words of a sound are its name, which Anki does not show.
    for token in tokens[index + 1 :]:
        if token.type == "link_close":
            token.meta = {"sound": True}
            break
        token.type, token.content = "text", ""
    return f"[sound:{address.removeprefix(PREFIX)}]"


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
