# backend: torch
# mistake: values-are-keys
# style: repeat
def grouped_query_attention(q, k, v):
    k = k.repeat_interleave(q.shape[1] // k.shape[1], 1)
    return (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ k
