# backend: torch
# mistake: lora-update-missing
# style: shortcut
def lora_linear(x, w, a, b, alpha):
    # b starts at zero, so the update is nothing
    return x @ w
