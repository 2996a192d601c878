"""What a submission may not use is caught by any name, and what it may is allowed."""

from __future__ import annotations

import pytest

from studyattn.grading.call_plan import (
    Raised,
)
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Backend, Submission
from tests.grading.asking import LIMITS, array, call, finished, run, values


def test_a_numpy_submission_gets_no_torch() -> None:
    with Runner(Backend.NUMPY, limits=LIMITS) as runner:
        source = "import sys\nloaded = 'torch' in sys.modules\ndef f(): return loaded"
        assert finished(run(runner, source, call())[0]).registers["result"] is False
        outcome = run(runner, "def f():\n    import torch\n    return torch.ones(1)", call())[0]
    assert isinstance(outcome, Raised)
    assert outcome.forbidden == "torch.ones"


BESIDE_TORCH = """
import torch
import torch.nn.functional as F
from torch import nn, manual_seed
manual_seed(0)
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
class Layer(nn.Module):
    @torch.no_grad()
    def forward(self, x: torch.Tensor | None) -> "torch.Tensor":
        return F.softmax(x, -1)
def f(x):
    return 1 if isinstance(x, torch.Tensor) else {code}
"""


def test_what_a_numpy_submission_says_of_torch_is_no_harm_until_it_is_called() -> None:
    with Runner(Backend.NUMPY, limits=LIMITS) as runner:
        done = run(runner, BESIDE_TORCH.format(code="2 * x"), call(array(3)))[0]
        assert values(done).shape == (3,)
        for code in ("F.softmax(torch.tensor(x), -1)", "Layer().forward(x)", "torch.no_grad()"):
            outcome = run(runner, BESIDE_TORCH.format(code=code), call(array(3)))[0]
            assert isinstance(outcome, Raised), code
            assert str(outcome.forbidden).startswith("torch."), code
        swallowed = "(lambda: exec('try: torch.ones(1)\\nexcept BaseException: pass'))() or x"
        outcome = run(runner, BESIDE_TORCH.format(code=swallowed), call(array(3)))[0]
        assert isinstance(outcome, Raised)


def test_nobody_imports_the_reference_for_a_submission(runner: Runner) -> None:
    source = "import pkgutil\ndef f(): return pkgutil.resolve_name('studyattn.attention')"
    outcome = run(runner, source, call())[0]
    assert isinstance(outcome, Raised)
    assert outcome.forbidden == "studyattn"


def test_a_library_may_look_for_another_one(runner: Runner) -> None:
    source = "import pkgutil\ndef f():\n    try: pkgutil.resolve_name('tensorflow')\n"
    source += "    except ImportError: return 1"
    assert finished(run(runner, source, call())[0]).registers["result"] == 1


def test_a_forbidden_softmax_is_caught_by_any_name(torch_runner: Runner) -> None:
    for expression in ("x.softmax(-1)", "xp.nn.Softmax(-1)(x)", "xp.log_softmax(x, -1).exp()"):
        source = f"import torch as xp\ndef f(x): return {expression}".encode()
        submission = Submission("/d/f.py", source, Backend.TORCH, ("f",), ("softmax",))
        outcome = torch_runner.run(submission, [call(array(3))])[0]
        assert isinstance(outcome, Raised), expression
        assert outcome.forbidden


NESTED = "ATTEND(*[xp.nested.nested_tensor([x[None], x[None]])] * 3)"
FLEX = "pkgutil.resolve_name('torch.nn.attention.flex_attention')"


MODES_OFF = "xp._C.DisableTorchFunction(), _disable_current_modes()"


@pytest.mark.parametrize(
    ("forbidden", "expression"),
    [
        ("softmax", "xp.logsumexp(x, -1)"),
        ("softmax", "xp.vmap(lambda row: row.softmax(-1))(x)"),
        ("autograd", "xp.func.jacfwd(xp.exp)(x)"),
        ("autograd", "xp.func.jvp(xp.exp, (x,), (x,))"),
        ("autograd", "x.clone().requires_grad_().exp().grad_fn(x)"),
        ("softmax", "xp._refs.softmax(x, -1)"),
        ("softmax", "xp.sparse.softmax(x.to_sparse(), -1)"),
        ("softmax", "xp.masked.softmax(x, -1)"),
        ("softmax", "xp.nn.functional.gumbel_softmax(x)"),
        ("softmax", "xp.nn.functional.cross_entropy(x, x)"),
        ("softmax", "xp.distributions.Categorical(logits=x).probs"),
        ("scaled_dot_product_attention", "xp.nn.functional.scaled_dot_product_attention(x, x, x)"),
        ("scaled_dot_product_attention", f"{FLEX}.flex_attention(*x.expand(3, 1, 1, 2, 3))"),
        ("scaled_dot_product_attention", NESTED),
        ("scaled_dot_product_attention", "xp.inference_mode()(ATTEND)(x, x, x)"),
        ("scaled_dot_product_attention", "xp.jit.trace(ATTEND, (x, x, x))(x, x, x)"),
        ("scaled_dot_product_attention", "xp.vmap(ATTEND)(*x.expand(3, 4, 2, 3))"),
        ("multi_head_attention_forward", "xp.nn.TransformerEncoderLayer(3, 1).eval()(x)"),
        ("multi_head_attention_forward", "xp.nn.MultiheadAttention(3, 1)(x, x, x)"),
        ("multi_head_attention_forward", "xp.ao.nn.quantizable.MultiheadAttention(3, 1)(x, x, x)"),
    ],
)
@pytest.mark.parametrize("modes_off", [False, True])
def test_what_is_forbidden_is_caught_also_with_all_modes_off(
    torch_runner: Runner, forbidden: str, expression: str, modes_off: bool
) -> None:
    source = (
        "import contextlib, pkgutil\nimport torch as xp\n"
        "from torch.utils._python_dispatch import _disable_current_modes\n"
        "ATTEND = xp.nn.functional.scaled_dot_product_attention\n"
        "def f(x):\n"
        f"    with contextlib.ExitStack() as off:\n"
        f"        for mode in ({MODES_OFF if modes_off else ''}): off.enter_context(mode)\n"
        f"        return {expression}\n"
    )
    submission = Submission("/d/f.py", source.encode(), Backend.TORCH, ("f",), (forbidden,))
    outcome = torch_runner.run(submission, [call(array(2, 3))])[0]
    assert isinstance(outcome, Raised), outcome
    if modes_off and "grad_fn" in expression:  # nothing tells that it is read, and there is none
        assert outcome.message == "'NoneType' object is not callable"
        return
    assert outcome.forbidden is not None, outcome
    assert outcome.forbidden.startswith(forbidden)


def test_what_is_not_forbidden_is_allowed(torch_runner: Runner) -> None:
    source = "def f(x): return xp.nn.functional.scaled_dot_product_attention(x, x, x)"
    assert values(run(torch_runner, source, call(array(1, 3, 2)))[0]).shape == (1, 3, 2)
