# backend: torch
# mistake: not-differentiable
# style: detach
def grouped_query_attention(q, k, v):
    r = q.shape[1] // k.shape[1]
    k = k.detach().repeat_interleave(r, 1)
    return (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v.repeat_interleave(r, 1)
