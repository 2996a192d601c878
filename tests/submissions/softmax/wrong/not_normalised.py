# backend: torch
# mistake: none
# style: exp
def softmax(x):
    return (x - x.amax(-1, keepdim=True)).exp()
