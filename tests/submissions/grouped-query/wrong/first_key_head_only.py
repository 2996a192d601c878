# backend: torch
# mistake: groups-first-only
# style: shared-key
def grouped_query_attention(q, k, v):
    return (q @ k[:, :1].mT / q.shape[-1] ** 0.5).softmax(-1) @ v[:, :1]
