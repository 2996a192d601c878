"""Matrices as heatmaps: two cells an entry, the theme's accent above zero, its orange below.

Each entry also has a shade (░ ▒ ▓ █) for its size, and a minus sign in its second cell when it is
negative, so a map says the same without any colour. Shade and colour follow the square root of the
size: weights are mostly small, and .21 beside .26 is to be seen. Pure: from numbers to Rich text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, zip_longest

from rich.text import Text

from studyattn.grading.number_form import NumberForm
from studyattn.tui.theme import colours, is_terminal

Matrix = Sequence[Sequence[float]]  # rows of numbers, all of one length
CELLS = 2  # columns of one entry of a map

SHADES = " ░▒▓█"

_FAINTEST = 0.14  # of the strength: below 2 % of the largest size nothing is drawn

_GAP = 3
_LONGEST_NAME = 6
_INFINITE = {math.inf: "∞", -math.inf: "-∞"}
_MOST_PRINTED = 8  # columns of a matrix up to which its values are printed too

_WEAKEST = 0.4
"""How much of its colour the smallest value has that is drawn; the rest is the ground's."""

MARK = "*"  # follows a number that is wrong

Marks = Sequence[Sequence[bool]]


@dataclass(frozen=True, slots=True)
class Panel:
    """A matrix with a name, to be drawn beside others; `labels` of its rows, `top` of columns."""

    title: str
    values: Matrix
    peak: float  # the size that has the darkest shade; maps to be compared share one
    labels: Sequence[str] = ()
    top: Sequence[str] = ()
    wrong: Marks = ()  # entries that are marked; none where it is empty
    chosen: tuple[int, int] | None = None  # row and column of an entry that is reversed
    fine: bool = False  # True if a number near zero is told from zero
    across: bool = False  # True if the map is beside the numbers, not below them
    numbers: bool = True  # False for the map alone, however few columns it has
    form: NumberForm | None = None
    """How its numbers are written; as short as `number` writes them where there is none."""


def peak_of(*matrices: Matrix) -> float:
    """The largest finite size of any entry; 0 where there is none."""
    entries = chain.from_iterable(chain.from_iterable(matrices))
    return max(map(abs, filter(math.isfinite, entries)), default=0.0)


def shade(value: float, peak: float) -> str:
    """The two cells of one entry."""
    if math.isnan(value):
        return "??"
    if math.isinf(value):
        return "∞∞" if value > 0 else "-∞"
    mark = SHADES[_level(value, peak)]
    return f"{mark}-" if value < 0 and mark != " " else mark * CELLS


def map_row(row: Sequence[float], peak: float) -> Text:
    """One row of a map: two cells an entry."""
    text = Text()
    for value in row:
        text.append(shade(value, peak), style=_colour(value, peak))
    return text


def number(value: float, *, whole: bool = False, fine: bool = False) -> str:
    """A value in few columns: `.31`, `-1.20`, `12.5`, `3e+05`; `fine`: a small one is no `.00`."""
    if not math.isfinite(value):
        return _INFINITE.get(value, "nan")
    size = abs(value)
    if size and (size >= 10_000 or (fine and size < 0.005)):
        return f"{value:.0e}"
    if whole:
        return f"{value:.0f}"
    text = f"{value:.0f}" if size >= 100 else f"{value:.1f}" if size >= 9.995 else f"{value:.2f}"
    return text.replace("0.", ".", 1) if size < 0.995 else text


def number_rows(values: Matrix, *, fine: bool = False, form: NumberForm | None = None) -> list[str]:
    """Rows of right-aligned numbers, in a `form` or as precise as the matrix or `fine` needs."""
    return ["  ".join(row) for row in _cells(values, fine=fine, form=form)]


def _cells(
    values: Matrix, *, fine: bool = False, least: int = 0, form: NumberForm | None = None
) -> list[list[str]]:
    """The numbers, all of one width, `least` or more."""
    finite = [*filter(math.isfinite, chain.from_iterable(values))]
    whole = all(x == int(x) for x in finite)
    fine = fine or 0 < peak_of(values) < 0.005
    write = form.write if form else partial(number, whole=whole, fine=fine)
    cells = [[*map(write, row)] for row in values]
    width = max([least, *map(len, chain.from_iterable(cells))])
    return [[cell.rjust(width) for cell in row] for row in cells]


def panel(shown: Panel) -> list[Text]:
    """Title, names of columns, numbers where they are few, and the map with them."""
    columns = max(map(len, shown.values), default=0)
    numbers = _marked_rows(shown) if shown.numbers and columns <= _MOST_PRINTED else []
    single = numbers and columns == len(numbers) == 1  # nothing to compare with in a map
    maps = [] if single else [map_row(row, shown.peak) for row in shown.values]
    lines = [Text(shown.title, style="bold")]
    lines += _head(shown, (numbers or maps)[0])
    if shown.across and len(numbers) == len(maps):
        both = [Text("   ").join(pair) for pair in zip(numbers, maps, strict=True)]
        return [*lines, *_labelled(shown, both)]
    return [*lines, *_labelled(shown, numbers), *_labelled(shown, maps)]


def _marked_rows(shown: Panel) -> list[Text]:
    """Numbers, those that are wrong with a mark, the chosen one reversed."""
    least = min(_LONGEST_NAME, max((len(name) for name in shown.top), default=0))
    any_wrong = any(map(any, shown.wrong))
    gap, unmarked = (" ", " ") if any_wrong else ("  ", "")
    style = colours().wrong
    marked = []
    for at, row in enumerate(_cells(shown.values, fine=shown.fine, least=least, form=shown.form)):
        cells = []
        for column, cell in enumerate(row):
            if any_wrong and shown.wrong[at][column]:
                cells.append(Text(cell + MARK, style))
            else:
                chosen = "reverse" if shown.chosen == (at, column) else ""
                cells.append(Text.assemble((cell, chosen), unmarked))
        marked.append(Text(gap).join(cells))
    return marked


def _head(shown: Panel, first: Text) -> list[Text]:
    """Names above the columns of numbers, and above those of a map."""
    if not shown.top:
        return []
    columns = len(shown.top)
    if columns > _MOST_PRINTED or not shown.numbers:
        names = "".join(name[:CELLS].ljust(CELLS) for name in shown.top)
    else:
        width = (len(first.plain) + 2) // columns - 2  # of one number in the row
        names = "  ".join(name[:width].rjust(width) for name in shown.top)
    return [Text(" " * _margin(shown) + names, style=colours().quiet)]


def _labelled(shown: Panel, rows: Sequence[Text]) -> list[Text]:
    margin, quiet = _margin(shown), colours().quiet
    labels = shown.labels or [""] * len(rows)
    pairs = zip(labels, rows, strict=False)  # there are no rows of numbers where they are many
    return [Text.assemble((f"{label:<{margin}}", quiet), row) for label, row in pairs]


def _margin(shown: Panel) -> int:
    longest = max((len(label) for label in shown.labels), default=0)
    return longest + 1 if longest else 0


def beside(blocks: Sequence[Sequence[Text]], width: int) -> list[Text]:
    """Blocks side by side as far as `width` allows, the others below."""
    lines: list[Text] = []
    row: list[Sequence[Text]] = []
    used = 0
    for block in blocks:
        wide = _width(block)
        if row and used + _GAP + wide > width:
            lines += [*_joined(row), Text()]
            row, used = [], 0
        used += wide + (_GAP if row else 0)
        row.append(block)
    return [*lines, *_joined(row)]


def fits(blocks: Sequence[Sequence[Text]], width: int) -> bool:
    """Return True if all blocks fit beside each other in `width`."""
    return sum(map(_width, blocks)) + _GAP * (len(blocks) - 1) <= width


def _joined(blocks: Sequence[Sequence[Text]]) -> list[Text]:
    widths = [_width(block) for block in blocks]
    lines = []
    for parts in zip_longest(*blocks):
        line = Text()
        for part, width in zip(parts, widths, strict=True):
            text = part or Text()
            line.append_text(text)
            line.append(" " * (width - text.cell_len + _GAP))
        line.rstrip()
        lines.append(line)
    return lines


def _width(block: Sequence[Text]) -> int:
    return max((line.cell_len for line in block), default=0)


def _strength(value: float, peak: float) -> float:
    """0 for nothing, 1 for the largest size."""
    return math.sqrt(min(1.0, abs(value) / peak)) if peak > 0 else 0.0


def _level(value: float, peak: float) -> int:
    """0 for nothing, then 1 to 4."""
    strength = _strength(value, peak)
    return 0 if strength < _FAINTEST else min(4, 1 + int(strength * 4 - 1e-9))


def _colour(value: float, peak: float) -> str:
    if not math.isfinite(value) or not _level(value, peak):
        return ""
    worn = colours()
    strong = worn.wrong if value < 0 else worn.accent
    if is_terminal() or not strong:
        return strong
    share = _WEAKEST + (1 - _WEAKEST) * _strength(value, peak)
    return _between(worn.ground, strong, share)


@lru_cache(maxsize=512)
def _between(weak: str, strong: str, share: float) -> str:
    """A colour on the way from one to the other."""
    ends = [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in (weak, strong)]
    mixed = (round(one + (other - one) * share) for one, other in zip(*ends, strict=True))
    return "#" + "".join(f"{each:02x}" for each in mixed)
