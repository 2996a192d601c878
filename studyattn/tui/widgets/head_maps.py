"""All heads of a model as small maps, and one of them large: from numbers to Rich text.

A small map is six cells wide and three high: braille dots, a dot a token or a few of them, more
dots for larger weights. Above the diagonal, where a causal head has no weight, stands the letter of
its kind, so that the maps say the same without any colour.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from studyattn.lm.records import Guess, HeadTables, HeadWeights, Patterns, Share
from studyattn.tui.theme import colours
from studyattn.tui.widgets.heatmap import CELLS, map_row, number, peak_of

CELLS_ACROSS: Final = 6
LINES: Final = 3  # the size of a small map

_STEP: Final = CELLS_ACROSS + 1
_DOTS: Final = 11  # dots across and down; the last column and line of them stay empty
_LABEL: Final = 3
_GAP: Final = 2

_THRESHOLDS: Final = ((0.3, 0.6), (0.75, 0.45))
"""How strong a weight must be for its dot, by its place: less weight, fewer dots."""

_BITS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The dots of a braille cell, row by row."""


class HeadKind(NamedTuple):
    """A kind of heads: its letter in a map, its name, and which of the theme's colours it has."""

    letter: str
    name: str
    colour: str


KINDS: Final = {
    "induction": HeadKind("i", "induction", "wrong"),
    "same": HeadKind("s", "same token", "hard"),
    "previous": HeadKind("p", "previous token", "accent"),
    "bracket": HeadKind("b", "bracket or quote", "text"),
    "first": HeadKind("f", "first token", "quiet"),
    "none": HeadKind(" ", "none of these", "right"),
}
"""The kinds of heads, in the order in which they are sorted."""

ORDER: Final = tuple(KINDS)

_LONGEST_NAME: Final = 9  # cells of a token beside a row or above a column


# ── all heads ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Run:
    """Heads that stand side by side behind a label, as places in the list of all heads."""

    label: str
    heads: tuple[int, ...]


Rows = tuple[tuple[Run, ...], ...]
"""The lines of maps, each of one run or of several with a gap between."""


def by_layer(heads: Sequence[HeadWeights], width: int) -> Rows:
    """Arrange heads by layer: as many whole layers on a line as `width` has room for."""
    layers: dict[int, list[int]] = {}
    for place, head in enumerate(heads):
        layers.setdefault(head.layer, []).append(place)
    most = max(1, (width - _LABEL) // _STEP)
    runs = [
        Run(str(layer) if not begin else "", tuple(own[begin : begin + most]))
        for layer, own in layers.items()
        for begin in range(0, len(own), most)
    ]
    longest = max((len(run.heads) for run in runs), default=1)
    beside = max(1, (width + _GAP) // (_LABEL + longest * _STEP + _GAP))
    return tuple(tuple(runs[at : at + beside]) for at in range(0, len(runs), beside))


def by_kind(heads: Sequence[HeadWeights], width: int) -> Rows:
    """Arrange heads by kind, those with the largest mean weight of it first."""

    def rank(place: int) -> tuple[int, float]:
        head = heads[place]
        return ORDER.index(head.kind), -head.weights.get(head.kind, 0.0)

    order = sorted(range(len(heads)), key=rank)
    most = max(1, width // _STEP)
    return tuple((Run("", tuple(order[at : at + most])),) for at in range(0, len(order), most))


def moved(rows: Rows, chosen: int, across: int, down: int) -> int:
    """Return the head that is so many places and lines of maps from the chosen one."""
    lines = [[place for run in row for place in run.heads] for row in rows]
    order = [place for line in lines for place in line]
    if across:
        at = order.index(chosen) + across
        chosen = order[max(0, min(at, len(order) - 1))]
    row = next(at for at, line in enumerate(lines) if chosen in line)
    column = lines[row].index(chosen)
    line = lines[max(0, min(row + down, len(lines) - 1))]
    return line[min(column, len(line) - 1)]


def line_of(rows: Rows, chosen: int) -> int:
    """Return the first line of text of the chosen head's map."""
    return LINES * next(
        at for at, row in enumerate(rows) if any(chosen in run.heads for run in row)
    )


def small_map(weights: bytes, n: int, letter: str = " ") -> tuple[str, ...]:
    """Return the lines of a head's map; `weights` has a byte for each of `n` x `n`."""
    cells = [[0] * CELLS_ACROSS for _ in range(LINES)]
    size = max(1, _DOTS // n)  # dots a token
    dots = min(_DOTS, n * size)
    for y in range(dots):
        rows = _tokens_of(y, dots, n)
        for x in range(dots):
            columns = _tokens_of(x, dots, n)
            peak = max(weights[r * n + c] for r in rows for c in columns)
            if math.sqrt(peak / 255) >= _THRESHOLDS[y % 2][x % 2]:
                cells[y // 4][x // 2] |= _BITS[y % 4][x % 2]
    lines = ["".join(chr(0x2800 + cell) if cell else " " for cell in row) for row in cells]
    return (lines[0][:-1] + lines[0][-1].replace(" ", letter), *lines[1:])


def _tokens_of(dot: int, dots: int, n: int) -> range:
    """Return the tokens that one of the dots in a row stands for."""
    first = dot * n // dots
    return range(first, max(first + 1, (dot + 1) * n // dots))


def small_maps(found: Patterns) -> list[tuple[str, ...]]:
    n = len(found.pieces)
    return [
        small_map(found.weights[at * n * n : (at + 1) * n * n], n, KINDS[head.kind].letter)
        for at, head in enumerate(found.heads)
    ]


def grid(
    rows: Rows, maps: Sequence[tuple[str, ...]], heads: Sequence[HeadWeights], chosen: int
) -> Text:
    """Draw lines of maps, the chosen one reversed."""
    lines = []
    for row in rows:
        is_labelled = any(run.label for run in row)
        for at in range(LINES):
            line = Text()
            for run in row:
                if is_labelled:
                    line.append((run.label if at == 0 else "").ljust(_LABEL), colours().quiet)
                for place in run.heads:
                    style = colour(heads[place].kind)
                    style = f"{style} reverse".strip() if place == chosen else style
                    line.append(maps[place][at], style)
                    line.append(" ")
                line.append(" " * _GAP)
            line.rstrip()
            lines.append(line)
    return Text("\n").join(lines)


def colour(kind: str) -> str:
    """Return the style of a kind of heads."""
    return "" if "NO_COLOR" in os.environ else str(getattr(colours(), KINDS[kind].colour))


def legend(heads: Iterable[HeadWeights], width: int) -> Text:
    """Return how many heads there are of each kind, with the kinds' letters."""
    counted = Counter(head.kind for head in heads)
    known = {name: kind for name, kind in KINDS.items() if counted[name]}
    whole, short = (
        Text(gap).join(
            Text(f"{KINDS[name].letter} {word} {counted[name]}".strip(), colour(name))
            for name, word in words.items()
        )
        for gap, words in (
            ("   ", {name: kind.name for name, kind in known.items()}),
            ("  ", {name: name for name in known}),
        )
    )
    return whole if whole.cell_len <= width else short


def name_of(head: HeadWeights) -> str:
    """Return a head's place, its kind and the mean weight that makes it one of that kind."""
    weight = head.weights.get(head.kind)
    told = "" if weight is None else f" {weight:.2f}"
    return f"{head.layer}.{head.head}   {KINDS[head.kind].name}{told}"


# ── one head ─────────────────────────────────────────────────────────────────────────────────────


def piece(text: str) -> str:
    """Return a token as it is shown: without what cannot be printed, a blank one as `␣`."""
    shown = "".join(
        "⏎" if each == "\n" else each if each.isprintable() else "·" for each in text
    ).strip()
    return shown or "␣"


def weights_map(tables: HeadTables, row: int) -> list[Text]:
    """Draw the weights with a token on both axes; `row` is the query that is chosen."""
    names = [piece(each) for each in tables.pieces]
    margin = _margin(names)
    lines = [Text("weights: query (row), key (column)", "bold")]
    lines += _heading(names, margin + 2)
    for at, weights in enumerate(tables.weights):
        line = Text.assemble(("▸ ", "bold") if at == row else "  ")
        line.append(set_cell_size(names[at], margin), "bold" if at == row else colours().quiet)
        lines.append(line.append_text(map_row(weights, 1.0)))
    return lines


def rows_begin(pieces: Sequence[str]) -> int:
    """Return the line of `weights_map` in which the first query's row is."""
    return 1 + max(min(_LONGEST_NAME, len(piece(each))) for each in pieces)


def values_map(tables: HeadTables) -> list[Text]:
    """Draw the values, a column a token, and above them how long each of these vectors is."""
    names = [piece(each) for each in tables.pieces]
    lengths = [_length(value) for value in tables.values]
    lines = [Text("values: feature (row), token (column)", "bold")]
    lines += _heading(names, 10)
    line = Text(set_cell_size("length", 10), colours().quiet)
    lines.append(line.append_text(map_row(lengths, max(lengths, default=0.0))))
    peak = peak_of(tables.values)
    for feature, across in enumerate(zip(*tables.values, strict=True)):
        line = Text(set_cell_size(str(feature), 10), colours().quiet)
        lines.append(line.append_text(map_row(across, peak)))
    return lines


def query_table(tables: HeadTables, row: int) -> list[Text]:
    """Write out the numbers of one query: for each key its score, what meets the softmax, …"""
    names = [piece(each) for each in tables.pieces]
    margin = _margin(names)
    quiet = colours().quiet
    head = f"{'':{margin}}{'q·k':>8}{'softmax of':>12}{'weight':>8}{'|value|':>9}"
    lines = [Text.assemble("from ", (names[row], "bold")), Text(head, quiet)]
    for key, name in enumerate(names):
        met = tables.met[row][key]
        weight = tables.weights[row][key]
        numbers = (
            f"{number(tables.scores[row][key]):>8}{'-∞' if met is None else number(met):>12}"
            f"{number(weight):>8}{number(_length(tables.values[key])):>9}"
        )
        label = (set_cell_size(name, margin), quiet)
        lines.append(Text.assemble(label, (numbers, quiet if weight < 0.005 else "")))
    return lines


def next_line(shares: Sequence[Share], *, is_switched: bool) -> Text:
    """Write the likeliest next tokens on one line, also as they are with the head switched."""
    line = Text("next:", colours().quiet)
    for each in shares[:4]:
        after = f" → {each.after:.2f}" if is_switched else ""
        line.append(f"  {piece(each.text)} ", "bold").append(f"{each.before:.2f}{after}")
    return line


def next_tokens(shares: Sequence[Share], switched: str) -> list[Text]:
    """Write the likeliest next tokens; with `switched`, also what that makes of them."""
    quiet = colours().quiet
    if not switched:
        lines = [Text("next token", "bold")]
        return lines + [Text.assemble(_named(each.text), f"{each.before:>8.3f}") for each in shares]
    lines = [Text(f"next token, {switched}", "bold")]
    lines.append(Text(f"{'':12}{'before':>8}{'after':>8}", quiet))
    for each in shares:
        change = each.after - each.before
        sign = " " if abs(change) < 0.0005 else "+" if change > 0 else "−"
        moved_by = f"  {sign}{abs(change):.3f}" if sign.strip() else ""
        numbers = f"{each.before:>8.3f}{each.after:>8.3f}{moved_by}"
        lines.append(Text.assemble(_named(each.text), numbers))
    return lines


def guesses_by_layer(layers: Sequence[Sequence[Guess]], width: int) -> list[Text]:
    """Write the likeliest next tokens of each layer, from the embedding up."""
    quiet = colours().quiet
    each = 20
    most = max(1, (width - 6) // each)
    lines = []
    for layer, best in enumerate(layers):
        line = Text(f"{layer:>3}   ", quiet)
        for guess in best[:most]:
            cell = f"{set_cell_size(piece(guess.text), 12)} {number(guess.probability)}"
            line.append(set_cell_size(cell, each), "" if guess.probability >= 0.1 else quiet)
        line.rstrip()
        lines.append(line)
    return lines


def _named(text: str) -> str:
    return set_cell_size(piece(text), 12)


def _margin(names: Sequence[str]) -> int:
    return 1 + min(_LONGEST_NAME, max((cell_len(name) for name in names), default=0))


def _heading(names: Sequence[str], margin: int) -> list[Text]:
    """Write the names of columns from top to bottom, each ending above its column."""
    cut = [name[:_LONGEST_NAME] for name in names]
    height = max(map(len, cut), default=0)
    rows = zip(*(name.rjust(height) for name in cut), strict=True)
    across = ("".join(set_cell_size(letter, CELLS) for letter in row) for row in rows)
    return [Text(" " * margin + row, colours().quiet) for row in across]


def _length(vector: Sequence[float]) -> float:
    return math.sqrt(math.fsum(x * x for x in vector))
