# backend: torch
# mistake: softmax-not-divided
# style: exp
def softmax(x):
    return (x - x.amax(-1, keepdim=True)).exp()
