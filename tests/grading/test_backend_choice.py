"""Which array library is read from a submission."""

from __future__ import annotations

import pytest

from studyattn.errors import InputError
from studyattn.grading.backend_choice import NAMED, choose, read
from studyattn.grading.submission import Backend, SourceFile

BOTH = tuple(Backend)
IMPORTS, USES = "the file imports it", "the code uses it"


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
        (b"# backend: numpy\nimport torch\n", Backend.NUMPY),
        (b"# backend: jax\n", Backend.TORCH),
        (b'"""backend: numpy"""\n', Backend.TORCH),
        (b"\n" * 30 + b"# backend: numpy\n", Backend.TORCH),
        (b"\xff\xfe# backend", Backend.TORCH),
        (b"", Backend.TORCH),
    ],
)
def test_a_comment_in_the_first_lines_wins(source: bytes, backend: Backend) -> None:
    assert read(source, ("f",), BOTH).backend is backend


def test_the_comment_is_why() -> None:
    assert read(b"# backend: numpy", ("f",), BOTH).why == NAMED


@pytest.mark.parametrize(
    ("source", "backend", "why"),
    [
        ("import numpy as np", Backend.NUMPY, IMPORTS),
        ("import numpy.linalg", Backend.NUMPY, IMPORTS),
        ("from numpy import exp", Backend.NUMPY, IMPORTS),
        ("def f(x):\n    import numpy as np\n    return np.exp(x)", Backend.NUMPY, IMPORTS),
        ("import torch", Backend.TORCH, IMPORTS),
        ("import torch.nn.functional as F", Backend.TORCH, IMPORTS),
        ("from torch import nn", Backend.TORCH, IMPORTS),
        ("import numpy as np\ndef f(x:", Backend.NUMPY, IMPORTS),  # no Python: imports count
        ("import numpyro\nimport torchvision", Backend.TORCH, ""),
        ("text = 'import numpy'", Backend.TORCH, ""),
        ("def f(x):\n    return x.softmax(-1)", Backend.TORCH, USES),
        ("def f(x):\n    return np.exp(x)", Backend.NUMPY, USES),  # its import is forgotten
        ("def f(x):\n    return torch.exp(x)", Backend.TORCH, USES),
    ],
)
def test_what_is_imported_alone_decides(source: str, backend: Backend, why: str) -> None:
    assert read(source.encode(), ("f",), BOTH) == (backend, why)


IN_BOTH = "import numpy as np, torch\nimport torch.nn.functional as F\nfrom numpy import exp\n"


@pytest.mark.parametrize(
    ("code", "backend"),
    [
        ("def f(x): return np.exp(x)\ndef g(x): return torch.exp(x)", Backend.NUMPY),
        ("def f(x): return F.softmax(x, -1)\ndef g(x): return np.exp(x)", Backend.TORCH),
        ("def f(x): return h(x)\ndef h(x): return exp(x)", Backend.NUMPY),
        ("def h(x): return F.relu(x)\ndef f(x): return [h(each) for each in x]", Backend.TORCH),
        ("def f(x: np.ndarray): return x * 2", Backend.NUMPY),
        ("def f(x: torch.Tensor): return x / np.sqrt(2)", Backend.TORCH),
        ("def f(x): return (x / np.sqrt(2)).softmax(-1)", Backend.TORCH),
        ("act = np.tanh\ndef f(x): return act(x)", Backend.NUMPY),
        ("class f:\n    def g(self, x): return self.exp(np)\n    def exp(self): 0", Backend.NUMPY),
        ("def f(x): return x @ x\nif __name__ == '__main__': print(np.ones(3))", Backend.TORCH),
        ("if True:\n    def f(x): return np.exp(x)", Backend.NUMPY),
        ("def f(x): return f(x) if g() else np.exp(x)\ndef g(): return f(0)", Backend.NUMPY),
    ],
)  # fmt: skip
def test_of_both_the_one_that_the_entry_uses_counts(code: str, backend: Backend) -> None:
    assert read((IN_BOTH + code).encode(), ("f",), BOTH).backend is backend


@pytest.mark.parametrize(
    ("source", "backend", "why"),
    [
        ("import numpy as np", Backend.NUMPY, IMPORTS),
        ("import torch", Backend.TORCH, IMPORTS),  # which is then said to be missing
        ("", Backend.NUMPY, ""),
        (IN_BOTH + "def f(x): return x @ x", Backend.NUMPY, "torch is not installed"),
        (IN_BOTH + "def f(x): return np.exp(x)", Backend.NUMPY, USES),
        (IN_BOTH + "def f(x): return torch.exp(x)", Backend.TORCH, USES),
        (IN_BOTH + "def f(x): return exp(torch.exp(x))", Backend.NUMPY, "torch is not installed"),
        ("import numpy\ndef f(x): return x.softmax(0)", Backend.TORCH, USES),
    ],
)
def test_without_torch(source: str, backend: Backend, why: str) -> None:
    assert read(source.encode(), ("f",), BOTH, missing=[Backend.TORCH]) == (backend, why)


def test_a_file_without_imports_is_in_the_library_of_what_it_imports() -> None:
    helper = SourceFile("/d/helper.py", b"import numpy as np", "helper")
    source = b"from helper import softmax\ndef f(x): return softmax(x)"
    assert read(source, ("f",), BOTH, beside=[helper]).backend is Backend.NUMPY
    unlike = SourceFile("/d/other.py", b"import torch", "other")
    assert read(source, ("f",), BOTH, beside=[helper, unlike]) == (Backend.TORCH, "")
    assert read(b"import torch", ("f",), BOTH, beside=[helper]).backend is Backend.TORCH


def test_a_drill_in_one_library_gets_its_arrays_unless_the_file_names_another() -> None:
    assert choose("x", b"import numpy", ("f",), ["torch"]) == (Backend.TORCH, "")
    with pytest.raises(InputError, match=r"'x' cannot be done in numpy\. Use torch"):
        choose("x", b"# backend: numpy", ("f",), ["torch"])


def test_what_is_given_wins_over_the_file() -> None:
    source = b"# backend: numpy\nimport numpy"
    assert choose("x", source, ("f",), BOTH, given="torch") == (Backend.TORCH, "")


@pytest.mark.parametrize("deep", [b"-" * 10**6 + b"1", b"a" + b".b" * 10**5, b"(" * 10**5, b"\0"])
def test_what_cannot_be_parsed_is_no_error(deep: bytes) -> None:
    source = b"import numpy\n" + deep
    assert read(source, ("f",), BOTH).backend is Backend.NUMPY
