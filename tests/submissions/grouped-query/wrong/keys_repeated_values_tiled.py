# backend: torch
# mistake: groups-tiled-once
# style: repeat
def grouped_query_attention(q, k, v):
    r = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(r, 1), v.repeat(1, r, 1, 1)
    return (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v
