"""What a terminal answers is taken out of what is typed, however it is cut into pieces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.study.settings import Pictures
from studyattn.tui.pictures.canvas import Cell
from studyattn.tui.pictures.choice import decide
from studyattn.tui.pictures.question import Answers, Replies, question

_CELL = "\x1b[6;20;10t"
_KITTY = f"\x1b_Gi=31;OK\x1b\\\x1bP>|kitty(0.42.1)\x1b\\{_CELL}\x1b[?62;52;c"
_FOOT = f"\x1bP>|foot(1.21.0)\x1b\\{_CELL}\x1b[?1;0;1024S\x1b[?62;4;22c"
_KEYS = ("a", "é", "\x1b[A", "\x1b", "\x1b[<35;10;20M", "\x1b[?2026;2$y", "\x1b[200~b\x1b[201~")


@given(st.data())
def test_replies_among_keys(data: st.DataObject) -> None:
    said = data.draw(st.sampled_from([_KITTY, _FOOT]))
    before, after = data.draw(st.lists(st.sampled_from(_KEYS))), data.draw(st.text("ab\x1b["))
    stream = "".join(before) + said + after
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    asked = Replies()
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    rest = "".join(asked.take(piece) if asked.awaits() else piece for piece in pieces)
    assert rest == "".join(before) + after
    assert not asked.awaits()
    assert asked.answers().cell == Cell(10, 20)
    assert asked.answers().kitty is (said is _KITTY)
    assert asked.answers().sixel is (said is _FOOT)


def test_a_key_that_could_begin_a_reply_is_given_back() -> None:
    asked = Replies()
    assert asked.take("\x1b") == ""
    assert asked.held
    assert asked.release() == "\x1b"
    assert asked.take("\x1b_G" + 300 * "x") == "\x1b_G" + 300 * "x"


@pytest.mark.parametrize(
    ("replies", "outside", "expected"),
    [
        (_KITTY, "", Pictures.KITTY),
        (_FOOT, "", Pictures.SIXEL),
        # It speaks kitty's protocol without the characters that stand for parts of a picture.
        (_FOOT.replace("foot", "WezTerm") + "\x1b_Gi=31;OK\x1b\\", "", Pictures.SIXEL),
        ("\x1b_Gi=31;OK\x1b\\\x1bP>|Warp(v0.2026)\x1b\\\x1b[?62;c", "", Pictures.BLOCKS),
        (_KITTY.replace("0.42.1", "0.26.5"), "", Pictures.BLOCKS),  # nor does this
        (_KITTY.replace("kitty(0.42.1)", "ghostty 1.2.0"), "", Pictures.KITTY),
        ("\x1b[?1;2c", "", Pictures.BLOCKS),
        ("\x1b[?1;2;4c", "", Pictures.BLOCKS),  # how large is a character?
        (f"{_CELL}\x1b[?1;2;4c", "", Pictures.SIXEL),  # tmux that knows sixel
        ("\x1b[?1;2c", "xterm-kitty", Pictures.KITTY),  # tmux that lets pictures through
        ("", "", Pictures.BLOCKS),
    ],
)
def test_what_answers_mean(replies: str, outside: str, expected: Pictures) -> None:
    asked = Replies()
    asked.take(replies)
    answers = asked.answers()
    assert decide(Pictures.AUTO, answers, outside, cell=answers.cell) is expected
    assert decide(Pictures.KITTY, answers, outside, cell=None) is Pictures.KITTY


def test_a_multiplexer_is_not_asked_what_it_takes_for_a_title() -> None:
    assert "\x1b_G" in question(multiplexed=False)
    assert "\x1b_G" not in question(multiplexed=True)


def test_a_refusal_is_no_support() -> None:
    asked = Replies()
    asked.take("\x1b_Gi=31;ENOTSUP:no\x1b\\\x1b[?62;c")
    assert asked.answers() == Answers()
