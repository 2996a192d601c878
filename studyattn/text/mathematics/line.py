"""A formula on one line, inside a sentence.

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
    FormulaRow,
    Fraction,
    Grid,
    NodeKind,
    Root,
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
        case FormulaRow(items):
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
    """A base, already set, with the formula's scripts after it, the lower one first.

    A name below is part of the base's own name, so its raised glyph comes last: d_model², W_Kᵀ.
    """
    lower = _limit(formula) or _script(formula.lower, symbols.SUBSCRIPTS, "_")
    upper = _script(formula.upper, symbols.SUPERSCRIPTS, "^")
    return base + lower + upper


def _limit(formula: Scripts) -> str | None:
    """The limit of a sum in small letters; a relation without a small glyph stays as it is.

    None for what is no sum, and where a letter of the limit has no small glyph.
    """
    if formula.lower is None or kind_of(formula.base) is not NodeKind.OPERATOR:
        return None
    glyphs = {**symbols.SUBSCRIPTS, **{ord(each): ord(each) for each in "≤<≥>≠"}}
    return small_script(formula.lower, glyphs)


def small_script(formula: Formula, glyphs: dict[int, int]) -> str | None:
    """The script in small glyphs, or None when it is a word or a glyph does not exist.

    A prime has no small glyph: after other small glyphs it would belong to the whole.
    """
    if any(isinstance(item, Symbol) and item.words for item in _leaves(formula)):
        return None
    text = set_line(formula, tight=True)
    if "′" in text.lstrip("′"):
        return None
    return symbols.small(text, glyphs)


def accented(text: str, mark: str) -> str:
    """The text with a combining mark on its first letter."""
    return text[:1] + mark + text[1:]


def _script(formula: Formula | None, glyphs: dict[int, int], mark: str) -> str:
    if formula is None:
        return ""
    if (glyph := small_script(formula, glyphs)) is not None:
        return glyph
    text = set_line(formula, tight=True)
    item = only_item(formula)
    one_thing = text.isalnum() or _is_whole(item)
    bare = isinstance(item, Symbol) or (one_thing and not isinstance(item, Scripts))
    return mark + (text if bare else f"({text})")


def _row(items: tuple[Formula, ...], tight: bool) -> str:
    placed = spaced(items, tight=tight)
    factors = frozenset() if tight else _factors_of_a_number(items)
    parts: list[str] = []
    for index, part in enumerate(placed):
        text = set_line(part.item, tight=tight)
        if isinstance(only_item(part.item), Fraction) and _fraction_binds(items, index):
            text = f"({text})"
        gap = part.gap or int(index in factors or _runs_together(parts, text))
        parts.append(" " * gap + text)
    return "".join(parts)


def _runs_together(before: list[str], text: str) -> bool:
    """Return True if a name spelt below or above the line would take in a letter beside it.

    `n d_model r` says which letters belong to the name; `nd_modelr` does not.
    """
    if not before or not before[-1] or not text[:1].isalnum():
        return False
    last = before[-1][-1]
    joins = last.isalnum() or last in ")]⟩⁾₎′"
    return bool(_OPEN_SCRIPT.search(before[-1]) or (joins and _OPEN_SCRIPT.search(text)))


def _factors_of_a_number(items: tuple[Formula, ...]) -> frozenset[int]:
    """The places of the letters that a number is multiplied by, when there are several.

    They are set apart, since 2 n d without spaces is an ordinal.
    """
    places: set[int] = set()
    for index in range(1, len(items)):
        if not _is_digit(items[index - 1]):
            continue
        end = index
        while end < len(items) and _is_letter(items[end]):
            end += 1
        if end - index > 1:
            places.update(range(index, end))
    return frozenset(places)


def _is_letter(formula: Formula) -> bool:
    base = formula.base if isinstance(formula, Scripts) else formula
    if not isinstance(base, Symbol) or base.words:
        return False
    return len(base.text) == 1 and base.text.isalpha()


def _fraction_binds(items: tuple[Formula, ...], index: int) -> bool:
    """Return True if a neighbour of the fraction at `index` would be read as a part of it.

    A thin space before the neighbour does not help: 1/d softmax(x) still says two things.
    """
    if index and kind_of(items[index - 1]) is NodeKind.ORDINARY and _binds(items[index - 1]):
        return True
    after = next((item for item in items[index + 1 :] if not _is_thin_space(item)), None)
    return after is not None and (_binds(after) or _opens(after))


def _is_thin_space(formula: Formula) -> bool:
    return isinstance(formula, Symbol) and formula.kind is NodeKind.SPACE and len(formula.text) <= 1


def _binds(neighbour: Formula) -> bool:
    """a/b beside an x would read as a/(bx)."""
    if isinstance(neighbour, Symbol) and neighbour.words and neighbour.kind is NodeKind.ORDINARY:
        return False
    return kind_of(neighbour) in {
        NodeKind.ORDINARY,
        NodeKind.FUNCTION,
        NodeKind.OPERATOR,
    } and not isinstance(neighbour, Fenced)


def _opens(neighbour: Formula) -> bool:
    """a/b before (x + y) would read as a/(b(x + y))."""
    return isinstance(neighbour, Fenced) or kind_of(neighbour) is NodeKind.OPEN


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
    """Return True if it is taken as one thing without brackets."""
    item = only_item(formula)
    match item:
        case Symbol():
            return item.kind not in {NodeKind.BINARY, NodeKind.RELATION}
        case Scripts():
            return _is_whole(item.base)
        case Fraction():
            return False
        case FormulaRow(items):
            return all(_is_digit(each) for each in items) or _is_bracketed(items)
        case Grid():
            return not item.equations
        case _:
            return True


def _is_product(formula: Formula) -> bool:
    item = only_item(formula)
    if not isinstance(item, FormulaRow):
        return not isinstance(item, Fraction)
    kinds = {kind_of(each) for each in item.items}
    breaks = {NodeKind.BINARY, NodeKind.RELATION, NodeKind.PUNCTUATION, NodeKind.OPERATOR}
    return not kinds & breaks and not any(isinstance(each, Fraction) for each in item.items)


def _is_bracketed(items: tuple[Formula, ...]) -> bool:
    """f(x) and |x|: a name or nothing, and one pair of brackets round all the rest."""
    if len(items) < 2 or kind_of(items[-1]) is not NodeKind.CLOSE:
        return False
    first = next(
        (index for index, item in enumerate(items) if kind_of(item) is NodeKind.OPEN), None
    )
    depth = 0
    for index, item in enumerate(items):
        depth += {NodeKind.OPEN: 1, NodeKind.CLOSE: -1}.get(kind_of(item), 0)
        if depth == 0 and first is not None and first <= index < len(items) - 1:
            return False
    return first == 0


def _is_digit(formula: Formula) -> bool:
    return isinstance(formula, Symbol) and (formula.text.isdigit() or formula.text in ".,")


def _leaves(formula: Formula) -> list[Formula]:
    return [
        leaf for item in flatten(formula) for leaf in ([item] if item is formula else _leaves(item))
    ]
