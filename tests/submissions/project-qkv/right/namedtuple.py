# backend: torch
# style: adversarial
from typing import NamedTuple
class QKV(NamedTuple):
    q: object
    k: object
    v: object
def project_qkv(x, w_q, w_k, w_v):
    return QKV(*(x @ w for w in (w_q, w_k, w_v)))
