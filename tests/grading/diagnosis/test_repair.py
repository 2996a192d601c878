"""A wrong submission is mended in its line, and what mends it passes when it is handed in."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

import pytest

from studyattn.grading.diagnosis import repair
from studyattn.grading.grader import Grader
from studyattn.grading.verdict import Report, Verdict


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader() as grader:
        yield grader


RMS = """
    import numpy as np

    def rms_norm(x, gain, eps=1e-5):
        scale = np.sqrt({mean}(x * x, axis=-1, keepdims=True) + eps)
        return {numerator} / scale{gain}
"""


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait on a busy machine: what is found is tested here, and not how fast."""
    for name in ("SECONDS", "SECONDS_FOR_TWO"):
        monkeypatch.setattr(repair, name, 60.0)


def mended(grader: Grader, drill: str, code: str) -> tuple[str, Report]:
    source = dedent(code)
    report = grader.grade(drill, source, seed=1)
    assert report.verdict is Verdict.WRONG
    return source, grader.mend(drill, source, report)


@pytest.mark.parametrize(
    ("drill", "code", "before", "hint"),
    [
        (
            "rms-norm",
            RMS.format(mean="np.sum", numerator="x", gain=" * gain"),
            "np.sum(x * x, axis=-1, keepdims=True)",
            "calls the wrong function",
        ),
        (
            "rms-norm",
            RMS.format(mean="np.mean", numerator="(x - x.mean(-1, keepdims=True))", gain=" * gain"),
            "x - x.mean(-1, keepdims=True)",
            "does not belong there",
        ),
    ],
)
def test_one_edit_is_found_and_passes(
    grader: Grader, drill: str, code: str, before: str, hint: str
) -> None:
    source, report = mended(grader, drill, code)
    (change,) = report.repair
    assert change.before == before
    assert hint in change.hint
    assert source.splitlines()[change.line - 1].count(change.before) == 1
    assert grader.grade(drill, source.replace(change.before, change.after)).passed


def test_two_edits_are_found_where_one_makes_more_answers_right(grader: Grader) -> None:
    code = """
        import numpy as np

        def layer_norm(x, gain, bias, eps=1e-5):
            mean = x.mean(axis=1, keepdims=True)
            variance = ((x - mean) ** 2).mean(axis=0, keepdims=True)
            return (x - mean) / np.sqrt(variance + eps) * gain + bias
    """
    _, report = mended(grader, "layer-norm", code)
    assert [(change.line, change.before, change.after) for change in report.repair] in (
        [(5, "1", "-1"), (6, "0", "-1")],
        [(6, "0", "-1"), (5, "1", "-1")],
    )


def test_what_no_edit_mends_and_what_passes_have_no_repair(grader: Grader) -> None:
    _, report = mended(
        grader, "softmax", "import numpy as np\ndef softmax(x):\n    return np.zeros_like(x)\n"
    )
    assert report.repair == ()
    right = dedent(RMS.format(mean="np.mean", numerator="x", gain=" * gain"))
    passed = grader.grade("rms-norm", right)
    assert grader.mend("rms-norm", right, passed) is passed


def test_a_change_that_does_not_pass_everything_is_not_told(
    grader: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.grading.judge._Bench.passes", lambda *_: False)
    _, report = mended(grader, "rms-norm", RMS.format(mean="np.sum", numerator="x", gain=" * gain"))
    assert report.repair == ()


def test_a_candidate_without_end_costs_only_its_own_time(grader: Grader) -> None:
    code = """
        import numpy as np

        def softmax(x):
            shift = 0
            while shift < 1:
                shift += 1
            e = np.exp(x - x.max(axis=-1, keepdims=True))
            return e / e.sum(axis=-1, keepdims=True) * 2
    """
    _, report = mended(grader, "softmax", code)
    assert [(change.line, change.hint[:6]) for change in report.repair] == [(9, "A part")]


def test_a_change_survives_json(grader: Grader) -> None:
    _, report = mended(grader, "rms-norm", RMS.format(mean="np.sum", numerator="x", gain=" * gain"))
    assert report.repair
    assert Report.from_json(report.to_json()).repair == report.repair


def test_what_would_pass_as_a_variant_is_mended(grader: Grader) -> None:
    code = """
        import torch.nn.functional as F

        def linear_attention(q, k, v):
            q, k = F.elu(q) + 1, F.elu(k) + 1
            sums = q @ k.transpose(-2, -1).sum(dim=-1, keepdim=True)
            return q @ (k.transpose(-2, -1) @ v) / ((sums + 1e-6) / 2)
    """
    _, report = mended(grader, "linear-attention", code)
    assert [(each.before, each.after) for each in report.repair] == [
        ("(sums + 1e-6) / 2", "sums + 1e-06")
    ]


def test_a_square_of_what_is_not_centered_is_mended(grader: Grader) -> None:
    code = """
        import numpy as np

        def layer_norm(x, gain, bias, eps=1e-5):
            mu = x.mean(axis=-1, keepdims=True)
            var = (x ** 2).mean(axis=-1, keepdims=True)
            return gain * (x - mu) / np.sqrt(var + eps) + bias
    """
    _, report = mended(grader, "layer-norm", code)
    assert [each.misconceptions for each in report.diagnosis] == [("norm-squares-not-centred",)]
    assert [each.after for each in report.repair] == ["x - mu"]


def test_code_of_which_a_part_is_dropped_is_not_told_that_the_part_is_missing(
    grader: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repair, "SECONDS_FOR_TWO", 15.0)  # nothing mends it: all of it is spent
    code = """
        import numpy as np

        def gelu_mlp(x, w_1, b_1, w_2, b_2):
            h = x @ w_1 + b_1
            h = 0.5 * h * (1 + np.tanh(0.797884 * (h + 0.044715 * h**3)))
            return h @ w_2 + b_2
    """
    _, report = mended(grader, "gelu-mlp", code)
    assert report.repair == ()
    assert report.diagnosis == ()


def test_the_names_in_a_part_of_an_expression_are_exchanged(grader: Grader) -> None:
    code = """
        import numpy as np

        def causal_attention(q, k, v):
            m, n = q.shape[-2], k.shape[-2]
            scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
            mask = np.triu(np.ones((m, n), dtype=bool), k=1 + m - n)
            scores = np.where(mask, -1e30, scores)
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
            return weights / weights.sum(axis=-1, keepdims=True) @ v
    """
    _, report = mended(grader, "causal-attention", code)
    assert [(change.line, change.after) for change in report.repair] == [(7, "1 + n - m")]
