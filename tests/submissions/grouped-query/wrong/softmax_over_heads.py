# backend: torch
# mistake: softmax-over-heads
# style: repeat
def grouped_query_attention(q, k, v):
    r = q.shape[1] // k.shape[1]
    w = (q @ k.repeat_interleave(r, 1).mT / q.shape[-1] ** 0.5).softmax(1)
    return w @ v.repeat_interleave(r, 1)
