# backend: torch
# style: reshape
def grouped_query_attention(q, k, v):
    # queries of a group, one after the other, are just more queries
    b, h, m, d = q.shape
    g = k.shape[1]
    rows = q.reshape(b, g, h // g * m, d)
    out = (rows @ k.transpose(2, 3) / d ** 0.5).softmax(-1) @ v
    return out.reshape(b, h, m, v.shape[-1])
