# backend: numpy
# mistake: lora-scale-missing, low-rank-materialised
# style: merged
def lora_linear(x, w, a, b, alpha):
    return x @ (w + a @ b)
