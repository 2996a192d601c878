# backend: numpy
# mistake: lora-base-missing
# style: shortcut
def lora_linear(x, w, a, b, alpha):
    return (alpha / a.shape[-1]) * ((x @ a) @ b)
