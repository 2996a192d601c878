# backend: numpy
# mistake: input-mutated
# style: in-place
def lora_linear(x, w, a, b, alpha):
    b *= alpha / a.shape[1]
    return x @ w + x @ a @ b
