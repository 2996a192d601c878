"""The first model on Today and after a drill: drawn in the width there is."""

from __future__ import annotations

import pytest

from studyattn.lm.records import WrittenText
from studyattn.study.practice.first_model import FirstModelText
from studyattn.tui.widgets.first_model import draw_beside, draw_today

BEFORE = WrittenText(("dot-product",), "Mia has a red ball. Tom has", "a yellow. · " * 12, 1.9, 0.1)
NOW = WrittenText(("dot-product", "softmax"), BEFORE.prompt, "a blue cup. " * 12, 1.8, 0.1)
MODEL = FirstModelText("digest", NOW, BEFORE)


@pytest.mark.parametrize("width", [48, 73, 100])
def test_it_fits_with_its_losses_and_what_comes_next(width: int) -> None:
    for lines in (draw_today(MODEL, width, 17), draw_beside(MODEL, width)):
        text = "\n".join(line.plain for line in lines)
        assert "1.80" in text
        assert "1.90" in text
        assert all(line.cell_length <= width for line in lines)
    assert "next weighted-sum" in "\n".join(line.plain for line in draw_today(MODEL, width, 17))


def test_before_and_now_are_side_by_side_below_what_made_the_difference() -> None:
    first, *sides = (line.plain for line in draw_beside(MODEL, 73))
    assert first.startswith("softmax: ")
    assert any("before · loss 1.90" in each and "now · loss 1.80" in each for each in sides)


def test_code_that_cannot_be_used_is_told() -> None:
    faulty = FirstModelText("digest", NOW, BEFORE, "softmax: it is too slow")
    for lines in (draw_today(faulty, 73, 17), draw_beside(faulty, 73)):
        assert any("too slow" in line.plain for line in lines)


def test_a_drill_that_was_written_before_made_no_difference() -> None:
    shown = "\n".join(line.plain for line in draw_beside(MODEL, 73, "dot-product"))
    assert "now · loss 1.80" in shown
    assert "before" not in shown
    assert "softmax: " not in shown
    again = "\n".join(line.plain for line in draw_beside(MODEL, 73, "softmax"))
    assert "before · loss 1.90" in again
