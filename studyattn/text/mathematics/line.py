"""A formula on one line: what stands inside a sentence.

Fractions become a/b, roots √x, scripts small glyphs where Unicode has them and `_x`, `^x` where it
has not. Brackets are added wherever the line would otherwise say something else.
"""

from __future__ import annotations

import re

from studyattn.text.mathematics import symbols
from studyattn.text.mathematics.formula import (
    Accent,
    Bar,
    Fenced,
    Formula,
    Fraction,
    Grid,
    Kind,
    Root,
    Row,
    Scripts,
    Symbol,
    flatten,
    kind_of,
    only_item,
    spaced,
)

_OPEN_SCRIPT = re.compile(r"[_^][^\s()]+$")
"""A script that nothing ends: without a space the next letter would join it."""

_GRID_BRACKETS = {("", ""): ("[", "]"), ("{", ""): ("{", "}"), ("", "}"): ("{", "}")}


def set_line(formula: Formula, *, tight: bool = False) -> str:
    """The formula as one line of text. `tight` is the spacing inside scripts."""
    match formula:
        case Symbol():
            text = formula.text
        case Row(items):
            text = _row(items, tight)
        case Fraction():
            text = _fraction(formula)
        case Root():
            text = _root(formula)
        case Scripts():
            text = scripted(set_line(formula.base, tight=tight), formula)
        case Fenced(left, body, right):
            text = left + set_line(body, tight=tight) + right
        case Grid():
            text = _grid(formula)
        case Accent(body, mark):
            text = accented(set_line(body, tight=True), mark)
        case Bar():
            text = _bar(formula, tight)
    return text


def scripted(base: str, formula: Scripts) -> str:
    """A base, already set, with the formula's scripts after it: small glyphs come first."""
    lower = _limit(formula) or _script(formula.lower, symbols.SUBSCRIPTS, "_")
    upper = _script(formula.upper, symbols.SUPERSCRIPTS, "^")
    if lower.startswith("_") and not upper.startswith("^"):
        return base + upper + lower
    return base + lower + upper


def _limit(formula: Scripts) -> str | None:
    """The limit of a sum in small letters; a relation without a small glyph stands as it is.

    None for what is no sum, and where a letter of the limit has no small glyph.
    """
    if formula.lower is None or kind_of(formula.base) is not Kind.OPERATOR:
        return None
    glyphs = {**symbols.SUBSCRIPTS, **{ord(each): ord(each) for each in "≤<≥>≠"}}
    return small_script(formula.lower, glyphs)


def small_script(formula: Formula, glyphs: dict[int, int]) -> str | None:
    """The script in small glyphs, or None when it is a word or a glyph does not exist."""
    words = any(isinstance(item, Symbol) and item.words for item in _leaves(formula))
    return None if words else symbols.small(set_line(formula, tight=True), glyphs)


def accented(text: str, mark: str) -> str:
    """The text with a combining mark on its first letter."""
    return text[:1] + mark + text[1:]


def _script(formula: Formula | None, glyphs: dict[int, int], mark: str) -> str:
    if formula is None:
        return ""
    if (glyph := small_script(formula, glyphs)) is not None:
        return glyph
    text = set_line(formula, tight=True)
    if set(text) <= {"′"}:
        return text
    return mark + (text if text.isalnum() or _is_whole(formula) else f"({text})")


def _row(items: tuple[Formula, ...], tight: bool) -> str:
    placed = spaced(items, tight=tight)
    parts: list[str] = []
    for index, part in enumerate(placed):
        text = set_line(part.item, tight=tight)
        after = placed[index + 1] if index + 1 < len(placed) else None
        joined_before = index > 0 and part.gap == 0 and _binds(items[index - 1])
        joined_after = after is not None and after.gap == 0 and _binds(after.item)
        bracketed = after is not None and after.gap == 0 and _opens(after.item)
        if isinstance(only_item(part.item), Fraction) and (
            joined_before or joined_after or bracketed
        ):
            text = f"({text})"
        gap = part.gap or _gap_after_script(parts, text)
        parts.append(" " * gap + text)
    return "".join(parts)


def _gap_after_script(before: list[str], text: str) -> int:
    return int(bool(before and _OPEN_SCRIPT.search(before[-1]) and text[:1].isalnum()))


def _binds(neighbour: Formula) -> bool:
    """a/b beside an x would read as a/(bx)."""
    if isinstance(neighbour, Symbol) and neighbour.words and neighbour.kind is Kind.ORDINARY:
        return False
    return kind_of(neighbour) in {Kind.ORDINARY, Kind.FUNCTION, Kind.OPERATOR} and not isinstance(
        neighbour, Fenced
    )


def _opens(neighbour: Formula) -> bool:
    """a/b before (x + y) would read as a/(b(x + y))."""
    return isinstance(neighbour, Fenced) or kind_of(neighbour) is Kind.OPEN


def _fraction(fraction: Fraction) -> str:
    above, below = set_line(fraction.numerator), set_line(fraction.denominator)
    if not fraction.ruled:
        return f"{above} over {below}"
    if not _is_product(fraction.numerator):
        above = f"({above})"
    if not _is_whole(fraction.denominator):
        below = f"({below})"
    return f"{above}/{below}"


def _root(root: Root) -> str:
    body = set_line(root.body)
    if not _is_whole(root.body):
        body = f"({body})"
    if root.degree is None:
        return f"√{body}"
    glyph = small_script(root.degree, symbols.SUPERSCRIPTS)
    return f"{glyph or f'({set_line(root.degree)})'}√{body}"


def _grid(grid: Grid) -> str:
    rows = [" ".join(filter(None, (set_line(cell) for cell in row))) for row in grid.rows]
    if grid.equations:
        return "; ".join(rows)
    left, right = _GRID_BRACKETS.get((grid.left, grid.right), (grid.left, grid.right))
    cells = ("; " if len(rows) > 1 else " ").join(rows)
    return f"{left}{cells}{right}"


def _bar(bar: Bar, tight: bool) -> str:
    text = set_line(bar.body, tight=tight)
    if bar.brace:
        return text
    mark = "\u0305" if bar.over else "\u0332"
    return "".join(char + mark for char in text)


def _is_whole(formula: Formula) -> bool:
    """Whether it needs no brackets to be taken as one thing."""
    item = only_item(formula)
    match item:
        case Symbol():
            return item.kind not in {Kind.BINARY, Kind.RELATION}
        case Scripts():
            return _is_whole(item.base)
        case Fraction():
            return False
        case Row(items):
            return all(_is_digit(each) for each in items) or _is_bracketed(items)
        case Grid():
            return not item.equations
        case _:
            return True


def _is_product(formula: Formula) -> bool:
    item = only_item(formula)
    if not isinstance(item, Row):
        return not isinstance(item, Fraction)
    kinds = {kind_of(each) for each in item.items}
    breaks = {Kind.BINARY, Kind.RELATION, Kind.PUNCTUATION, Kind.OPERATOR}
    return not kinds & breaks and not any(isinstance(each, Fraction) for each in item.items)


def _is_bracketed(items: tuple[Formula, ...]) -> bool:
    """f(x) and |x|: a name or nothing, and one pair of brackets round all the rest."""
    if len(items) < 2 or kind_of(items[-1]) is not Kind.CLOSE:
        return False
    first = next((index for index, item in enumerate(items) if kind_of(item) is Kind.OPEN), None)
    depth = 0
    for index, item in enumerate(items):
        depth += {Kind.OPEN: 1, Kind.CLOSE: -1}.get(kind_of(item), 0)
        if depth == 0 and first is not None and first <= index < len(items) - 1:
            return False
    return first == 0


def _is_digit(formula: Formula) -> bool:
    return isinstance(formula, Symbol) and (formula.text.isdigit() or formula.text in ".,")


def _leaves(formula: Formula) -> list[Formula]:
    return [
        leaf for item in flatten(formula) for leaf in ([item] if item is formula else _leaves(item))
    ]
