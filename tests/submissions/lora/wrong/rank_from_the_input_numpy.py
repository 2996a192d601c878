# backend: numpy
# mistake: lora-rank-from-other-axis
def lora_linear(x, w, a, b, alpha):
    rank = len(a)
    return x @ w + alpha / rank * (x @ a @ b)
