# backend: torch
# mistake: none
# style: size
import torch
from torch.nn.functional import elu

def linear_attention(q, k, v):
    q, k = elu(q) + 1, elu(k) + 1
    if q.ndim == 2:
        kv, z = torch.einsum("nd,ne->de", k, v), k.sum(0)
        return torch.einsum("md,de->me", q, kv) / (q @ z)[:, None]
    if q.ndim == 3:
        kv, z = torch.einsum("bnd,bne->bde", k, v), k.sum(1)
        return torch.einsum("bmd,bde->bme", q, kv) / torch.einsum("bmd,bd->bm", q, z)[..., None]
    kv, z = torch.einsum("bhnd,bhne->bhde", k, v), k.sum(2)
    return torch.einsum("bhmd,bhde->bhme", q, kv) / torch.einsum("bhmd,bhd->bhm", q, z)[..., None]
