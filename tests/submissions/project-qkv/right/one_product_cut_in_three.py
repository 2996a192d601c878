# backend: numpy
from typing import NamedTuple

import numpy as np


class Parts(NamedTuple):
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray


def project_qkv(x, w_q, w_k, w_v):
    cuts = np.cumsum([w_q.shape[1], w_k.shape[1]])
    together = np.tensordot(x, np.hstack((w_q, w_k, w_v)), axes=1)
    return Parts(*np.split(together, cuts, axis=-1))
