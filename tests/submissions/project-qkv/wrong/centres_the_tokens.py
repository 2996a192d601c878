# backend: numpy
# mistake: input-mutated
# style: in-place
def project_qkv(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    x -= x.mean(-1, keepdims=True)
    return q, k, v
