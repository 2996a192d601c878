"""What a submission takes from files beside it."""

from __future__ import annotations

import pytest

from studyattn.grading.submission import LENT, Backend, SourceFile, Submission


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
