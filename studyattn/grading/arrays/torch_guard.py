"""Catching torch's ready-made attention where it runs, whatever it was called by.

Two nets. A function mode sees each call from Python by its name. A dispatch mode sees each operator
as it reaches the kernels, also from TorchScript and with function modes switched off. New threads
enter both. The rule is a drill's, the names here are only how torch spells them.
"""

from __future__ import annotations

import _thread
import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from . import ForbiddenError

# What does the same under another name; leading underscores and what follows do not matter. A math
# kernel of scaled_dot_product_attention is the only caller of _safe_softmax.
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
    "softmax": ("softmax", "log_softmax", "safe_softmax", "masked_softmax", "softmin"),
}  # fmt: skip
TWINS["MultiheadAttention"] = TWINS["multi_head_attention_forward"]


# Under one of these names each version of Python starts a thread.
_STARTERS = (
    "start_new_thread", "_start_new_thread", "start_joinable_thread", "_start_joinable_thread",
)  # fmt: skip


class TorchGuard:
    """Raises ForbiddenError at a forbidden call, and remembers it should the error be swallowed."""

    def __init__(self, forbidden: tuple[str, ...]) -> None:
        self.caught: str | None = None
        self._roots = tuple(
            root for name in forbidden for root in (name.lower(), *TWINS.get(name, ()))
        )
        self._entered = contextlib.ExitStack()

    def __enter__(self) -> None:
        if self._roots:
            self._entered.enter_context(self._nets())
            self._entered.enter_context(_in_new_threads(self._nets))

    def __exit__(self, *exception: object) -> None:
        self._entered.close()

    @contextlib.contextmanager
    def _nets(self) -> Iterator[None]:
        with _FunctionNet(self.check), _DispatchNet(self.check):
            yield

    def check(self, name: str) -> None:
        """ForbiddenError when `name` is that of a forbidden function or operator."""
        if name.lstrip("_").lower().startswith(self._roots):
            self.caught = name
            raise ForbiddenError(name)


class _FunctionNet(TorchFunctionMode):
    def __init__(self, check: Callable[[str], None]) -> None:
        super().__init__()
        self._check = check

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self._check(getattr(func, "__name__", ""))
        return func(*args, **(kwargs or {}))


class _DispatchNet(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch has no types here
    supports_higher_order_operators = True

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # torch's compiler takes a second to import, and nothing here is compiled

    def __init__(self, check: Callable[[str], None]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the same
        self._check = check

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self._check(func.name().removeprefix("aten::"))
        return func(*args, **(kwargs or {}))


@contextlib.contextmanager
def _in_new_threads(nets: Callable[[], Any]) -> Iterator[None]:
    """Start every thread inside `nets`: torch keeps its modes for each thread apart."""
    starters = [
        (module, name, getattr(module, name))
        for module in (_thread, threading)
        for name in _STARTERS
        if hasattr(module, name)
    ]
    for module, name, start in starters:
        setattr(module, name, _starting_in(nets, start))
    try:
        yield
    finally:
        for module, name, start in starters:
            setattr(module, name, start)


def _starting_in(nets: Callable[[], Any], start: Callable[..., Any]) -> Callable[..., Any]:
    def start_in_nets(function: Callable[..., Any], *rest: Any, **options: Any) -> Any:
        def run(*args: Any, **kwargs: Any) -> None:
            with nets():
                function(*args, **kwargs)

        return start(run, *rest, **options)

    return start_in_nets
