"""Titles: read without the Markdown reader where they are simple, and as it reads them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from studyattn.packs.locate import installed_packs
from studyattn.packs.read import load_pack
from studyattn.text import cloze, render, titles
from studyattn.text.characters import first_line

PARTS = ["a", "b2", "é", "²", " ", "  ", "(", ")", ".", ",", "!", "|", ":", "::", "-", "#", "1. "]
MARKS = [*"`$*_=<&~[]\\", "**", "==", "``", "$$", "]( ", "&amp;", "\\(", "\t", "\x00", "\u2028"]
WHOLE = ["`a b`", "$x_1$", "$\\frac{1}{2}$", "*b*", "**b c**", "==a==", "==2|$x$::hint==", "d_k"]


def test_titles_of_the_packs_are_what_the_reader_says() -> None:
    packs = [load_pack(folder) for folder in installed_packs()]
    found = [first_line(each.card.front) for pack in packs for each in pack.items() if each.card]
    found += [each.title for pack in packs for each in pack.concepts.values()]
    found += [each.title for pack in packs for each in pack.drills.values()]
    for title in found:
        assert titles.words(title) == render.plain(title)
        assert titles.words(title, gaps=True) == render.plain(cloze.gapped(title))


@given(st.lists(st.sampled_from([*PARTS, *MARKS, *WHOLE]), max_size=12).map("".join))
def test_any_line_is_what_the_reader_says(line: str) -> None:
    assert titles.words(line) == render.plain(line)
    assert titles.words(line, gaps=True) == render.plain(cloze.gapped(line))
