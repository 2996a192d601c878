"""Markdown as HTML in which nothing runs: what Anki's fields and the page have in common. Pure.

Raw HTML of a document is shown as the text that it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from html import escape
from typing import Any

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from studyattn.text.markdown import parse

Rule = Callable[[Sequence[Token], int], str]
"""A function from tokens and a position to the HTML of the token there."""


def read_tokens(markdown: str, *, inline: bool = False) -> list[Token]:
    """The tokens of a text, with its raw HTML as text; `inline`, of one paragraph without marks."""
    return [_plain_html(token) for token in parse(markdown, inline=inline)]


def renderer_of(rules: Mapping[str, Rule]) -> RendererHTML:
    """Make a renderer; `rules` say how some tokens are set, by their type."""
    renderer = RendererHTML()
    own = {kind: _method(rule) for kind, rule in rules.items()}
    renderer.rules = {**renderer.rules, "wikilink": _method(_concept_words), **own}
    return renderer


def render_tokens(tokens: Sequence[Token], renderer: RendererHTML) -> str:
    """The HTML of tokens, as well-formed XML."""
    text: str = renderer.render(tokens, _options(), {})
    return text.strip()


@cache
def _options() -> OptionsDict:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"xhtmlOut": True}).options


def _method(rule: Rule) -> Any:
    """A rule as markdown-it calls it, with options and environment that ours do not need."""
    return lambda tokens, index, *_: rule(tokens, index)


def _plain_html(token: Token) -> Token:
    if token.type in {"html_block", "front_matter"}:
        return Token("code_block", "code", 0, content=token.content)
    for child in token.children or ():
        if child.type == "html_inline":
            child.type = "text"
    return token


def _concept_words(tokens: Sequence[Token], index: int) -> str:
    """Return the words of a link to a concept, which leads nowhere outside of the program."""
    return escape(str(tokens[index].meta["text"]), quote=False)
