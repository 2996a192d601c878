# backend: torch
# mistake: softmax-wrong-axis
# style: matmul
def trace_head(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    weights = (scores / q.shape[-1] ** 0.5).softmax(0)
    return q, k, v, scores, weights, weights @ v
