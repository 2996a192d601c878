"""What a submission takes from files beside it, and its syntax tree."""

from __future__ import annotations

import gc
import threading
import time

import pytest

from studyattn.grading.submission import LENT, Backend, SourceFile, Submission, tree_of


@pytest.mark.parametrize(
    ("source", "names"),
    [
        (b"from mine import sample\nreturn sample(z.softmax(-1))", []),
        (b"from mine import softmax", ["softmax"]),
        (b"import mine\nreturn mine.softmax(z)", ["softmax"]),
        (b"return softmax(torch.softmax(z, -1))", ["softmax"]),
    ],
)
def test_a_method_of_the_same_name_is_not_lent(source: bytes, names: list[str]) -> None:
    lent = SourceFile("mine/x.py", b"def softmax(z):\n    return z\n", f"mine.{LENT}softmax")
    submission = Submission("a.py", source, Backend.TORCH, ("f",), beside=(lent,))
    assert submission.borrowed() == names


class _Garbage:
    """Lets another thread run when it is collected, which may be while a tree is made."""

    def __init__(self) -> None:
        self.own = self

    def __del__(self) -> None:
        time.sleep(0.0002)


def test_two_threads_make_trees_at_a_time() -> None:
    source = "\n".join(f"def f{each}(a, b):\n    return (a + b) * {each}" for each in range(100))
    failed: list[BaseException] = []

    def make(depth: int) -> None:
        if depth:
            make(depth - 1)
            return
        for _ in range(40):
            _Garbage()
            try:
                tree_of(source)
            except SystemError as error:
                failed.append(error)

    before = gc.get_threshold()
    gc.set_threshold(50)
    try:
        threads = [threading.Thread(target=make, args=(depth,)) for depth in (1, 60)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    finally:
        gc.set_threshold(*before)
    assert not failed
