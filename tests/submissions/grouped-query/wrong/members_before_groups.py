# backend: torch
# mistake: groups-tiled
# style: reshape
def grouped_query_attention(q, k, v):
    b, h, m, d = q.shape
    g = k.shape[1]
    q = q.reshape(b, h // g, g, m, d)
    w = (q @ k[:, None].mT / d ** 0.5).softmax(-1)
    return (w @ v[:, None]).reshape(b, h, m, v.shape[-1])
