"""Numbers that a learner writes: read back as they were, or refused with a reason."""

from __future__ import annotations

import pytest

from studyattn.errors import InputError
from studyattn.tui.attention_view.example import (
    EXAMPLES,
    GALLERY,
    SLIDES,
    AttentionExample,
    AttentionStep,
    AttentionView,
    Maps,
    Vectors,
)
from studyattn.tui.attention_view.own_example import read, written
from studyattn.tui.attention_view.tables import tables

CROSS, HEADS, WINDOW = (EXAMPLES[name] for name in ("cross", "heads", "window"))

GIVEN = AttentionExample(
    "Given", ("a",), ("b", "c"), (Vectors(((1, 2),), ((0, 1), (1, 0)), ((3,), (4,))),)
)


@pytest.mark.parametrize("example", [*GALLERY, GIVEN], ids=lambda each: each.title)
def test_what_was_not_changed_stays_the_example(example: AttentionExample) -> None:
    for head in range(len(example.heads)):
        assert read(example, head, written(example, head)) is example
    changed = read(example, 0, written(example, 0) + "\n ")
    assert changed is example


@pytest.mark.parametrize("example", [*GALLERY, GIVEN], ids=lambda each: each.title)
def test_all_of_it_is_read_back(example: AttentionExample) -> None:
    other = read(example, 0, written(example, 0).replace("mask:", "\nmask:"))
    assert other.title == "Your own numbers"
    assert not other.printed
    for view in (AttentionView(), AttentionView(masked=True)):
        assert tables(other, 0, view) == tables(example, 0, view)


def test_a_head_of_two_is_replaced_alone() -> None:
    kept = read(HEADS, 1, written(HEADS, 1).replace("W_V:\n1 ", "W_V:\n5 "))
    assert kept.heads[0] == HEADS.heads[0]
    changed = kept.heads[1]
    assert isinstance(changed, Maps)
    assert changed.w_v[0][0] == 5


def test_another_mask_and_other_tokens() -> None:
    text = written(SLIDES, 0)
    first = "1 0 0 0\n1 1 1 1\n1 1 1 1\n1 1 1 1"
    masked = read(SLIDES, 0, text.replace("causal", f"\n{first}").replace("phones", "pie"))
    assert masked.keys[-1] == "pie"
    assert tables(masked, 0, AttentionView(masked=True))[AttentionStep.WEIGHTS][0] == (1, 0, 0, 0)
    assert "mask:\n1 1 0 0 0" in written(WINDOW, 0)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("0.9 1.1 0.1 0\n", "", "X has 3 rows for 4 tokens"),
        ("0.9 1.1 0.1 0", "1", "different lengths"),
        ("0.9 1.1", "one", "could not convert"),
        ("0.9 1.1", "nan 1", "too large"),
        ("I love apple phones", "", "1 to 12 tokens"),
        ("W_Q:\n1 0\n", "W_Q:\n", "W_Q has 3 rows"),
        ("W_K:\n1 0\n0 1\n0 1\n1 0", "W_K:\n1\n0\n0\n1", "queries have width 2 and keys 1"),
        ("W_K:", "W_Z:", "W_K is missing"),
        ("mask: causal", "mask:\n1 0", "it is 1 × 2 for 4 queries and 4 keys"),
        ("mask: causal", "masc: causal", "there is no 'masc' here"),
        ("tokens: ", "", "the first line has no name"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_reason(old: str, new: str, reason: str) -> None:
    text = written(SLIDES, 0)
    assert old in text
    with pytest.raises(InputError, match=reason):
        read(SLIDES, 0, text.replace(old, new, 1))


def test_a_context_has_its_own_rows() -> None:
    text = written(CROSS, 0)
    assert "queries: die Katze sah" in text
    with pytest.raises(InputError, match="C has 4 rows for 3 keys"):
        read(CROSS, 0, text.replace("keys: the ", "keys: "))
