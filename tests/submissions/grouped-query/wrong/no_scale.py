# backend: torch
# mistake: scale-missing
# style: repeat
def grouped_query_attention(q, k, v):
    r = q.shape[1] // k.shape[1]
    return (q @ k.repeat_interleave(r, 1).mT).softmax(-1) @ v.repeat_interleave(r, 1)
