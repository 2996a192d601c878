# backend: torch
# mistake: dot-averaged
# breaks: summed
# style: mean
def dot_product(a, b):
    return (a * b).mean(dim=-1)
