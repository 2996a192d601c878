# backend: torch
# mistake: none
# style: rounded
def trace_head(x, w_q, w_k, w_v):
    q, k, v = (t.round(decimals=3) for t in (x @ w_q, x @ w_k, x @ w_v))
    scores = (q @ k.T).round(decimals=3)
    weights = (scores / q.shape[-1] ** 0.5).softmax(-1).round(decimals=3)
    return q, k, v, scores, weights, (weights @ v).round(decimals=3)
