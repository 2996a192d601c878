"""The attention view: numbers that are computed, switches that change them, errata beside them."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from studyattn.bundled import content_dir
from studyattn.errors import InputError
from studyattn.home import Home
from studyattn.tui.pattern import EXAMPLES, SLIDES, Rows, Step, View, read, tables, written
from studyattn.tui.screens.pattern import PatternScreen
from tests.tui.conftest import OpenApp, press, settle, text_of

CONTENT = content_dir()


def close(table: Rows, *rows: list[float]) -> bool:
    entries = zip(table, rows, strict=True)
    return all(
        math.isclose(x, y, abs_tol=6e-4)
        for one, other in entries
        for x, y in zip(one, other, strict=True)
    )


def test_the_worked_example_by_hand() -> None:
    found = tables(SLIDES, 0, View())
    assert close(found[Step.Q], [1.2, 0.6], [1.0, 1.1], [1.1, 0.7], [0.4, 1.3])
    assert close(found[Step.K], [1.1, 0.7], [0.9, 1.2], [0.6, 1.2], [1.2, 0.5])
    assert close(found[Step.V], [1.2, 0.8], [1.0, 1.2], [1.1, 1.7], [0.4, 1.7])
    assert math.isclose(found[Step.SCORES][0][0], 1.2 * 1.1 + 0.6 * 0.7)
    assert math.isclose(found[Step.SCALED][0][0], 1.74 / math.sqrt(2))
    assert math.isclose(found[Step.WEIGHTS][0][0], 0.260, abs_tol=6e-4)
    assert close(found[Step.OUTPUT][:1], [0.917, 1.331])


@pytest.mark.parametrize("masked", [False, True])
def test_rows_of_weights_sum_to_one_and_see_no_later_key(masked: bool) -> None:
    for example in EXAMPLES:
        for head in range(len(example.heads)):
            weights = tables(example, head, View(masked=masked))[Step.WEIGHTS]
            for place, row in enumerate(weights):
                assert math.isclose(sum(row), 1)
                assert all(row[place + 1 :]) or masked
                assert not (masked and any(row[place + 1 :]))


def test_scale_and_temperature_sharpen_and_flatten() -> None:
    def largest(view: View) -> float:
        return max(tables(SLIDES, 0, view)[Step.WEIGHTS][1])

    assert largest(View(scaled=False)) > largest(View()) > largest(View(temperature=4))


def test_heads_have_patterns_of_their_own() -> None:
    same, before = (tables(EXAMPLES[1], head, View(masked=True))[Step.WEIGHTS] for head in (0, 1))
    assert same[2][0] > 0.4  # “a” looks at “a”
    assert before[2][1] > 0.9  # and at the token before


def test_own_numbers_are_read_or_refused_with_a_reason() -> None:
    texts = written(SLIDES, 0)
    assert read(SLIDES, 0, texts) is SLIDES
    other = read(SLIDES, 0, {**texts, "x": texts["x"].replace("0.9", "2, ").replace(",", " ")})
    assert other.x[1][0] == 2
    assert not other.printed
    for name, text, reason in (
        ("x", "1 2 3 4", "1 rows for 4 tokens"),
        ("x", "1 2\n3", "different lengths"),
        ("x", "one", "could not convert"),
        ("x", "nan", "too large"),
        ("tokens", "", "1 to 10 tokens"),
        ("w_q", "1 0", "W_Q has 1 rows"),
        ("w_k", "1\n0\n0\n1", "W_Q has 2 columns and W_K 1"),
    ):
        with pytest.raises(InputError, match=reason):
            read(SLIDES, 0, {**texts, name: text})


def test_a_head_of_two_is_replaced_alone() -> None:
    example = EXAMPLES[1]
    texts = {**written(example, 1), "w_q": written(example, 0)["w_k"]}
    with pytest.raises(InputError, match="one width"):
        read(example, 1, texts)
    kept = read(example, 1, {**written(example, 1), "w_v": written(example, 1)["w_k"]})
    assert kept.heads[0] == example.heads[0]
    assert kept.heads[1] == replace(example.heads[1], w_v=example.heads[1].w_k)


async def test_step_by_step_with_what_is_printed_elsewhere(
    empty_home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)
    async with open_app(empty_home) as pilot:
        pilot.app.push_screen(PatternScreen())
        await settle(pilot)
        assert "X: a vector for each token" in text_of(pilot)
        await press(pilot, "right", "right")
        shown = text_of(pilot)
        assert "W_K" in shown
        assert "Printed: the keys are" in shown
        await press(pilot, "right", "right", "right", "right")
        assert "Computed: with keys and values as the matrices give them" in text_of(pilot)
        await press(pilot, "m")
        shown = text_of(pilot)
        assert "causal mask" in shown
        assert "Printed" not in shown  # it was printed without a mask
        await press(pilot, "x", "h")
        assert "head 2 of 2" in text_of(pilot)
        await press(pilot, "x", "s", "t", "left")
        assert "S / 2" in text_of(pilot)


async def test_other_numbers_can_be_written(empty_home: Home, open_app: OpenApp) -> None:
    async with open_app(empty_home) as pilot:
        screen = PatternScreen()
        pilot.app.push_screen(screen)
        await settle(pilot)
        await press(pilot, "e")
        field = pilot.app.screen.query_one("#tokens")
        field.value = "you love apple pie"  # type: ignore[attr-defined]  # it is an input
        await press(pilot, "ctrl+s")
        assert screen.example.tokens == ("you", "love", "apple", "pie")
        assert "Your own numbers" in text_of(pilot)
