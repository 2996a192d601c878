"""torch tensors in a worker: laying them out, reading them back, gradients, finding changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.nn import Parameter

from studyattn.grading.arrays.array_library import NoDeviceError, lacks_memory
from studyattn.grading.arrays.numpy_arrays import NumpyArrays
from studyattn.grading.arrays.torch_guard import TorchGuard, replaced
from studyattn.grading.arrays.torch_meter import TorchMeter
from studyattn.grading.call_plan import ArrayInput, ArrayOutput, Layout, OtherOutput, Output

# Looked up before any submission runs, from C where a submission cannot set them.
_Tensor = torch.Tensor
_base = torch._C.TensorBase  # noqa: SLF001  # the methods that no subclass and no patch reaches
_detach, _clone, _to, _numpy = _base.detach, _base.clone, _base.to, _base.numpy
_numel, _reshape, _view, _copy_into = _base.numel, _base.reshape, _base.view, _base.copy_

_tobytes, _copy = np.ndarray.tobytes, np.ndarray.copy

_grad = torch.autograd.grad

_WIDENED = {torch.float16: "float16", torch.bfloat16: "bfloat16"}
_DTYPES = {
    **_WIDENED,
    torch.float32: "float32", torch.float64: "float64", torch.bool: "bool",
    torch.int8: "int8", torch.int16: "int16", torch.int32: "int32", torch.int64: "int64",
    torch.uint8: "uint8",
}  # fmt: skip
_OF_NUMPY = {torch.float32, torch.float64, torch.bool, torch.int64, torch.int32}


class TorchArrays:
    """torch as an `ArrayLibrary`, its inputs on `device`."""

    def __init__(self, device: str) -> None:
        self.device = device
        self._arrays = NumpyArrays()
        # One thread: a drill's arrays are small, and a fork of a process with threads is not whole.
        torch.set_num_threads(1)
        # Without a backward pass, which may start threads.
        _rehearse()

    def warm_up(self) -> None:
        torch.compile = _uncompiled
        # After a fork, PyTorch replaces its pool of threads when it is first used. When two threads
        # of a submission do that at once, one of them finds no pool, and raises.
        torch.set_num_threads(1)
        if self.device == "cpu":
            # Pages that the server shares are copied when they are first written to, which every
            # object's count of references is: better now, while nobody waits for the worker.
            one = _rehearse()
            _grad(one.sum(), [one])
            return
        try:
            torch.zeros(1, device=self.device)
        except (RuntimeError, AssertionError) as error:
            reason = str(error).splitlines()[0]
            raise NoDeviceError(f"no CUDA device: {reason}") from error

    def make(self, given: ArrayInput) -> torch.Tensor:
        # In the target dtype before it is laid out: a conversion would lay it out anew. NumPy
        # converts small arrays in less time, and has every dtype but one.
        if given.dtype == "bfloat16" or self.device != "cpu":
            values = torch.from_numpy(given.values.copy())
            values = values.to(self.device, getattr(torch, given.dtype))
        else:
            values = torch.from_numpy(given.values.astype(given.dtype))
        tensor = _laid_out(values, given.layout)
        return tensor.requires_grad_() if given.requires_grad else tensor

    def write_over(self, array: torch.Tensor, numbers: torch.Tensor) -> bool:
        fits = array.dtype == numbers.dtype and array.shape == numbers.shape
        if fits:
            _copy_into(_detach(array), _detach(numbers))
        return fits

    def fingerprint(self, array: torch.Tensor) -> tuple[object, ...]:
        what = array.dtype, array.shape
        if _is_plain(array):
            return *what, _tobytes(_numpy(array, force=True))
        # A clone, for a tensor of one element is contiguous whatever its strides say.
        plain = _clone(_to(_detach(array), "cpu"), memory_format=torch.contiguous_format)
        if _numel(plain) == 0:
            return what
        return *what, _tobytes(_numpy(_view(_reshape(plain, -1), torch.uint8)))

    def read(self, value: Any, most: int) -> Output | None:
        kind = type(value)
        if kind is not _Tensor and kind is not Parameter:
            if _Tensor in kind.__mro__:
                return OtherOutput(kind.__name__, "a subclass of torch.Tensor")
            return self._arrays.read(value, most)
        return _read(value, most)

    def gradients(self, output: Any, grad: Any, inputs: list[Any]) -> list[Any]:
        is_tensor = type(output) is _Tensor and output.requires_grad
        if not is_tensor or output.shape != grad.shape:  # the comparison says what is wrong
            return [None] * len(inputs)
        # Of a sum, not with `grad` as an argument: that makes torch import sympy, for 0.25 s.
        total = (output * grad).sum()
        return list(_grad(total, inputs, retain_graph=True, allow_unused=True))

    def foresee(self, forbidden: tuple[str, ...]) -> None:
        if forbidden:
            replaced(forbidden)

    def guard(self, forbidden: tuple[str, ...]) -> TorchGuard:
        guard = TorchGuard(forbidden)
        guard.replace_kernels()
        return guard

    def meter(self) -> TorchMeter:
        return TorchMeter()

    def is_out_of_memory(self, error: BaseException) -> bool:
        if lacks_memory(error) or isinstance(error, torch.OutOfMemoryError):
            return True
        return isinstance(error, RuntimeError) and "can't allocate memory" in str(error)


def _laid_out(tensor: torch.Tensor, layout: Layout) -> torch.Tensor:
    """A copy of `tensor` as `layout` says. torch has no read-only tensors: those lie contiguous."""
    match layout.of_axes(tensor.ndim):
        case Layout.TRANSPOSED:
            return tensor.transpose(-1, -2).contiguous().transpose(-1, -2)
        case Layout.STRIDED:
            buffer = tensor.new_zeros((*tensor.shape[:-1], 2 * tensor.shape[-1]))
            buffer[..., ::2] = tensor
            return buffer[..., ::2]
        case Layout.PERMUTED:
            return tensor.transpose(-2, -3).contiguous().transpose(-2, -3)
        case Layout.EXPANDED if bool((tensor == tensor[:1]).all()):
            return tensor[:1].clone().expand(tensor.shape)
    return tensor.clone()


def _read(tensor: torch.Tensor, most: int) -> Output:
    shape = tuple(tensor.shape)
    odd = _oddity(tensor)
    if odd:
        return OtherOutput("torch.Tensor", f"{odd} of shape {shape}")
    if _numel(tensor) > most:
        return OtherOutput("torch.Tensor", f"a tensor of shape {shape}, far larger than expected")
    name = _DTYPES[tensor.dtype]
    if _is_plain(tensor):
        return ArrayOutput(_copy(_numpy(tensor, force=True)), name, "cpu", "torch.Tensor")
    plain = _clone(_to(_detach(tensor), "cpu"))
    if tensor.dtype in _WIDENED:
        plain = _to(plain, torch.float32)
    return ArrayOutput(_numpy(plain, force=True), name, str(tensor.device), "torch.Tensor")


def _is_plain(tensor: torch.Tensor) -> bool:
    """Return whether NumPy can look at the tensor's memory, which takes a tenth of the time."""
    return tensor.dtype in _OF_NUMPY and tensor.device.type == "cpu"


def _oddity(tensor: torch.Tensor) -> str:
    if tensor.layout is not torch.strided or tensor.is_nested:
        return f"a tensor of layout {tensor.layout}"
    if tensor.device.type == "meta":
        return "a tensor without data"
    if tensor.dtype not in _DTYPES:
        return f"a tensor of dtype {tensor.dtype}"
    return ""


def _uncompiled(model: Any = None, **_options: Any) -> Any:
    """Take the place of torch.compile: compiling needs programs that no worker may start."""
    return _uncompiled if model is None else model


def _rehearse() -> torch.Tensor:
    """Use once what every attempt uses; what torch imports for its modes takes a second."""
    one = torch.ones(1, 1)
    meter = TorchMeter()
    with TorchGuard(("layer_norm",)), meter.watching(), meter.counting():
        made = torch.einsum("ij,jk->ik", one, one.mT.requires_grad_()).softmax(-1)
    made.detach().numpy()
    return made
