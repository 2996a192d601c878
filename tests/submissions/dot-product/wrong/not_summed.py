# backend: numpy
# mistake: none
# breaks: summed
# style: forgotten
def dot_product(a, b):
    return a * b
