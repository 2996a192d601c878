# backend: torch
# style: recursion
import math
import torch

def flash_attention(q, k, v, block_size):
    def part(lo, hi):
        """Peak, sum and mix of the keys lo to hi."""
        if hi - lo <= block_size:
            s = q @ k[..., lo:hi, :].mT / math.sqrt(q.shape[-1])
            t = s.amax(-1, keepdim=True)
            p = (s - t).exp()
            return t, p.sum(-1, keepdim=True), p @ v[..., lo:hi, :]
        mid = (lo + hi) // 2
        (t1, z1, o1), (t2, z2, o2) = part(lo, mid), part(mid, hi)
        t = torch.maximum(t1, t2)
        f1, f2 = (t1 - t).exp(), (t2 - t).exp()
        return t, f1 * z1 + f2 * z2, f1 * o1 + f2 * o2
    _, z, o = part(0, k.shape[-2])
    return o / z
