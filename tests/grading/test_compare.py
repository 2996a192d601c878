"""One returned value beside the expected one: where the line is, and what is not a number."""

from __future__ import annotations

import math

import numpy as np
import pytest

from studyattn.grading.call_plan import ArrayOutput
from studyattn.grading.compare import Fault, agree, compare, distance
from studyattn.grading.drawn_case import Leaf

TOLERANCE = 1e-6


def fault(values: np.ndarray, *, dtype: str = "float64") -> Fault | None:
    expected = np.array([1.0, 2.0, 3.0])
    leaf = Leaf("result", None, 1, expected, TOLERANCE)
    output = ArrayOutput(values.astype(dtype), dtype, "cpu", "numpy.ndarray")
    return compare({"result": output}, leaf, backend="numpy", device="cpu", dtype="float64").fault


@pytest.mark.parametrize(
    ("off", "expected"),
    [(0.0, None), (0.9 * TOLERANCE, None), (1.1 * TOLERANCE, Fault.VALUES), (1.0, Fault.VALUES)],
)
def test_an_entry_may_be_off_by_the_tolerance_and_no_more(
    off: float, expected: Fault | None
) -> None:
    assert fault(np.array([1.0, 2.0 + off, 3.0])) is expected
    assert fault(np.array([1.0, 2.0, 3.0 - off])) is expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.0, None), (-0.0, None), (5e-324, None), (2e-22, Fault.NOT_ZERO), (1.0, Fault.VALUES)],
)
def test_where_a_drill_says_so_zero_is_exact(value: float, expected: Fault | None) -> None:
    leaf = Leaf("result", None, 1, np.array([0.0, 1.0]), TOLERANCE, exact_zeros=True)
    output = ArrayOutput(np.array([value, 1.0 - TOLERANCE / 2]), "float64", "cpu", "numpy.ndarray")
    compared = compare({"result": output}, leaf, backend="numpy", device="cpu", dtype="float64")
    assert compared.fault is expected


@pytest.mark.parametrize(("off", "told"), [(312.4, "310"), (0.0614, "0.061"), (2e9, "2e+09")])
def test_how_far_off_it_is_is_told_in_digits(off: float, told: str) -> None:
    leaf = Leaf("result", None, 1, np.array([1.0, 2.0]), TOLERANCE)
    output = ArrayOutput(np.array([1.0, 2.0 + off]), "float64", "cpu", "numpy.ndarray")
    compared = compare({"result": output}, leaf, backend="numpy", device="cpu", dtype="float64")
    assert compared.message == f"1 of 2 entries are wrong, by up to {told}"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_never_near(value: float) -> None:
    assert fault(np.array([1.0, value, 3.0])) is Fault.NOT_FINITE


def test_a_shape_that_would_broadcast_is_wrong() -> None:
    assert fault(np.array([[1.0, 2.0, 3.0]])) is Fault.SHAPE
    assert fault(np.array(1.0)) is Fault.SHAPE


def test_one_number_may_be_a_scalar_of_numpy_and_no_number_of_python() -> None:
    leaf = Leaf("result", None, 1, np.array(2.0), TOLERANCE)
    scalar = ArrayOutput(np.asarray(2.0), "float64", "cpu", "numpy.float64")

    def fault_of(returned: object, backend: str) -> Fault | None:
        return compare(
            {"result": returned},  # type: ignore[dict-item]  # what a worker may return
            leaf,
            backend=backend,
            device="cpu",
            dtype="float64",
        ).fault

    assert fault_of(scalar, "numpy") is None
    assert fault_of(scalar, "torch") is Fault.KIND
    assert fault_of(2.0, "numpy") is Fault.KIND
    several = Leaf("result", None, 1, np.array([2.0]), TOLERANCE)
    compared = compare({"result": scalar}, several, backend="numpy", device="cpu", dtype="float64")
    assert compared.fault is Fault.KIND


def test_a_coarser_dtype_is_told_from_another() -> None:
    values = np.array([1.0, 2.0, 3.0])
    assert fault(values, dtype="float32") is Fault.COARSER_DTYPE
    assert fault(values, dtype="int64") is Fault.DTYPE


@pytest.mark.parametrize(
    ("asked", "returned", "passes"),
    [
        ("float32", "float64", True),
        ("float16", "float32", True),
        ("bfloat16", "float64", True),
        ("float64", "float32", False),
        ("bfloat16", "float16", False),
        ("float16", "bfloat16", False),
        ("float32", "int64", False),
    ],
)
def test_a_wider_dtype_is_no_fault_and_noted(asked: str, returned: str, passes: bool) -> None:
    values = np.array([1.0, 2.0, 3.0])
    leaf = Leaf("result", None, 1, values, TOLERANCE)
    stored = values.astype({"bfloat16": "float32"}.get(returned, returned))
    output = ArrayOutput(stored, returned, "cpu", "torch.Tensor")
    found = compare({"result": output}, leaf, backend="torch", device="cpu", dtype=asked)
    assert (found.fault is None) is passes
    assert found.wider == (returned if passes else None)


def test_a_wider_result_is_held_to_the_tolerance_asked_for() -> None:
    leaf = Leaf("result", None, 1, np.array([1.0]), TOLERANCE)
    output = ArrayOutput(np.array([1.0 + 2 * TOLERANCE]), "float64", "cpu", "numpy.ndarray")
    found = compare({"result": output}, leaf, backend="numpy", device="cpu", dtype="float32")
    assert found.fault is Fault.VALUES
    assert found.wider == "float64"


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ([1.0, 2.0], [1.0, 2.5], 0.5),
        ([1.0, math.nan], [1.25, math.nan], 0.25),
        ([1.0, math.inf], [1.0, math.inf], 0.0),
        ([1.0, math.nan], [1.0, 2.0], math.inf),
        ([1.0, 2.0], [1.0, math.nan], math.inf),
        ([1.0, math.inf], [1.0, -math.inf], math.inf),
        ([1.0, math.inf], [1.0, 2.0], math.inf),
        ([1.0], [1.0, 1.0], math.inf),
        ([], [], 0.0),
    ],
)
def test_the_distance_of_two_answers(one: list[float], other: list[float], apart: float) -> None:
    assert distance(np.array(one), np.array(other)) == apart
    assert agree(np.array(one), np.array(other), 0.0) is (apart == 0)


def test_a_number_and_an_array_are_apart() -> None:
    assert distance(3, 3) == 0
    assert distance(3, 4) == math.inf
    assert distance(3, np.array(3.0)) == math.inf
    assert not agree(np.array(3.0), 3, 1.0)


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [("int8", None), ("int64", Fault.DTYPE), ("float32", Fault.DTYPE), ("float64", Fault.DTYPE)],
)
def test_whole_numbers_in_a_question_of_floats_have_a_dtype_of_their_own(
    dtype: str, expected: Fault | None
) -> None:
    leaf = Leaf("result", None, 1, np.array([1, -2], dtype=np.int8), TOLERANCE)
    output = ArrayOutput(np.array([1, -2]).astype(dtype), dtype, "cpu", "numpy.ndarray")
    compared = compare({"result": output}, leaf, backend="numpy", device="cpu", dtype="float32")
    assert compared.fault is expected
