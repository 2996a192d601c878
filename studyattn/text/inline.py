"""The content of a paragraph: emphasis, code, links, mathematics, deletions.

A paragraph becomes pieces: runs of styled text, and the LaTeX of formulas that want lines of their
own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markdown_it.token import Token
from rich.style import Style
from rich.text import Text

from studyattn.text.characters import without_controls
from studyattn.text.mathematics import render_math
from studyattn.text.media import PREFIX
from studyattn.text.palette import Palette


@dataclass(frozen=True, slots=True)
class Display:
    """A formula that interrupts its paragraph."""

    latex: str


Piece = Text | Display

_STYLES = {
    "strong_open": "strong",
    "em_open": "emphasis",
    "s_open": "strike",
    "cloze_open": "cloze",
    "link_open": "link",
}
_VERBATIM = {"code_inline": "code", "html_inline": "html"}
_CLOSINGS = frozenset(name.replace("_open", "_close") for name in _STYLES)


def set_inline(tokens: Sequence[Token], palette: Palette) -> list[Piece]:
    """The pieces of one paragraph, in order. A run of text is never empty."""
    return _InlineSetter(palette).set(tokens)


def set_text(tokens: Sequence[Token], palette: Palette) -> Text:
    """Return the tokens as one run of text, as a heading or a table cell needs it."""
    run = Text()
    for piece in set_inline(tokens, palette):
        run.append_text(piece if isinstance(piece, Text) else set_maths(piece.latex, palette))
    return run


def set_maths(latex: str, palette: Palette) -> Text:
    """A formula in a sentence; its LaTeX when it cannot be converted."""
    lines = render_math(latex.strip(), display=False, width=0)
    if lines is None:
        return Text(without_controls(" ".join(latex.split())), palette.latex)
    return Text(lines[0], palette.maths)


class _InlineSetter:
    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self.pieces: list[Piece] = []
        self.styles: list[Style] = []
        self.addresses: list[tuple[str, int]] = []
        self.length = 0

    def set(self, tokens: Sequence[Token]) -> list[Piece]:
        for token in tokens:
            self.one(token)
        return [piece for piece in self.pieces if isinstance(piece, Display) or piece.plain]

    def one(self, token: Token) -> None:
        if token.type in _STYLES:
            self.open(token)
        elif token.type in _CLOSINGS:
            self.close(token)
        elif token.type == "math_inline":
            self.append(set_maths(token.content, self.palette))
        elif token.type == "math_display":
            self.pieces.append(Display(token.content))
        elif token.type in _VERBATIM:
            style = getattr(self.palette, _VERBATIM[token.type])
            self.append(Text(without_controls(token.content), style))
        elif token.type == "wikilink":
            self.wikilink(token)
        elif token.type == "image":
            self.image(token)
        elif token.type == "softbreak":
            self.append(Text(" "))
        elif token.type == "hardbreak":
            self.append(Text("\n"))
        else:
            self.append(Text(without_controls(token.content)))

    def open(self, token: Token) -> None:
        style = Style.parse(getattr(self.palette, _STYLES[token.type]))
        if token.type == "link_open":
            address = str(token.attrs.get("href", ""))
            self.addresses.append((address, self.length))
            style += Style(link=address)
            if address.startswith(PREFIX):
                self.append(Text("♪ "))
        self.styles.append(style)

    def close(self, token: Token) -> None:
        if self.styles:
            self.styles.pop()
        if token.type == "link_close" and self.addresses:
            address, start = self.addresses.pop()
            told = self.since(start).removeprefix("mailto:") == address.removeprefix("mailto:")
            if not told and not address.startswith(PREFIX):
                self.append(Text(f" ({without_controls(address)})", self.palette.address))

    def since(self, start: int) -> str:
        """The text that was set after a point; what a link shows of itself."""
        return "".join(piece.plain for piece in self.pieces if isinstance(piece, Text))[start:]

    def wikilink(self, token: Token) -> None:
        """A link to a concept that is known shows its words; any other, how it was written."""
        if token.meta.get("known"):
            self.append(Text(without_controls(token.meta["text"]), self.palette.link))
        else:
            style = self.palette.marker if "known" in token.meta else ""
            self.append(Text(without_controls(token.content), style))

    def image(self, token: Token) -> None:
        """Append the words of an image, and its address."""
        words = "".join(child.content for child in token.children or ()) or "image"
        self.append(Text(f"▣ {without_controls(words)}", self.palette.image))
        source = str(token.attrs.get("src", ""))
        if source and not source.startswith(PREFIX):
            self.append(Text(f" ({without_controls(source)})", self.palette.address))

    def append(self, run: Text) -> None:
        for style in self.styles:
            run.stylize_before(style)
        self.length += len(run.plain)
        if self.pieces and isinstance(last := self.pieces[-1], Text):
            last.append_text(run)
        else:
            self.pieces.append(run)
