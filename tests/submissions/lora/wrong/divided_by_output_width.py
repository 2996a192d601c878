# backend: numpy
# mistake: lora-rank-from-other-axis
# style: wrong-axis
def lora_linear(x, w, a, b, alpha):
    return x @ w + (alpha / b.shape[-1]) * (x @ a @ b)
