"""What a measured call costs: operations, and the largest array made on the way."""

from __future__ import annotations

import numpy as np
import pytest

from studyattn.grading.call_plan import (
    ArrayInput,
    Call,
    CallPlan,
    Usage,
)
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Backend
from tests.grading.asking import array, call, finished, run


def usage(runner: Runner, source: str, *args: ArrayInput) -> Usage:
    counted = finished(run(runner, source, call(*args, measured=True))[0]).usage
    assert counted is not None
    return counted


PRODUCT = (array(4, 5), array(5, 6))  # 4·5·6 multiply-and-adds


@pytest.mark.parametrize(
    "expression",
    [
        "a @ b",
        "xp.matmul(a, b)",
        "xp.einsum('ij,jk->ik', a, b)",
        "xp.tensordot(a, b, 1)",
        "xp.stack([row @ b for row in a])",
    ],
)
def test_a_product_counts_two_operations_each(runner: Runner, expression: str) -> None:
    counted = usage(runner, f"def f(a, b): return {expression}", *PRODUCT)
    assert 240 <= counted.flops <= 240 + 2 * 24
    assert counted.largest_array == 24


def test_a_loop_costs_what_its_product_costs(runner: Runner) -> None:
    source = (
        "def f(a, b):\n"
        "    out = xp.zeros((4, 6))\n"
        "    for i in range(4):\n"
        "        for k in range(6):\n"
        "            out[i, k] = (a[i] * b[:, k]).sum()\n"
        "    return out\n"
    )
    counted = usage(runner, source, *PRODUCT)
    assert counted.flops >= 240
    assert counted.largest_array == 24


@pytest.mark.parametrize(
    "expression",
    [
        "xp.zeros((50, 60)).sum()",
        "(a[:, :1] * 0 + xp.ones((1, 700))).sum()",
        "a.sum() + xp.ones(999)",
    ],
)
def test_an_array_made_on_the_way_is_seen(runner: Runner, expression: str) -> None:
    assert usage(runner, f"def f(a): return {expression}", array(4, 5)).largest_array >= 999


@pytest.mark.parametrize("expression", ["a", "a.T", "a[1:]", "a.reshape(5, 4)", "a[None]"])
def test_a_view_costs_nothing(runner: Runner, expression: str) -> None:
    counted = usage(runner, f"def f(a): return {expression}", array(4, 5))
    assert counted.largest_array == 0


@pytest.mark.parametrize(
    ("body", "least", "most"),
    [
        ("sum((a * i).sum() for i in range(9))", 20, 50),
        ("[a * i for i in range(9)][0]", 180, 200),
        ("[(a * i)[1:] for i in range(9)][0]", 180, 200),
        ("(a * 2).sum() + xp.ones(100)[:1]", 100, 122),
    ],
)
def test_numbers_count_as_long_as_their_memory_is_there(
    runner: Runner, body: str, least: int, most: int
) -> None:
    counted = usage(runner, f"def f(a): return {body}", array(4, 5))
    assert least <= counted.most_alive <= most


def test_measuring_changes_no_value_and_no_type(runner: Runner) -> None:
    source = "def f(a, b): return xp.exp(a @ b) / 3, (a @ b).sum(-1), xp.concatenate([a, a])"
    plain, measured = run(runner, source, call(*PRODUCT), call(*PRODUCT, measured=True))
    assert repr(finished(plain).registers) == repr(finished(measured).registers)


def test_what_leaves_torch_for_numpy_is_counted(torch_runner: Runner) -> None:
    source = "def f(a, b): return xp.from_numpy(a.numpy() @ b.numpy())"
    assert usage(torch_runner, source, *PRODUCT).flops >= 240


def test_only_measured_calls_are_counted(runner: Runner) -> None:
    program = CallPlan((Call("f", PRODUCT, into="x"), Call("f", PRODUCT, measured=True)))
    counted = finished(run(runner, "def f(a, b): return a @ b", program)[0]).usage
    assert counted is not None
    assert counted.flops == 240


ROWS = ArrayInput(np.array([3, 7]), "int64")


@pytest.mark.parametrize(
    ("expression", "flops"),
    [
        ("a[i]", 2 * 80),
        ("a[:2, i]", 2 * 2),
        ("a[3][i]", 2),
        ("xp.take(a, i)", 2),
    ],
)
def test_entries_picked_from_an_array_cost_what_they_are(
    runner: Runner, expression: str, flops: int
) -> None:
    counted = usage(runner, f"def f(a, i): return {expression}", array(60, 80), ROWS)
    assert counted.flops <= flops
    assert counted.largest_array <= 2 * 80


@pytest.mark.parametrize(
    "expression", ["a.index_select(0, i)", "a.gather(1, i[:, None])", "xp.embedding(a, i)"]
)
def test_what_torch_picks_costs_what_it_is(torch_runner: Runner, expression: str) -> None:
    counted = usage(torch_runner, f"def f(a, i): return {expression}", array(60, 80), ROWS)
    assert 2 <= counted.flops <= 2 * 80


def test_entries_put_into_a_buffer_cost_what_they_are(torch_runner: Runner) -> None:
    source = "def f(a, b, i):\n    a = a.clone()\n    a[i] = b\n    return a"
    cloning = 60 * 80
    counted = usage(torch_runner, source, array(60, 80), array(2, 80), ROWS)
    assert cloning < counted.flops <= cloning + 2 * 80
    counted = usage(torch_runner, source, array(60, 80), array(80), ROWS)
    assert counted.flops >= cloning + 2 * 80


@pytest.mark.parametrize(
    "expression",
    [
        "a[:, None].expand(60, 50).clone()",
        "a[:, None].expand(60, 50).contiguous()",
        "a[xp.arange(60)[:, None].expand(60, 50)]",
        "a[:, None].expand(60, 50).gather(1, xp.zeros(60, 50, dtype=xp.int64))",
        "a[:, None].index_select(1, xp.zeros(50, dtype=xp.int64))",
        "a.repeat(50)",
        "a.repeat_interleave(50)",
        "xp.take(a, xp.zeros(3000, dtype=xp.int64))",
    ],
)
def test_no_way_of_picking_makes_a_large_array_unseen(
    torch_runner: Runner, expression: str
) -> None:
    counted = usage(torch_runner, f"def f(a): return {expression}", array(60))
    assert counted.largest_array >= 3000
    assert counted.flops >= 3000


@pytest.mark.parametrize(
    "made",
    [
        "{0}.view(np.ndarray)",
        "np.ndarray({0}.shape, {0}.dtype, {0}.tobytes())",
        "np._core.multiarray.array({0}.tolist(), {0}.dtype)",
        "np.ndarray.view({0}, np.ndarray)",
        "({0} if {0}.base is None else {0}.base)",
    ],
)
def test_a_product_in_other_views_of_memory_is_counted(runner: Runner, made: str) -> None:
    if runner.backend is not Backend.NUMPY:
        pytest.skip("torch counts its operators wherever they are called")
    source = f"import numpy as np\ndef f(a, b): return {made.format('a')} @ {made.format('b')}"
    assert usage(runner, source, *PRODUCT).flops >= 240


def test_arrays_are_what_they_are_while_they_are_counted(runner: Runner) -> None:
    if runner.backend is not Backend.NUMPY:
        pytest.skip("a tensor is no array")
    source = (
        "import numpy as np\n"
        "def f(a, b):\n"
        "    assert isinstance(a, np.ndarray) and issubclass(type(b), np.ndarray)\n"
        "    assert not isinstance([1.0], np.ndarray) and isinstance(np.zeros(2), np.ndarray)\n"
        "    return a @ b\n"
    )
    assert usage(runner, source, *PRODUCT).largest_array == 24
