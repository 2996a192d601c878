# backend: numpy
# mistake: query-key-swapped
# breaks: tuple-in-order
# style: numpy
def project_qkv(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return k, q, v
