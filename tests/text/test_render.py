"""Markdown as lines: what each block looks like, that it fits, and that no word is lost."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from studyattn.text.palette import Palette
from studyattn.text.render import plain, render

MARKS = st.sampled_from(
    [
        *("# ", "- ", "1. ", "> ", "```\n", "$$", "$", "\\(", "\\)", "\\[", "\\]", "==", "**", "_"),
        *("`", "\t", "\n\n", "\n", "[a](b)", "![", "<b>", "- [x] ", "a[i]", "日本", "---\n"),
        *("e\u0301", "\x1b[31m", "\0", "&amp;", "\\", "word ", "| a | b |\n", "|---|---|\n"),
    ]
)


def shown(markdown: str, width: int = 40) -> str:
    return render(markdown, width=width).plain


def styles_at(text: Text, word: str) -> set[str]:
    start = text.plain.index(word)
    return {str(span.style) for span in text.spans if span.start <= start < span.end}


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("one two\nthree", "one two three"),
        ("one  \ntwo", "one\ntwo"),
        ("# Title\n\ntext", "Title\n\ntext"),
        ("- a\n- b\n  - c\n    - d", "• a\n• b\n  ◦ c\n    ▪ d"),
        ("- a\n\n- b", "• a\n\n• b"),
        ("9. a\n10. b", " 9. a\n10. b"),
        ("- [ ] open\n- [x] done", "☐ open\n☑ done"),
        ("> quoted\n> text", "▌ quoted text"),
        ("---", "─" * 40),
        ("a `code` b", "a code b"),
        ("[page](https://a.b/c)", "page (https://a.b/c)"),
        ("<https://a.b/c>", "https://a.b/c"),
        ("![picture](p.png)", "▣ picture (p.png)"),
        ("<div>\nhtml\n</div>", "<div>\nhtml\n</div>"),
        ("a <b>bold</b>", "a <b>bold</b>"),
        ("scores a[i] and [/b] stay", "scores a[i] and [/b] stay"),
        ("costs $5 and $10", "costs $5 and $10"),
        ("root $\\sqrt{d_k}$ and \\(x^2\\)", "root √dₖ and x²"),
        ("unknown $\\foo{x}$ here", "unknown \\foo{x} here"),
        ("```python\nx = a[i]\n\ny = 1\n```", "  x = a[i]\n\n  y = 1"),
        ("---\ntitle: x\n---\n\ntext", "text"),
        ("the ==answer== stands", "the answer stands"),
        ("if a==b and c==d", "if a==b and c==d"),
        ("", ""),
    ],
)
def test_blocks(markdown: str, expected: str) -> None:
    assert shown(markdown) == expected


def test_display_mathematics_stands_on_its_own_lines() -> None:
    assert shown("so\n$$\n\\frac{a}{b}\n$$\nand") == "so\n\n     a\n    ╶─╴\n     b\n\nand"
    assert shown("so \\[ x = y \\] and") == "so\n\n    x = y\n\nand"
    assert shown("$$\\foo{x}$$") == "\\foo{x}"


def test_a_formula_in_a_list_item_is_indented_with_it() -> None:
    assert shown("1. first: $$ x = y $$\n2. second") == "1. first:\n\n       x = y\n\n2. second"


def test_tables() -> None:
    table = "| name | n |\n|:--|--:|\n| query | 1 |\n| key | 22 |"
    assert shown(table) == "name    n\n─────  ──\nquery   1\nkey    22"


def test_a_table_wraps_its_widest_column() -> None:
    table = "| a | b |\n|---|---|\n| x | a cell with a text that is too long for it |"
    lines = shown(table, 24).split("\n")
    assert max(map(cell_len, lines)) <= 24
    assert lines[2].startswith("x  a cell with a")


def test_a_table_without_room_becomes_records() -> None:
    table = "| aaaaaaaa | bbbbbbbb | cccccccc |\n|---|---|---|\n| 1111111 | 2222222 | 3333333 |"
    assert shown(table, 18).split("\n") == [
        "aaaaaaaa: 1111111",
        "bbbbbbbb: 2222222",
        "cccccccc: 3333333",
    ]


def test_tab_separated_rows_are_a_table() -> None:
    rows = "\tI\tlove\nI\t1.80\t1.74\nlove\t1.86\t2.11"
    assert shown(rows) == "         I  love\n────  ────  ────\nI     1.80  1.74\nlove  1.86  2.11"


def test_indented_code_is_no_table() -> None:
    assert shown("text\n\n\tx = 1\n\ty = 2") == "text\n\n  x = 1\n  y = 2"


def test_wide_characters_are_measured_in_cells() -> None:
    lines = shown("注意力机制是变换器的核心部分", 10).split("\n")
    assert [cell_len(line) for line in lines] == [10, 10, 8]


def test_a_combining_mark_stays_with_its_letter() -> None:
    lines = shown("e\u0301" * 10, 4).split("\n")
    assert lines == ["e\u0301" * 4, "e\u0301" * 4, "e\u0301" * 2]


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert "\x1b" not in shown("red \x1b[31m text\n\n```\n\x1b]0;title\x07\n```")


def test_styles_come_from_the_palette() -> None:
    palette = Palette(strong="red", cloze="green", code="blue", keyword="magenta")
    text = render(
        "**bold** ==gap== `code`\n\n```python\ndef f(): pass\n```", width=40, palette=palette
    )
    assert "red" in styles_at(text, "bold")
    assert "green" in styles_at(text, "gap")
    assert "blue" in styles_at(text, "code")
    assert "magenta" in styles_at(text, "def")


def test_code_of_an_unknown_language_is_shown() -> None:
    assert shown("```nosuchlanguage\nx = 1\n```") == "  x = 1"


def test_without_colour_only_weight_and_slant_are_used() -> None:
    palette = Palette.plain()
    for name in palette.names():
        style = Style.parse(getattr(palette, name))
        assert style.color is None, name
        assert style.bgcolor is None, name


def test_a_link_can_be_followed() -> None:
    text = render("[page](https://a.b/c)", width=40)
    links = {span.style.link for span in text.spans if isinstance(span.style, Style)}
    assert "https://a.b/c" in links


def test_plain_titles() -> None:
    assert plain("Why **this** `x` and $\\sqrt d$?") == "Why this x and √d?"


@given(st.lists(MARKS, max_size=30).map("".join), st.integers(min_value=1, max_value=100))
@example("- " * 30 + "deep", 20)
@example("> " * 60 + "deep", 20)
@settings(deadline=None)
def test_no_text_makes_it_fail(markdown: str, width: int) -> None:
    render(markdown, width=width)


WORDS = st.lists(
    st.text(alphabet="abcdefghij日本語éü", min_size=1, max_size=14), min_size=1, max_size=30
)


@given(
    WORDS, st.integers(min_value=8, max_value=60), st.sampled_from(["", "- ", "> ", "1. ", "# "])
)
@settings(deadline=None)
def test_every_word_is_shown_and_every_line_fits(words: list[str], width: int, mark: str) -> None:
    lines = shown(mark + " ".join(words), width).split("\n")
    assert all(cell_len(line) <= width for line in lines)
    letters = re.sub(r"[\s•▌\d.]", "", "".join(lines))
    assert letters == "".join(words)


@given(
    st.lists(st.lists(st.text(alphabet="abc日 ", max_size=12), min_size=3, max_size=3), min_size=1),
    st.integers(min_value=6, max_value=60),
)
@settings(deadline=None)
def test_every_cell_of_a_table_is_shown(rows: list[list[str]], width: int) -> None:
    table = "| x | y | z |\n|---|---|---|\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows)
    lines = shown(table, width).split("\n")
    assert all(cell_len(line) <= width for line in lines)
    for letter in "abc日":
        assert "".join(lines).count(letter) >= sum(
            cell.count(letter) for row in rows for cell in row
        )


def test_drawing_plain_text_loads_no_highlighter() -> None:
    program = (
        "import sys; from studyattn.text.render import render;"
        "render('# a\\n\\n$x^2$', width=40);"
        "print([name for name in ('pygments', 'textual', 'sqlalchemy') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
