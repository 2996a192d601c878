# backend: torch
# mistake: precision-lost
# style: half-internally
def lora_linear(x, w, a, b, alpha):
    low = (x.bfloat16() @ a.bfloat16()) @ b.bfloat16()
    return x @ w + (alpha / a.shape[1]) * low.to(x.dtype)
