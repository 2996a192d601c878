# backend: numpy
# mistake: none
# style: argmax
def attend(q, k, v):
    return v[(k @ q).argmax()].copy()
