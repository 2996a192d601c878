# backend: numpy
# mistake: dot-over-rows
# breaks: one-per-row
# style: axis
def dot_product(a, b):
    return (a * b).sum(axis=0)
