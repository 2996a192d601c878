# backend: torch
# mistake: activation-missing
# style: left out
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return (x @ w_1 + b_1) @ w_2 + b_2
