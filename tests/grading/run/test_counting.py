"""What a measured call costs: operations, the largest array made on the way, and memory."""

from __future__ import annotations

import dataclasses

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


def usage(runner: Runner, source: str, *args: ArrayInput, memory: bool = False) -> Usage:
    program = dataclasses.replace(call(*args, measured=True), memory=memory)
    counted = finished(run(runner, source, program)[0]).usage
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


NUMBERS = 50_000
BYTES = 8 * NUMBERS
SLACK = 100_000
"""Bytes that Python takes for itself."""


@pytest.mark.parametrize(
    ("body", "least", "most"),
    [
        ("sum((a * i).sum() for i in range(9))", BYTES, 3 * BYTES),
        ("[a * i for i in range(9)][0]", 9 * BYTES, 10 * BYTES),
        ("[(a * i)[1:] for i in range(9)][0]", 9 * BYTES, 10 * BYTES),
        ("[(a * i).tolist() for i in range(9)][0][0]", 4 * 9 * BYTES, 4 * 10 * BYTES),
        ("[float((a * i).tolist()[5]) for i in range(9)][0]", 5 * BYTES, 6 * BYTES),
        ("[bytes(400_000 + i) for i in range(9)][0][0]", 9 * BYTES, 9 * BYTES),
        ("a.sum()", 0, 0),
    ],
)
def test_memory_counts_as_long_as_it_is_there_in_whatever_form(
    runner: Runner, body: str, least: int, most: int
) -> None:
    numbers = array(NUMBERS, dtype="float64")
    counted = usage(runner, f"def f(a): return {body}", numbers, memory=True)
    assert least <= counted.most_held <= most + SLACK


def kept(runner: Runner, source: str, *, calls: int = 1) -> int:
    """The bytes held after so many calls of the method `add` of what `f` makes."""
    numbers = [array(NUMBERS, dtype="float64") for _ in range(calls)]
    added = [Call("add", (each,), on="it", into=f"{at}") for at, each in enumerate(numbers, 1)]
    last = dataclasses.replace(added[-1], measured=True)
    program = CallPlan((Call("f", into="it"), *added[:-1], last), ("1",), memory=True)
    counted = finished(run(runner, source, program)[0]).usage
    assert counted is not None
    return counted.kept


KEEPERS = {
    "an attribute": "class f:\n    def add(self, a): self.a = a * 2",
    "the input": "class f:\n    def add(self, a): self.a = a",
    "a slice": "class f:\n    def add(self, a): self.a = (a * 2)[:3]",
    "a class": "class f:\n    def add(self, a): f.a = a * 2",
    "the module": "KEPT = {}\nclass f:\n    def add(self, a): KEPT[id(self)] = a * 2",
    "a default": "class f:\n    def add(self, a, kept=[]): kept.append(a * 2)",
    "a generator": (
        "def keeper():\n    kept = yield\n    yield\n    print(kept)\n"
        "class f:\n"
        "    def __init__(self): self.it = keeper(); next(self.it)\n"
        "    def add(self, a): self.it.send(a * 2)\n"
    ),
    "bytes": (
        "import numpy\nclass f:\n    def add(self, a): self.a = numpy.asarray(a * 2).tobytes()"
    ),
    "a file without a name": (
        "import numpy, tempfile\n"
        "class f:\n"
        "    def add(self, a):\n"
        "        self.file = tempfile.TemporaryFile()\n"
        "        self.file.write(numpy.asarray(a * 2).tobytes())\n"
        "        self.file.flush()\n"
    ),
    "another module": "import json\nclass f:\n    def add(self, a): json.kept = a * 2",
    "a thread": (
        "import threading\n"
        "def keep(a): threading.Event().wait()\n"
        "class f:\n"
        "    def add(self, a):\n"
        "        threading.Thread(target=keep, args=(a * 2,), daemon=True).start()\n"
    ),
}


@pytest.mark.parametrize("keeper", KEEPERS)
def test_what_is_kept_counts_wherever_it_is(runner: Runner, keeper: str) -> None:
    assert BYTES <= kept(runner, KEEPERS[keeper]) <= BYTES + SLACK


@pytest.mark.parametrize(
    "body",
    [
        "self.a = float(a.sum())",
        "return a * 2",
        "self.me, self.big = self, a * 2; del self.big",
        "loop = [a * 2]; loop.append(loop)",
        "[None for _ in (a * 2).tolist()]",
    ],
)
def test_what_is_let_go_does_not_count(runner: Runner, body: str) -> None:
    source = f"class f:\n    def add(self, a):\n        {body}"
    assert kept(runner, source, calls=3) <= SLACK


def test_lists_of_numbers_take_more_than_arrays(runner: Runner) -> None:
    source = "class f:\n    def add(self, a): self.a = a.tolist()"
    assert 4 * BYTES <= kept(runner, source) <= 4 * BYTES + SLACK


@pytest.mark.parametrize(
    "made",
    [
        "self.a = xp.stack([a, a]).to_sparse()",
        "self.a = xp.empty(0, dtype=xp.float64); self.a.resize_(100_000)",
        "self.a = xp.tensor([1.0] * 100_000, dtype=xp.float64)",
        "self.a = xp.complex(a, a)",
        "xp.kept = (a * 2).storage(), (a * 3)[:1]",
        "self.a = (a * 2).requires_grad_() ** 2; self.a.grad_fn",
    ],
)
def test_what_torch_keeps_counts(torch_runner: Runner, made: str) -> None:
    source = f"class f:\n    def add(self, a):\n        {made}"
    assert 2 * BYTES <= kept(torch_runner, source) <= 3 * BYTES + SLACK


def test_memory_that_torch_shares_with_numpy_counts_once(torch_runner: Runner) -> None:
    source = (
        "import numpy\n"
        "class f:\n"
        "    def add(self, a): self.a = xp.from_numpy(numpy.ones(50_000))[1:], (a * 1).numpy()\n"
    )
    assert 2 * BYTES <= kept(torch_runner, source) <= 2 * BYTES + SLACK


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


def test_memory_is_counted_where_a_plan_asks_for_it(runner: Runner) -> None:
    counted = usage(runner, "def f(a): return [a * i for i in range(9)][0]", array(NUMBERS))
    assert counted.flops > 0
    assert counted.most_held == counted.kept == 0
