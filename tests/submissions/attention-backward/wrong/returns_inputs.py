# backend: torch
# mistake: none
# style: shortcut
def attention_backward(q, k, v, grad_output):
    return q, k, v
