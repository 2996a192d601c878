"""What is drawn of trained models: text on lines, and what the numbers mean."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from studyattn.lm.records import CacheCheck
from studyattn.study.practice.gpt import TrainedModel
from studyattn.study.practice.model_page import ModelStyles, flowed, numbers

RIGHT = TrainedModel(
    *("gpt", "a text", None, "", (), 100, 900),
    loss=1.5,
    curve=((0, 4.5), (900, 1.6094)),
    cache=CacheCheck(same=True, difference=0.0),
)
DIVERGED = TrainedModel("scale-missing", "a text", "scale-missing", "", (), 100, curve=((0, None),))


@given(st.text(st.sampled_from("ab 字"), max_size=60), st.integers(2, 12))
def test_a_text_flows_into_lines_of_a_width_and_keeps_every_character(
    text: str, width: int
) -> None:
    lines = flowed(text, width)
    assert all(0 < cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_a_word_wider_than_a_line_begins_where_another_ends() -> None:
    assert flowed("The eeeeeeeeeee ee", 6) == ["The ee", "eeeeee", "eee ee"]


def test_numbers_are_told_with_what_they_mean() -> None:
    told = " ".join(numbers((RIGHT, DIVERGED), width=60, styles=ModelStyles()).plain.split())
    assert "validation loss ● 1.609 ○ no number" in told
    assert "perplexity ● 5.0 ○ –" in told
    assert "cached = plain ● yes ○ –" in told
    assert "as unsure as between so many equally likely characters" in told
    assert "●" not in numbers((), width=60, styles=ModelStyles()).plain
