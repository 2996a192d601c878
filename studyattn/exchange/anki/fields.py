r"""The HTML of Anki's fields as Markdown. Pure.

What a card says is kept: paragraphs, lists, emphasis, code, links, pictures, sounds. Mathematics in
`\( \)` and `\[ \]` is text to Anki and is read as mathematics here, as is LaTeX in the older marks
`[$] [/$]`, `[$$] [/$$]` and `[latex] [/latex]`. Styles and scripts go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import unescape
from typing import Final

_SPACE: Final = re.compile(r"[ \t\r\n\xa0]{2,}|[\t\r\n\xa0]")
"""White space that is to be one space; one that is that already costs nothing."""
_MARKED: Final = re.compile(r"[<&\[\t\r\n\v\f\xa0\0]|  |\*{4}|\s\Z|\A\s")
"""Markup, entities and white space to tidy, which most fields do without."""
_SOUND: Final = re.compile(r"\[sound:([^\[\]]+)\]")
_LATEX: Final = re.compile(
    r"\[(\$\$?|latex)\]((?:(?!\[(?:\$|latex\])).)*?)\[/\1\]", re.DOTALL | re.IGNORECASE
)
_HAS_FORMULA: Final = re.compile(r"\$|\\[(\[]")
_MARKS: Final = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`"}
_BLOCKS: Final = frozenset({"p", "div", "ul", "ol", "table", "tr", "hr", "blockquote", "h1", "h2"})
_SIMPLE: Final = {
    "br": "\n",
    "li": "\n- ",
    "/li": "",
    "pre": "\n\n```\n",
    "/pre": "\n```\n\n",
    **{f"{slash}{tag}": "\n\n" for tag in sorted(_BLOCKS) for slash in ("", "/")},
    **{f"{slash}{tag}": mark for tag, mark in _MARKS.items() for slash in ("", "/")},
}
"""Tags, and what stands in their place outside of `pre`."""
_DROPPED: Final = re.compile(
    r"<!--.*?(?:-->|(\Z))|<(script|style|head)(?=[\s/>]).*?(?:</\2\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""What shows nothing. A comment that does not end is kept: group 1 is there."""
_TAG: Final = re.compile(
    r"<(?:(/?[a-z][^\s/<>]*)((?:=\s*(?:\"[^\"]*\"|'[^']*')|[^<>])*+)|(?!!--)[!?/][^<>]*)>",
    re.IGNORECASE,
)
"""A tag with its name and attributes, or what browsers take for a comment.

A quotation mark that follows no `=` ends nothing: a stray one leaves the tag as it is read.
"""
_ATTRIBUTE: Final = re.compile(
    r"""(?<![\w-])([\w-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))"""
)

Media = Callable[[str], str]
"""From the name of a picture or sound to its address here; empty for one that is not there."""


class _FieldReader:
    """Gives the Markdown of a field's tags and texts, one after another."""

    def __init__(self, media: Media) -> None:
        self._media = media
        self._verbatim = False
        self._links: list[str] = []

    def text(self, data: str) -> str:
        """Return text between tags, with links to its sounds."""
        data = unescape(data)
        if self._verbatim:
            return data
        data = _SPACE.sub(" ", data)
        return _SOUND.sub(self._sound, data) if "[sound:" in data else data

    def tag(self, name: str, attributes: str) -> str:
        """Return the mark of a tag; the name of one that ends begins with a slash."""
        if name == "img":
            values = _values(attributes)
            source = values.get("src", "")
            address = self._media(source) or _address(source)
            return f"![{_words(values.get('alt', ''))}]({address})"
        if name == "a":
            self._links.append(_values(attributes).get("href", ""))
            return "["
        if name == "/a" and self._links:
            return f"]({_address(self._links.pop())})"
        if name.strip("/") == "pre":
            if self._verbatim == (name == "pre"):
                return ""
            self._verbatim = not self._verbatim
        return "" if self._verbatim and name.strip("/") in _MARKS else _SIMPLE.get(name, "")

    def _sound(self, found: re.Match[str]) -> str:
        address = self._media(found[1])
        return f"[{_words(found[1])}]({address})" if address else found[0]


def _values(attributes: str) -> Mapping[str, str]:
    """Return the values of attributes by their names."""
    found = _ATTRIBUTE.findall(attributes)
    return {name.lower(): unescape("".join(values)) for name, *values in found}


def _formula(found: re.Match[str]) -> str:
    """Return LaTeX as Markdown has it; a document in `[latex]` without a formula stays as it is."""
    mark, latex = found[1], found[2].strip()
    if mark == "$":
        return f"\\({latex}\\)"
    if mark == "$$":
        return f"\\[{latex}\\]"
    return latex if _HAS_FORMULA.search(latex) else found[0]


def named(html: str) -> tuple[str, ...]:
    """Return the names of the pictures and sounds in a note's fields, each once."""
    names = _SOUND.findall(html) if "[sound:" in html else []
    if "src" in html.lower():
        names += [_values(each).get("src", "") for _, each in _TAG.findall(html)]
    return tuple(filter(None, dict.fromkeys(names)))


def _words(name: str) -> str:
    """Return words that can be between the brackets of a link."""
    return " ".join(re.sub(r"[\[\]]", " ", name).split())


def _address(address: str) -> str:
    """Return the address of a link or picture, as Markdown writes it."""
    if not re.search(r"[\s()<>]", address):
        return address
    inner = " ".join(address.split()).replace("<", "%3C").replace(">", "%3E")
    return f"<{inner}>"


def markdown(html: str, media: Media = lambda _: "") -> str:
    """Return a field as Markdown."""
    if not _MARKED.search(html):
        return html
    reader = _FieldReader(media)
    shown = _DROPPED.sub(lambda found: "" if found[1] is None else found[0], html)
    first, *rest = _TAG.split(shown)
    parts = [reader.text(first)]
    for place in range(0, len(rest), 3):
        name, attributes, text = rest[place : place + 3]
        parts += [reader.tag((name or "").lower(), attributes), reader.text(text)]
    text = "".join(parts)
    text = text.replace("****", "").replace("\x00", "\ufffd")
    if "[/" in text:
        text = _LATEX.sub(_formula, text)
    if "\n" not in text:
        return text.strip()
    rows = [row.rstrip() for row in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(rows)).replace("\n\n\n```", "\n```").strip()
