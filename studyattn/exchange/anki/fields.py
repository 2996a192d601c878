r"""The HTML of Anki's fields as Markdown. Pure.

What a card says is kept: paragraphs, lists, emphasis, code, links, pictures by name. Mathematics in
`\( \)` and `\[ \]` is text to Anki and is read as mathematics here. Styles and scripts go.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

_MARKS: Final = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`"}
_BLOCKS: Final = frozenset({"p", "div", "ul", "ol", "table", "tr", "hr", "blockquote", "h1", "h2"})
_DROPPED: Final = frozenset({"script", "style", "head"})


class _FieldReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
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
        elif tag == "br":
            self.parts.append("\n")
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag == "img":
            self.parts.append(f"![{values.get('alt', '')}]({_address(values.get('src', ''))})")
        elif tag == "a":
            self._links.append(values.get("href", ""))
            self.parts.append("[")
        elif tag in _BLOCKS:
            self.parts.append("\n\n")
        elif not self._verbatim:
            self.parts.append(_MARKS.get(tag, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in _DROPPED:
            self._dropping = max(0, self._dropping - 1)
        elif tag == "pre" and self._verbatim:
            self._verbatim -= 1
            self.parts.append("\n```\n\n")
        elif tag == "a" and self._links:
            self.parts.append(f"]({_address(self._links.pop())})")
        elif tag in _BLOCKS:
            self.parts.append("\n\n")
        elif not self._verbatim:
            self.parts.append(_MARKS.get(tag, ""))

    def handle_data(self, data: str) -> None:
        if not self._dropping:
            self.parts.append(data if self._verbatim else re.sub(r"[ \t\r\n\xa0]+", " ", data))


def _address(address: str) -> str:
    """Return the address of a link or picture, as Markdown writes it."""
    if not re.search(r"[\s()<>]", address):
        return address
    inner = " ".join(address.split()).replace("<", "%3C").replace(">", "%3E")
    return f"<{inner}>"


def markdown(html: str) -> str:
    """A field as Markdown."""
    reader = _FieldReader()
    reader.feed(html)
    reader.close()
    text = "".join(reader.parts).replace("****", "").replace("\x00", "\ufffd")
    rows = [row.rstrip() for row in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(rows)).replace("\n\n\n```", "\n```").strip()
