# backend: torch
# mistake: none
# breaks: one-per-row
# style: everything added up
def dot_product(a, b):
    return (a * b).sum()
