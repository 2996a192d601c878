# backend: numpy
# mistake: input-mutated
# style: in place
def dot_product(a, b):
    b *= a
    return b.sum(axis=-1)
