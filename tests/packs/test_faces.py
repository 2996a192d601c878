"""Every card of the built-in pack, as it is drawn in a small terminal."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from rich.cells import cell_len

from studyattn.bundled import content_dir
from studyattn.packs.model import PackItem
from studyattn.packs.read import load_pack
from studyattn.text.render import render

SMALL, ENDLESS = 72, 2000  # columns
_LATEX = re.compile(r"\\[a-zA-Z]+|\$[^$ ]+\$|[_^]\{")
_DRAWN = re.compile(r"[\s─━│┃╶╴┼┬┴├┤┌┐└┘╭╮╰╯⎛⎜⎝⎞⎟⎠⎡⎢⎣⎤⎥⎦⎧⎨⎩⎪⎫⎬⎭]")


def drawn(item: PackItem, width: int) -> str:
    assert item.card is not None
    return "\n".join(render(each, width=width).plain for each in (item.card.front, item.card.back))


@pytest.mark.parametrize("part", range(4))
def test_nothing_of_a_card_is_cut_at_72_columns_and_no_formula_stays_latex(part: int) -> None:
    items = load_pack(content_dir() / "attention").items()
    for item in [item for item in items if item.card is not None][part::4]:
        small, endless = drawn(item, SMALL), drawn(item, ENDLESS)
        assert max(map(cell_len, small.split("\n"))) <= SMALL, item.guid
        assert characters(small) == characters(endless), item.guid
        assert not _LATEX.search(small), item.guid


def characters(text: str) -> Counter[str]:
    """What is written, without blanks and lines, of which there may be more in less room."""
    return Counter(_DRAWN.sub("", text))
