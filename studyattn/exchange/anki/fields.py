r"""The HTML of Anki's fields as Markdown. Pure.

What a card says is kept: paragraphs, lists, emphasis, code, links, pictures, sounds. Mathematics in
`\( \)` and `\[ \]` is text to Anki and is read as mathematics here, as is LaTeX in the older marks
`[$] [/$]`, `[$$] [/$$]` and `[latex] [/latex]`. Styles and scripts go.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from typing import Final

_SPACE: Final = re.compile(r"[ \t\r\n\xa0]{2,}|[\t\r\n\xa0]")
"""White space that is to be one space; one that is that already costs nothing."""
_MARKED: Final = re.compile(r"[<&\[\t\r\n\v\f\xa0\0]|  |\*{4}|\s\Z|\A\s")
"""Markup, entities and white space to tidy, which most fields do without."""
_SOUND: Final = re.compile(r"\[sound:([^\[\]]+)\]")
_SOURCE: Final = re.compile(r"""\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_LATEX: Final = re.compile(
    r"\[(\$\$?|latex)\]((?:(?!\[(?:\$|latex\])).)*?)\[/\1\]", re.DOTALL | re.IGNORECASE
)
_HAS_FORMULA: Final = re.compile(r"\$|\\[(\[]")
_MARKS: Final = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`"}
_BLOCKS: Final = frozenset({"p", "div", "ul", "ol", "table", "tr", "hr", "blockquote", "h1", "h2"})
_DROPPED: Final = frozenset({"script", "style", "head"})
_SIMPLE: Final = {
    "br": "\n",
    "li": "\n- ",
    "/li": "",
    **{f"{slash}{tag}": "\n\n" for tag in sorted(_BLOCKS) for slash in ("", "/")},
    **{f"{slash}{tag}": mark for tag, mark in _MARKS.items() for slash in ("", "/")},
}
"""Tags that mean the same wherever they are, outside of `pre`, `script` and the like."""
_SIMPLE_TAG: Final = re.compile(f'<(?:img src="([^"<>&]*)"|({"|".join(_SIMPLE)}))>')


class _FieldReader(HTMLParser):
    def __init__(self, media: Media) -> None:
        super().__init__(convert_charrefs=True)
        self._media = media
        self.parts: list[str] = []
        self._dropping = 0
        self._verbatim = 0
        self._links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {key: value or "" for key, value in attrs}
        if tag in _DROPPED:
            self._dropping += 1
        elif tag == "pre":
            self._verbatim += 1
            self.parts.append("\n\n```\n")
        elif tag == "img":
            source = values.get("src", "")
            address = self._media(source) or _address(source)
            self.parts.append(f"![{_words(values.get('alt', ''))}]({address})")
        elif tag == "a":
            self._links.append(values.get("href", ""))
            self.parts.append("[")
        elif not (self._verbatim and tag in _MARKS):
            self.parts.append(_SIMPLE.get(tag, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in _DROPPED:
            self._dropping = max(0, self._dropping - 1)
        elif tag == "pre" and self._verbatim:
            self._verbatim -= 1
            self.parts.append("\n```\n\n")
        elif tag == "a" and self._links:
            self.parts.append(f"]({_address(self._links.pop())})")
        elif not (self._verbatim and tag in _MARKS):
            self.parts.append(_SIMPLE.get(f"/{tag}", ""))

    def handle_data(self, data: str) -> None:
        if not self._dropping:
            self.parts.append(data if self._verbatim else _text(data, self._media))


Media = Callable[[str], str]
"""From the name of a picture or sound to its address here; empty for one that is not there."""


def _simple_text(html: str, media: Media) -> str | None:
    """Return a field's text as the parser gives it; None unless all of its tags are simple ones.

    Most fields have no others, and this takes a tenth of the parser's time.
    """
    parts = _SIMPLE_TAG.split(html)  # text, then of each tag a picture, its name, the text after
    if "&" in html or html.count("<") != len(parts) // 3:
        return None
    texts = [_text(parts[0], media)]
    for place in range(1, len(parts), 3):
        picture, tag, text = parts[place : place + 3]
        if tag is None:
            texts.append(f"![]({media(picture) or _address(picture)})")
        else:
            texts.append(_SIMPLE[tag])
        texts.append(_text(text, media))
    return "".join(texts)


def _text(data: str, media: Media) -> str:
    """Return text between tags, with links to its sounds."""
    data = _SPACE.sub(" ", data)
    return _SOUND.sub(lambda found: _sound(found, media), data) if "[sound:" in data else data


def _sound(found: re.Match[str], media: Media) -> str:
    address = media(found[1])
    return f"[{_words(found[1])}]({address})" if address else found[0]


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
        names += [unescape("".join(each)) for each in _SOURCE.findall(html)]
    return tuple(dict.fromkeys(names))


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
    text = _simple_text(html, media)
    if text is None:
        reader = _FieldReader(media)
        reader.feed(html)
        reader.close()
        text = "".join(reader.parts)
    text = text.replace("****", "").replace("\x00", "\ufffd")
    if "[/" in text:
        text = _LATEX.sub(_formula, text)
    if "\n" not in text:
        return text.strip()
    rows = [row.rstrip() for row in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(rows)).replace("\n\n\n```", "\n```").strip()
