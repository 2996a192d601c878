"""Catching what a drill forbids of torch where it runs, whatever it was called by.

Two nets. The kernels of forbidden operators are replaced, and the functions that spell one out in
Python: that holds for TorchScript and with all modes switched off, and costs other operators
nothing. Above it a function mode sees each call from Python by its name, in new threads too. It
doubles the time of a small operator, so it is left out where the other net is known to catch all.
The rule is a drill's, the names here are only how torch spells them.
"""

from __future__ import annotations

import _thread
import contextlib
import dataclasses
import functools
import sys
import threading
import types
import warnings
from collections.abc import Callable
from typing import Any, NoReturn

import torch
from torch.overrides import TorchFunctionMode

from studyattn.grading.arrays.array_library import ForbiddenError
from studyattn.grading.arrays.torch_meter import CountingMode

# What does the same under another name; leading underscores and what follows do not matter. A math
# kernel of scaled_dot_product_attention is the only caller of _safe_softmax. Forward-mode
# differentiation (jvp, jacfwd) always begins with _make_dual.
TWINS = {
    "scaled_dot_product_attention": (
        "scaled_dot_product", "safe_softmax", "fused_sdp_choice", "flash_attention_forward",
        "efficient_attention_forward", "cudnn_attention_forward", "flex_attention",
        "varlen_attn", "triton_scaled_dot_attention",
    ),
    "multi_head_attention_forward": (
        "multi_head_attention_forward", "multiheadattention", "native_multi_head_attention",
        "triton_multi_head_attention", "transformer_encoder_layer_fwd",
    ),
    "softmax": (
        "softmax", "log_softmax", "safe_softmax", "masked_softmax", "sparse_softmax",
        "sparse_log_softmax", "gumbel_softmax", "softmin", "logsumexp", "logcumsumexp",
        "special_softmax", "special_log_softmax", "special_logsumexp",
    ),
    "autograd": (
        "autograd", "backward", "grad", "softmax_backward", "run_backward", "make_dual",
        "requires_grad_",
    ),
}  # fmt: skip
TWINS["MultiheadAttention"] = TWINS["multi_head_attention_forward"]

# Whatever computes one of these comes to something that is replaced.
_CAUGHT_BELOW = TWINS.keys() - {"autograd"}

# Of every forbidden operator, the kernels under these keys are replaced. Those of autograd come
# first and are left out in inference mode; a few operators have no others.
_DEVICES = ("CPU", "CUDA") if torch.version.cuda or torch.version.hip else ("CPU",)
_KEYS = (*_DEVICES, *(f"Autograd{device}" for device in _DEVICES))

# The same for operators that have a kernel of their own for such tensors.
_OTHER_KEYS = (
    "MkldnnCPU", "SparseCPU", "SparseCUDA", "SparseCsrCPU", "SparseCsrCUDA", "NestedTensorCPU",
    "NestedTensorCUDA",
)  # fmt: skip

# Here operators are written in Python out of others. What is forbidden of these is replaced where
# the module is loaded, as it is in the server.
_WRITTEN_OUT = (
    "torch._refs", "torch._refs.special", "torch._refs.nn.functional",
    "torch._decomp.decompositions", "torch._higher_order_ops.flex_attention",
    "torch.ao.nn.quantizable",
)  # fmt: skip

# Listing them takes 30 ms, so it is done once in the server.
_OPERATORS = tuple(
    name.removeprefix("aten::")
    for name in torch._C._dispatch_get_all_op_names()  # noqa: SLF001  # torch lists them nowhere else
    if name.startswith("aten::")
)

# Under one of these names each version of Python starts a thread.
_STARTERS = tuple(
    (module, name)
    for module in (_thread, threading)
    for name in (
        "start_new_thread", "_start_new_thread", "start_joinable_thread", "_start_joinable_thread",
    )
    if hasattr(module, name)
)  # fmt: skip


class TorchGuard:
    """Raises ForbiddenError at a forbidden call, and remembers it should the error be swallowed."""

    entered: TorchGuard | None = None

    def __init__(self, forbidden: tuple[str, ...]) -> None:
        self.caught: str | None = None
        self._forbidden = forbidden
        self._rules = _rules(forbidden)
        self._nets = contextlib.ExitStack()
        _watch_new_threads()

    def __enter__(self) -> None:
        TorchGuard.entered = self
        self.enter_nets(self._nets)

    def __exit__(self, *exception: object) -> None:
        self._nets.close()
        TorchGuard.entered = None

    def enter_nets(self, nets: contextlib.ExitStack) -> None:
        """Enter what watches the calls of a thread, since torch keeps modes for each one apart."""
        if not _CAUGHT_BELOW.issuperset(self._forbidden):
            nets.enter_context(_FunctionNet(self.check, _allowed(tuple(self._rules))))
        if "autograd" in self._rules:  # no operator records how to differentiate it
            nets.enter_context(torch._C._AutoDispatchBelowAutograd())  # noqa: SLF001  # torch has no public way that no_grad's opposite does not undo

    def check(self, name: str) -> None:
        """ForbiddenError when `name` is that of a forbidden function or operator."""
        plain = name.lstrip("_").lower()
        root = next((root for root in self._rules if plain.startswith(root)), None)
        if root is not None:
            rule = self._rules[root]
            self.caught = rule if plain == rule.lower() else f"{rule} (here {name})"
            raise ForbiddenError(self.caught)

    def replace_kernels(self) -> None:
        """Replace all that is forbidden for the rest of this process, below every mode.

        For a process that serves one submission alone.
        """
        if self._rules:
            _replace(self._forbidden)


@functools.cache
def _rules(forbidden: tuple[str, ...]) -> dict[str, str]:
    """Return what is forbidden, by the beginnings of the names of all that does the same."""
    return {root: name for name in forbidden for root in (name.lower(), *TWINS.get(name, ()))}


@dataclasses.dataclass(frozen=True, slots=True)
class Replaced:
    """The kernels, by operator and key, and the functions that a ban replaces."""

    kernels: tuple[tuple[str, str], ...]
    functions: tuple[tuple[types.ModuleType, str], ...]


@functools.cache
def replaced(forbidden: tuple[str, ...]) -> Replaced:
    """Look up what has to be replaced, which takes longer than replacing it."""
    roots = tuple(_rules(forbidden))
    names = [name for name in _OPERATORS if name.lstrip("_").startswith(roots)]
    kernels = [
        (name, key)
        for name in names
        for key in (*_KEYS, *filter(functools.partial(_has_kernel, name), _OTHER_KEYS))
    ]
    functions = [
        (module, name)
        for module in filter(None, map(sys.modules.get, _WRITTEN_OUT))
        for name, function in vars(module).items()
        if callable(function) and name.lstrip("_").lower().startswith(roots)
    ]
    if "multi_head_attention_forward".startswith(roots):
        functions.append((torch.nn.functional, "multi_head_attention_forward"))
    return Replaced(tuple(kernels), tuple(functions))


@functools.cache
def _replace(forbidden: tuple[str, ...]) -> torch.library.Library:
    """Replace kernels and functions; the object returned keeps kernels replaced while it lives."""
    library = torch.library.Library("aten", "IMPL")  # type: ignore[no-untyped-call]  # torch has no types here
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns of every kernel that is replaced
        for name, key in replaced(forbidden).kernels:
            refuse = functools.partial(_refuse, name.partition(".")[0])  # its overload left out
            library.impl(name, refuse, key)  # type: ignore[no-untyped-call]  # the same
    for module, name in replaced(forbidden).functions:
        setattr(module, name, functools.partial(_refuse, name))
    if "run_backward".startswith(tuple(_rules(forbidden))):
        setattr(torch.autograd.Variable, "_execution_engine", _NoEngine)  # noqa: B010  # all of autograd calls it; torch declares another type
    return library


def _has_kernel(name: str, key: str) -> bool:
    return torch._C._dispatch_has_kernel_for_dispatch_key(f"aten::{name}", key)  # noqa: SLF001  # see _OPERATORS


class _NoEngine:
    """Takes the place of the engine that runs every backward pass."""

    @staticmethod
    def run_backward(*_args: Any, **_kwargs: Any) -> NoReturn:
        _refuse("run_backward")

    queue_callback = run_backward


def _refuse(name: str, *_args: Any, **_kwargs: Any) -> NoReturn:
    if TorchGuard.entered is not None:
        TorchGuard.entered.check(name)
    raise ForbiddenError(name)


@functools.cache
def _allowed(roots: tuple[str, ...]) -> set[Any]:  # noqa: ARG001  # they are the key
    """Return the set of functions that were found to be allowed: the same few are called again."""
    return set()


class _FunctionNet(TorchFunctionMode):
    def __init__(self, check: Callable[[str], None], allowed: set[Any]) -> None:
        super().__init__()
        self._check = check
        self._allowed = allowed

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func not in self._allowed:
            name = getattr(func, "__name__", "")
            if name == "__get__":  # of a property, whose name its descriptor has
                name = getattr(func.__self__, "__name__", "")
            self._check(name)
            self._allowed.add(func)
        return func(*args, **(kwargs or {}))


@functools.cache
def _watch_new_threads() -> None:
    """Have every thread that starts while a guard is entered begin inside its nets."""
    for module, name in _STARTERS:
        setattr(module, name, _watching(getattr(module, name)))


def _watching(start: Callable[..., Any]) -> Callable[..., Any]:
    def start_watched(function: Callable[..., Any], *rest: Any, **options: Any) -> Any:
        guard = TorchGuard.entered
        if guard is None:
            return start(function, *rest, **options)

        def run(*args: Any, **kwargs: Any) -> None:
            with contextlib.ExitStack() as nets:
                guard.enter_nets(nets)
                nets.enter_context(CountingMode())  # type: ignore[no-untyped-call]  # the same
                function(*args, **kwargs)

        return start(run, *rest, **options)

    return start_watched
