"""Tables by hand and by what must hold of them, for every example of the gallery."""

from __future__ import annotations

import math

import pytest

from studyattn.bundled import content_dir
from studyattn.tui.attention_view.example import (
    EXAMPLES,
    GALLERY,
    SLIDES,
    TEMPERATURES,
    AttentionExample,
    AttentionStep,
    AttentionView,
    NumberOrigin,
    Rows,
    Weighting,
    opening_of,
    working,
)
from studyattn.tui.attention_view.tables import tables

CROSS, DECODING, HEADS, LINEAR, ONE_QUERY, PADDED, WINDOW = (
    EXAMPLES[name]
    for name in ("cross", "decoding", "heads", "linear", "one_query", "padded", "window")
)

WITHOUT_PATTERN = {
    "block",
    "embed",
    "sinusoids",
    "adamw-step",
    "bpe-merge",
    "gelu-mlp",
    "generate",
    "layer-norm",
    "lora",
    "low-rank-value",
    "next-token-loss",
    "parameter-count",
    "rms-norm",
    "rope",
    "sample",
    "swiglu",
}
MASKED = AttentionView(masked=True)


def weights(example: AttentionExample, head: int = 0, view: AttentionView = MASKED) -> Rows:
    return tables(example, head, view)[AttentionStep.WEIGHTS]


def close(table: Rows, *rows: list[float]) -> bool:
    entries = zip(table, rows, strict=True)
    return all(
        math.isclose(x, y, abs_tol=6e-4)
        for one, other in entries
        for x, y in zip(one, other, strict=True)
    )


def test_the_worked_example_by_hand() -> None:
    found = tables(SLIDES, 0, AttentionView())
    assert close(found[AttentionStep.Q], [1.2, 0.6], [1.0, 1.1], [1.1, 0.7], [0.4, 1.3])
    assert close(found[AttentionStep.K], [1.1, 0.7], [0.9, 1.2], [0.6, 1.2], [1.2, 0.5])
    assert close(found[AttentionStep.V], [1.2, 0.8], [1.0, 1.2], [1.1, 1.7], [0.4, 1.7])
    assert math.isclose(found[AttentionStep.SCORES][0][0], 1.2 * 1.1 + 0.6 * 0.7)
    assert math.isclose(found[AttentionStep.SCALED][0][0], 1.74 / math.sqrt(2))
    assert math.isclose(found[AttentionStep.WEIGHTS][0][0], 0.260, abs_tol=6e-4)
    assert close(found[AttentionStep.OUTPUT][:1], [0.917, 1.331])


@pytest.mark.parametrize("example", [*GALLERY, ONE_QUERY], ids=lambda each: each.title)
@pytest.mark.parametrize("masked", [False, True])
def test_rows_of_weights_are_shares_of_what_may_be_seen(
    example: AttentionExample, masked: bool
) -> None:
    m, n = len(example.queries), len(example.keys)
    for head in range(len(example.heads)):
        found = tables(example, head, AttentionView(masked=masked))
        assert tuple(found) == example.steps
        assert [len(row) for row in found[AttentionStep.WEIGHTS]] == [n] * m
        for place, row in enumerate(found[AttentionStep.WEIGHTS]):
            allowed = example.mask.allowed
            seen = [key <= place + n - m for key in range(n)] if allowed is None else allowed[place]
            assert math.isclose(sum(row), 1) or (masked and not any(seen) and not any(row))
            assert not any(w for w, may in zip(row, seen, strict=True) if masked and not may)
            assert all(row) or masked


def test_scale_and_temperature_sharpen_and_flatten() -> None:
    sharp = [max(weights(SLIDES, 0, AttentionView(temperature=each))[1]) for each in TEMPERATURES]
    assert sharp == sorted(sharp, reverse=True)
    assert max(weights(SLIDES, 0, AttentionView(scaled=False))[1]) > max(
        weights(SLIDES, 0, AttentionView())[1]
    )


def test_each_example_shows_what_it_says() -> None:
    same, before = (weights(HEADS, head) for head in (0, 1))
    assert same[3][0] > 0.4  # “the” looks at “the”
    assert before[3][2] > 0.7  # and at the token before
    assert not any(weights(WINDOW)[2])
    assert all(row[3] == row[4] == 0 for row in weights(PADDED))
    assert all(row[at] > 0.8 for at, row in enumerate(weights(CROSS)))
    assert weights(DECODING)[0][4] == 0 < weights(DECODING)[1][4]
    assert len(weights(ONE_QUERY)) == 1
    assert LINEAR.weighting is Weighting.LINEAR
    assert max(weights(LINEAR, 0, AttentionView())[1]) < max(weights(HEADS, 0, AttentionView())[1])


def test_every_drill_with_a_pattern_has_an_example() -> None:
    names = {each.name for each in (content_dir() / "attention" / "drills").iterdir()}
    assert {name for name in names if opening_of(name) is None} == WITHOUT_PATTERN
    for name in names - WITHOUT_PATTERN:
        opening = opening_of(name)
        assert opening is not None
        assert opening.step in opening.example.steps


@pytest.mark.parametrize("example", GALLERY, ids=lambda each: each.title)
@pytest.mark.parametrize(
    "view", [AttentionView(), AttentionView(masked=True, scaled=False, temperature=2.0)]
)
def test_what_is_written_out_ends_in_the_number_of_the_table(
    example: AttentionExample, view: AttentionView
) -> None:
    found = tables(example, 0, view)
    for step, table in found.items():
        for row, line in enumerate(table):
            for column, value in enumerate(line):
                told = working(example, 0, view, found, NumberOrigin(step, row, column))
                said = told.rpartition(" = ")[2].strip("()").replace("−", "-")
                if told and " = " in told:
                    assert math.isclose(float(said), value, abs_tol=5.1e-4), told


def test_what_is_written_out_can_be_followed() -> None:
    found = tables(SLIDES, 0, AttentionView())
    told = [
        working(SLIDES, 0, AttentionView(), found, NumberOrigin(step, 0, 1))
        for step in (
            AttentionStep.X,
            AttentionStep.K,
            AttentionStep.SCORES,
            AttentionStep.SCALED,
            AttentionStep.WEIGHTS,
        )
    ]
    assert told == [
        "",
        "1·0 + 0.5·1 + 0.2·1 + 0.1·0 = 0.7",
        "1.2·0.9 + 0.6·1.2 = 1.8",
        "1.8 / √2 = 1.273",
        "e^1.273 / Σ = 3.571 / 13.184 = 0.271",
    ]
