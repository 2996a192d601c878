# backend: torch
# style: repeat
def grouped_query_attention(q, k, v):
    times = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(times, 1), v.repeat_interleave(times, 1)
    return (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v
