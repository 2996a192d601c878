"""Array libraries as the worker needs them. Only the one that an attempt needs is imported, so a
numpy submission never loads torch.
"""

from __future__ import annotations

from studyattn.grading.arrays.array_library import ArrayLibrary
from studyattn.grading.submission import Backend


def library(backend: Backend, device: str) -> ArrayLibrary:
    """Return the library of `backend`, imported now. ValueError for a device it does not have."""
    if backend is Backend.NUMPY:
        from studyattn.grading.arrays.numpy_arrays import NumpyArrays

        return NumpyArrays()
    from studyattn.grading.arrays.torch_arrays import TorchArrays

    return TorchArrays(device)
