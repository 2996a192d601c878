# backend: torch
# style: matrix times vector
def dot_product(a, b):
    return b @ a
