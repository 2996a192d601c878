"""The names of the styles that rendered text is made of.

A theme gives other values; nothing else of the renderer knows a colour. Every value is a Rich
style definition. The defaults use the sixteen colours that each terminal has; `Palette.plain()`
uses none.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True)
class Palette:
    """One Rich style for each kind of text."""

    text: str = ""
    heading: str = "bold"
    strong: str = "bold"
    emphasis: str = "italic"
    strike: str = "strike"
    maths: str = ""
    latex: str = "italic"
    """LaTeX that could not be turned into mathematics."""
    code: str = "cyan"
    link: str = "underline"
    address: str = "dim"
    image: str = "italic"
    html: str = "dim"
    quote: str = "italic"
    marker: str = "dim"
    """Bullets, numbers, quote marks, rules between things."""
    table_head: str = "bold"
    cloze: str = "bold blue"
    keyword: str = "blue"
    string: str = "yellow"
    comment: str = "dim"
    number: str = "magenta"
    name: str = "bold"
    """A name that is being defined."""

    @classmethod
    def plain(cls) -> Palette:
        """No colour at all, for NO_COLOR: what colour said, weight and slant say."""
        return replace(cls(), code="", cloze="bold reverse", keyword="bold", string="", number="")

    def names(self) -> tuple[str, ...]:
        """The styles' names, in order."""
        return tuple(each.name for each in fields(self))
