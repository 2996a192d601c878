# backend: torch
# mistake: not-differentiable
# style: detach
def dot_product(a, b):
    return b @ a.detach()
