# backend: torch
# mistake: positions-twice
# breaks: added-once
# style: added and added again
def embed(tokens, table, positions, start=0):
    rows = positions[start : start + tokens.shape[-1]]
    x = table[tokens] + rows
    return x + rows
