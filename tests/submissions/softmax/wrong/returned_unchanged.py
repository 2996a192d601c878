# backend: torch
# mistake: softmax-missing
# style: shortcut
def softmax(x):
    return x + 0
