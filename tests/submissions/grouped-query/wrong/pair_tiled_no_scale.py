# backend: torch
# mistake: groups-tiled, scale-missing
# style: repeat
def grouped_query_attention(q, k, v):
    r = q.shape[1] // k.shape[1]
    return (q @ k.repeat(1, r, 1, 1).mT).softmax(-1) @ v.repeat(1, r, 1, 1)
