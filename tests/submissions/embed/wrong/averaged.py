# backend: torch
# mistake: none
# style: the mean of both
def embed(tokens, table, positions, start=0):
    return (table[tokens] + positions[start : start + tokens.shape[-1]]) / 2
