"""What a submission's first lines say."""

from __future__ import annotations

from pathlib import Path

import pytest

from studyattn.grading.submission import LENT, Backend, SourceFile, Submission, backend_of


@pytest.mark.parametrize(
    ("source", "backend"),
    [
        (b"# backend: numpy\n", Backend.NUMPY),
        (b"#backend:numpy", Backend.NUMPY),
        (
            b"#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n  #  backend :  numpy  \n",
            Backend.NUMPY,
        ),
        (b"# backend: torch\nimport numpy\n", Backend.TORCH),
        (b"import numpy as np\n", Backend.TORCH),
        (b"# backend: jax\n", Backend.TORCH),
        (b'"""backend: numpy"""\n', Backend.TORCH),
        (b"\n" * 30 + b"# backend: numpy\n", Backend.TORCH),
        (b"\xff\xfe# backend", Backend.TORCH),
        (b"", Backend.TORCH),
    ],
)
def test_the_header_names_the_backend(source: bytes, backend: Backend) -> None:
    assert backend_of(source) is backend


def test_an_explicit_backend_wins_over_the_header(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"# backend: numpy\n")
    assert Submission.read(path, ("f",)).backend is Backend.NUMPY
    assert Submission.read(path, ("f",), backend=Backend.TORCH).backend is Backend.TORCH


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
