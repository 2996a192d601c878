"""Attention in the inputs of a counterexample."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from studyattn.tui.attention_view.example import SLIDES, AttentionStep, AttentionView, Maps, Vectors
from studyattn.tui.attention_view.own_example import example_of
from studyattn.tui.attention_view.tables import tables

Q, K, V = [[1.0, 2.0]], [[0.0, 1.0], [1.0, 0.0]], [[3.0], [4.0]]


def test_queries_keys_and_values_as_they_are() -> None:
    found = example_of({"q": Q, "k": K, "v": V}, "t")
    assert found is not None
    assert (found.queries, found.keys) == (("q1",), ("k1", "k2"))
    assert AttentionStep.X not in found.steps
    made = tables(found, 0, AttentionView())
    expected = np.exp(np.array([2, 1]) / 2**0.5)
    assert np.allclose(made[AttentionStep.WEIGHTS], expected / expected.sum())
    assert len(made[AttentionStep.OUTPUT]) == 1


def test_without_values_there_is_no_output() -> None:
    found = example_of({"q": Q, "k": K, "v": [[1.0]]}, "t")
    assert found is not None
    assert AttentionStep.V not in found.steps
    assert AttentionStep.OUTPUT not in tables(found, 0, AttentionView())


def test_leading_axes_are_heads() -> None:
    found = example_of({"q": [Q, Q], "k": [K, K], "v": [V, V]}, "t")
    assert found is not None
    assert [type(head) for head in found.heads] == [Vectors, Vectors]


def test_tokens_and_maps_with_a_mask_and_a_context() -> None:
    head = SLIDES.heads[0]
    assert isinstance(head, Maps)
    wide = [[*row, *row] for row in head.w_q]
    given = {"x": [list(row) for row in SLIDES.x or ()], "w_q": wide, "w_k": wide, "w_v": wide}
    found = example_of({**given, "num_heads": 2}, "t")
    assert found is not None
    assert len(found.heads) == 2
    assert (
        tables(found, 1, AttentionView())[AttentionStep.Q]
        == tables(SLIDES, 0, AttentionView())[AttentionStep.Q]
    )
    crossed = example_of({**given, "context": given["x"][:2], "mask": [[1, 0]] * 4}, "t")
    assert crossed is not None
    assert crossed.keys == ("k1", "k2")
    assert crossed.mask.allowed == ((True, False),) * 4


@pytest.mark.parametrize(
    "arrays",
    [
        {},
        {"q": Q},
        {"q": Q, "k": [[1.0]]},
        {"q": [[0.0] * 40], "k": [[0.0] * 40]},
        {"q": [[0.0]] * 40, "k": [[0.0]] * 40},
        {"x": [[1.0]], "w_q": Q, "w_k": Q, "w_v": Q, "num_heads": 0},
        {"x": [[1.0, 2.0]], "w_q": Q, "w_k": Q, "w_v": Q},
    ],
)
def test_what_is_no_attention_or_too_large_is_none(arrays: dict[str, Any]) -> None:
    assert example_of(arrays, "t") is None
