# backend: torch
# mistake: none
# style: sizes
def dot_product(a, b):
    return (a.abs() * b.abs()).sum(dim=-1)
