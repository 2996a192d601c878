# backend: numpy
# mistake: none
# style: shortcut
def attend(q, k, v):
    return v[-1].copy()
