# backend: torch
# mistake: none
# breaks: all-six-tables
# style: incomplete
def trace_head(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return (q @ k.T / q.shape[-1] ** 0.5).softmax(-1) @ v
