# backend: numpy
# style: vector times matrix
def dot_product(a, b):
    return a @ b.T
