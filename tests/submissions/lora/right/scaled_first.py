# backend: torch
# style: scale-the-input
def lora_linear(x, w, a, b, alpha):
    r = b.shape[0]
    low = x.matmul(a) * alpha / r
    return low.matmul(b).add(x.matmul(w))
