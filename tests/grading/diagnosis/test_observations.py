"""What is told of wrong answers that no mistake explains: each fact, and where it does not hold."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from studyattn.bundled import content_dir
from studyattn.grading import Grader
from studyattn.grading.drill import Drill, case
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.judge import grade
from studyattn.grading.mutation_report import ReferenceCarrier
from studyattn.grading.number_form import form_beside
from studyattn.grading.submission import Backend, Submission
from studyattn.grading.verdict import Verdict
from studyattn.packs.check.drills import SEED
from tests.corpus import submissions

ROOT = content_dir() / "attention" / "drills"
Array = Any

CASES = (
    case("all sizes different", batch=(2, 3), m=4, n=5, d=6, d_v=7),
    case("a batch", batch=(2,), m=2, n=3, d=4, d_v=2),
    case("no batch", m=3, n=6, d=5, d_v=4),
    case("float64", dtype="float64", batch=(3,), m=4, n=7, d=6, d_v=5),
    case("float64, in heads", dtype="float64", batch=(2, 3), m=4, n=5, d=6, d_v=7),
    case("float64, a batch", dtype="float64", batch=(2,), m=3, n=4, d=5, d_v=3),
    case("many keys", m=3, n=1030, d=4, d_v=3),
    case("many keys in heads", batch=(1, 2), m=3, n=1030, d=4, d_v=3),
)


def told(
    identifier: str, wrong: Callable[[Drill], Mapping[str, Callable[..., Any]]], seed: int = 11
) -> list[str]:
    """The facts that a submission whose entries are `wrong` is told, with no mistake named."""
    drill = load_drill(ROOT / identifier)
    if identifier == "attention":  # so that a fact of conditions does not hang on the pack's
        drill = dataclasses.replace(drill, spaces=(), probes=(), cases=CASES)
    carrier = ReferenceCarrier(drill, wrong(drill))
    submission = Submission("wrong.py", b"", Backend.NUMPY, drill.entries)
    report = grade(drill, submission, carrier, seed=seed)
    assert not report.passed
    assert not report.diagnosis, report.diagnosis[0].title
    return [fact.text for fact in report.observations]


def attention(change: Callable[[Array, Array, Array, Array], Array]) -> Callable[[Drill], Any]:
    """`change` of the right result, and of q, k and v."""

    def wrong(drill: Drill) -> Any:
        right = drill.functions()["attention"]
        return {"attention": lambda q, k, v: change(right(q, k, v), q, k, v)}

    return wrong


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (lambda o, q, k, v: 0 * o, "Every wrong answer is all zeros."),
        (lambda o, q, k, v: o[None], "The numbers are correct but the shape is not"),
        (lambda o, q, k, v: o * math.nan, "Every wrong answer is all NaN."),
        (
            lambda o, q, k, v: o + (k.shape[-2] > 1000) * q.sum(-1, keepdims=True),
            "It is wrong where n is 1030 or more, 3 times of 3, and right otherwise, ",
        ),
    ],
)
def test_a_fact_of_the_numbers_is_told_first(change: Any, fact: str) -> None:
    assert told("attention", attention(change))[0].startswith(fact)


def test_an_input_without_an_effect_is_named() -> None:
    change = attention(lambda o, q, k, v: np.broadcast_to(2 * v[..., :1, :], o.shape))
    assert told("attention", change)[0].startswith("Changes of `q` or `k` do not")


@pytest.mark.parametrize(
    "change",
    [
        # In one direction, or by the shape of the answer.
        lambda o, q, k, v: o * 0 + 3 + (q.sum() > 0) + (k.sum() > 0) + (v.sum() > 0),
        lambda o, q, k, v: o[: 1 + (q.sum() > 0) + (k.sum() > 0) + (v.sum() > 0)] + 1,
    ],
)
def test_an_input_that_seldom_has_an_effect_is_not_said_to_have_none(change: Any) -> None:
    assert not any("do not change" in fact for fact in told("attention", attention(change)))


def test_numbers_that_have_the_right_effects_are_not_told() -> None:
    facts = told("attention", attention(lambda o, q, k, v: np.sin(o) + 3))
    assert not any("change" in fact for fact in facts)


FIRST_MISTAKES = {
    "(a * b).sum(-1)": "It returned None; is a `return` missing?",
    "print((a * b).sum(-1))": "It printed, but returned None: `print` shows a value",
    "return (a * b).sum()": "one number, expected shape (2,)",
    "return a * b": "Every wrong answer has the wrong shape: shape (2, 1), expected (2,)",
    "return list((a * b).sum(-1))": "`torch.cat` or `torch.stack` makes one of tensors.",
    "return (a * b).sum(-1).tolist()": "leave out `.tolist()`, or make one of the numbers",
    "return str(a)": "It returned str",
    "for row in b:\n        return (a * row).sum()": "Line 5: `return (a * row).sum()` leaves its",
    "for i in range(len(a)):\n        c = a[i] * b[:, i]\n        break\n    return c": (
        "Line 6: `break` leaves its loop in the first round."
    ),
}


@pytest.mark.parametrize("backend", ["numpy", "torch"])
def test_the_first_mistakes_of_a_learner_have_a_sentence_of_their_own(
    backend: str, tmp_path: Path
) -> None:
    expected = dict(FIRST_MISTAKES)
    if backend == "numpy":
        single = "It returned a single number, expected a numpy.ndarray."
        made = "`np.array` makes one of numbers."
        expected |= {"return (a * b).sum()": single, "return list((a * b).sum(-1))": made}
        expected["return (a * b).sum(-1).tolist()"] = made
    path = tmp_path / "dot-product.py"
    with Grader() as grader:
        for body, sentence in expected.items():
            path.write_text(f"import {backend}\n\ndef dot_product(a, b):\n    {body}\n")
            drill = ROOT / "dot-product"
            report = grader.grade(drill, grader.submission(drill, path), seed=SEED)
            assert sentence in report.observations[0].text, body


def test_a_loop_that_goes_on_now_and_then_is_not_said_to_end_in_its_first_round(
    tmp_path: Path,
) -> None:
    path = tmp_path / "dot-product.py"
    body = "for row in b:\n        if row[0] < 0:\n            continue\n        return a"
    path.write_text(f"import numpy\n\ndef dot_product(a, b):\n    {body}\n")
    with Grader() as grader:
        report = grader.grade(ROOT / "dot-product", grader.submission(ROOT / "dot-product", path))
    assert not report.passed
    assert not any(fact.kind == "loop" for fact in report.observations)


def test_a_number_that_changes_the_shape_of_an_answer_shows_no_effect() -> None:
    """How many tokens a step of speculation accepts depends on the numbers."""
    drill = content_dir() / "serving" / "drills" / "speculative-step"
    submission = submissions(drill.name) / "wrong" / "likeliest_instead.py"
    with Grader() as grader:
        report = grader.grade(drill, grader.submission(drill, submission), seed=SEED)
    assert report.verdict is Verdict.WRONG


def test_what_alone_passes_as_a_variant_keeps_no_state() -> None:
    """A small number in the divisor is accepted where no question shows it."""

    def with_epsilon(q: Array, k: Array, v: Array) -> Array:
        q, k = (np.where(each > 0, each + 1, np.exp(np.minimum(each, 0))) for each in (q, k))
        return q @ (np.matrix_transpose(k) @ v) / ((q @ k.sum(-2)[..., None]) + 1e-5)

    told("linear-attention", lambda _drill: {"linear_attention": with_epsilon}, seed=1)


def test_where_a_rounding_decides_nothing_is_concluded() -> None:
    """A sum of weights that is 0 in exact arithmetic, and next to it in any other order."""
    drill = load_drill(ROOT / "linear-attention")

    def in_another_order(q: Array, k: Array, v: Array) -> Array:
        weights = q @ np.matrix_transpose(k)
        return (weights @ v) / weights.sum(-1, keepdims=True)

    carrier = ReferenceCarrier(drill, {"linear_attention": in_another_order})
    submission = Submission("wrong.py", b"", Backend.NUMPY, drill.entries)
    for seed in range(3):
        report = grade(drill, submission, carrier, seed=seed)
        assert report.diagnosis[0].misconceptions == ("linear-feature-map-missing",), seed


def test_the_smallest_input_is_told_in_digits_that_show_the_difference() -> None:
    """In float64 a wrong answer may differ in its tenth digit."""
    drill = load_drill(ROOT / "attention")
    right = drill.functions()["attention"]
    carrier = ReferenceCarrier(
        drill,
        {"attention": lambda q, k, v: right(q, k, v) * (1 + 3e-10 * (q.dtype == np.float64))},
    )
    submission = Submission("wrong.py", b"", Backend.NUMPY, drill.entries)
    shown = grade(drill, submission, carrier, seed=11).counterexample
    assert shown is not None
    expected, got, wrong = (np.array(each) for each in (shown.expected, shown.got, shown.wrong))
    assert wrong.any()
    assert (expected[wrong] != got[wrong]).all()
    form = form_beside(shown.expected, shown.got, shown.wrong)
    assert all(
        form.write(one) != form.write(other)
        for one, other in zip(expected[wrong].tolist(), got[wrong].tolist(), strict=True)
    )
