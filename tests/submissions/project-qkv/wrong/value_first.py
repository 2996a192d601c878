# backend: numpy
# mistake: projections-in-wrong-order
# style: numpy
def project_qkv(x, w_q, w_k, w_v):
    return x @ w_v, x @ w_k, x @ w_q
