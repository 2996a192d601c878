"""Markdown as the page shows it. Pure.

A link leads only where a reader may want to go (`http`, `https`, `mailto`); any other address is
written out. `[[concept]]` leads to the concept on the page, if it is there. A picture of the home
is in the page; any other becomes a link to it, because the page loads nothing. A formula that
cannot be set is shown as its LaTeX.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Final

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from studyattn.exchange.safe_html import Rule, read_tokens, render_tokens, renderer_of
from studyattn.text.links import Names
from studyattn.text.mathematics import render_mathml
from studyattn.text.media import PREFIX

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_SCHEMES: Final = ("http://", "https://", "mailto:")
_LONGEST_INLINE: Final = 30
"""Characters of LaTeX that fit beside others on a phone."""
_LONGEST_FORMULA: Final = 20_000
"""Characters; a longer one is no formula that anyone reads."""


@dataclass(frozen=True, slots=True)
class Prose:
    """Sets texts of one page; `anchors` say where concepts stand on it, by their slugs."""

    names: Names = field(default_factory=lambda: Names(()))
    anchors: Mapping[str, str] = field(default_factory=dict)
    media: Mapping[str, str] = field(default_factory=dict)
    """Pictures as addresses that hold them, by the addresses that texts name them by."""

    def blocks(self, markdown: str, level: int = 4) -> str:
        """A text as blocks, its headings at `level` and below."""
        return render_tokens(self._prepared(read_tokens(markdown), level), _renderer())

    def line(self, markdown: str) -> str | None:
        """A text that is one paragraph, without its paragraph; None for any other."""
        tokens = read_tokens(markdown)
        if [token.type for token in tokens] != ["paragraph_open", "inline", "paragraph_close"]:
            return None
        return render_tokens(self._prepared(tokens[1:2], 1), _renderer())

    def _prepared(self, tokens: Sequence[Token], level: int) -> list[Token]:
        headings = [int(token.tag[1:]) for token in tokens if token.type == "heading_open"]
        deeper = max(0, level - min(headings, default=level))
        for token in tokens:
            if token.type in {"heading_open", "heading_close"}:
                token.tag = f"h{min(6, int(token.tag[1:]) + deeper)}"
            if token.children:
                token.children = list(self._followable(token.children))
        return list(tokens)

    def _followable(self, tokens: Sequence[Token]) -> Iterator[Token]:
        """Inline tokens with only links that may be followed, and no pictures."""
        leading: list[bool] = []
        for token in tokens:
            if token.type == "link_open":
                address = str(token.attrs.get("href", ""))
                leading.append(_leads(address))
                if leading[-1]:
                    token.attrs = {"href": address, "rel": "noreferrer"}
                    yield token
                elif address and not address.startswith(PREFIX):
                    yield _text(f"({address}) ")
            elif token.type == "link_close":
                if leading.pop():
                    yield token
            elif token.type == "image":
                yield from self._picture(token, within_link=any(leading))
            elif token.type == "wikilink":
                yield from self._concept(token, within_link=any(leading))
            else:
                yield token

    def _picture(self, token: Token, *, within_link: bool) -> Iterator[Token]:
        address = str(token.attrs.get("src", ""))
        named = _text(token.content or address or "picture")
        if (data := self.media.get(address)) is not None:
            token.attrs = {"src": data, "alt": token.content}
            yield token
        elif within_link or not _leads(address):
            yield named
        else:
            yield from _linked(named, href=address, rel="noreferrer")

    def _concept(self, token: Token, *, within_link: bool) -> Iterator[Token]:
        found = self.names.find(str(token.meta["target"]))
        anchor = self.anchors.get(found.slug) if found else None
        named = _text(str(token.meta["text"]))
        yield from [named] if anchor is None or within_link else _linked(named, href=f"#{anchor}")


def words(text: str) -> str:
    """A text that is no Markdown, for between tags or within a quoted attribute."""
    return escape(" ".join(text.split()))


def code(source: str, language: str) -> str:
    """Highlighted code. The classes are Pygments' own; of an unknown language it is plain."""
    # Pygments is loaded when the first code is written.
    from pygments import highlight
    from pygments.formatters import HtmlFormatter

    lexer = _lexer(language)
    if lexer is None:
        coloured = escape(source.rstrip("\n"), quote=False)
    else:
        coloured = highlight(source, lexer, HtmlFormatter(nowrap=True)).rstrip("\n")
    return f'<pre tabindex="0"><code>{coloured}</code></pre>'


def link(address: str, text: str) -> str:
    """A link with its text, or both as text where it may not be followed."""
    shown = words(text) or words(address)
    if not _leads(address):
        return shown if shown == words(address) else f"{shown} ({words(address)})"
    return f'<a href="{escape(address.strip())}" rel="noreferrer">{shown}</a>'


def _leads(address: str) -> bool:
    return address.strip().lower().startswith(_SCHEMES)


@cache
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language) if language not in {"", "text"} else None
    except ClassNotFound:
        return None


# -- tokens ----------------------------------------------------------------------------------------


def _linked(named: Token, **attributes: str | float) -> list[Token]:
    opening = Token("link_open", "a", 1)
    opening.attrs = attributes
    return [opening, named, Token("link_close", "a", -1)]


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _inline_formula(tokens: Sequence[Token], index: int) -> str:
    formula = _formula(tokens[index].content, display=False)
    # No browser breaks a formula. A long one scrolls in the sentence, not the page under it.
    is_long = len(tokens[index].content) > _LONGEST_INLINE
    return f'<span class="long" tabindex="0">{formula}</span>' if is_long else formula


def _display_formula(tokens: Sequence[Token], index: int) -> str:
    drawn = _formula(tokens[index].content, display=True)
    tag, end = ("div", "\n") if tokens[index].type == "math_block" else ("span", "")
    return f'<{tag} class="display" tabindex="0">{drawn}</{tag}>{end}'


def _formula(latex: str, *, display: bool) -> str:
    latex = latex.strip()
    shown = None if len(latex) > _LONGEST_FORMULA else render_mathml(latex, display=display)
    return shown or f'<code class="latex">{escape(latex, quote=False)}</code>'


def _fence(tokens: Sequence[Token], index: int) -> str:
    language = (tokens[index].info.split() or [""])[0]
    return f"{code(tokens[index].content, language)}\n"


_RULES: Final[dict[str, Rule]] = {
    "math_inline": _inline_formula,
    "math_display": _display_formula,
    "math_block": _display_formula,
    "cloze_open": lambda *_: "<mark>",
    "cloze_close": lambda *_: "</mark>",
    "fence": _fence,
    "code_block": _fence,
    "table_open": lambda *_: '<div class="table" tabindex="0"><table>\n',
    "table_close": lambda *_: "</table></div>\n",
}


@cache
def _renderer() -> RendererHTML:
    return renderer_of(_RULES)
