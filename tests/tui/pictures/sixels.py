"""A reader of sixel, for tests: which colour is where."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"#(\d+)(?:;2;(\d+);(\d+);(\d+))?|!(\d+)([?-~])|([?-~])|([$-])")


def read_sixel(text: str) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the colour of each pixel that is drawn, by its column and row, in percent."""
    found = re.fullmatch(r'\x1bP[\d;]*q"1;1;\d+;\d+(.*)\x1b\\', text)
    assert found, text[:80]
    palette: dict[str, tuple[int, ...]] = {}
    drawn: dict[tuple[int, int], tuple[int, ...]] = {}
    column = top = 0
    colour, end = "", 0
    for token in _TOKEN.finditer(found[1]):
        assert token.start() == end, found[1][end : end + 20]
        end = token.end()
        number, *shares, times, repeated, single, move = token.groups()
        if number is not None:
            colour = number
            if shares[0] is not None:
                palette[number] = tuple(int(share) for share in shares)
        elif move is not None:
            column, top = 0, top + (6 if move == "-" else 0)
        else:
            bits = ord(repeated or single) - ord("?")
            end_of_run = column + int(times or 1)
            for at in range(column, end_of_run):
                for bit in range(6):
                    if bits >> bit & 1:
                        drawn[at, top + bit] = palette[colour]
            column = end_of_run
    assert end == len(found[1])
    return drawn
