"""Operations and sizes count in each thread, and through each view of memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from studyattn.grading.call_plan import ArrayInput, Call, CallPlan, Finished
from studyattn.grading.limits import ResourceLimits
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Backend, Submission

SIZE = 64
PRODUCT = 2 * SIZE**3

IN_TORCH = {
    "a thread": """
import threading
def product(a):
    made = []
    thread = threading.Thread(target=lambda: made.append(a @ a))
    thread.start(); thread.join()
    return made[0][0, 0]
""",
    "a pool that the import started": """
from concurrent.futures import ThreadPoolExecutor
pool = ThreadPoolExecutor(1)
pool.submit(int).result()
def product(a):
    return pool.submit(lambda: (a @ a)[0, 0]).result()
""",
    "numpy on a copy of the bytes": """
import numpy as np, torch
def product(a):
    plain = np.frombuffer(a.numpy().tobytes(), np.float32).reshape(a.shape)
    return torch.tensor(float((plain @ plain)[0, 0]))
""",
    "numpy by dlpack": """
import numpy as np, torch
def product(a):
    plain = np.from_dlpack(a)
    return torch.tensor(float((plain @ plain)[0, 0]))
""",
    "numpy by an address": """
import ctypes, numpy as np, torch
def product(a):
    held = (ctypes.c_float * a.numel()).from_address(a.data_ptr())
    plain = np.ctypeslib.as_array(held).reshape(a.shape)
    return torch.tensor(float((plain @ plain)[0, 0]))
""",
    "a pickled tensor in a thread": """
import pickle, threading
def product(a):
    made = []
    def work():
        b = pickle.loads(pickle.dumps(a))
        made.append((b @ b)[0, 0])
    thread = threading.Thread(target=work)
    thread.start(); thread.join()
    return made[0]
""",
}


@pytest.fixture(scope="module", name="runner")
def torch_runner() -> Iterator[Runner]:
    with Runner(Backend.TORCH, limits=ResourceLimits()) as runner:
        yield runner


@pytest.mark.parametrize("code", IN_TORCH.values(), ids=IN_TORCH)
def test_the_product_is_counted(code: str, runner: Runner) -> None:
    import numpy as np

    matrix = ArrayInput(np.ones((SIZE, SIZE)), "float32")
    warm = CallPlan((Call("product", (matrix,)),))
    measured = CallPlan((Call("product", (matrix,), measured=True),))
    submission = Submission(
        "product.py", code.encode(), Backend.TORCH, ("product",), ("scaled_dot_product_attention",)
    )
    *_, outcome = runner.run(submission, [warm, measured])
    assert isinstance(outcome, Finished), outcome
    assert outcome.usage is not None
    assert outcome.usage.flops >= PRODUCT
    assert outcome.usage.largest_product >= SIZE * SIZE
