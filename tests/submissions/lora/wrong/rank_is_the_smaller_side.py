# backend: torch
# mistake: none
# The rank may be above the width of the input.
def lora_linear(x, w, a, b, alpha):
    return x @ w + (alpha / min(a.shape)) * ((x @ a) @ b)
